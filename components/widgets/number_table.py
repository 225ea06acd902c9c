"""A quiet table of counts and rates: words at the left, numbers at the right, all of it in sight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st


def number_table(columns: Mapping[str, Sequence[str]], *, key: str, words: Sequence[str], wide: str = "") -> None:
    """Draw columns of texts; those not named in `words` hold numbers. `wide` is the column that gets the room."""
    text = st.column_config.TextColumn
    config = {name: text(alignment=None if name in words else "right") for name in columns}
    if wide:
        config[wide] = text(width="medium")
    st.dataframe(dict(columns), hide_index=True, height="content", column_config=config, key=key)

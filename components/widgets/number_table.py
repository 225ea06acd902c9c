"""A plain table of counts and rates: words at the left, numbers at the right, all of it visible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components.widgets.cells import WIDEST_HEAD_PX, width_of


def number_table(
    columns: Mapping[str, Sequence[object]],
    *,
    key: str,
    words: Sequence[str],
    wide: str = "",
    config: Mapping[str, Any] | None = None,
) -> None:
    """Draw columns of texts; those not named in `words` are right-aligned numbers. `wide`: the column whose texts are
    shown whole, up to `WIDEST_HEAD_PX`; `config`: of columns that are no texts."""
    text = st.column_config.TextColumn
    of_texts = {name: text(alignment=None if name in words else "right") for name in columns}
    if wide:
        of_texts[wide] = text(width=min(width_of(wide, list(map(str, columns[wide]))), WIDEST_HEAD_PX))
    st.dataframe(
        dict(columns), hide_index=True, height="content", column_config={**of_texts, **(config or {})}, key=key
    )

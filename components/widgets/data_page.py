"""The order of a page of data: a sentence with its number, the chart, the table, and how it is computed, folded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st


@contextmanager
def data_page(sentence: str, how: str, *, key: str, notes: str = "") -> Iterator[None]:
    """Draw the sentence; then what is drawn within, the chart before the table; then how it is computed.

    All texts are Markdown, escaped by the caller. `sentence`: the number, of what it is and of how many; `notes`: what
    is left out of it, and warnings; `how`: formulas and conventions, shown on demand."""
    st.markdown(sentence)
    if notes:
        st.caption(notes)
    yield
    how_computed(how, key=key)


def how_computed(text: str, *, key: str) -> None:
    """Draw formulas and conventions of the numbers above, folded. `key` of the page."""
    with st.popover("How this is computed", type="tertiary", key=f"{key}.how"):
        st.markdown(text)

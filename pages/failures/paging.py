"""Which page of a long list is shown, kept in the link."""

from __future__ import annotations

import streamlit as st

from components import state
from pages.failures.parts import PER_PAGE


def number(key: str) -> int:
    """As the link says at first, then as the buttons with this `key` do; the first page is 1."""
    held: int | None = st.session_state.get(key)
    if held is None:
        linked = state.read_param("page")
        held = int(linked) if linked.isdecimal() and 1 <= int(linked[:7]) < 10**6 else 1
    state.write_param("page", "" if held == 1 else str(held))
    return held


def buttons(key: str, total: int, shown: int) -> None:
    """Draw them, where there is more than one page."""
    pages = -(-total // PER_PAGE)
    if pages > 1:
        st.pagination(pages, default=min(shown, pages), key=key)

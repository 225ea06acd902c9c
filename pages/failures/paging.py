"""Page number of a long list, stored in the link."""

from __future__ import annotations

import streamlit as st

from components import state
from pages.failures.parts import PER_PAGE


def number(key: str) -> int:
    """Return the page number, from 1: the link's at first, then that of the buttons with this `key`."""
    current: int | None = st.session_state.get(key)
    if current is None:
        linked = state.read_param("page")
        current = int(linked) if linked.isdecimal() and 1 <= int(linked[:7]) < 10**6 else 1
    state.write_param("page", "" if current == 1 else str(current))
    return current


def buttons(key: str, total: int, shown: int) -> None:
    pages = -(-total // PER_PAGE)
    if pages > 1:
        st.pagination(pages, default=min(shown, pages), key=key)

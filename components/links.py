"""Links between screens, with the parameters that restore what the next one shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

_PAGES = "links.pages"


def know(pages: Mapping[str, Any]) -> None:
    """Remember this run's pages by path; called by the app once a run, since Streamlit recreates them."""
    st.session_state[_PAGES] = dict(pages)


def page_button(
    text: str, page: str, params: Mapping[str, str], *, key: str, is_primary: bool = False, shortcut: str | None = None
) -> None:
    """Draw a button that opens `page` with these query parameters. `text` must be a constant or escaped."""
    if st.button(text, key=key, type="primary" if is_primary else "secondary", shortcut=shortcut):
        go_to(page, params)


def page_link(text: str, page: str, params: Mapping[str, str]) -> None:
    """Draw a plain link to a page, which opens in a new tab too. `text` must be a constant or escaped."""
    known = st.session_state.get(_PAGES, {}).get(page)
    if known is None:
        st.text(text)
    else:
        st.page_link(known, label=text, query_params=dict(params))


def go_to(page: str, params: Mapping[str, str]) -> None:
    """Switch to another screen now."""
    known = st.session_state.get(_PAGES, {}).get(page)
    if known is not None:
        st.switch_page(known, query_params=dict(params))

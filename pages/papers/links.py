"""Link parameters within the Papers page.

`show` and `q`, the filters of the list, stay in the link, so that the way back restores the list too.
"""

from __future__ import annotations

import streamlit as st

from components import state

PAGE = "papers"
PLACES = ("paper", "tab", "page", "figure", "view", "which")


def go(**places: str) -> None:
    """Set these link parameters and clear the page's others; a callback."""
    for name in PLACES:
        state.write_param(name, places.get(name, ""))


def scope(paper_id: str) -> str:
    return state.key(PAGE, paper_id)


def follow(name: str, value: object) -> None:
    """Set the widget `name` to the link's value, unless it has it: setting it again would discard text being typed."""
    if name not in st.session_state or st.session_state[name] != value:
        st.session_state[name] = value

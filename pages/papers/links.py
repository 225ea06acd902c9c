"""The links within the Papers page: `paper`, `tab`, `page`, `figure`, `view` and `which` restore each of its parts.

`show` and `q`, the filters of the list, stay in the link meanwhile, so that the way back restores the list too.
"""

from __future__ import annotations

import streamlit as st

from components import state

PAGE = "papers"
PLACES = ("paper", "tab", "page", "figure", "view", "which")


def go(**places: str) -> None:
    """Make the link name exactly these places; as a callback, so that the next drawing shows them."""
    for name in PLACES:
        state.write_param(name, places.get(name, ""))


def scope(paper_id: str) -> str:
    """What receipts and remembered choices of one paper belong to."""
    return state.key(PAGE, paper_id)


def follow(name: str, value: object) -> None:
    """Have the widget `name` show what the link says.

    Only when it does not: a value set again would wipe out what is being typed at that moment.
    """
    if name not in st.session_state or st.session_state[name] != value:
        st.session_state[name] = value

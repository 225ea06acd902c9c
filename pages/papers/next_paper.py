"""From one paper to the next while locating: the next paper in use whose diagram nobody has shown yet."""

from __future__ import annotations

import streamlit as st

from components import state
from core.people import Viewer
from pages.papers.links import PAGE, go
from services.papers import papers

SAID = state.key(PAGE, "said")
NOTHING = "Every paper with a file has a located figure, or is excluded"


def go_on(viewer: Viewer, paper_id: str) -> None:
    """Open it, to locate; or the list, which says that there is none."""
    found = papers.next_to_locate(viewer, paper_id)
    if found is None:
        st.session_state[SAID] = NOTHING
        go()
    else:
        go(paper=found, tab="locate")

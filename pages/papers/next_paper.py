"""From one paper to the next while locating: the next paper in use whose diagram nobody has shown yet."""

from __future__ import annotations

import streamlit as st

from components import state
from core.papers.papers import Screening
from core.people import Viewer
from pages.papers.links import PAGE, go
from services.papers import papers

SAID = state.key(PAGE, "said")
NOTHING = "Every paper with a file has a located figure, or is excluded"


def next_unlocated(viewer: Viewer, paper_id: str) -> str | None:
    """The next one in the order of the list, round its end; None if there is no other."""
    lines = papers.list_papers(viewer)
    at = next((place for place, line in enumerate(lines) if line.id == paper_id), -1)
    waits = (
        line.id
        for line in (*lines[at + 1 :], *lines[:at])
        if line.has_file and not line.figures and line.screening is not Screening.EXCLUDED
    )
    return next(waits, None)


def go_on(viewer: Viewer, paper_id: str) -> None:
    """Open it, to locate; or the list, which says that there is none."""
    found = next_unlocated(viewer, paper_id)
    if found is None:
        st.session_state[SAID] = NOTHING
        go()
    else:
        go(paper=found, tab="locate")

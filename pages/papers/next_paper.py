"""From one paper to the next while locating: the next paper in use whose diagram nobody has shown yet."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets.acts import last_receipt
from core.people import Viewer
from pages.papers.links import PAGE, go, scope
from services.papers import papers

SAID = state.key(PAGE, "said")
NOTHING = "All papers with a file have a located figure or are excluded"


def go_on(viewer: Viewer, paper_id: str) -> None:
    """Open it, to locate; or the list, which says that there is none. Either says once that the last one is saved."""
    found = papers.next_to_locate(viewer, paper_id)
    receipt = last_receipt(scope(paper_id))
    said = f"Saved {shell.local_time(receipt.at):%H:%M:%S}" if receipt is not None else ""
    st.session_state[SAID] = " · ".join(filter(None, (said, NOTHING if found is None else "")))
    if found is None:
        go()
    else:
        go(paper=found, tab="locate")

"""Navigation to the next active paper without a located figure."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets.acts import last_receipt
from core.people import Viewer
from pages.papers.links import PAGE, go, scope
from services.papers import papers

NEXT_PAPER_NOTE = state.key(PAGE, "said")
ALL_LOCATED = "All papers with a file have a located figure or are excluded"


def open_next(viewer: Viewer, paper_id: str) -> None:
    """Open the next paper, or the list with what follows; either confirms once that the last one is saved."""
    next_id = papers.next_to_locate(viewer, paper_id)
    receipt = last_receipt(scope(paper_id))
    st.session_state[NEXT_PAPER_NOTE] = f"Saved {shell.local_time(receipt.at):%H:%M:%S}" if receipt is not None else ""
    if next_id is None:
        go(view="done")
    else:
        go(paper=next_id, tab="locate")

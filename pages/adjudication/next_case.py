"""From one adjudication to the next: leave the desk, and open what is begun or ready."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.people import Receipt, Viewer
from pages.adjudication.acts import PAGE
from services.adjudication import lists

SAID = state.key("adjudication", "said")
"""What the screen that is drawn next should say once. Not under this page's name, which is forgotten on leaving."""
NOTHING = "Queue empty"


def leave() -> None:
    """Back to the list, with nothing held of the adjudication."""
    state.write_param("adjudication", "")
    state.forget(PAGE)


def go_on(viewer: Viewer, receipt: Receipt | None = None) -> None:
    """Open the next case, or the list, which says that there is none; redraws the whole page."""
    case = lists.next_of(lists.waiting(viewer))
    said = f"Finished {shell.local_time(receipt.at):%H:%M:%S}" if receipt is not None else ""
    leave()
    if case is not None:
        state.write_param("figure", case.figure_id)  # the page begins it, inside its boundary
    st.session_state[SAID] = " · ".join(filter(None, (said, NOTHING if case is None else "")))
    st.rerun()

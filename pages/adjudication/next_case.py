"""Navigation between adjudications: leave the desk, or open the next case that is open or ready."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.people import Receipt, Viewer
from pages.adjudication.acts import PAGE
from services.adjudication import lists

# Message for the next screen; not under this page's name, whose state is cleared on leaving.
NEXT_SCREEN_NOTE = state.key("adjudication", "said")


def leave() -> None:
    state.write_param("adjudication", "")
    state.forget(PAGE)


def open_next(viewer: Viewer, receipt: Receipt | None = None) -> None:
    """Open the next case, or the list if there is none; reruns the whole page."""
    case = lists.next_of(lists.waiting(viewer))
    message = f"Finished {shell.local_time(receipt.at):%H:%M:%S}" if receipt is not None else ""
    leave()
    if case is not None:
        state.write_param("figure", case.figure_id)  # the page begins it, inside its boundary
    st.session_state[NEXT_SCREEN_NOTE] = message
    st.rerun()

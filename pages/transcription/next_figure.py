"""Navigation between figures: leave a transcription, and open the next of the queue."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.errors import EdgewiseError
from core.people import Receipt, Viewer
from pages.transcription.acts import PAGE
from services.queue.work import NothingFree, claim_next
from services.transcription.work_kind import FIGURES

# Message for the next screen; not under this page's name, whose state is cleared on leaving.
NEXT_FIGURE_NOTE = state.key("transcribe", "said")
_NEXT = state.key("transcribe", "onward")


def leave() -> None:
    state.write_param("transcription", "")
    state.forget(PAGE)


def open_next(viewer: Viewer, done: str = "", receipt: Receipt | None = None) -> None:
    """Open the viewer's unfinished work or the next free figure; reruns the page.
    `done` describes what was just saved; without a next figure the lists say so.
    """
    message = f"{done} {shell.local_time(receipt.at):%H:%M:%S}" if receipt is not None else ""
    try:
        opened = claim_next(viewer, FIGURES, act_id=state.act_id(_NEXT)).subject_id
    except EdgewiseError as error:
        opened = ""
        if not isinstance(error, NothingFree):  # of that the list says what comes next
            message = " · ".join(filter(None, (message, str(error))))
    else:
        state.spend(_NEXT)
    leave()
    state.write_param("transcription", opened)
    st.session_state[NEXT_FIGURE_NOTE] = message
    st.rerun()

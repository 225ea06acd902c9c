"""From one figure to the next: leave a transcription, and open what the queue gives."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.errors import EdgewiseError
from core.people import Receipt, Viewer
from pages.transcription.acts import PAGE
from services.queue.work import claim_next
from services.transcription.work_kind import FIGURES

SAID = state.key("transcribe", "said")
"""What the screen that is drawn next should say once. Not under this page's name, which is forgotten on leaving."""
_NEXT = state.key("transcribe", "onward")


def leave() -> None:
    """Back to the lists, with nothing held of the transcription."""
    state.write_param("transcription", "")
    state.forget(PAGE)


def go_on(viewer: Viewer, done: str = "", receipt: Receipt | None = None) -> None:
    """Open one's own unfinished work, else the next free figure, and redraw the whole page. `done` says what was just
    kept; where there is nothing to go on with, the lists say so."""
    said = f"{done} {shell.local_time(receipt.at):%H:%M:%S}" if receipt is not None else ""
    try:
        opened = claim_next(viewer, FIGURES, act_id=state.act_id(_NEXT)).subject_id
    except EdgewiseError as error:
        opened, said = "", " · ".join(filter(None, (said, str(error))))
    else:
        state.spend(_NEXT)
    leave()
    state.write_param("transcription", opened)
    st.session_state[SAID] = said
    st.rerun()

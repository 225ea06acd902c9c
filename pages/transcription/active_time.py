"""Measures active time on a transcription: an invisible component reports seconds."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import state
from components.activity.activity import activity, read_report
from core.errors import EdgewiseError, SignedOut, StoreUnavailable
from core.people import Viewer
from services.transcription import effort

PAGE = "effort"
REMEMBERED = 10


@st.fragment
def watch(viewer: Viewer, assignment_id: str) -> None:
    """Report the viewer's activity as time on this task, without other reruns. Call it for own, open work only."""
    name = state.key(PAGE, f"watch.{assignment_id}")
    answered = st.session_state.get(f"{name}.answered", ())
    activity(key=name, subject=assignment_id, answered=answered, on_report=partial(_count, viewer, assignment_id, name))


def _count(viewer: Viewer, assignment_id: str, name: str) -> None:
    """Store a report.

    On a temporary failure the browser sends it again; a refused report, which nobody requested, is dropped silently.
    """
    try:
        report = read_report(st.session_state.get(name))
    except EdgewiseError:
        return
    if report is None or report.subject != assignment_id:
        return
    try:
        effort.beat(viewer, assignment_id, report.seconds, beat_id=report.id)
    except (SignedOut, StoreUnavailable):
        return
    except EdgewiseError:
        pass
    answered = st.session_state.get(f"{name}.answered", ())
    st.session_state[f"{name}.answered"] = (*answered, report.id)[-REMEMBERED:]

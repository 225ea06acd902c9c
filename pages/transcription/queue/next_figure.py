"""Next for you: the one thing to go on with, and the one button for it."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from components import shell, state
from components.widgets.work_list import thumbnail
from core.errors import EdgewiseError
from core.people import Viewer
from core.words import counted
from pages.transcription import expectations
from services.queue.work import claim_next
from services.transcription import expected, transcribing
from services.transcription.expected import ExpectedFigure
from services.transcription.lists import NextWork, WorkItem
from services.transcription.work_kind import FIGURES

PAGE = "next"
FAILED = state.key(PAGE, "failed")
VERBS = {"Take": "Take next figure", "Continue": "Continue", "Correct": "Open returned figure"}


def show(viewer: Viewer, found: NextWork) -> None:
    """What the queue gives this person now; nothing at all if there is nothing."""
    failed = st.session_state.pop(FAILED, "")
    if failed:
        st.error(shell.escaped(failed))
    work = found.work
    if work is None:
        return
    figure = expected.expected(viewer, [work.figure_id]).get(work.figure_id)
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=state.key(PAGE, "card")):
        if figure is not None:
            thumbnail(expectations.thumbnail_url(work.figure_id, figure))
        with st.container(gap=None, width="stretch"):
            st.caption("Next for you")
            st.markdown(f"**{shell.escaped(work.paper_title)}**")
            st.caption(shell.escaped(" · ".join(part for part in _about(work, found.free, figure) if part)))
        name = state.key(PAGE, "take")
        st.button(
            VERBS[found.verb],
            type="primary",
            key=state.act_key(name),
            on_click=_go_on,
            args=(viewer, name, state.act_id(name), work.assignment_id),
        )


def _about(work: WorkItem, free: int, figure: ExpectedFigure | None) -> tuple[str, ...]:
    if work.assignment_id is None:
        said = expectations.in_words(figure)
        return (work.figure_label, work.place, said, f"{counted(free, 'figure')} in your queue" if free > 1 else "")
    edges = f"{counted(work.edges, 'edge')} so far"
    return (work.figure_label or work.place, work.comment[:160] if work.state == "returned" else edges, ends(work))


def ends(work: WorkItem) -> str:
    """Until when an unfinished one is kept for its person, in words."""
    return f"claim expires {moment(work.expires_at)} unless you edit" if work.expires_at is not None else ""


def moment(at: datetime) -> str:
    """A day and time in the person's own time, short: "2 Mar 2026, 12:00"."""
    here = shell.local_time(at)
    return f"{here.day} {here:%b %Y, %H:%M}"


def _go_on(viewer: Viewer, name: str, act_id: str, assignment_id: str | None) -> None:
    """One's own is opened; a new one is asked for at this moment, so it may be another than the one that was shown."""
    try:
        opened = assignment_id or claim_next(viewer, FIGURES, act_id=act_id).subject_id
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)
        return
    state.spend(name)
    state.write_param("transcription", opened)


def resume(viewer: Viewer, work: WorkItem) -> None:
    """Take a claim up again that lapsed or was given back, and open it."""
    name = state.key(PAGE, f"resume.{work.assignment_id}")
    receipt = transcribing.take(viewer, work.figure_id, act_id=state.act_id(name))
    state.spend(name)
    state.write_param("transcription", receipt.subject_id)

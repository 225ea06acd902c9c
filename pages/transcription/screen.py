"""Transcribe: the viewer's work lists, and one transcription."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

import streamlit as st

from components import shell, state
from components.desk.work_screen import can_open
from components.widgets.choosing import choose_part
from components.widgets.work_list import WorkLine, work_list
from core.people import Permission, Viewer
from core.words import counted
from pages.transcription import (
    declined,
    editor,
    expectations,
    feedback,
    next_figure,
    pace,
    practice_gate,
    proposals,
)
from pages.transcription.queue import next_figure as queue_next
from pages.transcription.queue import screen as queue
from pages.transcription.states import STATES
from pages.work_queue.screens import screen_of
from services.acting import consulting_once
from services.adjudication import feedback as rulings
from services.transcription import expected, lists, practice, reading, transcribing
from services.transcription.expected import ExpectedFigure
from services.transcription.lists import WorkItem
from services.transcription.work_kind import FIGURES

PAGE = "transcribe"
SCREEN = screen_of(PAGE, "transcription", FIGURES)
BACK = "All transcriptions"
PARTS = {"work": "Work", "queue": "Queue", "declined": "Declined", "pace": "Active time", "proposals": "Proposals"}
ENDED = {"lapsed": "claim expired", "freed": "claim returned"}


@consulting_once()
def show(viewer: Viewer) -> None:
    opened = state.read_param("transcription")
    figure_id = state.read_param("figure")
    ruled = state.read_param(feedback.PARAM)
    if ruled and viewer.may(Permission.TRANSCRIBE):
        feedback.show(viewer, ruled)
    elif opened:
        if can_open(SCREEN, lambda: reading.require_transcription(viewer, opened), BACK) and _is_ready(viewer, opened):
            editor.show(viewer, opened)
    elif figure_id and viewer.may(Permission.TRANSCRIBE):
        if _is_ready(viewer):
            with shell.boundary():
                _take(viewer, figure_id)
            if not state.read_param("figure"):
                st.rerun()
            st.button(BACK, key=state.key(PAGE, "back"), on_click=_back)
    else:
        _lists(viewer)


def _is_ready(viewer: Viewer, assignment_id: str = "") -> bool:
    """Return True if the figure may be opened; otherwise draw what is required first, and a link back."""
    if not practice.due(viewer, assignment_id).is_anything:
        return True
    with shell.top_row("Before this figure"):
        st.button(BACK, key=state.key(PAGE, "back"), on_click=_back)
    return practice_gate.gate(viewer, assignment_id)


def _back() -> None:
    state.write_param("transcription", "")
    state.write_param("figure", "")


def _lists(viewer: Viewer) -> None:
    with shell.top_row("Transcribe", note=st.session_state.pop(next_figure.NEXT_FIGURE_NOTE, "")):
        part = choose_part(PAGE, PARTS) if viewer.may(Permission.CURATE) else "work"
    if part == "queue":
        queue.of_study(viewer)
        return
    if part == "declined":
        declined.of_study(viewer)
        return
    if part == "pace":
        pace.of_study(viewer)
        return
    if part == "proposals":
        proposals.of_study(viewer)
        return
    if viewer.may(Permission.TRANSCRIBE):
        _own(viewer)
    if viewer.may(Permission.REVIEW):
        submitted, open_work = lists.submitted_work(viewer), partial(state.write_param, "transcription")
        _section(viewer, "Submitted work", submitted, "Open", open_work, "Nothing has been submitted yet.")
        if any(not work.annotator for work in submitted):
            st.caption("Annotators stay unnamed until their figure is adjudicated, so that reviewers rule blind.")


def _own(viewer: Viewer) -> None:
    is_ready = practice_gate.gate(viewer)
    own_lists = lists.own_lists(viewer)
    own = own_lists.mine
    if is_ready:
        queue_next.show(
            viewer, own_lists.next, has_done=any(work.state in ("submitted", "accepted", "declined") for work in own)
        )
    empty = "No transcriptions yet. Take a figure below." if is_ready and own_lists.free else "No transcriptions yet."
    by_id = {work.assignment_id: work for work in own}
    ruled = rulings.feedback_list(viewer)
    adjudicated = {one.assignment_id for one in ruled}
    _section(viewer, "My work", own, "Continue", lambda chosen: _resume(viewer, by_id[chosen]), empty, adjudicated)
    feedback.section(ruled)
    pace.own(viewer)
    if is_ready:
        hint = "Figures appear here once they are located and a place is free."
        _section(viewer, "Figures to take", own_lists.free, "Take", partial(_take, viewer), hint)


def _resume(viewer: Viewer, work: WorkItem) -> None:
    if work.can_resume:
        queue_next.resume(viewer, work)
    else:
        state.write_param("transcription", work.assignment_id or "")


def _section(
    viewer: Viewer,
    title: str,
    works: Sequence[WorkItem],
    verb: str,
    act: object,
    empty: str,
    adjudicated: Collection[str] = (),
) -> None:
    """Draw a list; works in `adjudicated` have this state, which is more specific than accepted."""
    st.subheader(title, anchor=False)
    figures = {} if verb == "Open" else expected.expected(viewer, [work.figure_id for work in works])
    lines = [
        WorkLine(
            id=work.assignment_id or work.figure_id,
            title=work.paper_title,
            detail=" · ".join(
                part for part in (work.figure_label, work.place, work.annotator if verb == "Open" else "") if part
            ),
            state="adjudicated"
            if work.state == "accepted" and work.assignment_id in adjudicated
            else ENDED.get(work.ended) or STATES[work.state],
            counts=" · ".join(
                part for part in (_drawn_or_found(work, figures.get(work.figure_id)), queue_next.ends(work)) if part
            ),
            comment=_comment(work),
            verb=_verb(work, verb),
            image_url=expectations.thumbnail_url(work.figure_id, figures.get(work.figure_id)),
        )
        for work in works
    ]
    work_list(lines, key=state.key(PAGE, title), on_choose=act, empty=empty)  # type: ignore[arg-type]


def _comment(work: WorkItem) -> str:
    if work.verdict:
        return work.verdict[:1].upper() + work.verdict[1:]
    if not work.ended:
        return work.comment if work.state == "returned" else ""
    why = "Your claim expired without edits" if work.ended == "lapsed" else "Your claim was returned"
    room = "You can resume while a place is free." if work.can_resume else "No place is free for you now."
    return f"{why}. Your edges are kept. {room}"


def _drawn_or_found(work: WorkItem, figure: ExpectedFigure | None) -> str:
    if work.assignment_id is None:
        return expectations.in_words(figure)
    return f"{counted(work.nodes, 'node')}, {counted(work.edges, 'edge')}" if work.is_counted else ""


def _verb(work: WorkItem, verb: str) -> str:
    if verb == "Open":
        return verb if work.is_counted else ""  # returned work is only its annotator's to open
    if work.can_resume:
        return "Resume"
    return verb if work.state in ("new", "open", "returned") else "Open"


def _take(viewer: Viewer, figure_id: str) -> None:
    # One transcription per person and figure: the act ID is never spent, so a second click repeats the act.
    receipt = transcribing.take(viewer, figure_id, act_id=state.act_id(state.key(PAGE, f"take.{figure_id}")))
    state.write_param("figure", "")
    state.write_param("transcription", receipt.subject_id)

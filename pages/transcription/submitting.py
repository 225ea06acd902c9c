"""Row above a transcription: submit it, accept it, return it with a comment, or leave it."""

from __future__ import annotations

from functools import partial
from typing import Literal

import streamlit as st

from components import shell, state
from components.desk.tab import desk_key, unsaved
from components.widgets.copy_link import copy_link
from core.people import Viewer
from core.words import counted
from pages.transcription import declining, post_submission, practice_feedback
from pages.transcription.acts import FAILED, PAGE, TranscriptionTab, check_reading, tried
from pages.transcription.doubts import (
    graph_doubts,
    name_doubts,
    none_of_them,
    questions,
    refused_arrows,
    unused_labels,
)
from pages.transcription.next_figure import NEXT_FIGURE_NOTE, leave, open_next
from services.transcription import reading, transcribing
from services.transcription.reading import Transcription

NOTHING_DRAWN = "Draw at least one edge before you submit. To decline a figure without a graph, use *Decline figure*."
WHAT_NEXT = (
    "Next, a reviewer accepts it or returns it to you with a comment. If another annotator transcribes the figure too, "
    "a third person rules on the differences, and you get feedback. There is nothing more to do here."
)
# Seconds that opening the next figure waits for the reading of this one, which started when it was opened.
READ_WITHIN = 1.0
STATE_NOTES = {
    "submitted": "Submitted, read-only",
    "accepted": "Accepted",
    "abandoned": "Your claim ended. Your edges are kept",
}
# Names listed before the rest is counted.
NAMED = 6


def top(viewer: Viewer, work: Transcription, tab: TranscriptionTab) -> None:
    label = work.figure.label or work.figure.place
    note = (
        STATE_NOTES.get(work.state, "")
        if work.is_mine
        else f"by {work.annotator}, {work.state}"
        if work.annotator
        else work.state.capitalize()
    )
    note = " · ".join(filter(None, (st.session_state.pop(NEXT_FIGURE_NOTE, ""), note)))
    with shell.top_row(f"{label} · {work.figure.paper_title}", note=note):
        copy_link(PAGE)
        _whole(viewer, work, tab)
    if work.is_mine and work.state == "submitted" and not work.is_training:
        st.caption(WHAT_NEXT)
    if work.verdict is not None:
        with st.container(border=True, key=state.key(PAGE, "verdict")):
            st.caption(f"Declined: {declining.words(work.verdict)}")
            shell.plain(work.reason)
            st.caption(declining.WHAT_NEXT)
    if work.state == "returned" and work.comment:
        with st.container(border=True, key=state.key(PAGE, "comment")):
            st.caption("Returned with this comment")
            shell.plain(work.comment)
    failed = st.session_state.pop(FAILED, "")
    if failed:
        st.error(shell.escaped(failed))
    if work.is_training:
        practice_feedback.findings(viewer, work)
    if work.may_return:
        name = state.key(PAGE, f"return.{work.id}")
        with shell.boundary(), st.expander("Return with a comment"), st.form(state.act_key(name, "form")):
            comment = st.text_area("What to check again", key=state.act_key(name, "text"), max_chars=5_000)
            if st.form_submit_button("Return transcription"):
                receipt = transcribing.return_to_annotator(viewer, work.id, comment, act_id=state.act_id(name))
                state.spend(name)
                leave()  # it belongs to its annotator again and cannot be viewed here
                st.session_state[NEXT_FIGURE_NOTE] = (
                    f"Returned {shell.local_time(receipt.at):%H:%M:%S}: {work.figure.paper_title}"
                )
                st.rerun()
    if st.session_state.get(state.key(PAGE, "asks")) == work.id and work.may_edit:
        _submit_dialog(viewer, work, tab)


def _whole(viewer: Viewer, work: Transcription, tab: TranscriptionTab) -> None:
    is_done = work.is_mine and work.state in ("submitted", "declined") and not work.is_training
    word = "Leave for now" if work.may_edit else "All transcriptions"
    if st.button(word, key=state.key(PAGE, "back")):
        leave()
        st.rerun()  # of the whole page: a callback would redraw this fragment alone
    if is_done and st.button("Next figure", type="primary", key=state.key(PAGE, "onward")):
        open_next(viewer)
    if work.may_edit and not work.is_training:
        declining.form(viewer, work, tab)
    if work.is_training:
        practice_feedback.check_button(viewer, work, tab)
    elif work.may_edit:
        obstacle = unsaved(desk_key(PAGE, work.id)) or ("" if work.record.edges else NOTHING_DRAWN)
        st.button(
            "Submit",
            type="primary",
            key=state.key(PAGE, "submit"),
            disabled=bool(obstacle) or tab.is_stale,
            help=obstacle,
            on_click=partial(st.session_state.__setitem__, state.key(PAGE, "asks"), work.id),
        )
    elif work.is_mine and work.state == "abandoned":
        key = state.key(PAGE, "resume")
        st.button("Resume", type="primary", key=key, on_click=tried, args=(partial(_resume, viewer, work),))
    elif work.may_return:
        name = state.key(PAGE, f"accept.{work.id}")
        # The act ID is bound when drawn, so the second half of a double click repeats the act.
        act = partial(transcribing.accept, viewer, work.id, act_id=state.act_id(name))
        st.button("Accept transcription", type="primary", key=state.act_key(name), on_click=tried, args=(act,))


def _resume(viewer: Viewer, work: Transcription) -> None:
    name = state.key(PAGE, f"resume.{work.id}")
    transcribing.take(viewer, work.figure.id, act_id=state.act_id(name))
    state.spend(name)  # it may expire and be resumed again


def _stop_asking() -> None:
    st.session_state.pop(state.key(PAGE, "asks"), None)


@st.dialog("Submit this transcription?", width="medium", on_dismiss=_stop_asking)
def _submit_dialog(viewer: Viewer, shown: Transcription, tab: TranscriptionTab) -> None:
    with shell.boundary():
        # An answer reruns the dialog alone, so the current state is read again.
        check_reading(viewer, shown, tab)
        work = reading.transcription(viewer, shown.id, tab.offered.reading)
        left = _left_over(work)
        drawn = f"{counted(len(work.record.nodes), 'node')}, {counted(len(work.record.edges), 'edge')}"
        st.text(f"{drawn}. A submitted transcription cannot be changed.")
        if left or work.doubts:
            st.text("Check these before you submit:")
        for sentence in left:
            shell.plain(f"• {sentence}")
        _doubts(viewer, work, tab)
        waits = unsaved(desk_key(PAGE, work.id))
        if waits:
            st.text(waits)
        name = state.key(PAGE, f"submit.{work.id}")
        with st.container(horizontal=True):
            key = state.act_key(name, "next")
            kind: Literal["primary", "secondary"] = "secondary" if left or work.doubts else "primary"
            is_next = st.button("Submit and next", type=kind, key=key, disabled=bool(waits))
            is_submitted = st.button("Submit", key=state.act_key(name), disabled=bool(waits))
            if work.bare:
                st.button("Show arrows", key=state.act_key(name, "arrows"), on_click=_sweep, args=(tab, "arrows"))
            if _unswept(work) or unused_labels(work):
                st.button("Continue sweep", key=state.act_key(name, "sweep"), on_click=_sweep, args=(tab, ""))
            if st.button("Keep editing", key=state.act_key(name, "cancel")):
                _stop_asking()
                st.rerun()
        if st.session_state.get(state.key(PAGE, "asks")) != work.id:
            st.rerun()  # the sweep was chosen
        if is_submitted or is_next:
            with tab.turn:
                receipt = transcribing.submit(viewer, work.id, seen=tab.seen, act_id=state.act_id(name))
            state.spend(name)
            _stop_asking()
            if is_next and post_submission.is_due(viewer, work.id, wait_s=READ_WITHIN):
                post_submission.then_next(work.id)
            elif is_next:
                open_next(viewer, "Submitted", receipt)
            st.rerun()


def _left_over(work: Transcription) -> list[str]:
    unswept, faults = _unswept(work), len(work.faults)
    proposed = [f"{edge.source} → {edge.sink}" for edge in work.proposed]
    sentences = []
    if unswept:
        sentences.append(
            f"{len(unswept)} of {counted(len(work.record.nodes), 'node')} not swept "
            f"for missing edges: {_first(unswept, ', ')}"
        )
    if proposed:
        are = "is" if len(proposed) == 1 else "are"
        sentences.append(
            f"{counted(len(proposed), 'proposal')} {are} neither accepted nor rejected: {_first(proposed, '; ')}"
        )
    if work.bare:
        sentences.append(
            "1 printed arrow has no edge" if len(work.bare) == 1 else f"{len(work.bare)} printed arrows have no edge"
        )
    if faults:
        sentences.append(f"{counted(faults, 'faulty line')} to correct")
    return sentences


def _first(names: list[str], between: str) -> str:
    more = len(names) - NAMED
    return between.join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _unswept(work: Transcription) -> list[str]:
    return [node.name for node in work.record.nodes.values() if node.id not in work.marks.swept]


def _doubts(viewer: Viewer, work: Transcription, tab: TranscriptionTab) -> None:
    arrows = refused_arrows(work)
    doubts = [*name_doubts(work), *arrows, *graph_doubts(work), *unused_labels(work)]
    if doubts:
        with st.container(height=320 if len(doubts) > 4 else "content", border=False, gap="small"):
            none_of_them(viewer, work, tab, arrows)
            questions(viewer, work, tab, doubts, "dialog")
    if tab.trouble:
        st.caption(shell.escaped(tab.trouble))


def _sweep(tab: TranscriptionTab, begin: Literal["", "arrows"]) -> None:
    tab.sweep_n, tab.sweep_at = tab.sweep_n + 1, begin
    _stop_asking()

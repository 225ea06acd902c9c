"""Graphs from texts: what waits for one, what one built, and the desk on which a graph is built from its text."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets.acts import keep, last_receipt
from components.widgets.work_list import WorkLine, work_list
from core.people import Viewer
from core.words import counted
from pages.readings import desk
from pages.readings.acts import PAGE
from services.queue.work import claim_next, resume, waiting
from services.readings import reading
from services.readings.reading import ReadingLine
from services.readings.work_kind import TEXT_GRAPHS

STATES = {"open": "Unfinished", "lapsed": "Expired", "skipped": "Skipped", "submitted": "Submitted"}
FIRST_WORDS = (
    "You read the text of a paper and build the causal graph that it describes. You do not see its figure. You are "
    "told how many nodes the graph has, and for some texts their names. Every edge is saved at once. A submitted graph "
    "appears beside those of models in the tables of its run. It cannot be changed, and you cannot transcribe its "
    "figure later."
)

NO_TEXT = (
    "No text is free for you now. Texts come here from runs of graphs from texts that ask for people per sample; one "
    "whose graph you have seen stays closed to you."
)


def show(viewer: Viewer) -> None:
    """The list, or the text that the link names."""
    with shell.boundary():
        opened = state.read_param("reading")
        if opened:
            desk.show(viewer, opened)
        else:
            _list(viewer)


def _list(viewer: Viewer) -> None:
    mine, waits = reading.my_readings(viewer), waiting(viewer, TEXT_GRAPHS)
    with shell.top_row("Graphs from texts", last_receipt(PAGE)):
        if waits.unfinished or waits.free:
            form = state.key(PAGE, "take")
            word = "Continue graph" if waits.unfinished else "Take next text"
            if st.button(word, type="primary", key=state.act_key(form)):
                keep(
                    PAGE,
                    form,
                    lambda act: claim_next(viewer, TEXT_GRAPHS, act_id=act),
                    then=lambda: state.write_param("reading", _subject()),
                )
    st.text(f"{counted(waits.free, 'text')} in your queue." if waits.free else NO_TEXT)
    if not waits.submitted:
        st.caption(FIRST_WORDS)
    by_id = {line.assignment_id: line for line in mine}
    if mine:
        st.subheader("Your graphs", anchor=False)
        lines = [_line(line) for line in mine]
        work_list(lines, key=state.key(PAGE, "mine"), on_choose=lambda chosen: _open(viewer, by_id[chosen]))


def _subject() -> str:
    receipt = last_receipt(PAGE)
    return receipt.subject_id if receipt is not None else ""


def _line(line: ReadingLine) -> WorkLine:
    at = shell.moment(line.submitted_at or line.claimed_at)
    done = "submitted" if line.submitted_at else "taken"
    return WorkLine(
        id=line.assignment_id,
        title=line.title,
        detail=f"run {line.run}{', names given' if line.names_given else ''}",
        state="" if line.submitted_at else STATES[line.state].lower(),
        counts=f"{counted(line.edges, 'edge')} · {done} {at}",
        comment="",
        verb={"open": "Continue", "submitted": "Open"}.get(line.state, "Resume"),
    )


def _open(viewer: Viewer, line: ReadingLine) -> None:
    """One that was skipped or lapsed is taken up again first, if there is still room."""
    if line.state in ("skipped", "lapsed"):
        name = state.key(PAGE, f"resume.{line.assignment_id}")
        resume(viewer, TEXT_GRAPHS, line.assignment_id, act_id=state.act_id(name))
        state.spend(name)
    state.forget(PAGE)
    state.write_param("reading", line.assignment_id)

"""Desk with a text and the edge list of its graph; every act is saved at once."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from components.desk.desk_state import DeskState
from components.desk.tab import Data, desk_key, unsaved
from components.desk.work_screen import skip_button
from components.transcription.desk import transcription_data, transcription_desk
from components.widgets.edge_tables import both_versions
from components.widgets.long_text import long_text
from core.people import Viewer
from core.words import counted
from pages.readings.acts import PAGE, SCREEN, ReadingTab, apply, held_of
from pages.transcription import active_time
from services.acting import consulting_once
from services.readings import building, reading
from services.readings.reading import TextReading

TEXT_PX, MOST_SHOWN = 620, 60_000
# Size of the text box; a text of more than `MOST_SHOWN` characters is shown without paragraphs.
LETTERS_A_LINE, LINE_PX = 70, 24
# Graph whose submit dialog is open.
ASKS = state.key(PAGE, "asks")
NOTES = {
    "submitted": "Submitted, read-only",
    "skipped": "Skipped. Resume it from the list.",
    "lapsed": "Your claim expired. Resume it from the list.",
}


def show(viewer: Viewer, assignment_id: str) -> None:
    """Draw the text once; an act redraws only the edge list next to it."""
    work = reading.reading(viewer, assignment_id)
    note = NOTES.get(work.state, "")
    with shell.top_row(f"{work.title} · run {work.run}", note=note):
        if st.button("All graphs", key=state.key(PAGE, "back")):
            SCREEN.leave()
            st.rerun()
        if work.is_editable:
            skip_button(viewer, SCREEN, assignment_id, held_of(work))
    left, right = st.columns([11, 9], gap="medium")
    with left:
        st.subheader("Text", anchor=False)
        if len(work.text) > MOST_SHOWN:
            long_text(work.text, TEXT_PX)
        else:
            is_long = sum(1 + len(line) // LETTERS_A_LINE for line in work.text.split("\n")) * LINE_PX > TEXT_PX
            with st.container(height=TEXT_PX if is_long else "content", border=True, key=state.key(PAGE, "text.box")):
                st.markdown(shell.outline(work.text))
    with right:
        _screen(viewer, assignment_id)
    if work.is_editable:
        active_time.watch(viewer, assignment_id)


@st.fragment
@consulting_once()
def _screen(viewer: Viewer, assignment_id: str) -> None:
    with shell.boundary(reload=partial(state.forget, PAGE)):
        tab = held_of(reading.reading(viewer, assignment_id))
        tab.serve(viewer, partial(apply, assignment_id, tab), partial(_data, assignment_id, tab))
        data = tab.mounted(viewer)
        work = tab.work
        with st.container():  # keeps the desk's position and focus if rows above change
            if tab.is_stale:
                with st.container(border=True, key=state.key(PAGE, "conflict")):
                    st.markdown(
                        "**Another tab changed this graph. Nothing was overwritten. Your last change is kept in this "
                        "tab.**"
                    )
                    both_versions(
                        ("Your copy", tab.seen, tab.shown.graph()), ("Newer version", work.version, work.record.graph())
                    )
                    st.button("Use newer version", type="primary", key=state.key(PAGE, "newer"), on_click=tab.use_newer)
            _progress(work, tab)
        transcription_desk(desk_key(PAGE, work.assignment_id), data)
        for sentence in (tab.trouble, *tab.notices):
            if sentence:
                st.caption(shell.escaped(sentence))
        if st.session_state.get(ASKS) == work.assignment_id and work.is_editable:
            _submit_dialog(viewer, work, tab)


def _progress(work: TextReading, tab: ReadingTab) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        size = f"The graph has {counted(work.nodes, 'node')}"
        names = " with these names." if work.given else "."
        st.text(f"{size}{names} Your edges name {work.named:,}.", width="stretch")
        if work.is_editable:
            obstacle = unsaved(desk_key(PAGE, work.assignment_id))
            if not work.record.edges:
                obstacle = "Draw at least one edge first."
            st.button(
                "Submit",
                type="primary",
                key=state.key(PAGE, "submit"),
                disabled=bool(obstacle) or tab.is_stale,
                help=obstacle,
                on_click=partial(st.session_state.__setitem__, ASKS, work.assignment_id),
            )
    if work.given:
        st.caption(shell.escaped(f"Names: {' · '.join(work.given)}"))
    if work.not_given:
        listed = ", ".join(work.not_given[:5]) + (" …" if len(work.not_given) > 5 else "")
        st.caption(shell.escaped(f"Not among the given names: {listed}. Rename or remove before you submit."))


def _data(assignment_id: str, tab: ReadingTab, viewer: Viewer) -> Data:
    work = tab.work = reading.reading(viewer, assignment_id)
    record = tab.show(work.version, work.record)
    return transcription_data(
        DeskState(
            subject=f"{viewer.person_id}/{work.assignment_id}",
            version=tab.seen,
            saved_at=work.saved_at,
            receipt=f"{counted(len(record.nodes), 'node')}, {counted(len(record.edges), 'edge')}",
            editable=work.is_editable,
            can_undo=work.can_undo,
            can_redo=work.can_redo,
            halted=tab.is_stale,
        ),
        record,
        names=work.given,
        faults=work.faults,
    )


def _stop_asking() -> None:
    st.session_state.pop(ASKS, None)


@st.dialog("Submit this graph?", on_dismiss=_stop_asking)
def _submit_dialog(viewer: Viewer, shown: TextReading, tab: ReadingTab) -> None:
    with shell.boundary():
        work = reading.reading(viewer, shown.assignment_id)
        st.text(
            f"{counted(len(work.record.edges), 'edge')} between {work.named:,} of {counted(work.nodes, 'node')}. "
            "A submitted graph cannot be changed."
        )
        loose = len(work.record.nodes) - work.named
        if loose and not work.given:
            st.text(f"{counted(loose, 'node')} without an edge will not be part of the answer.")
        if work.faults:
            st.text(f"{counted(len(work.faults), 'faulty line')} to correct.")
        name = state.key(PAGE, f"submit.{work.assignment_id}")
        with st.container(horizontal=True):
            is_confirmed = st.button("Submit graph", type="primary", key=state.act_key(name))
            if st.button("Keep editing", key=state.act_key(name, "cancel")):
                _stop_asking()
                st.rerun()
        if is_confirmed:
            with tab.turn:
                building.submit(viewer, work.assignment_id, seen=tab.seen, act_id=state.act_id(name))
            state.spend(name)
            _stop_asking()
            st.rerun()

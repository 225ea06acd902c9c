"""One transcription: the figure to draw on beside the edge list, every act kept as it is done."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from components.desk.tab import desk_key
from components.edge_list.edge_desk import DeskEdge, DeskFault, EdgeDeskNode, edge_desk
from components.widgets.edge_tables import both_versions
from core.graphs.record import GraphRecord
from core.people import Viewer
from pages.transcription import active_time, late_voice
from pages.transcription.acts import PAGE, TranscriptionTab, held_of, look_again, take_acts, takes_reading
from pages.transcription.doubts import graph_doubts, name_doubts, questions
from pages.transcription.figure import canvas_key, picture, standing_of
from pages.transcription.submitting import how_much, top
from services.acting import consulting_once
from services.graphs import exporting
from services.graphs.exporting import GraphForm
from services.transcription import guidelines, transcribing
from services.transcription.transcribing import Transcription

SHARES = [13, 7]
"""The figure's width to the desk's: names must be legible where edges are drawn."""
LOOKS_EVERY_S = 1.0
MOST_DOUBTS = 8
MOST_PAIRS = 3
"""Pairs of like names asked about at once; a figure whose names are numbered has hundreds, one after the other."""
FORMS: tuple[GraphForm, ...] = tuple(GraphForm)


def show(viewer: Viewer, assignment_id: str) -> None:
    """The whole screen is one fragment: an act redraws it and nothing else of the app."""
    _screen(viewer, assignment_id)


@st.fragment
@consulting_once()
def _screen(viewer: Viewer, assignment_id: str) -> None:
    with shell.boundary(reload=partial(state.forget, PAGE)):
        held = held_of(viewer, assignment_id)
        takes_reading(viewer, assignment_id, held)
        work = transcribing.transcription(viewer, assignment_id, held.offered.reading)
        held.show(work.version, work.record)
        if work.is_mine and work.state == "submitted" and not work.is_training and late_voice.show(viewer, work):
            return
        head = st.container()  # of its own, so that the desk keeps its place, caret and outbox whatever comes above it
        left, right = st.columns(SHARES, gap="medium")
        above, figure, desk = (head, _above), (left, picture), (right, _desk)
        # Each is shown as it is drawn, so the receipt of an act comes first, where it was done. A button's run begins
        # with the buttons: what comes in between, a report of active time for one, would end it before its act.
        orders = {"": (above, figure, desk), "canvas": (figure, desk, above), "list": (desk, figure, above)}
        answers, held.answers = held.answers, ""
        for place, draw in orders[answers]:
            with place:
                draw(viewer, work, held)
        with right:
            _beside_desk(viewer, work, held)
        if not held.offered.is_read:
            _await_reading(viewer, assignment_id, held)
        if work.may_edit:
            active_time.watch(viewer, assignment_id)
            if look_again(viewer, work, held):
                st.rerun()


@st.fragment(run_every=LOOKS_EVERY_S)
def _await_reading(viewer: Viewer, assignment_id: str, held: TranscriptionTab) -> None:
    """Look whether the figure is read, without drawing the rest; only then is all drawn."""
    with shell.boundary():
        if takes_reading(viewer, assignment_id, held):
            st.rerun()


def _above(viewer: Viewer, work: Transcription, held: TranscriptionTab) -> None:
    top(viewer, work, held)
    if held.is_stale:
        _conflict(work, held)


# --- the desk ---------------------------------------------------------------------------------------------------


def _desk(viewer: Viewer, work: Transcription, held: TranscriptionTab) -> None:
    record = held.shown
    edge_desk(
        desk_key(PAGE, work.id),
        # The figure has the focus: drawing comes before typing.
        standing_of(viewer, work, held, receipt=how_much(work.record), takes_focus=False),
        nodes=[EdgeDeskNode(node.id, node.name) for node in record.nodes.values()],
        edges=[_desk_edge(record, edge_id) for edge_id in (e.id for e in record.ordered_edges())],
        names=held.names,
        faults=[DeskFault(fault.line, fault.text, fault.message, fault.offer, fault.act_id) for fault in work.faults],
        list_height=400,
        on_acts=partial(take_acts, viewer, work.id, desk_key(PAGE, work.id), canvas_key(work.id)),
    )


def _desk_edge(record: GraphRecord, edge_id: str) -> DeskEdge:
    edge = record.edges[edge_id]
    source, sink = record.nodes[edge.source_id].name, record.nodes[edge.sink_id].name
    return DeskEdge(
        id=edge.id,
        source=source,
        sink=sink,
        sign=edge.sign,
        delay=edge.delay,
        flag=edge.flag,
        note=edge.note,
        warning="self-loop" if edge.source_id == edge.sink_id else "",
    )


# --- beside the desk --------------------------------------------------------------------------------------------


def _beside_desk(viewer: Viewer, work: Transcription, held: TranscriptionTab) -> None:
    for sentence in (held.trouble, *held.notices):
        if sentence:
            st.caption(shell.escaped(sentence))
    _doubts(viewer, work, held)
    _guidelines(viewer, work)
    _take_away(viewer, work)


def _conflict(work: Transcription, held: TranscriptionTab) -> None:
    with st.container(border=True, key=state.key(PAGE, "conflict")):
        st.markdown(
            "**Another tab changed this transcription. Nothing was overwritten. Your last change is kept in this tab.**"
        )
        both_versions(
            ("Your copy", held.seen, held.shown.graph()), ("Newer version", work.version, work.record.graph())
        )
        st.button("Use newer version", type="primary", key=state.key(PAGE, "newer"), on_click=held.go_on)


def _doubts(viewer: Viewer, work: Transcription, held: TranscriptionTab) -> None:
    """Names first and open: a merger or a "distinct" is decided best while both names are fresh in mind."""
    names, others = name_doubts(work), graph_doubts(work)
    if names:
        with st.container(border=True, gap="small", key=state.key(PAGE, "names")):
            st.caption("One variable or two")
            questions(viewer, work, held, names, "desk", most=MOST_PAIRS)
    if others:
        # Drawn when they are looked at: each costs every act some drawing. The dialog before submitting has more.
        label, name = f"Doubts ({len(others)})", state.key(PAGE, "doubts")
        with st.expander(label, expanded=held.shows_doubts, key=name, on_change="rerun") as opened:
            held.shows_doubts = bool(opened.open)  # under another label Streamlit takes it for another expander
            if held.shows_doubts:
                questions(viewer, work, held, others, "desk", most=MOST_DOUBTS)


def _guidelines(viewer: Viewer, work: Transcription) -> None:
    if not work.guidelines:
        return
    # Read when they are looked at, not at every act: an expander runs its body open or not.
    with st.expander(
        f"Guidelines (version {work.guidelines})", key=state.key(PAGE, "guidelines"), on_change="rerun"
    ) as opened:
        if opened.open:
            st.markdown(shell.outline(guidelines.guidelines(viewer).text))


def _take_away(viewer: Viewer, work: Transcription) -> None:
    with st.expander("Download edges", key=state.key(PAGE, "export"), on_change="rerun") as opened:
        if not opened.open:
            return
        form = st.selectbox(
            "Format", FORMS, format_func=exporting.words_of, key=state.key(PAGE, "export.form"), width=280
        )
        offer = exporting.offer(work.figure.paper_title, work.figure.label, work.record.graph(), form)
        st.download_button(
            f"Download as {offer.words}",
            partial(_content, viewer, work.id, form),  # written only when it is wanted, not at every act
            offer.name,
            offer.media_type,
            key=state.key(PAGE, f"export.{form.value}"),
            on_click="ignore",
            disabled=bool(offer.obstacle),
        )
        if offer.obstacle or offer.lost:
            shell.plain(offer.obstacle or f"This format leaves out {', '.join(offer.lost)}.")


def _content(viewer: Viewer, assignment_id: str, form: GraphForm) -> bytes:
    return exporting.export_transcription(viewer, assignment_id, form).content

"""One transcription: the figure beside the edge list, every act kept as it is done."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import links, shell, state
from components.edge_desk import DeskEdge, DeskFault, DeskNode, edge_desk
from components.edge_tables import both_versions
from components.figure_view import figure_view
from components.graph_view import ViewEdge, ViewNode, graph_table, graph_view
from core.graphs.record import GraphRecord
from core.people import Viewer
from pages.transcription_acts import PAGE, Held, held_of, take_acts, tried
from pages.transcription_handing import counted, doubt_lines, top
from services import exporting, guidelines, transcribing
from services.exporting import GraphForm
from services.transcribing import Transcription

VIEWS = ("Figure", "Graph", "Table")
DPI = 200
FORMS: tuple[GraphForm, ...] = tuple(GraphForm)


def show(viewer: Viewer, assignment_id: str) -> None:
    """The whole screen is one fragment: an act redraws it and nothing else of the app."""
    _screen(viewer, assignment_id)


@st.fragment
def _screen(viewer: Viewer, assignment_id: str) -> None:
    with shell.boundary(reload=partial(state.forget, PAGE)):
        held = held_of(viewer, assignment_id)
        work = transcribing.transcription(viewer, assignment_id, held.names)
        if held.stale is None:
            held.seen, held.shown = work.version, work.record
        with st.container():  # of its own, so that the desk keeps its place, caret and outbox whatever comes above it
            top(viewer, work, held)
            if held.stale is not None:
                _conflict(work, held)
        left, right = st.columns([3, 2], gap="medium")
        with right:  # first, so that the receipt does not wait for the picture
            _desk(viewer, work, held)
        with left:
            _picture(viewer, work, held)


# --- the figure and the graph -----------------------------------------------------------------------------------


def _picture(viewer: Viewer, work: Transcription, held: Held) -> None:
    chosen = st.segmented_control(
        "Show", VIEWS, default=VIEWS[0], key=state.key(PAGE, "view"), label_visibility="collapsed", required=True
    )
    nodes = [ViewNode(node.id, node.name) for node in work.record.nodes.values()]
    edges = [
        ViewEdge(e.id, e.source_id, e.sink_id, e.sign.value if e.sign else "", e.delay, e.flag.value if e.flag else "")
        for e in work.record.ordered_edges()
    ]
    if chosen == "Figure":
        box = work.figure.box
        figure_view(
            key=state.key(PAGE, f"figure.{work.figure.id}"),
            image_url=f"/image/figure/{work.figure.id}?dpi={DPI}&v={work.figure.version}",
            width=box.width,
            height=box.height,
            origin=(box.x0, box.y0),
            alt=f"{work.figure.label or 'Figure'} on page {work.figure.page} of {work.figure.paper_title}",
        )
    elif chosen == "Graph":
        graph_view(nodes, edges, work.positions, key=state.key(PAGE, f"graph.{work.id}"), height=560)
        if work.may_edit:
            st.button(
                "Rearrange", key=state.key(PAGE, "rearrange"), type="tertiary",
                on_click=tried, args=(partial(transcribing.rearrange, viewer, work.id),),
            )  # fmt: skip
        links.page_link("Open in the graph lab", "graphs", {"graph": work.graph_id})
    else:
        graph_table(nodes, edges, key=state.key(PAGE, f"table.{work.id}"))
    if work.figure.caption:
        st.caption(shell.escaped(work.figure.caption))


# --- the desk ---------------------------------------------------------------------------------------------------


def _desk(viewer: Viewer, work: Transcription, held: Held) -> None:
    record = held.stale or work.record
    key = state.key(PAGE, f"desk.{work.id}")
    edge_desk(
        key,
        subject=f"{viewer.person_id}/{work.id}",
        nodes=[DeskNode(node.id, node.name) for node in record.nodes.values()],
        edges=[_desk_edge(record, edge_id) for edge_id in (e.id for e in record.ordered_edges())],
        names=held.names,
        ledger=held.ledger,
        version=held.seen,
        receipt=_receipt(work),
        faults=[DeskFault(fault.line, fault.text, fault.message, fault.offer, fault.act_id) for fault in work.faults],
        editable=work.may_edit,
        can_undo=work.can_undo,
        can_redo=work.can_redo,
        halted=held.stale is not None,
        list_height=400,
        on_acts=partial(take_acts, viewer, work.id, key),
    )
    for sentence in (held.trouble, *held.notices):
        if sentence:
            st.caption(shell.escaped(sentence))
    _doubts(work)
    _guidelines(viewer)
    _take_away(viewer, work)


def _desk_edge(record: GraphRecord, edge_id: str) -> DeskEdge:
    edge = record.edges[edge_id]
    source, sink = record.nodes[edge.source_id].name, record.nodes[edge.sink_id].name
    return DeskEdge(
        edge.id, source, sink, edge.sign, edge.delay, edge.flag, edge.note,
        "self-loop" if edge.source_id == edge.sink_id else "",
    )  # fmt: skip


def _receipt(work: Transcription) -> str:
    counts = counted(work.record)
    return f"Saved {shell.local_time(work.saved_at):%H:%M:%S} · {counts}" if work.saved_at else counts


# --- beside the desk --------------------------------------------------------------------------------------------


def _conflict(work: Transcription, held: Held) -> None:
    assert held.stale is not None
    with st.container(border=True, key=state.key(PAGE, "conflict")):
        st.markdown("**This was changed in another tab. Nothing was overwritten; your last act waits here.**")
        both_versions(
            ("Your copy", held.seen, held.stale.graph()), ("Newer version", work.version, work.record.graph())
        )
        st.button("Go on with the newer version", type="primary", key=state.key(PAGE, "newer"),
                  on_click=partial(_go_on, held))  # fmt: skip


def _go_on(held: Held) -> None:
    held.stale = None


def _doubts(work: Transcription) -> None:
    if work.doubts:
        with st.expander(f"Doubts ({len(work.doubts)})"):
            doubt_lines(work.doubts)


def _guidelines(viewer: Viewer) -> None:
    current = guidelines.guidelines(viewer)
    if current.text:
        with st.expander(f"Guidelines (version {current.number})"):
            st.markdown(shell.outline(current.text))


def _take_away(viewer: Viewer, work: Transcription) -> None:
    with st.expander("Take the edges away"):
        form = st.selectbox(
            "Form", FORMS, format_func=exporting.words_of, key=state.key(PAGE, "export.form"), width=280
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
            shell.plain(offer.obstacle or f"Leaves out: {', '.join(offer.lost)}.")


def _content(viewer: Viewer, assignment_id: str, form: GraphForm) -> bytes:
    return exporting.export_transcription(viewer, assignment_id, form).content

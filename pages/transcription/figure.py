"""The left of a transcription: the figure with what is drawn over it, the graph alone, or its table."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import links, shell, state
from components.canvas.canvas import CanvasArrow, CanvasEdge, CanvasNode, CanvasProposal, CanvasWord, canvas
from components.desk.desk_state import DeskState
from components.desk.tab import desk_key
from components.graph.view import ViewEdge, ViewNode, graph_table, graph_view
from core.graphs.record import EdgeRecord, GraphRecord, NodeRecord
from core.papers.pages import Box
from core.people import Viewer
from core.stored_words import shown_word
from core.transcription.sweep import is_settled
from pages.transcription.acts import PAGE, TranscriptionTab, read_box_again, take_acts, tried
from pages.transcription.figure_crops import figure_crop
from services.transcription import transcribing
from services.transcription.proposals import OpenProposal
from services.transcription.transcribing import Transcription

VIEWS = ("Figure", "Graph", "Table")
VIEW = state.key(PAGE, "view")
DPI = 200
ORIGINS = {
    "vector": "from vector lines",
    "raster": "from the picture",
    "ocr": "from vector lines with read names",
    "model": "by a model",
}


def canvas_key(assignment_id: str) -> str:
    return state.key(PAGE, f"canvas.{assignment_id}")


def standing_of(
    viewer: Viewer, work: Transcription, held: TranscriptionTab, *, receipt: str = "", takes_focus: bool
) -> DeskState:
    """How the work stands, for the canvas and for the desk beside it."""
    return DeskState(
        subject=f"{viewer.person_id}/{work.id}",
        ledger=held.ledger,
        version=held.seen,
        saved_at=work.saved_at,
        receipt=receipt,
        editable=work.may_edit,
        can_undo=work.can_undo,
        can_redo=work.can_redo,
        halted=held.is_stale,
        takes_focus=takes_focus,
    )


def picture(viewer: Viewer, work: Transcription, held: TranscriptionTab) -> None:
    """The view that is chosen, below the row that chooses it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = st.segmented_control(
            "Show", VIEWS, default=VIEWS[0], key=VIEW, label_visibility="collapsed", required=True
        )
        if chosen == VIEWS[0]:
            _notice(work, held)
    if chosen == VIEWS[0]:
        _figure(viewer, work, held)
    elif chosen == VIEWS[1]:
        _graph(viewer, work)
    else:
        graph_table(*_elements(work.record), key=state.key(PAGE, f"table.{work.id}"))
    if work.figure.caption:
        st.caption(shell.escaped(work.figure.caption))


def show_figure() -> None:
    """Turn to the figure, whatever was shown; for callbacks."""
    st.session_state[VIEW] = VIEWS[0]


def _notice(work: Transcription, held: TranscriptionTab) -> None:
    """Why nothing is proposed, or what could not be read; where to look then is the canvas's own line."""
    said = " ".join(filter(None, (held.offered.withheld, held.offered.notice)))
    if work.may_edit and said:
        st.caption(shell.escaped(said), width="stretch")


def _figure(viewer: Viewer, work: Transcription, held: TranscriptionTab) -> None:
    record = held.shown
    swept = work.marks.swept
    is_open = work.may_edit and not held.is_stale
    canvas(
        canvas_key(work.id),
        figure_crop(work.figure, DPI),
        standing_of(viewer, work, held, takes_focus=True),
        nodes=[_node(node, node.id in swept) for node in record.nodes.values()],
        edges=[_edge(edge, work) for edge in record.ordered_edges()],
        words=_words(work, held),
        names=held.names,
        proposals=[_proposal(edge) for edge in work.proposed] if is_open else (),
        arrows=[CanvasArrow(arrow.id, arrow.path) for arrow in work.bare] if is_open else (),
        sweep=held.sweep_at if held.sweep_n else None,
        sweep_n=held.sweep_n,
        reading=held.reading,
        on_reread=partial(read_box_again, viewer, work.id, canvas_key(work.id)),
        on_acts=partial(take_acts, viewer, work.id, desk_key(PAGE, work.id), canvas_key(work.id)),
    )


def _node(node: NodeRecord, swept: bool) -> CanvasNode:
    at = (node.x, node.y) if node.x is not None and node.y is not None else None
    return CanvasNode(node.id, node.name, Box(*node.box) if node.box else None, at, swept)


def _edge(edge: EdgeRecord, work: Transcription) -> CanvasEdge:
    printed = work.offers.get(edge.id)
    return CanvasEdge(
        id=edge.id,
        source_id=edge.source_id,
        sink_id=edge.sink_id,
        sign=edge.sign,
        delay=edge.delay,
        flag=edge.flag,
        path=work.paths.get(edge.id),
        printed_sign=printed.sign if printed else None,
        printed_delay=printed.delay if printed else False,
    )


def _words(work: Transcription, held: TranscriptionTab) -> list[CanvasWord]:
    names = [node.name for node in work.record.nodes.values()]
    return [CanvasWord(name.text, name.box, is_settled(name.text, names, work.marks)) for name in held.offered.names]


def _proposal(edge: OpenProposal) -> CanvasProposal:
    return CanvasProposal(
        id=edge.id,
        source=edge.source,
        sink=edge.sink,
        sign=edge.sign,
        delay=edge.delay,
        confidence=edge.confidence,
        is_doubtful=edge.is_doubtful,
        is_certain=edge.is_certain,
        origin=" and ".join(dict.fromkeys(ORIGINS.get(one, one) for one in edge.origin.split("+"))),
        doubts=edge.reasons,
        path=edge.path,
    )


def _graph(viewer: Viewer, work: Transcription) -> None:
    nodes, edges = _elements(work.record)
    graph_view(nodes, edges, work.positions, key=state.key(PAGE, f"graph.{work.id}"), height=560)
    if work.may_edit:
        st.button(
            "Rearrange",
            key=state.key(PAGE, "rearrange"),
            type="tertiary",
            on_click=tried,
            args=(partial(transcribing.rearrange, viewer, work.id),),
        )
    links.page_link("Open in the Graph lab", "graphs", {"graph": work.graph_id})


def _elements(record: GraphRecord) -> tuple[list[ViewNode], list[ViewEdge]]:
    nodes = [ViewNode(node.id, node.name) for node in record.nodes.values()]
    edges = [
        ViewEdge(
            id=e.id,
            source_id=e.source_id,
            sink_id=e.sink_id,
            sign=e.sign.value if e.sign else "",
            delay=e.delay,
            flag=shown_word(e.flag) if e.flag else "",
        )
        for e in record.ordered_edges()
    ]
    return nodes, edges

"""The desk of a transcription: the figure with the graph drawn over it, the entry line and the list of edges.

Both show one graph, with the user's unanswered acts applied, and share one outbox and one selection. A graph that is
built from a text has the list alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components.desk.desk_state import DeskState
from components.desk.graph_data import edge_data, node_data
from components.desk.tab import Data, redrawn
from components.figure.crop import Crop
from components.graph.view import record_picture
from components.sources import script, sheets
from core.errors import BadInput
from core.graphs.edge import EdgeFlag
from core.graphs.layouts.layout import Point as Place
from core.graphs.record import EdgeRecord, GraphRecord
from core.papers.pages import Box
from core.transcription.open_proposals import OpenProposal
from core.transcription.proposals import ProposedName
from core.transcription.snapping import PrintedMarks
from core.transcription.stored_fault import StoredFault
from core.transcription.unmatched_arrows import UnmatchedArrow

Point = tuple[float, float]

ORIGINS = {
    "vector": "from vector lines",
    "raster": "from the picture",
    "ocr": "from vector lines with read names",
    "model": "by a model",
}

NO_FIGURE: Data = {
    "figure": None,
    "words": [],
    "proposals": [],
    "arrows": [],
    "sweep": None,
    "sweep_n": 0,
    "reading": None,
    "rereads": False,
    "drawing": None,
}

_mount = st.components.v2.component(
    "edgewise_transcription_desk",
    html="<div data-desk></div>",
    css=sheets(
        *("figure/panzoom.css", "canvas/canvas.css", "edge_list/edge_list.css", "graph/view.css", "graph/views.css"),
        "transcription/desk.css",
    ),
    js=script("transcription/desk.js"),
)


@dataclass(frozen=True, slots=True)
class Rereading:
    """Result of reading a box again, as the `n`-th request: its `text`, else `why` there is none."""

    n: int
    text: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskFigure:
    """The figure to draw on, and its data; coordinates in points of its page."""

    crop: Crop
    height_px: int = 620
    swept: Collection[str] = ()  # nodes whose outgoing edges are attested to be drawn
    paths: Mapping[str, Sequence[Point]]  # by edge id: the printed arrow from tail to head
    offers: Mapping[str, PrintedMarks]  # by edge id: the sign and delay printed there
    words: Sequence[ProposedName] = ()  # printed names that may become nodes
    dismissed: Collection[str] = ()  # texts marked as no variables
    proposals: Sequence[OpenProposal] = ()
    arrows: Sequence[UnmatchedArrow] = ()
    # where the coverage sweep starts: a node's id, "" (first open name) or "arrows" (first printed arrow without an
    # edge); None ends it
    sweep: str | None = None
    sweep_n: int = 0  # a new number repeats the same sweep
    rereading: Rereading | None = None  # answer to the box of `read_reread`
    rereads: bool = True  # a box may be read again
    places: Mapping[str, Place] | None = None  # of the nodes, in pixels, if the graph is drawn alone


def transcription_desk(key: str, data: Data, *, on_reread: Callable[[], None] = redrawn) -> Any:
    """Place the desk. `st.session_state[key]` has `reread`, for `read_reread`; `view`, for `DeskTab.follow_view`; and
    `unsaved`, for `components.desk.tab.unsaved`."""
    return _mount(
        key=key,
        data=data,
        on_answered_change=redrawn,
        on_unsaved_change=redrawn,
        on_reread_change=on_reread,
        on_view_change=redrawn,
    )


def transcription_data(
    desk_state: DeskState,
    record: GraphRecord,
    *,
    names: Sequence[str],
    faults: Sequence[StoredFault] = (),
    figure: DeskFigure | None = None,
) -> Data:
    """Return the desk's data. `names` are suggested, in addition to the node names, while one is typed.

    Acts, nodes by name and edges by id (that of one whose receipt is on its way follows from its act, `core.act_ids`):
    lines {text, pasted}; drop_fault {text}; edit_edge {edge_id, field: sign|delay|flag|note|source|sink, value}, where
    the value of sign is "+", "-" or "", of delay true or false, of flag an EdgeFlag value or ""; delete_edge {edge_id};
    rename_node {node, name}; delete_node {node}; undo {}; redo {}. With a figure also: place_node {name, x, y, box,
    origin}; join_names {name, nodes, words: [{text, box}]}; move_node {node, x, y}; connect {source, sink, sign, delay,
    `lit`}; reverse_edge {edge_id}; accept {proposal_ids, by}; accept_as {proposal_id, source, sink}; refuse
    {proposal_ids, by}; attest {node, swept}; not_a_variable {text, is_none}; not_an_edge {arrow, is_none}.
    Raises BadInput for a crop without extent."""
    swept = figure.swept if figure else ()
    return {
        "nodes": [node_data(node, swept=node.id in swept) for node in record.nodes.values()],
        "edges": [_edge_data(edge, figure) for edge in record.ordered_edges()],
        "names": list(names),
        "faults": [
            {
                "key": f"{fault.act_id}:{fault.line}:{fault.text}",
                "line": fault.line,
                "text": fault.text,
                "message": fault.message,
                "offer": fault.offer,
            }
            for fault in faults
        ],
        "flags": [flag.value for flag in EdgeFlag],
        **(_figure_data(figure, record) if figure else NO_FIGURE),
        **desk_state.as_data(),
    }


def read_reread(value: object) -> tuple[Box, int] | None:
    """Return the box that the browser asks to read again ({"box": four numbers, "n": int}), and its number; None if
    there is none. Raises BadInput for a value that Edgewise's script cannot have sent."""
    if value is None:
        return None
    box, n = (value.get("box"), value.get("n")) if isinstance(value, Mapping) else (None, None)
    is_number = isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 2**53
    corners = box if isinstance(box, list) and len(box) == 4 else []
    if not is_number or not corners or not all(type(each) in (int, float) and abs(each) < 1e6 for each in corners):
        raise BadInput("The box to read again could not be read. Reload the page and choose again.")
    return Box(*map(float, corners)), int(n)  # type: ignore[arg-type]


def _edge_data(edge: EdgeRecord, figure: DeskFigure | None) -> dict[str, Any]:
    printed = figure.offers.get(edge.id) if figure else None
    return edge_data(
        edge,
        path=_path_data(figure.paths.get(edge.id)) if figure else None,
        printed_sign=printed.sign.value if printed and printed.sign else "",
        printed_delay=printed.delay if printed else False,
    )


def _figure_data(figure: DeskFigure, record: GraphRecord) -> dict[str, Any]:
    read = figure.rereading
    return {
        "figure": figure.crop.as_data(figure.height_px),
        "words": [
            {"text": word.text, "box": _box_data(word.box), "dismissed": word.text in figure.dismissed}
            for word in figure.words
        ],
        "proposals": [
            {
                "id": proposal.id,
                "source": proposal.source,
                "sink": proposal.sink,
                "sign": proposal.sign.value if proposal.sign else "",
                "delay": proposal.delay,
                "confidence": proposal.confidence,
                "is_doubtful": proposal.is_doubtful,
                "is_certain": proposal.is_certain,
                "origin": " and ".join(dict.fromkeys(ORIGINS.get(one, one) for one in proposal.origin.split("+"))),
                "doubts": list(proposal.reasons),
                "path": _path_data(proposal.path),
            }
            for proposal in figure.proposals
        ],
        "arrows": [{"id": arrow.id, "path": _path_data(arrow.path)} for arrow in figure.arrows],
        "sweep": figure.sweep,
        "sweep_n": figure.sweep_n,
        "reading": {"n": read.n, "text": read.text, "why": read.why} if read else None,
        "rereads": figure.rereads,
        "drawing": None if figure.places is None else record_picture(record, figure.places),
    }


def _box_data(box: Box) -> list[float]:
    return [box.x0, box.y0, box.x1, box.y1]


def _path_data(path: Sequence[Point] | None) -> list[list[float]] | None:
    return [list(point) for point in path] if path and len(path) > 1 else None

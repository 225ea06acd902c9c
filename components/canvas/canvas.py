"""The transcription canvas: a figure with zoom and pan, and over it the graph that a person draws from it.

It draws what the page gives it, lays the person's unanswered acts over that at once, and returns the acts through
its outbox. It never interprets an act: the page's callback reads them with `components.desk.outbox.read_acts` and
`components.canvas.acts.read_canvas_act` and answers with a `ActLedger`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components.desk.desk_state import DeskState
from components.desk.early_answers import told_early
from components.figure.crop import Crop
from components.sources import script, sheets
from core.errors import BadInput
from core.graphs.edge import EdgeFlag
from core.papers.pages import Box
from core.sign import Sign

Point = tuple[float, float]

_mount = st.components.v2.component(
    "edgewise_canvas",
    html="<div data-desk></div>",
    css=sheets("figure/panzoom.css", "canvas/canvas.css"),
    js=script("canvas/canvas.js"),
)


@dataclass(frozen=True, slots=True)
class CanvasNode:
    """A node of the graph: where it is printed (`box`) or put (`at`), in points of the page; neither: not placed yet.

    `swept`: the annotator has attested that all its outgoing edges are drawn.
    """

    id: str
    name: str
    box: Box | None = None
    at: Point | None = None
    swept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CanvasEdge:
    """An edge of the graph; `path` is the printed arrow's course from tail to head, in points, if it is known.
    `printed_sign` and `printed_delay` are printed beside that arrow and offered to be taken."""

    id: str
    source_id: str
    sink_id: str
    sign: Sign | None = None
    delay: bool = False
    flag: EdgeFlag | None = None
    path: Sequence[Point] | None = None
    printed_sign: Sign | None = None
    printed_delay: bool = False


@dataclass(frozen=True, slots=True)
class CanvasArrow:
    """A printed arrow on which no edge stands; `path` is its course from tail to head, in points."""

    id: str
    path: Sequence[Point]


@dataclass(frozen=True, slots=True)
class CanvasWord:
    """A printed name that may become a node; `is_dismissed`: the annotator said that it is no variable."""

    text: str
    box: Box
    is_dismissed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CanvasProposal:
    """An edge that a machine suggests, its ends by name; `confidence` from 0 to 1, None if it has none. `origin` is a
    word for what it was read from, `doubts` are sentences about what speaks against it, all for the person."""

    id: str
    source: str
    sink: str
    sign: Sign | None = None
    delay: bool = False
    confidence: float | None = None
    is_doubtful: bool = False
    is_certain: bool = False
    origin: str = ""
    doubts: Sequence[str] = ()
    path: Sequence[Point] | None = None


@dataclass(frozen=True, slots=True)
class CanvasReading:
    """What was read in the box that the person asked to have read again, as the `n`-th: its `text`, else `why` none."""

    n: int
    text: str
    why: str = ""


def canvas(
    key: str,
    crop: Crop,
    standing: DeskState,
    *,
    height_px: int = 620,
    nodes: Sequence[CanvasNode],
    edges: Sequence[CanvasEdge],
    words: Sequence[CanvasWord] = (),
    names: Sequence[str] = (),
    proposals: Sequence[CanvasProposal] = (),
    arrows: Sequence[CanvasArrow] = (),
    sweep: str | None = None,
    sweep_n: int = 0,
    reading: CanvasReading | None = None,
    on_acts: Callable[[], None],
    on_reread: Callable[[], None] | None = None,
) -> Any:
    """Place the canvas; `st.session_state[key]["outbox"]` is what `read_acts` reads.

    All coordinates are in points of the page. `names` feed the name box beside nodes and printed words. `sweep` begins
    the coverage sweep at that node's id, at the first open name if it is "", at the first printed arrow without an edge
    if it is "arrows", and None ends it; the same again, after the person went elsewhere, needs another `sweep_n`.

    `["reread"]`, read by `read_reread`, is the box that the person wants read again; `reading` answers it.

    Acts: place_node {name, x, y, box, origin}; join_names {name, nodes, words: [{text, box}]}; move_node {node, x, y};
    connect {source, sink, sign, delay, lit}; edit_edge {edge_id, field: sign|delay|flag|source|sink, value};
    reverse_edge {edge_id}; delete_edge {edge_id}; delete_node {node}; rename_node {node, name}; accept {proposal_ids,
    by}; accept_as {proposal_id, source, sink}; refuse {proposal_ids, by}; attest {node, swept}; not_a_variable {text,
    is_none}; not_an_edge {arrow, is_none}; undo {}; redo {}. Nodes go by name, edges by id: that of one whose receipt
    is on its way follows from its act (`core.act_ids`).

    Raises BadInput for a crop without extent.
    """
    data = {
        "figure": crop.as_data(height_px),
        "nodes": [_node_data(node) for node in nodes],
        "edges": [_edge_data(edge) for edge in edges],
        "words": [{"text": word.text, "box": _box_data(word.box), "dismissed": word.is_dismissed} for word in words],
        "names": list(names),
        "proposals": [_proposal_data(proposal) for proposal in proposals],
        "arrows": [{"id": arrow.id, "path": _path_data(arrow.path)} for arrow in arrows],
        "flags": [flag.value for flag in EdgeFlag],
        "sweep": sweep,
        "sweep_n": sweep_n,
        "reading": {"n": reading.n, "text": reading.text, "why": reading.why} if reading else None,
        "rereads": on_reread is not None,
        **standing.as_data(),
    }
    return _mount(
        key=key,
        data=told_early(key, data),
        on_outbox_change=on_acts,
        on_reread_change=on_reread or _keep,
    )


def read_reread(value: object) -> tuple[Box, int] | None:
    """The box that the browser wants read again ({"box": four numbers, "n": int}), and which it is; None if there is
    none. Raises BadInput for a value that our own script cannot have sent."""
    if value is None:
        return None
    box, n = (value.get("box"), value.get("n")) if isinstance(value, Mapping) else (None, None)
    is_number = isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 2**53
    corners = box if isinstance(box, list) and len(box) == 4 else []
    if not is_number or not corners or not all(type(each) in (int, float) and abs(each) < 1e6 for each in corners):
        raise BadInput("The box to read again could not be read. Reload the page and choose again.")
    return Box(*map(float, corners)), int(n)  # type: ignore[arg-type]


def _node_data(node: CanvasNode) -> dict[str, Any]:
    return {
        "id": node.id,
        "name": node.name,
        "box": _box_data(node.box) if node.box else None,
        "at": list(node.at) if node.at else None,
        "swept": node.swept,
    }


def _edge_data(edge: CanvasEdge) -> dict[str, Any]:
    return {
        "id": edge.id,
        "source_id": edge.source_id,
        "sink_id": edge.sink_id,
        "sign": edge.sign.value if edge.sign else "",
        "delay": edge.delay,
        "flag": edge.flag.value if edge.flag else "",
        "path": _path_data(edge.path),
        "printed_sign": edge.printed_sign.value if edge.printed_sign else "",
        "printed_delay": edge.printed_delay,
    }


def _proposal_data(proposal: CanvasProposal) -> dict[str, Any]:
    return {
        "id": proposal.id,
        "source": proposal.source,
        "sink": proposal.sink,
        "sign": proposal.sign.value if proposal.sign else "",
        "delay": proposal.delay,
        "confidence": proposal.confidence,
        "is_doubtful": proposal.is_doubtful,
        "is_certain": proposal.is_certain,
        "origin": proposal.origin,
        "why": " ".join(proposal.doubts),
        "doubts": list(proposal.doubts),
        "path": _path_data(proposal.path),
    }


def _box_data(box: Box) -> list[float]:
    return [box.x0, box.y0, box.x1, box.y1]


def _path_data(path: Sequence[Point] | None) -> list[list[float]] | None:
    return [list(point) for point in path] if path and len(path) > 1 else None


def _keep() -> None:
    """Streamlit keeps a state value only if it has a callback."""

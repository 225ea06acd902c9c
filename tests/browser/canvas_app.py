"""The page of the canvas's tests: a canvas over a kept graph, with what the test offers beside it.

A link's query says which subject it is, and: `sleep` seconds that every act takes, `locked`, `halted`. A name with
"refuse" and an end with "bad" are refused.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from components.canvas import acts as canvas_acts
from components.canvas.canvas import (
    CanvasEdge,
    CanvasNode,
    CanvasProposal,
    CanvasReading,
    CanvasWord,
    canvas,
    read_reread,
)
from components.desk.desk_state import DeskState
from components.desk.outbox import Act, ActLedger, read_acts
from components.figure.crop import Crop
from core.act_ids import ids_within
from core.errors import EdgewiseError, InvalidGraph
from core.graphs import edits
from core.graphs.record import Change, EdgeRecord, NodeRecord
from core.papers.pages import Box
from core.transcription import open_proposals
from core.transcription.joining import joined
from core.transcription.proposals import FigureProposals, ProposedEdge, ProposedName
from core.transcription.sweep import is_settled, text_key
from tests.browser.kept_graph import Edit, KeptGraph, kept_graph

SCRIPT = "from tests.browser.canvas_app import show\nshow()\n"
WIDTH, HEIGHT, LEFT, TOP = 480.0, 300.0, 60.0, 80.0
"""Of the figure, in points of its page."""
FIGURE = (
    "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' width='480' height='300'>"
    "<rect width='480' height='300' fill='white'/></svg>"
)


def show() -> None:
    query = st.query_params
    kept = kept_graph(Path(os.environ["CANVAS_STORE"]) / f"{query['subject']}.json")
    st.set_page_config(page_title="Canvas", layout="wide")
    ledger = st.session_state.setdefault("ledger", ActLedger())
    record, found = kept.record, offered(kept)
    names = [node.name for node in record.nodes.values()]
    node_ids = {node.name: node.id for node in record.nodes.values()}
    sweep = kept.given.get("sweep")
    receipt = time.strftime("Saved %H:%M:%S") if kept.acts else ""
    canvas(
        "canvas",
        Crop(FIGURE, WIDTH, HEIGHT, "Figure 6", (LEFT, TOP)),
        DeskState(
            subject=query["subject"],
            ledger=ledger,
            version=len(kept.acts),
            receipt=f"{receipt} · {len(names)} nodes, {len(record.edges)} edges",
            editable="locked" not in query,
            can_undo=bool(kept.past),
            can_redo=bool(kept.future),
            halted="halted" in query,
            takes_focus=False,
        ),
        nodes=[_node(node, kept) for node in record.nodes.values()],
        edges=[_edge(edge, kept) for edge in record.ordered_edges()],
        words=[CanvasWord(name.text, name.box, is_settled(name.text, names, kept.marks)) for name in printed(kept)],
        names=kept.given.get("names", []),
        proposals=[_proposal(edge) for edge in open_proposals.open_proposals_of(found, record, kept.marks)],
        sweep=node_ids.get(sweep, sweep),
        on_acts=lambda: take(kept, ledger, float(query.get("sleep", "0"))),
        reading=st.session_state.get("reading"),
        on_reread=lambda: read_again(kept),
    )
    st.text_input("Elsewhere")
    st.button("Again")


def take(kept: KeptGraph, ledger: ActLedger, sleep: float) -> None:
    with ledger.turn(), kept.lock:
        for act in read_acts(st.session_state["canvas"]["outbox"], ledger.done):
            try:
                kept.do(act, lambda act=act: _made(kept, act))
            except EdgewiseError as error:
                ledger.refuse(act.id, str(error))
                continue
            time.sleep(sleep)
            ledger.ack(act.id)


def read_again(kept: KeptGraph) -> None:
    asked = read_reread(st.session_state["canvas"].get("reread"))
    if asked is not None:
        read = kept.given.get("reads", {}).get(str(int(asked[0].x0)), "")
        st.session_state["reading"] = CanvasReading(asked[1], read)


def printed(kept: KeptGraph) -> list[ProposedName]:
    return [ProposedName(text, Box(*box), (text,)) for text, box in kept.given.get("words", [])]


def offered(kept: KeptGraph) -> FigureProposals:
    """The printed names, and the arrows that the test proposes between them or between its nodes."""
    names = printed(kept)
    known = [name.text for name in names]
    for node in kept.record.nodes.values():
        if node.name not in known and node.box:
            names.append(ProposedName(node.name, Box(*node.box), (node.name,)))
            known.append(node.name)
    edges = [
        ProposedEdge(
            source=known.index(one["source"]),
            sink=known.index(one["sink"]),
            sign=one["sign"],
            delay=False,
            confidence=one["confidence"],
            is_direction_doubtful=one["is_doubtful"],
            reasons=(),
            path=tuple(map(tuple, one.get("path", ()))),
        )
        for one in kept.given.get("proposals", [])
    ]
    return FigureProposals(names=tuple(names), edges=tuple(edges), origin="vector")


def _node(node: NodeRecord, kept: KeptGraph) -> CanvasNode:
    at = None if node.x is None or node.y is None else (node.x, node.y)
    return CanvasNode(node.id, node.name, Box(*node.box) if node.box else None, at, node.id in kept.marks.swept)


def _edge(edge: EdgeRecord, kept: KeptGraph) -> CanvasEdge:
    return CanvasEdge(
        id=edge.id,
        source_id=edge.source_id,
        sink_id=edge.sink_id,
        sign=edge.sign,
        delay=edge.delay,
        flag=edge.flag,
        path=kept.path_of(edge.id),
    )


def _proposal(edge: open_proposals.OpenProposal) -> CanvasProposal:
    return CanvasProposal(
        id=edge.id,
        source=edge.source,
        sink=edge.sink,
        sign=edge.sign,
        delay=edge.delay,
        confidence=edge.confidence,
        is_doubtful=edge.is_doubtful,
        is_certain=edge.is_certain,
        origin="vector",
        path=edge.path,
    )


def _made(kept: KeptGraph, act: Act) -> Edit:
    stroke = canvas_acts.read_canvas_act(act, Box(LEFT, TOP, LEFT + WIDTH, TOP + HEIGHT))
    return _DOES[type(stroke).__name__](kept, stroke, act.id)


def _place(kept: KeptGraph, stroke: Any, act_id: str) -> Edit:
    if "refuse" in stroke.name:
        raise InvalidGraph("This study takes no such name.")
    box = None if stroke.box is None else (stroke.box.x0, stroke.box.y0, stroke.box.x1, stroke.box.y1)
    before = kept.record.node_named(stroke.name)
    first = before or NodeRecord(id=act_id, name=stroke.name, origin=stroke.origin)
    return _node_changed(before, replace(first, x=stroke.x, y=stroke.y, box=box))


def _join(kept: KeptGraph, stroke: Any, act_id: str) -> Edit:
    labels = [name for name in printed(kept) if (name.text, name.box) in stroke.words]
    parts = (stroke.name, stroke.nodes, labels, printed(kept), kept.record, kept.marks)
    done = joined(*parts, new_id=ids_within(act_id))
    return done.changes, done.marks


def _move(kept: KeptGraph, stroke: Any, _act_id: str) -> Edit:
    before = kept.node(stroke.node)
    return _node_changed(before, replace(before, x=stroke.x, y=stroke.y, box=None))


def _connect(kept: KeptGraph, stroke: Any, act_id: str) -> Edit:
    if "bad" in stroke.sink:
        raise InvalidGraph("No edge may end there.")
    line = [(stroke.source, stroke.sink, stroke.sign)]
    changes, _listed = edits.add_edges(kept.record, line, [], new_id=ids_within(act_id), origin="drawn")
    is_edge = [isinstance(change.after, EdgeRecord) for change in changes]
    return tuple(
        Change(None, replace(change.after, delay=stroke.delay)) if edge else change
        for change, edge in zip(changes, is_edge, strict=True)
    ), ()


def _attest(kept: KeptGraph, stroke: Any, _act_id: str) -> Edit:
    return (), kept.marks.setting("swept", kept.node(stroke.node).id, {} if stroke.swept else None)


def _not_a_variable(kept: KeptGraph, stroke: Any, _act_id: str) -> Edit:
    value = {"text": stroke.text} if stroke.is_none else None
    return (), kept.marks.setting("not a variable", text_key(stroke.text), value)


def _accept(kept: KeptGraph, stroke: Any, act_id: str) -> Edit:
    ids = ids_within(act_id, 1)
    return open_proposals.accept_edges(offered(kept), stroke.proposal_ids, kept.record, kept.marks, new_id=ids)


def _accept_as(kept: KeptGraph, stroke: Any, act_id: str) -> Edit:
    ends = (stroke.proposal_id, stroke.source, stroke.sink)
    return open_proposals.accept_as(offered(kept), *ends, kept.record, kept.marks, new_id=ids_within(act_id))


def _edit(kept: KeptGraph, on: Any, act_id: str) -> Edit:
    return edits.edit_edge(kept.record, on.edge_id, on.field, on.value, new_id=ids_within(act_id)), ()


def _of_edge(do: Callable[[KeptGraph, str], tuple[Change, ...]]) -> Callable[[KeptGraph, Any, str], Edit]:
    return lambda kept, on, _act_id: (do(kept, on.edge_id), ())


def _of_node(do: Callable[[KeptGraph, str, Any], tuple[Change, ...]]) -> Callable[[KeptGraph, Any, str], Edit]:
    return lambda kept, on, _act_id: (do(kept, kept.node(on.node).id, on), ())


def _node_changed(before: NodeRecord | None, after: NodeRecord) -> Edit:
    return ((Change(before, after),) if before != after else ()), ()


_DOES: Mapping[str, Callable[[KeptGraph, Any, str], Edit]] = {
    "PlaceNode": _place,
    "JoinNames": _join,
    "MoveNode": _move,
    "Connect": _connect,
    "EditEdge": _edit,
    "ReverseEdge": _of_edge(lambda kept, key: edits.reverse_edge(kept.record, key)),
    "DeleteEdge": _of_edge(lambda kept, key: edits.remove_edge(kept.record, key)),
    "DeleteNode": _of_node(lambda kept, key, _on: edits.remove_node(kept.record, key)),
    "RenameNode": _of_node(lambda kept, key, on: edits.rename_node(kept.record, key, on.name)),
    "Accept": _accept,
    "AcceptAs": _accept_as,
    "Refuse": lambda kept, on, _id: ((), open_proposals.refuse_edges(offered(kept), on.proposal_ids, kept.marks)),
    "Attest": _attest,
    "NotAVariable": _not_a_variable,
}

"""The page of the transcription desk's tests: a desk over a kept graph, with what the test offers beside it.

A link's query says which subject it is, and: `list` for the list without a figure, `sleep` seconds that every act
takes, `locked`, `halted`. Acts with "refuse" in a name or line, and edges with "bad" in the sink, are refused.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from components.desk.desk_state import DeskState
from components.desk.posting.acts import Act
from components.desk.tab import Data, DeskTab
from components.figure.crop import Crop
from components.transcription.acts import AddLines, read_transcription_act
from components.transcription.desk import (
    DeskFigure,
    Rereading,
    read_reread,
    transcription_data,
    transcription_desk,
)
from core.act_ids import ids_within
from core.errors import InvalidGraph
from core.graphs import edits
from core.graphs.lines.parse import parse_lines
from core.graphs.record import Change, EdgeRecord, NodeRecord
from core.papers.pages import Box
from core.people import Viewer
from core.transcription import open_proposals
from core.transcription.joining import joined
from core.transcription.proposals import FigureProposals, ProposedEdge, ProposedName
from core.transcription.stored_fault import StoredFault
from core.transcription.sweep import is_settled, text_key
from tests.browser.component_app import TESTER
from tests.browser.kept_graph import Edit, KeptGraph, kept_graph

SCRIPT = "from tests.browser.transcription_app import show\nshow()\n"
WIDTH, HEIGHT, LEFT, TOP = 480.0, 300.0, 60.0, 80.0
"""Of the figure, in points of its page."""
FIGURE = (
    "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' width='480' height='300'>"
    "<rect width='480' height='300' fill='white'/></svg>"
)
PRINTED = ["Annual precipitation", "Net price; real", "Total grain output", "County GDP"]
"""Names that are offered in the list without a figure."""


def show() -> None:
    query = dict(st.query_params.items())
    kept = kept_graph(Path(os.environ["DESK_STORE"]) / f"{query['subject']}.json")
    st.set_page_config(page_title="Desk", layout="wide")
    if "tab" not in st.session_state:
        st.session_state["tab"] = DeskTab(seen=0, shown=None)
        st.session_state["faults"] = []
    tab, faults = st.session_state["tab"], st.session_state["faults"]
    tab.serve(
        TESTER,
        partial(_apply, kept, faults, float(query.get("sleep", "0"))),
        partial(_data, query, kept, faults, st.session_state.get("reading")),
    )
    transcription_desk("desk", tab.mounted(TESTER), on_reread=lambda: read_again(kept))
    st.text_input("Elsewhere")
    st.button("Again")


def _data(
    query: Mapping[str, str], kept: KeptGraph, faults: list[StoredFault], reading: Rereading | None, _viewer: Viewer
) -> Data:
    record, found = kept.record, offered(kept)
    names = [node.name for node in record.nodes.values()]
    node_ids = {node.name: node.id for node in record.nodes.values()}
    sweep = kept.given.get("sweep")
    figure = DeskFigure(
        crop=Crop(FIGURE, WIDTH, HEIGHT, "Figure 6", (LEFT, TOP)),
        swept=kept.marks.swept,
        paths={edge_id: path for edge_id in record.edges if (path := kept.path_of(edge_id))},
        offers={},
        words=printed(kept),
        dismissed={name.text for name in printed(kept) if is_settled(name.text, names, kept.marks)},
        proposals=open_proposals.open_proposals_of(found, record, kept.marks),
        sweep=node_ids.get(sweep, sweep),
        rereading=reading,
    )
    return transcription_data(
        DeskState(
            subject=query["subject"],
            version=len(kept.acts),
            saved_at=datetime.now(UTC) if kept.acts else None,
            receipt=f"{len(names)} nodes, {len(record.edges)} edges" if kept.acts or "list" not in query else "",
            editable="locked" not in query,
            can_undo=bool(kept.past),
            can_redo=bool(kept.future),
            halted="halted" in query,
            takes_focus="list" in query,
        ),
        record,
        names=PRINTED if "list" in query else kept.given.get("names", []),
        faults=faults,
        figure=None if "list" in query else figure,
    )


def _apply(
    kept: KeptGraph, faults: list[StoredFault], sleep: float, _viewer: Viewer, act: Act, /, *, seen: int, act_id: str
) -> None:
    with kept.lock:  # two tabs, two sessions, one graph
        kept.do(act, lambda: _made(kept, act, faults))
    time.sleep(sleep)


def read_again(kept: KeptGraph) -> None:
    asked = read_reread(st.session_state["desk"].get("reread"))
    if asked is not None:
        read = kept.given.get("reads", {}).get(str(int(asked[0].x0)), "")
        st.session_state["reading"] = Rereading(asked[1], read)


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


def _made(kept: KeptGraph, act: Act, faults: list[StoredFault]) -> Edit:
    if "refuse" in str(act.data):
        raise InvalidGraph("This study takes no such name.")
    stroke = read_transcription_act(act, Box(LEFT, TOP, LEFT + WIDTH, TOP + HEIGHT))
    if isinstance(stroke, AddLines):
        parsed = parse_lines(stroke.text)
        faults += [StoredFault(one.line, one.text, one.message, one.offer, act.id) for one in parsed.faults]
        lines = [(edge.source, edge.sink, edge.sign) for edge in parsed.edges]
        declared = [node.name for node in parsed.nodes]
        return edits.add_edges(kept.record, lines, declared, new_id=ids_within(act.id, 1))[0], ()
    return _DOES[type(stroke).__name__](kept, stroke, act.id)


def _place(kept: KeptGraph, stroke: Any, act_id: str) -> Edit:
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
    "DropFault": lambda _kept, _on, _id: ((), ()),
}

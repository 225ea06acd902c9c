"""What the edge list's scripts declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

from typing import Any

from components.desk.desk_state import DeskState
from components.desk.outbox import ActLedger
from components.edge_list import acts, edge_desk
from core.errors import InvalidGraph
from core.graphs import edits
from core.graphs.edge import EdgeFlag
from core.graphs.record import EdgeRecord, GraphRecord, NodeRecord
from core.sign import Sign
from tests.components.crossing import OUTBOX, Sample, always_empty, mounted
from tests.components.noted import fields_read

ACTS: dict[str, dict[str, Any]] = {
    "lines": {"text": "A -> B", "pasted": False},
    "edit_edge": {"edge_id": "e1", "field": "sign", "value": "-"},
    "delete_edge": {"edge_id": "e1"},
    "rename_node": {"node": "Rain", "name": "Rainfall"},
    "delete_node": {"node": "Rain"},
    "drop_fault": {"text": "A B"},
    "undo": {},
    "redo": {},
}


def samples() -> list[Sample]:
    given = mounted(edge_desk, "_desk", place)
    return [
        ("edge_list.EdgeListData", given.data),
        ("edge_list.EdgeListActs", ACTS),
        ("edge_list.EdgeListState", given.told(outbox=OUTBOX)),
        # What scripts edit of an edge is what a graph takes.
        ("Record<desk.EdgeField, true>", {field: True for field in given.data["edges"][0] if is_taken(field)}),
    ]


def place() -> Any:
    ledger = ActLedger()
    ledger.ack("a1")
    ledger.refuse("a2", "No.")
    edges = [
        edge_desk.DeskEdge(id=f"e{number}", source="Rain", sink="Harvest", sign=sign, flag=flag)
        for number, (sign, flag) in enumerate([(Sign.PLUS, None), (Sign.MINUS, next(iter(EdgeFlag))), (None, None)])
    ]
    return edge_desk.edge_desk(
        "desk",
        DeskState(subject="s", ledger=ledger, version=1, receipt=""),
        nodes=[edge_desk.EdgeDeskNode("n1", "Rain")],
        edges=edges,
        names=["Rain"],
        faults=[edge_desk.DeskFault(1, "A B", "No arrow.")],
        on_acts=lambda: None,
    )


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []


def test_every_act_has_the_fields_that_python_reads() -> None:
    assert fields_read(acts._READERS, ACTS) == {kind: set(data) for kind, data in ACTS.items()}


def is_taken(field: str) -> bool:
    nodes = {each: NodeRecord(id=each, name=each) for each in ("Rain", "Harvest")}
    graph = GraphRecord(nodes, {"e1": EdgeRecord(id="e1", source_id="Rain", sink_id="Harvest")})
    value = {"delay": True, "source": "Soil", "sink": "Soil"}.get(field, "")
    try:
        edits.edit_edge(graph, "e1", field, value, new_id=lambda: "n3")
    except InvalidGraph:
        return False
    return True

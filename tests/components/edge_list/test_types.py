"""What the edge list's scripts declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

from typing import Any

import pytest

from components.desk.desk_state import DeskState
from components.desk.outbox import ActLedger
from components.edge_list import acts, edge_desk
from core.errors import InvalidGraph
from core.graphs import edits
from core.graphs.edge import EdgeFlag
from core.graphs.record import EdgeRecord, GraphRecord, NodeRecord
from core.sign import Sign
from tests.components.declared import fields_of, fields_read, unlike

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


def test_the_page_gives_what_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_desk, "_desk", lambda **mounted: mounted["data"])
    ledger = ActLedger()
    ledger.ack("a1")
    ledger.refuse("a2", "No.")
    edges = [
        edge_desk.DeskEdge(id=f"e{number}", source="Rain", sink="Harvest", sign=sign, flag=flag)
        for number, (sign, flag) in enumerate([(Sign.PLUS, None), (Sign.MINUS, next(iter(EdgeFlag))), (None, None)])
    ]
    data = edge_desk.edge_desk(
        "desk",
        DeskState(subject="s", ledger=ledger, version=1, receipt=""),
        nodes=[edge_desk.EdgeDeskNode("n1", "Rain")],
        edges=edges,
        names=["Rain"],
        faults=[edge_desk.DeskFault(1, "A B", "No arrow.")],
        on_acts=lambda: None,
    )
    assert unlike("edge_list", "EdgeListData", data) == []


def test_every_act_has_the_fields_that_python_reads() -> None:
    assert unlike("edge_list", "EdgeListActs", ACTS) == []
    assert set(ACTS) == set(acts._READERS)
    for kind, read in acts._READERS.items():
        assert fields_read(read, ACTS[kind]) == fields_of("edge_list", "EdgeListActs", kind), kind


def test_the_fields_of_an_edge_that_scripts_edit_are_those_that_a_graph_takes() -> None:
    given = edge_desk._edge_data(edge_desk.DeskEdge(id="e1", source="Rain", sink="Harvest"))
    declared = {field for field in given if unlike("edge_list", "EdgeField", field) == []}
    assert declared == {field for field in given if is_taken(field)}


def is_taken(field: str) -> bool:
    nodes = {each: NodeRecord(id=each, name=each) for each in ("Rain", "Harvest")}
    graph = GraphRecord(nodes, {"e1": EdgeRecord(id="e1", source_id="Rain", sink_id="Harvest")})
    value = {"delay": True, "source": "Soil", "sink": "Soil"}.get(field, "")
    try:
        edits.edit_edge(graph, "e1", field, value, new_id=lambda: "n3")
    except InvalidGraph:
        return False
    return True

"""What the canvas's scripts declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

import pytest

from components.canvas import acts, canvas
from components.desk.desk_state import DeskState
from components.desk.outbox import ActLedger
from components.figure.crop import Crop
from core.graphs.edge import EdgeFlag
from core.papers.pages import Box
from core.sign import Sign
from tests.components.declared import fields_of, fields_read, unlike

BOX = Box(0, 0, 10, 10)
COURSE = ((0.0, 0.0), (5.0, 5.5))
ACTS = {
    "place_node": {"name": "Rain", "x": 1, "y": 2.5, "box": [0, 0, 4, 4], "origin": "printed"},
    "move_node": {"node": "Rain", "x": 1, "y": 2},
    "connect": {"source": "Rain", "sink": "Harvest", "sign": "+", "delay": False},
    "edit_edge": {"edge_id": "e1", "field": "sign", "value": "-"},
    "reverse_edge": {"edge_id": "e1"},
    "delete_edge": {"edge_id": "e1"},
    "delete_node": {"node": "Rain"},
    "rename_node": {"node": "Rain", "name": "Rainfall"},
    "accept": {"proposal_ids": ["p1"]},
    "accept_as": {"proposal_id": "p1", "source": "Rain", "sink": "Harvest"},
    "refuse": {"proposal_ids": ["p1"]},
    "attest": {"node": "Rain", "swept": True},
    "not_a_variable": {"text": "Fig. 1", "is_none": True},
    "undo": {},
    "redo": {},
}


def test_the_page_gives_what_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "_mount", lambda **mounted: mounted["data"])
    ledger = ActLedger()
    ledger.ack("a1")
    ledger.refuse("a2", "No.")
    data = canvas.canvas(
        "canvas",
        Crop("/picture/1", 100, 50, "A figure"),
        DeskState(subject="s", ledger=ledger, version=1, receipt=""),
        nodes=[canvas.CanvasNode("n1", "Rain", box=BOX), canvas.CanvasNode("n2", "Harvest", at=(1.0, 2.0))],
        edges=[
            canvas.CanvasEdge(id="e1", source_id="n1", sink_id="n2", sign=Sign.MINUS, path=COURSE),
            canvas.CanvasEdge(id="e2", source_id="n2", sink_id="n1", delay=True, flag=next(iter(EdgeFlag))),
        ],
        words=[canvas.CanvasWord("Rain", BOX)],
        names=["Rain"],
        proposals=[canvas.CanvasProposal(id="p1", source="Rain", sink="Harvest", confidence=0.5, path=COURSE)],
        chosen="n1",
        sweep="",
        on_acts=lambda: None,
    )
    assert unlike("canvas", "CanvasData", data) == []


def test_every_act_has_the_fields_that_python_reads() -> None:
    assert unlike("canvas", "CanvasActs", {**ACTS, "place_node": {**ACTS["place_node"], "box": None}}, ACTS) == []
    assert set(ACTS) == set(acts.readers(BOX))
    for kind, read in acts.readers(BOX).items():
        assert fields_read(read, ACTS[kind]) == fields_of("canvas", "CanvasActs", kind), kind


def test_the_choice_is_read_as_it_is_declared() -> None:
    outbox = {"tab": "t", "attempt": 1, "acts": [{"id": "a", "seq": 1, "kind": "undo"}]}
    choice = {"id": "n1", "n": 3}
    assert unlike("canvas", "CanvasState", {"outbox": outbox, "choice": choice}) == []
    assert canvas.read_choice(choice, {"n1"}) == canvas.CanvasChoice("n1", 3)

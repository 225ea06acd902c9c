"""What the canvas's scripts declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

from typing import Any

import pytest

from components.canvas import acts, canvas
from components.desk.desk_state import DeskState
from components.desk.outbox import ActLedger
from components.figure.crop import Crop
from core.errors import BadInput
from core.graphs.edge import EdgeFlag
from core.papers.pages import Box
from core.sign import Sign
from tests.components.crossing import OUTBOX, Sample, always_empty, mounted
from tests.components.noted import fields_read

BOX = Box(0, 0, 10, 10)
COURSE = ((0.0, 0.0), (5.0, 5.5))
ACTS = {
    "place_node": {"name": "Rain", "x": 1, "y": 2.5, "box": [0, 0, 4, 4], "origin": "printed"},
    "join_names": {"name": "Rain fall", "nodes": ["Rain"], "words": [{"text": "fall", "box": [0, 0, 4, 4]}]},
    "move_node": {"node": "Rain", "x": 1, "y": 2},
    "connect": {"source": "Rain", "sink": "Harvest", "sign": "+", "delay": False, "lit": "w1"},
    "edit_edge": {"edge_id": "e1", "field": "sign", "value": "-"},
    "reverse_edge": {"edge_id": "e1"},
    "delete_edge": {"edge_id": "e1"},
    "delete_node": {"node": "Rain"},
    "rename_node": {"node": "Rain", "name": "Rainfall"},
    "accept": {"proposal_ids": ["p1"], "by": "region"},
    "accept_as": {"proposal_id": "p1", "source": "Rain", "sink": "Harvest"},
    "refuse": {"proposal_ids": ["p1"], "by": ""},
    "attest": {"node": "Rain", "swept": True},
    "not_an_edge": {"arrow": "w1", "is_none": True},
    "not_a_variable": {"text": "Fig. 1", "is_none": True},
    "undo": {},
    "redo": {},
}
REREAD = {"box": [0, 0, 4, 4.5], "n": 4}


def samples() -> list[Sample]:
    given = mounted(canvas, "_mount", place)
    return [
        ("canvas.CanvasData", given.data),
        ("canvas.CanvasActs", ACTS),
        ("canvas.CanvasActs", {**ACTS, "place_node": {**ACTS["place_node"], "box": None}}),
        ("canvas.CanvasState", given.told(outbox=OUTBOX, reread=REREAD)),
    ]


def place() -> Any:
    ledger = ActLedger()
    ledger.ack("a1")
    ledger.refuse("a2", "No.")
    return canvas.canvas(
        "canvas",
        Crop("/picture/1", 100, 50, "A figure"),
        DeskState(subject="s", ledger=ledger, version=1, receipt=""),
        nodes=[canvas.CanvasNode("n1", "Rain", box=BOX), canvas.CanvasNode("n2", "Harvest", at=(1.0, 2.0))],
        edges=[
            canvas.CanvasEdge(id="e1", source_id="n1", sink_id="n2", sign=Sign.MINUS, path=COURSE, printed_delay=True),
            canvas.CanvasEdge(id="e2", source_id="n2", sink_id="n1", delay=True, flag=next(iter(EdgeFlag))),
        ],
        words=[canvas.CanvasWord("Rain", BOX)],
        names=["Rain"],
        proposals=[
            canvas.CanvasProposal(id="p1", source="Rain", sink="Harvest", confidence=0.5, path=COURSE, doubts=["Why?"])
        ],
        arrows=[canvas.CanvasArrow("w1", COURSE)],
        sweep="",
        reading=canvas.CanvasReading(4, "Rain"),
        on_acts=lambda: None,
    )


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []


def test_every_act_has_the_fields_that_python_reads() -> None:
    assert fields_read(acts.readers(BOX), ACTS) == {kind: set(data) for kind, data in ACTS.items()}


def test_a_box_to_read_again_is_read_as_it_is_declared_and_a_forged_one_is_refused() -> None:
    assert canvas.read_reread(REREAD) == (Box(0, 0, 4, 4.5), 4)
    assert canvas.read_reread(None) is None
    for forged in ("x", {}, {**REREAD, "n": True}, {**REREAD, "box": [0, 0, "4", 1]}, {**REREAD, "box": [0, 1]}):
        with pytest.raises(BadInput, match="could not be read"):
            canvas.read_reread(forged)

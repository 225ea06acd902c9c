"""What the desk's scripts declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

from typing import Any

import pytest

from components.desk.desk_state import DeskState
from components.figure.crop import Crop
from components.transcription import acts, desk
from core.errors import BadInput, InvalidGraph
from core.graphs import edits
from core.graphs.edge import EdgeFlag
from core.graphs.layouts.layout import Point as Place
from core.graphs.record import EdgeRecord, GraphRecord, NodeRecord
from core.papers.pages import Box
from core.sign import Sign
from core.transcription.open_proposals import OpenProposal
from core.transcription.proposals import ProposedName
from core.transcription.snapping import PrintedMarks
from core.transcription.stored_fault import StoredFault
from core.transcription.unmatched_arrows import UnmatchedArrow
from tests.components.crossing import POSTED, Sample, always_empty, mounted
from tests.components.noted import fields_read

BOX = Box(0, 0, 10, 10)
COURSE = ((0.0, 0.0), (5.0, 5.5))
ACTS: dict[str, dict[str, Any]] = {
    "lines": {"text": "A -> B", "pasted": False},
    "drop_fault": {"text": "A B"},
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
GRAPH = GraphRecord(
    {
        "n1": NodeRecord(id="n1", name="Rain", box=(0, 0, 10, 10)),
        "n2": NodeRecord(id="n2", name="Harvest", x=1.0, y=2.0),
    },
    {
        "e1": EdgeRecord(id="e1", source_id="n1", sink_id="n2", sign=Sign.MINUS, place=1),
        "e2": EdgeRecord(id="e2", source_id="n2", sink_id="n1", delay=True, flag=next(iter(EdgeFlag)), place=2),
        "e3": EdgeRecord(id="e3", source_id="n2", sink_id="n2", sign=Sign.PLUS, note="dashed", place=3),
    },
)
FIGURE = desk.DeskFigure(
    crop=Crop("/picture/1", 100, 50, "A figure"),
    swept=["n1"],
    paths={"e1": COURSE},
    offers={"e1": PrintedMarks(None, True)},
    words=[ProposedName("Rain", BOX, ("Rain",))],
    proposals=[
        OpenProposal(
            id="p1",
            source="Rain",
            sink="Harvest",
            sign=None,
            delay=False,
            confidence=0.5,
            is_doubtful=False,
            is_certain=False,
            path=COURSE,
            reasons=("Why?",),
            origin="vector+model",
        )
    ],
    arrows=[UnmatchedArrow("w1", COURSE, False)],
    sweep="",
    places={"n1": Place(0, 0), "n2": Place(10, 10)},
    rereading=desk.Rereading(4, "Rain"),
)


def samples() -> list[Sample]:
    given = mounted(desk, "_mount", lambda: desk.transcription_desk("desk", data_of(FIGURE)))
    ends = {"source": "", "sink": ""}
    return [
        ("transcription.TranscriptionData", given.data),
        ("transcription.TranscriptionData", data_of(None)),
        ("transcription.TranscriptionActs", ACTS),
        ("transcription.TranscriptionActs", {**ACTS, "place_node": {**ACTS["place_node"], "box": None}}),
        ("transcription.TranscriptionState", given.told(**POSTED, reread=REREAD, view="graph")),
        # What scripts edit of an edge is what a graph takes.
        ("Record<desk.EdgeField, true>", {field: True for field in given.data["edges"][0] | ends if is_taken(field)}),
    ]


def data_of(figure: desk.DeskFigure | None) -> Any:
    return desk.transcription_data(
        DeskState(subject="s", version=1),
        GRAPH,
        names=["Rain"],
        faults=[StoredFault(1, "A B", "No arrow.")],
        figure=figure,
    )


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    of_pictures = ".drawing."  # tests/components/graph/test_types.py fills them
    assert [each for each in always_empty(samples()) if of_pictures not in each] == []


def test_every_act_has_the_fields_that_python_reads() -> None:
    assert fields_read(acts.readers(BOX), ACTS) == {kind: set(data) for kind, data in ACTS.items()}


def test_a_box_to_read_again_is_read_as_it_is_declared_and_a_forged_one_is_refused() -> None:
    assert desk.read_reread(REREAD) == (Box(0, 0, 4, 4.5), 4)
    assert desk.read_reread(None) is None
    for forged in ("x", {}, {**REREAD, "n": True}, {**REREAD, "box": [0, 0, "4", 1]}, {**REREAD, "box": [0, 1]}):
        with pytest.raises(BadInput, match="could not be read"):
            desk.read_reread(forged)


def is_taken(field: str) -> bool:
    value = {"delay": True, "source": "Soil", "sink": "Soil"}.get(field, "")
    try:
        edits.edit_edge(GRAPH, "e1", field, value, new_id=lambda: "n3")
    except InvalidGraph:
        return False
    return True

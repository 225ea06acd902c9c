"""What the adjudicator's scripts declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from components.adjudication import acts, desk
from components.desk.desk_state import DeskState
from components.figure.crop import Crop
from components.graph.view import record_picture
from core.adjudication.differences import Choice, Difference, DifferenceKind, NameQuestion, Reason, Ruling, edge_key
from core.adjudication.ground_truth import TrueArrow
from core.adjudication.printed_context import DeskPath, OverlookedEdge
from core.adjudication.reading_comparison import ReadEdge
from core.graphs.alignment import NameClass
from core.graphs.layouts.layout import Point as Place
from core.graphs.record import GraphRecord, NodeRecord
from core.papers.pages import Box
from core.sign import Sign
from tests.components.crossing import POSTED, Sample, always_empty, mounted
from tests.components.noted import fields_read

BOX = Box(0, 0, 10, 10)
WHY = {"reasons": ["overlooked"], "comment": "", "is_gap": False}
KEY = edge_key(DifferenceKind.EDGE, "Rain", "Harvest")
RULING = Ruling(
    key=KEY,
    kind=DifferenceKind.EDGE,
    choice=Choice.A,
    reasons=(Reason.MISSED,),
    reference="Rain",
    name_class=NameClass.TYPO,
    sign=Sign.PLUS,
)
ACTS = {
    "rule": {"key": KEY, "choice": "B", **WHY},
    "rule_name": {
        "name": "Rian",
        "choice": "A",
        "reference": "Rain",
        "name_class": "minor difference",
        "wording": "",
        **WHY,
    },
    "note": {"key": KEY, **WHY},
    "set_arrow": {"source": "Rain", "sink": "Harvest", "is_there": True, "sign": "-", "delay": False, **WHY},
    "take_back": {"key": KEY},
    "undo": {},
    "redo": {},
}
READ = ReadEdge(
    source="Rain",
    sink="Harvest",
    sign=Sign.PLUS,
    delay=False,
    path=((0.0, 0.0), (5.0, 5.0)),
    origin="vector",
    reasons=(),
    a=(),
    b=(),
)


def samples() -> list[Sample]:
    given = mounted(desk, "_mount", lambda: desk.ruling_desk("desk", ruling_data()))
    return [
        ("adjudication.AdjudicationData", given.data),
        ("adjudication.AdjudicationActs", ACTS),
        ("adjudication.AdjudicationState", given.told(**POSTED, finish=1, view="graph")),
        ("Record<adjudication.Choice, true>", {choice.value: True for choice in Choice}),
    ]


def ruling_data() -> Any:
    question = NameQuestion(
        key="k", name="Rian", offers=("Rain",), reference="Rain", name_class=NameClass.TYPO, is_open=True
    )
    found = Difference(
        key=KEY, kind=DifferenceKind.EDGE, source="Rain", sink="Harvest", a=((Sign.MINUS, False),), b=((None, True),)
    )
    return desk.ruling_data(
        Crop("/picture/1", 100, 50, "A figure"),
        DeskState(subject="s", version=1, receipt=""),
        nodes=[desk.RulingNode("Rain", "Rain", "Rain", "Rian", BOX), desk.RulingNode("B", "B", None, None, at=(1, 2))],
        arrows=[TrueArrow(source="Rain", sink="Harvest", sign=Sign.PLUS, delay=False, origin="both")],
        names=[(question, None), (question, RULING)],
        differences=[desk.RulingItem(found, ruling, "Only one drew it.", "", "") for ruling in (None, RULING)],
        own=[replace(RULING, key=edge_key(DifferenceKind.OWN, "Rain", "Harvest"), kind=DifferenceKind.OWN)],
        courses=[DeskPath("a", "Rain", "Harvest", None, ((0.0, 0.0), (5.0, 5.5)))],
        words=[("Rain", BOX)],
        read=[
            OverlookedEdge(
                read=READ,
                other_marks="sign",
                sentence="In neither.",
                a_says="not drawn",
                b_says="not drawn",
                read_says="drawn, +",
                origin="vector lines",
            )
        ],
        name_reads={"k": "“Rain”"},
        origin="vector lines",
        waiting=[KEY],
        drawing=record_picture(GraphRecord({"n": NodeRecord(id="n", name="Rain")}), {"n": Place(0, 0)}),
    )


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    of_pictures = ".drawing."  # tests/components/graph/test_types.py fills them
    assert [each for each in always_empty(samples()) if of_pictures not in each] == []


def test_every_act_has_the_fields_that_python_reads() -> None:
    assert fields_read(acts._READERS, ACTS) == {kind: set(data) for kind, data in ACTS.items()}

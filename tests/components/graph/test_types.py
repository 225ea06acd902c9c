"""What the graph's scripts declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from components.graph import view
from components.graph.parts import Selection, StyledEdge, ViewMark, ViewNode
from core.graphs.layouts.layout import Point
from tests.components.crossing import Mounted, Sample, always_empty, mounted

NODES = [ViewNode("a", "Rain"), ViewNode("b", "Harvest", "missed", "2 names")]
EDGES = [
    StyledEdge(id="e1", source_id="a", sink_id="b", sign="-", style="reversed"),
    StyledEdge(id="e2", source_id="b", sink_id="a", sign="+", delay=True, flag="unclear", differs="+ → −"),
    StyledEdge(id="e3", source_id="b", sink_id="b"),
]
PLACES = {"a": Point(0, 0), "b": Point(90.5, 40)}
CHOICE = {"kind": "edge", "id": "e1", "n": 3}
MOVED = {"places": [["a", 1.5, 2]], "n": 4}


def samples() -> list[Sample]:
    return [
        ("graph.DrawingData", given().data),
        ("graph.DrawingData", given(selected="a", lit=["a", "e1"], hidden=["reversed"], centre="b").data),
        ("graph.DrawingState", given().told(selection=None, moved=None)),
        ("graph.DrawingState", given().told(selection=CHOICE, moved=MOVED)),
    ]


def given(**asked: Any) -> Mounted:
    asked |= {"key": "figure", "marks": [ViewMark("R1", ("a", "b"))]}
    return mounted(
        view,
        "_figure",
        lambda: view.graph_view(NODES, EDGES, PLACES, **asked),
        SimpleNamespace(selection=None),
    )


def test_every_list_and_nullable_place_is_filled_by_a_sample() -> None:
    assert always_empty(samples()) == []


def test_the_choice_and_the_places_are_read_as_they_are_declared() -> None:
    assert view.read_selection(CHOICE, NODES, EDGES) == Selection("edge", "e1", 3)
    assert view.read_moved(MOVED, NODES) == {"a": Point(1.5, 2)}

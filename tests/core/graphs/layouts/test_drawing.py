"""A drawing travels as plain JSON, and its edges bend as on the screen."""

from __future__ import annotations

import json

import pytest

from core.errors import InvalidGraph
from core.graphs.layouts.drawing import Drawing, DrawnEdge, DrawnMark, DrawnNode, bent, middle, turns_clockwise
from core.graphs.layouts.layout import Point

A, B = DrawnNode("A", Point(0, 0), "matched", "2 names"), DrawnNode("B", Point(236, 0))


def test_a_drawing_comes_back_from_its_json() -> None:
    edges = (
        DrawnEdge(source=0, sink=1, sign="+", delay=True, style="missed", bend=0.16, differs="", is_dimmed=True),
        DrawnEdge(source=1, sink=0, sign="-", differs="+ → −"),
    )
    drawing = Drawing((A, B), edges, (DrawnMark("R1", Point(1, 2), False),), "Title", ("reference", "other"))
    assert Drawing.from_json(json.loads(json.dumps(drawing.as_json()))) == drawing


def test_a_reciprocal_pair_bends_apart_and_a_single_edge_stays_straight() -> None:
    assert [edge.bend for edge in bent([A, B], [DrawnEdge(source=0, sink=1), DrawnEdge(source=1, sink=0)])] == [
        0.16,
        0.16,
    ]
    assert [edge.bend for edge in bent([A, B], [DrawnEdge(source=0, sink=1)])] == [0.0]


def test_an_edge_to_a_node_that_is_not_drawn_is_refused() -> None:
    with pytest.raises(InvalidGraph, match="does not exist"):
        bent([A, B], [DrawnEdge(source=0, sink=2)])


def test_the_way_round_is_told_as_seen_on_the_page() -> None:
    around = [Point(0, 0), Point(10, 0), Point(10, 10)]
    assert turns_clockwise(around)
    assert not turns_clockwise(around[::-1])
    assert middle(around[:2]) == Point(5, 0)

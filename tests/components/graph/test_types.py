"""What the graph's scripts declare of what crosses from and to Python is what Python gives and takes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from components.graph import view
from components.graph.parts import Selection, ViewEdge, ViewMark, ViewNode
from core.graphs.layouts.layout import Point
from tests.components.declared import unlike

NODES = [ViewNode("a", "Rain"), ViewNode("b", "Harvest", "missed", "2 names")]
EDGES = [
    ViewEdge(id="e1", source_id="a", sink_id="b", sign="-", style="reversed"),
    ViewEdge(id="e2", source_id="b", sink_id="a", sign="+", delay=True, flag="unclear", differs="+ → −"),
    ViewEdge(id="e3", source_id="b", sink_id="b"),
]
PLACES = {"a": Point(0, 0), "b": Point(90.5, 40)}


def given(monkeypatch: pytest.MonkeyPatch, **asked: Any) -> Any:
    mounted: dict[str, Any] = {}

    def mount(**told: Any) -> SimpleNamespace:
        mounted.update(told)
        return SimpleNamespace(selection=None)

    monkeypatch.setattr(view, "_figure", mount)
    view.graph_view(NODES, EDGES, PLACES, key="figure", marks=[ViewMark("R1", ("a", "b"))], **asked)
    return mounted["data"]


def test_the_page_gives_what_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = given(monkeypatch)
    full = given(monkeypatch, selected="a", lit=["a", "e1"], hidden=["reversed"], centre="b")
    assert unlike("graph", "DrawingData", bare, full) == []


def test_the_choice_and_the_places_are_read_as_they_are_declared() -> None:
    choice = {"kind": "edge", "id": "e1", "n": 3}
    moved = {"places": [["a", 1.5, 2]], "n": 4}
    assert unlike("graph", "DrawingState", {"selection": choice, "moved": moved}) == []
    assert view.read_selection(choice, NODES, EDGES) == Selection("edge", "e1", 3)
    assert view.read_moved(moved, NODES) == {"a": Point(1.5, 2)}

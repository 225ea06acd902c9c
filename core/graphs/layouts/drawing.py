"""A graph as it is to be drawn on paper: names, places, classes and marks, without colours or fonts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.errors import InvalidGraph
from core.graphs.labels import size_of
from core.graphs.layouts.layout import Point, bends

STYLES = ("plain", "matched", "missed", "spurious", "reversed")
"""How an element stands in a comparison; missed is in the reference only, spurious in the other graph only,
reversed a spurious edge whose opposite was missed. Nodes are never reversed."""


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A label centred on `at` (pixels at zoom 1, y downwards); `badge` is a few small words under it."""

    name: str
    at: Point
    style: str = "plain"
    badge: str = ""
    is_dimmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnEdge:
    """An arrow between two nodes by their place in the list. `bend` as `core.graphs.layouts.layout.bends` gives it.

    `sign` is "+", "-" or ""; `differs`, such as "+ → −", is drawn in a box in its place.
    """

    source: int
    sink: int
    sign: str = ""
    delay: bool = False
    style: str = "plain"
    bend: float = 0.0
    differs: str = ""
    is_dimmed: bool = False


@dataclass(frozen=True, slots=True)
class DrawnMark:
    """A loop's name ("R1") in the middle of its nodes; `is_clockwise` is the way its little arrow turns."""

    text: str
    at: Point
    is_clockwise: bool = True


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a picture shows. A legend with counts is drawn beneath if any style but "plain" is used; `ends` is what it
    calls the graph of missed elements and the one of spurious elements."""

    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]
    marks: tuple[DrawnMark, ...] = ()
    title: str = ""
    ends: tuple[str, str] = ("ground truth", "prediction")

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Drawing:
        return cls(
            tuple(DrawnNode(**{**node, "at": Point(**node["at"])}) for node in data["nodes"]),
            tuple(DrawnEdge(**edge) for edge in data["edges"]),
            tuple(DrawnMark(**{**mark, "at": Point(**mark["at"])}) for mark in data["marks"]),
            data["title"],
            (data["ends"][0], data["ends"][1]),
        )


def bent(nodes: Sequence[DrawnNode], edges: Sequence[DrawnEdge]) -> tuple[DrawnEdge, ...]:
    """The edges with the bends the screen gives them. Raises InvalidGraph if one hangs in the air.

    >>> pair = [DrawnNode("A", Point(0, 0)), DrawnNode("B", Point(236, 0))]
    >>> [edge.bend for edge in bent(pair, [DrawnEdge(source=0, sink=1), DrawnEdge(source=1, sink=0)])]
    [0.16, 0.16]
    """
    for edge in edges:
        if not (0 <= edge.source < len(nodes) and 0 <= edge.sink < len(nodes)):
            raise InvalidGraph("An arrow of the drawing points to a node that does not exist.")
    places = {str(number): node.at for number, node in enumerate(nodes)}
    sizes = {str(number): size_of(node.name) for number, node in enumerate(nodes)}
    bows = bends(places, [(str(edge.source), str(edge.sink)) for edge in edges], sizes)
    return tuple(_with_bend(edge, bow) for edge, bow in zip(edges, bows, strict=True))


def _with_bend(edge: DrawnEdge, bend: float) -> DrawnEdge:
    return DrawnEdge(**{**asdict(edge), "bend": bend})


def middle(points: Sequence[Point]) -> Point:
    """The centroid of some places, where a loop's mark stands."""
    return Point(sum(point.x for point in points) / len(points), sum(point.y for point in points) / len(points))


def turns_clockwise(points: Sequence[Point]) -> bool:
    """Whether a walk through `points` and back turns clockwise as seen on the page (the shoelace formula; y down).

    >>> turns_clockwise([Point(0, 0), Point(10, 0), Point(10, 10)])
    True
    """
    ends = [*points[1:], points[0]]
    return sum(a.x * b.y - b.x * a.y for a, b in zip(points, ends, strict=True)) >= 0

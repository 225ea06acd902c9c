"""A graph ready for drawing: names, positions, styles and marks, without colours or fonts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.errors import InvalidGraph
from core.graphs.labels import size_of
from core.graphs.layouts.layout import Point, bends

# Results of a comparison; missed is in the reference only, spurious in the other graph only, reversed a spurious edge
# whose opposite was missed. Nodes are never reversed.
STYLES = ("plain", "matched", "missed", "spurious", "reversed")


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
    """An edge between two nodes by their place in the list. `bend` as `core.graphs.layouts.layout.bends` gives it."""

    source: int
    sink: int
    sign: str = ""  # "+", "-" or ""
    delay: bool = False
    style: str = "plain"
    bend: float = 0.0
    differs: str = ""  # such as "+ → −", drawn in a box in place of the sign
    is_dimmed: bool = False


@dataclass(frozen=True, slots=True)
class DrawnMark:
    """A loop's name ("R1") in the middle of its nodes; `is_clockwise` is the direction of its small arrow."""

    text: str
    at: Point
    is_clockwise: bool = True


@dataclass(frozen=True, slots=True)
class Drawing:
    """Content of a picture. A legend with counts is drawn beneath if any style but "plain" is used."""

    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]
    marks: tuple[DrawnMark, ...] = ()
    title: str = ""
    # names of the graphs of missed and of spurious elements in the legend
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
    """Return the edges with the bends of the screen. Raises InvalidGraph if one has a missing node.

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
    return tuple(replace(edge, bend=bow) for edge, bow in zip(edges, bows, strict=True))


def middle(points: Sequence[Point]) -> Point:
    return Point(sum(point.x for point in points) / len(points), sum(point.y for point in points) / len(points))


def turns_clockwise(points: Sequence[Point]) -> bool:
    """Return True if a walk through `points` and back turns clockwise as seen on the page (the shoelace formula; y
    down).

    >>> turns_clockwise([Point(0, 0), Point(10, 0), Point(10, 10)])
    True
    """
    ends = [*points[1:], points[0]]
    return sum(a.x * b.y - b.x * a.y for a, b in zip(points, ends, strict=True)) >= 0

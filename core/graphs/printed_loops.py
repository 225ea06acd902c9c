"""Loops of a graph that a figure names: a printed name such as "R1" is printed inside its loop. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from core.graphs.loops import Loop

Point = tuple[float, float]


def name_loops(
    printed: Sequence[tuple[str, Point]], loops: Sequence[Loop], places: Mapping[str, Point]
) -> dict[int, str]:
    """Return the printed name of loops by their place in `loops`: each name goes to the smallest loop around it that
    has none yet and is of its kind, if both are known. `places`: nodes by name; loops without all places have no name.

    >>> square = {"A": (0, 0), "B": (4, 0), "C": (4, 4)}
    >>> name_loops([("R1", (3, 1))], [Loop(("A", "B", "C"), "R")], square)
    {0: 'R1'}
    """
    rings = {
        place: [places[name] for name in loop.nodes]
        for place, loop in enumerate(loops)
        if all(name in places for name in loop.nodes)
    }
    pairs = sorted(
        (_extent(ring), place, text)
        for text, point in printed
        for place, ring in rings.items()
        if _is_around(ring, point) and (loops[place].kind in (None, text[0]) or text[0] not in "RB")
    )
    named: dict[int, str] = {}
    for _extent_of, place, text in pairs:
        if place not in named and text not in named.values():
            named[place] = text
    return named


def _is_around(ring: Sequence[Point], point: Point) -> bool:
    """Return True for a point in a polygon; two nodes have the circle around both, one node none."""
    if len(ring) < 3:
        middle = (ring[0][0] + ring[-1][0]) / 2, (ring[0][1] + ring[-1][1]) / 2
        return math.dist(middle, point) < math.dist(ring[0], ring[-1]) / 2
    x, y = point
    sides = pairwise([*ring, ring[0]])
    crossed = sum((y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0 for (x0, y0), (x1, y1) in sides)
    return crossed % 2 == 1


def _extent(ring: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise([*ring, ring[0]]))

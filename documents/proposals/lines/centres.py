"""Lines drawn from centre to centre of shapes that were painted over them, cut where they leave the shapes. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from documents.proposals.lines.strokes import Shaft
from documents.proposals.shapes import Point, area_of, box_of, cross, holds, inside
from documents.rects import Rect

WITHIN = 0.3  # letters by which a line's end must lie inside a shape: one that ends at a rim may touch its inner side
Hull = tuple[Rect, Sequence[Point]]


def cut_at_rims(shafts: Sequence[Shaft], shapes: Sequence[Sequence[Point]], letter: float) -> list[Shaft]:
    """Cut the parts of shafts that lie beneath the shapes at which they end.

    Layout programs draw lines to the nodes' centres first and the nodes over them; heads are at the rims."""
    hulls = [(box_of(shape), shape) for shape in sorted(shapes, key=area_of)]
    return [_cut(_cut(shaft, 0, hulls, letter), 1, hulls, letter) for shaft in shafts]


def _cut(shaft: Shaft, which: int, hulls: Sequence[Hull], letter: float) -> Shaft:
    line = shaft.towards(which)
    shape = next((shape for box, shape in hulls if holds(box, line[-1]) and inside(shape, line[-1])), None)
    if shape is None:
        return shaft
    leaves = _leaves(line, shape)
    if leaves is None or math.dist(leaves[1], line[-1]) < WITHIN * letter:
        return shaft
    visible = (*line[: leaves[0]], leaves[1])
    return replace(shaft, points=visible if which else visible[::-1])


def _leaves(line: Sequence[Point], shape: Sequence[Point]) -> tuple[int, Point] | None:
    """Return where a line that ends inside a shape enters it last: the number of points before, and the place."""
    sides = list(pairwise([*shape, shape[0]]))
    for place in range(len(line) - 1, 0, -1):
        a, b = line[place - 1], line[place]
        crossings = [point for c, d in sides if (point := cross(a, b, c, d)) is not None]
        if crossings:
            return place, min(crossings, key=lambda point: math.dist(point, b))
    return None

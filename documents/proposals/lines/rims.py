"""Strokes and slivers that belong to the rims of shapes. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from documents.proposals.shapes import Outline, Point

NEAR = 0.08  # letters from the rim and once more in the next square; even small arrowheads reach farther


class Rims:
    """The rims of shapes as squares of a grid: a hand-drawn look makes a rim of hundreds of strokes, too many to
    compare each with each side."""

    def __init__(self, shapes: Sequence[Outline], letter: float) -> None:
        self._side = NEAR * letter
        self._boxes = {_rounded(shape) for shape in shapes}
        walked = (_walked([*shape.points, shape.points[0]], self._side) for shape in shapes)
        self._squares = {self._square(point) for points in walked for point in points}

    def hold(self, outline: Outline) -> bool:
        """Return True if all of an outline runs along rims; a rim drawn twice is recognised by its box."""
        if outline.closed and _rounded(outline) in self._boxes:
            return True
        ends = all(map(self._is_near, outline.points))
        return ends and all(map(self._is_near, _walked(outline.points, self._side)))

    def _is_near(self, point: Point) -> bool:
        column, row = self._square(point)
        return any((column + dx, row + dy) in self._squares for dx in (0, -1, 1) for dy in (0, -1, 1))

    def _square(self, point: Point) -> tuple[int, int]:
        return int(point[0] // self._side), int(point[1] // self._side)


def _rounded(outline: Outline) -> tuple[int, ...]:
    return tuple(round(value) for value in outline.box)


def _walked(points: Sequence[Point], step: float) -> list[Point]:
    walked = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        count = max(1, math.ceil(math.dist((x0, y0), (x1, y1)) / step))
        walked += [(x0 + (x1 - x0) * k / count, y0 + (y1 - y0) * k / count) for k in range(1, count + 1)]
    return walked

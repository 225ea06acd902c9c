"""Positions of labels: points, boxes, and free space. Pixels at zoom 1, y downwards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.graphs.labels import LabelSize

LABEL = LabelSize(160.0, 40.0)  # the default size of a label
GAP_X, GAP_Y = 24.0, 22.0  # least distance of two labels in a row, and in a column
# least distance of the centres of two labels of default size, in a row and in a column
CELL_X, CELL_Y = LABEL.width + GAP_X, LABEL.height + GAP_Y


@dataclass(frozen=True, slots=True)
class Point:  # the centre of a node in pixels at zoom 1; y grows downwards
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class PixelBox:
    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


def box_of(places: Mapping[str, Point], sizes: Mapping[str, LabelSize]) -> PixelBox:
    """Return the box around labels; without nodes, the empty box at 0, 0."""
    if not places:
        return PixelBox(0.0, 0.0, 0.0, 0.0)
    return PixelBox(
        min(point.x - sizes[node].width / 2 for node, point in places.items()),
        min(point.y - sizes[node].height / 2 for node, point in places.items()),
        max(point.x + sizes[node].width / 2 for node, point in places.items()),
        max(point.y + sizes[node].height / 2 for node, point in places.items()),
    )


def is_free(spot: Point, size: LabelSize, placed: Iterable[tuple[Point, LabelSize]]) -> bool:
    return all(
        abs(spot.x - point.x) >= (size.width + other.width) / 2 + GAP_X
        or abs(spot.y - point.y) >= (size.height + other.height) / 2 + GAP_Y
        for point, other in placed
    )


def nearest_gap(spot: Point, size: LabelSize, placed: Iterable[tuple[Point, LabelSize]]) -> Point:
    """Return `spot` itself, or the nearest point of a grid around it where a label fits."""
    labels = list(placed)
    if is_free(spot, size, labels):
        return spot
    reach = 1
    while True:
        ring = [
            Point(round(spot.x + i * 24.0, 1), round(spot.y + j * 16.0, 1))
            for i in range(-reach, reach + 1)
            for j in range(-reach, reach + 1)
            if max(abs(i), abs(j)) == reach
        ]
        free = [cell for cell in ring if is_free(cell, size, labels)]
        if free:
            return min(free, key=lambda cell: (math.hypot(cell.x - spot.x, cell.y - spot.y), cell.y, cell.x))
        reach += 1

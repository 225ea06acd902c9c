"""Clusters of drawn shapes and images of a page that touch."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from documents.rects import Rect, area, union


@dataclass(frozen=True, slots=True)
class InkShape:
    """A drawn path or an image. `slanted`: has a curve or an oblique stroke, unlike tables and rules."""

    box: Rect
    kind: Literal["vector", "raster"]
    slanted: bool = False


@dataclass(frozen=True, slots=True)
class Cluster:
    box: Rect
    vector: int
    raster: int
    slanted: bool
    is_diagram: bool = False  # what names and arrows of the page connect

    @property
    def kind(self) -> Literal["vector", "raster"]:
        return "raster" if self.raster and not self.slanted else "vector"


def is_background(shape: InkShape, page: Rect) -> bool:
    """Return True for page-sized paint and long thin rules, which are no part of a figure."""
    wide, high = shape.box[2] - shape.box[0], shape.box[3] - shape.box[1]
    if wide < 0 or high < 0:
        return True
    if shape.kind == "raster":
        return wide < 8 or high < 8
    if wide > 0.95 * page[2] and high > 0.95 * page[3]:
        return True
    return not shape.slanted and ((high < 2.5 and wide > 0.3 * page[2]) or (wide < 2.5 and high > 0.3 * page[3]))


def clusters_of(shapes: Sequence[InkShape], width: float, height: float) -> list[Cluster]:
    """Group shapes that touch on a grid of about 3 points: one pass, so that 100,000 paths cost no more than their
    boxes."""
    cell = max(3.0, max(width, height) / 400)
    rows = [0] * (int(height / cell) + 2)
    for shape in shapes:
        left, top, right, bottom = (max(0, int(value / cell)) for value in shape.box)
        bits = ((1 << (right - left + 1)) - 1) << left
        for row in range(top, min(bottom + 1, len(rows))):
            rows[row] |= bits
    components = _Components(rows)
    members: dict[int, list[InkShape]] = {}
    for shape in shapes:
        row = min(max(0, int(shape.box[1] / cell)), len(rows) - 1)
        members.setdefault(components.name(row, max(0, int(shape.box[0] / cell))), []).append(shape)
    return [
        Cluster(
            union(one.box for one in group),
            sum(one.kind == "vector" for one in group),
            sum(one.kind == "raster" for one in group),
            any(one.slanted for one in group),
        )
        for group in members.values()
    ]


class _Components:
    """Connected cells of a grid of bits, one integer a row."""

    def __init__(self, rows: Sequence[int]) -> None:
        self._parent: list[int] = []
        self._runs: list[list[tuple[int, int, int]]] = []
        previous: list[tuple[int, int, int]] = []
        for bits in rows:
            current = []
            for match in re.finditer("1+", f"{bits:b}"[::-1] if bits else ""):
                name = len(self._parent)
                self._parent.append(name)
                current.append((match.start(), match.end(), name))
            for left, right, name in current:
                for other_left, other_right, other in previous:
                    if other_left <= right and left <= other_right:
                        self._parent[self._root(name)] = self._root(other)
            self._runs.append(current)
            previous = current

    def _root(self, name: int) -> int:
        while self._parent[name] != name:
            self._parent[name] = self._parent[self._parent[name]]
            name = self._parent[name]
        return name

    def name(self, row: int, column: int) -> int:
        return next(self._root(name) for left, right, name in self._runs[row] if left <= column < right)


def kind_of(clusters: Sequence[Cluster]) -> Literal["vector", "raster"]:
    raster = sum(area(c.box) for c in clusters if c.kind == "raster")
    return "raster" if raster > 0.5 * sum(area(c.box) for c in clusters) else "vector"

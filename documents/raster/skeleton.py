"""The middle lines of ink, one pixel wide, as branches between the places where they meet. Runs in a child only."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from documents.proposals.shapes import Point, unit
from documents.raster.engine import Pixels
from documents.raster.words import Ink

Line = NDArray[np.float64]
"""n x 2: x and y of a line's points."""

Numbered = NDArray[np.int32]

FREE = 0
"""Node of a branch's end that touches nothing."""

AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))  # (y, x) of N, NE, E, ... NW


@dataclass(slots=True)
class Branch:
    """A line of the skeleton."""

    points: Line
    ends: list[int]  # the nodes at its first and its last point, FREE if there is none
    colour: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    length: float = 0.0

    def __post_init__(self) -> None:
        self.length = length_of(self.points)

    def towards(self, which: int) -> Line:
        return self.points if which else self.points[::-1]

    def heading(self, which: int, skip: float, reach: float) -> Point:
        """Return the direction in which it arrives at an end, without the last `skip` pixels."""
        line = self.towards(which)
        last = max(0, len(line) - 1 - int(min(skip, len(line) / 3)))
        first = max(0, last - max(3, int(reach)))
        return unit(point_of(line[first]), point_of(line[last]))


def length_of(line: Line) -> float:
    return float(np.hypot(*np.diff(line, axis=0).T).sum()) if len(line) > 1 else 0.0


def point_of(pair: NDArray[np.float64]) -> Point:
    return float(pair[0]), float(pair[1])


def _tables() -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the pixels removed by the two steps of Zhang and Suen 1984, as in Lü and Wang 1986, by the bits of their
    eight neighbours."""
    first, second = np.zeros(256, bool), np.zeros(256, bool)
    for code in range(256):
        near = [(code >> bit) & 1 for bit in range(8)]
        turns = sum(near[bit] == 0 and near[(bit + 1) % 8] == 1 for bit in range(8))
        north, east, south, west = near[0], near[2], near[4], near[6]
        if 3 <= sum(near) <= 6 and turns == 1:  # with 2, slanted bars of two pixels would vanish
            first[code] = not (north and east and south) and not (east and south and west)
            second[code] = not (north and east and west) and not (north and south and west)
    return first, second


TABLES = _tables()
STEPS = [
    (((-1, 0), (0, way), (1, 0), (0, -way), (1, -way)), ((1, 0), (0, way), (-1, 0), (0, -way), (-1, -way)))
    for way in (1, -1)
]
"""Neighbours of the inner pixel of a step: two of them ink, three of them white."""


def thinned(ink: Ink) -> Ink:
    """Return the skeleton of ink (Zhang and Suen 1984), without the inner pixels of its steps."""
    thin = np.pad(ink.astype(np.uint8), 1)
    ys, xs = np.nonzero(thin)
    while True:
        before = len(ys)
        for table in TABLES:
            code = np.zeros(len(ys), np.int32)
            for bit, (dy, dx) in enumerate(AROUND):
                code |= thin[ys + dy, xs + dx].astype(np.int32) << bit
            gone = table[code]
            thin[ys[gone], xs[gone]] = 0
            ys, xs = ys[~gone], xs[~gone]
        if len(ys) == before:
            break
    for pair in STEPS:
        for one, other, *white in pair:
            ys, xs = np.nonzero(thin)
            gone = (thin[ys + one[0], xs + one[1]] > 0) & (thin[ys + other[0], xs + other[1]] > 0)
            for dy, dx in white:
                gone &= thin[ys + dy, xs + dx] == 0
            thin[ys[gone], xs[gone]] = 0
    return thin[1:-1, 1:-1] > 0


def junctions(skeleton: Ink, reach: int) -> Numbered:
    """Return the places where branches meet, each with its number from 1 on, `reach` pixels around."""
    near = cv2.filter2D(skeleton.astype(np.float32), -1, np.ones((3, 3), np.float32), borderType=cv2.BORDER_CONSTANT)
    meet = (skeleton & (near > 3.5)).astype(np.uint8)
    size = 2 * max(1, reach) + 1
    _, numbers = cv2.connectedComponents(cv2.dilate(meet, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))))
    return np.asarray(numbers, np.int32)


def branches(skeleton: Ink, nodes: Numbered, picture: Pixels) -> list[Branch]:
    count, labels = cv2.connectedComponents((skeleton & (nodes == 0)).astype(np.uint8), connectivity=8)
    ys, xs = np.nonzero(labels)
    owners = labels[ys, xs]
    order = np.argsort(owners, kind="stable")
    ys, xs, owners = ys[order], xs[order], owners[order]
    cuts = np.searchsorted(owners, np.arange(1, count + 1))
    wide = cv2.dilate(nodes.astype(np.float32), np.ones((3, 3), np.uint8)).astype(np.int32)
    lines = []
    for first, last in pairwise(cuts.tolist()):
        run = _walked(zip(ys[first:last].tolist(), xs[first:last].tolist(), strict=True))
        if len(run) < 2:
            continue
        ends = [int(wide[run[0]]), int(wide[run[-1]])]
        if ends[0] == ends[1] != FREE and len(run) < 6:
            ends[0] = FREE
        rows, columns = zip(*run[:: max(1, len(run) // 12)], strict=True)
        colour = np.median(picture[rows, columns].astype(float), axis=0)
        lines.append(Branch(np.array([(x, y) for y, x in run], float), ends, colour))
    return lines


def _walked(pixels: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the pixels of one line in order, from an end, or from anywhere on a ring."""
    left = set(pixels)

    def near(pixel: tuple[int, int]) -> list[tuple[int, int]]:  # straight steps first
        y, x = pixel
        return [step for dy, dx in (*AROUND[::2], *AROUND[1::2]) if (step := (y + dy, x + dx)) in left]

    start = min((pixel for pixel in left if len(near(pixel)) <= 1), default=None)
    if start is None:
        start = min(left)
    run = [start]
    left.discard(start)
    while onward := near(run[-1]):
        run.append(onward[0])
        left.discard(onward[0])
    return run


def contracted(lines: list[Branch], first_junction: int, longest: float) -> list[Branch]:
    """Merge the two ends of a stretch that two lines share where they cross at a slant."""
    parent: dict[int, int] = {}

    def root(node: int) -> int:
        while node in parent:
            node = parent[node]
        return node

    remaining = []
    for line in lines:
        if min(line.ends) >= first_junction and line.length < longest:
            one, other = root(line.ends[0]), root(line.ends[1])
            if one != other:
                parent[max(one, other)] = min(one, other)
        else:
            remaining.append(line)
    for line in remaining:
        line.ends = [root(end) for end in line.ends]
    return remaining


def gathered(lines: list[Branch], apart: Collection[int], reach: float) -> None:
    """Merge nodes nearer than `reach`, except those `apart`: the ends of the stretch that thick lines share may touch,
    with no branch between them."""
    ends: dict[int, list[Line]] = {}
    for line in lines:
        for which in (0, 1):
            if line.ends[which] != FREE and line.ends[which] not in apart:
                ends.setdefault(line.ends[which], []).append(line.points[-which])
    middles = {node: np.mean(points, axis=0) for node, points in ends.items()}
    named: dict[int, int] = {}
    for node, middle in middles.items():
        near = [other for other in named.values() if float(np.hypot(*(middles[other] - middle))) < reach]
        named[node] = near[0] if near else node
    for line in lines:
        line.ends = [named.get(end, end) for end in line.ends]


def without_spurs(lines: Iterable[Branch], first_junction: int, half: float) -> list[Branch]:
    """Leave out the short branches that thinning leaves at corners; `half` is half a line's thickness."""
    return [
        line
        for line in lines
        if not (FREE in line.ends and line.length < (1.6 if max(line.ends) >= first_junction else 1.2) * half)
        or line.ends == [FREE, FREE]
    ]

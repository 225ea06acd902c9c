"""Which label names which glyph, where labels stand apart from their glyphs: one to one, at the least cost for the
whole figure. Pure.

A program puts every label at the same place of its glyph (below, beside, above). That habit is read from the figure
first, since the nearest label is often a neighbour's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from documents.proposals.assignment import least_assignment
from documents.proposals.shapes import Point
from documents.rects import Rect

REACH = 3.0  # letters between a glyph and its label
LOOSE = 0.4  # letters by which labels of one habit differ
LEAST = 3  # labels that make a habit
OFF_HABIT = 3.0  # what a label costs that stands elsewhere, beside its distance
ALONE = 7.0  # what a label without a glyph costs
CLOSE_CALL = 0.5  # letters by which the other glyph must be further away where there is no habit

Anchor = tuple[int, int, bool]


@dataclass(frozen=True, slots=True)
class Placing:
    """The glyph of each label that has one, which of these labels could as well name another glyph, and how many stand
    where the figure's habit has them."""

    glyphs: dict[int, int]
    unsure: frozenset[int]
    by_habit: int


@dataclass(frozen=True, slots=True)
class _Pair:
    """A label and a glyph within reach, `gap` letters apart."""

    label: int
    glyph: int
    gap: float


def placed(labels: Sequence[Rect], glyphs: Sequence[Rect], letter: float) -> Placing:
    """Labels given to glyphs."""
    pairs = [
        _Pair(one, other, gap)
        for one, label in enumerate(labels)
        for other, glyph in enumerate(glyphs)
        if (gap := _gap(label, glyph) / letter) < REACH
    ]
    fitting = _habit(pairs, labels, glyphs, letter)
    costs = [[math.inf] * len(glyphs) for _ in labels]
    for pair in pairs:
        off = fitting.get((pair.label, pair.glyph))
        costs[pair.label][pair.glyph] = off if off is not None else OFF_HABIT * bool(fitting) + pair.gap
    found = least_assignment(costs, ALONE)
    by_habit = {label for label, glyph in found.items() if (label, glyph) in fitting}
    unsure = {label for label, glyph in found.items() if label not in by_habit and _has_rival(costs[label], glyph)}
    return Placing(found, frozenset(unsure), len(by_habit))


def _gap(one: Rect, other: Rect) -> float:
    """The distance between two boxes, 0 where they overlap."""
    wide = max(one[0] - other[2], other[0] - one[2], 0.0)
    high = max(one[1] - other[3], other[1] - one[3], 0.0)
    return math.hypot(wide, high)


def _has_rival(costs: Sequence[float], glyph: int) -> bool:
    others = [cost for place, cost in enumerate(costs) if place != glyph]
    return min(others, default=math.inf) < costs[glyph] + CLOSE_CALL


def _habit(
    pairs: Sequence[_Pair], labels: Sequence[Rect], glyphs: Sequence[Rect], letter: float
) -> dict[tuple[int, int], float]:
    """How far, in letters, every pair that keeps the figure's commonest place is off it; none if there is no habit.

    A place is where one of nine points of the label lies, seen from the glyph's centre or from the edge it faces: a
    label beside keeps its near end, a label below its top and middle, however long it is."""
    best: tuple[float, dict[tuple[int, int], float]] = (0.0, {})
    for anchor in product((-1, 0, 1), (-1, 0, 1), (False, True)):
        offsets = [_offset(labels[pair.label], glyphs[pair.glyph], anchor, letter) for pair in pairs]
        for place in _crowded(offsets):
            near = {
                (pair.label, pair.glyph): off
                for pair, offset in zip(pairs, offsets, strict=True)
                if (off := math.dist(offset, place)) < LOOSE
            }
            count = min(len({label for label, _ in near}), len({glyph for _, glyph in near}))
            loose = sum(near.values()) / len(near)
            worth = count - loose - 0.02 * math.hypot(*place)  # of two places as common the tighter, then the nearer
            if count >= LEAST and worth > best[0]:
                best = worth, near
    return best[1]


def _offset(label: Rect, glyph: Rect, anchor: Anchor, letter: float) -> Point:
    """From the glyph to one point of the label: -1 its left or upper side, 0 its middle, 1 its right or lower side."""
    across, down, at_edge = anchor
    x, y = _at(label[0], label[2], across), _at(label[1], label[3], down)
    facing = (-across, -down) if at_edge else (0, 0)
    return (x - _at(glyph[0], glyph[2], facing[0])) / letter, (y - _at(glyph[1], glyph[3], facing[1])) / letter


def _at(low: float, high: float, side: int) -> float:
    return (low + high) / 2 + side * (high - low) / 2


def _crowded(offsets: Sequence[Point]) -> list[Point]:
    """The middle of the offsets in the fullest squares of a grid."""
    cells: dict[tuple[float, float, int, int], list[Point]] = {}
    for x, y in offsets:
        for dx, dy in product((0.0, 0.5), (0.0, 0.5)):  # grids set off by half, so that no crowd lies on every border
            cells.setdefault((dx, dy, math.floor(x / LOOSE + dx), math.floor(y / LOOSE + dy)), []).append((x, y))
    fullest = sorted(cells.values(), key=len, reverse=True)[:3]
    return [(sum(x for x, _ in cell) / len(cell), sum(y for _, y in cell) / len(cell)) for cell in fullest]

"""Which label names which glyph, where labels stand apart from their glyphs: one to one, at the least cost for the
whole figure. Pure.

A program puts every label at the same place of its glyph (below, beside, above). That habit is read from the figure
first, since the nearest label is often a neighbour's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from documents.proposals.assignment import least_assignment
from documents.proposals.shapes import Point
from documents.rects import Rect, is_inside, union

REACH = 3.0  # letters between a glyph and its label
LOOSE = 0.4  # letters by which labels of one habit differ
LEAST = 3  # labels that make a habit
OFF_HABIT = 3.0  # what a label costs that stands elsewhere, beside its distance
ALONE = 7.0  # what a label without a glyph costs
BESIDE = 1.0  # letters within which a glyph without a label makes a name doubtful
CLOSE_CALL = 0.5  # letters by which the other glyph must be further away where there is no habit

Anchor = tuple[int, int, bool]


@dataclass(frozen=True, slots=True)
class Habit:
    """Where one of nine points of a label lies, seen from its glyph's centre or from the edge it faces, in letters."""

    anchor: Anchor
    place: Point

    def off(self, label: Rect, glyph: Rect, letter: float) -> float | None:
        """How many letters a label lies off its place at a glyph; None if it does not keep it."""
        off = math.dist(_offset(label, glyph, self.anchor, letter), self.place)
        return off if off < LOOSE else None


@dataclass(frozen=True, slots=True)
class Placing:
    """The glyph of each label that has one, which of these labels could as well name another glyph, how many stand
    where the figure's habit has them, and that habit."""

    glyphs: dict[int, int]
    unsure: frozenset[int]
    by_habit: int
    habit: Habit | None


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
    habit = _habit(pairs, labels, glyphs, letter)
    costs = [[math.inf] * len(glyphs) for _ in labels]
    fitting = set()
    for pair in pairs:
        off = habit.off(labels[pair.label], glyphs[pair.glyph], letter) if habit is not None else None
        if off is not None:
            fitting.add((pair.label, pair.glyph))
        costs[pair.label][pair.glyph] = off if off is not None else OFF_HABIT * (habit is not None) + pair.gap
    found = least_assignment(costs, ALONE)
    by_habit = {label for label, glyph in found.items() if (label, glyph) in fitting}
    unsure = {label for label, glyph in found.items() if label not in by_habit and _has_rival(costs[label], glyph)}
    idle = set(range(len(glyphs))) - set(found.values())  # whose label may have been taken for a part of another
    unsure |= {pair.label for pair in pairs if pair.glyph in idle and pair.gap < BESIDE}
    return Placing(found, frozenset(unsure), len(by_habit), habit)


def joined(
    found: Placing, labels: Sequence[Rect], glyphs: Sequence[Rect], words: Sequence[Rect], letter: float
) -> Iterator[tuple[Rect, Rect]]:
    """The two parts of each label that is two: both keep the habit, at two glyphs, one of which has no label yet."""
    habit = found.habit
    idle = [glyph for place, glyph in enumerate(glyphs) if place not in found.glyphs.values()]
    if habit is None or not idle:
        return
    for place, label in enumerate(labels):
        near = [glyph for glyph in idle if _gap(label, glyph) < REACH * letter]
        own = [glyphs[found.glyphs[place]]] if place in found.glyphs else []
        for one, other in _partings([word for word in words if is_inside(word, label, 0.1 * letter)], letter):
            pairs = [(a, b) for a in near for b in (*near, *own) if a != b]
            if any(
                habit.off(one, a, letter) is not None and habit.off(other, b, letter) is not None
                for pair in pairs
                for a, b in (pair, pair[::-1])
            ):
                yield one, other
                break


def _partings(words: Sequence[Rect], letter: float) -> Iterator[tuple[Rect, Rect]]:
    """Words in reading order parted once, in all ways: between two lines, or between two words of a single line."""
    lines: list[list[Rect]] = []
    for word in sorted(words, key=lambda box: box[1] + box[3]):
        if lines and word[1] + word[3] - lines[-1][0][1] - lines[-1][0][3] < letter:
            lines[-1].append(word)
        else:
            lines.append([word])
    parts = lines if len(lines) > 1 else [[word] for line in lines for word in sorted(line)]
    for cut in range(1, len(parts)):
        yield union(word for part in parts[:cut] for word in part), union(word for part in parts[cut:] for word in part)


def _gap(one: Rect, other: Rect) -> float:
    """The distance between two boxes, 0 where they overlap."""
    wide = max(one[0] - other[2], other[0] - one[2], 0.0)
    high = max(one[1] - other[3], other[1] - one[3], 0.0)
    return math.hypot(wide, high)


def _has_rival(costs: Sequence[float], glyph: int) -> bool:
    others = [cost for place, cost in enumerate(costs) if place != glyph]
    return min(others, default=math.inf) < costs[glyph] + CLOSE_CALL


def _habit(pairs: Sequence[_Pair], labels: Sequence[Rect], glyphs: Sequence[Rect], letter: float) -> Habit | None:
    """The commonest place of the labels, None if no three keep one. A label beside keeps its near end, a label below
    its top and middle, however long it is."""
    best: tuple[float, Habit | None] = (0.0, None)
    for anchor in product((-1, 0, 1), (-1, 0, 1), (False, True)):
        offsets = [_offset(labels[pair.label], glyphs[pair.glyph], anchor, letter) for pair in pairs]
        for place in _crowded(offsets):
            offs = [math.dist(offset, place) for offset in offsets]
            near = [(pair, off) for pair, off in zip(pairs, offs, strict=True) if off < LOOSE]
            count = min(len({pair.label for pair, _ in near}), len({pair.glyph for pair, _ in near}))
            if count < LEAST:
                continue
            loose = sum(off for _, off in near) / len(near)
            worth = count - loose - 0.02 * math.hypot(*place)  # of two places as common the tighter, then the nearer
            if worth > best[0]:
                best = worth, Habit(anchor, place)
    return best[1]


def _offset(label: Rect, glyph: Rect, anchor: Anchor, letter: float) -> Point:
    """From the glyph to one point of the label: -1 its left or upper side, 0 its middle, 1 its right or lower side. A
    label to the right of its glyph is anchored at its left side and faces the glyph's right edge."""
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

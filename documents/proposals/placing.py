"""Assignment of labels to glyphs apart from them: one to one, at the least cost for the whole figure. Pure.

A program places every label at the same place of its glyph (below, right, above). That habit is read from the figure
first, since the nearest label is often a neighbour's."""

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
OFF_HABIT = 3.0  # cost of a label off the habit, in addition to its distance
ALONE = 7.0  # cost of a label without a glyph
RIVAL_REACH = 1.0  # letters within which a glyph without a label makes a name doubtful
CLOSE_CALL = 0.5  # letters by which the other glyph must be further away where there is no habit

Anchor = tuple[int, int, bool]


@dataclass(frozen=True, slots=True)
class LabelPlacement:
    """Usual place of labels: one of nine points of a label, from its glyph's centre or facing edge, in letters."""

    anchor: Anchor
    place: Point

    def off(self, label: Rect, glyph: Rect, letter: float) -> float | None:
        """Return the letters by which a label is off its place at a glyph; None if it does not follow the habit."""
        off = math.dist(_offset(label, glyph, self.anchor, letter), self.place)
        return off if off < LOOSE else None


@dataclass(frozen=True, slots=True)
class Placing:
    """Glyphs of labels."""

    glyphs: dict[int, int]  # of each label that has one
    unsure: frozenset[int]  # labels that could as well name another glyph
    by_habit: int  # number of labels at the habitual place
    habit: LabelPlacement | None


@dataclass(frozen=True, slots=True)
class _Pair:
    label: int
    glyph: int
    gap: float


def placed(labels: Sequence[Rect], glyphs: Sequence[Rect], letter: float) -> Placing:
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
    assigned = least_assignment(costs, ALONE)
    by_habit = {label for label, glyph in assigned.items() if (label, glyph) in fitting}
    unsure: set[int] = set()
    for label, glyph in assigned.items():
        rivals = [cost for place, cost in enumerate(costs[label]) if place != glyph]
        if label not in by_habit and min(rivals, default=math.inf) < costs[label][glyph] + CLOSE_CALL:
            unsure.add(label)
    idle = set(range(len(glyphs))) - set(assigned.values())  # whose label may have been taken for a part of another
    unsure |= {pair.label for pair in pairs if pair.glyph in idle and pair.gap < RIVAL_REACH}
    return Placing(assigned, frozenset(unsure), len(by_habit), habit)


def joined(
    placing: Placing, labels: Sequence[Rect], glyphs: Sequence[Rect], words: Sequence[Rect], letter: float
) -> Iterator[tuple[Rect, Rect]]:
    """Yield the two parts of each label that is two: both follow the habit, at two glyphs, one of which has no label
    yet."""
    habit = placing.habit
    idle = [glyph for place, glyph in enumerate(glyphs) if place not in placing.glyphs.values()]
    if habit is None or not idle:
        return
    for place, label in enumerate(labels):
        near = [glyph for glyph in idle if _gap(label, glyph) < REACH * letter]
        own = [glyphs[placing.glyphs[place]]] if place in placing.glyphs else []
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
    """Yield all ways to part words once: between two lines, or between two words of a single line."""
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
    wide = max(one[0] - other[2], other[0] - one[2], 0.0)
    high = max(one[1] - other[3], other[1] - one[3], 0.0)
    return math.hypot(wide, high)


def _habit(
    pairs: Sequence[_Pair], labels: Sequence[Rect], glyphs: Sequence[Rect], letter: float
) -> LabelPlacement | None:
    """Return the commonest place of the labels, None if no three share one.

    A label to the side is aligned at its near end, a label below at its top and middle, however long it is."""
    best: tuple[float, LabelPlacement | None] = (0.0, None)
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
                best = worth, LabelPlacement(anchor, place)
    return best[1]


def _offset(label: Rect, glyph: Rect, anchor: Anchor, letter: float) -> Point:
    """Return the offset from the glyph to a point of the label: -1 its left or upper side, 0 its middle, 1 its right or
    lower side. A label to the right of its glyph is anchored at its left side and faces the glyph's right edge."""
    across, down, at_edge = anchor
    x, y = _at(label[0], label[2], across), _at(label[1], label[3], down)
    facing = (-across, -down) if at_edge else (0, 0)
    return (x - _at(glyph[0], glyph[2], facing[0])) / letter, (y - _at(glyph[1], glyph[3], facing[1])) / letter


def _at(low: float, high: float, side: int) -> float:
    return (low + high) / 2 + side * (high - low) / 2


def _crowded(offsets: Sequence[Point]) -> list[Point]:
    """Return the middle of the offsets in the fullest squares of a grid."""
    cells: dict[tuple[float, float, int, int], list[Point]] = {}
    for x, y in offsets:
        for dx, dy in product((0.0, 0.5), (0.0, 0.5)):  # grids set off by half, so that no cluster lies on every border
            cells.setdefault((dx, dy, math.floor(x / LOOSE + dx), math.floor(y / LOOSE + dy)), []).append((x, y))
    fullest = sorted(cells.values(), key=len, reverse=True)[:3]
    return [(sum(x for x, _ in cell) / len(cell), sum(y for _, y in cell) / len(cell)) for cell in fullest]

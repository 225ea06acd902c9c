"""Signs at one offset from the middles of their lines, as programs place labels and text boxes. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from documents.proposals.matching import ReadArrow
from documents.proposals.shapes import Point, midpoint
from documents.proposals.words import PrintedMark

REACH = 4.0  # letters from the middle between a line's ends to its sign
LOOSE = 0.6  # letters by which signs of one habit differ
LEAST, SHARE = 4, 0.7  # signs, and the share of all signs, that make a habit


def by_offset(signs: Sequence[PrintedMark], arrows: Sequence[ReadArrow], letter: float) -> list[list[float]] | None:
    """Return the letters by which each sign is off the figure's habitual place at each arrow, infinite beyond the
    habit. None if the figure has no such habit."""
    middles = [midpoint(arrow.path[0], arrow.path[-1]) for arrow in arrows]
    offsets = [[((mark.place[0] - x) / letter, (mark.place[1] - y) / letter) for x, y in middles] for mark in signs]
    seen = [offset for row in offsets for offset in row if math.hypot(*offset) < REACH]
    if len(signs) < LEAST or not seen:
        return None
    habit = max(seen, key=lambda place: _support(offsets, place))
    for _ in range(2):  # move to the middle of the cluster
        near = [offset for offset in seen if math.dist(offset, habit) < LOOSE]
        habit = (sum(x for x, _ in near) / len(near), sum(y for _, y in near) / len(near))
    count = sum(any(math.dist(offset, habit) < LOOSE for offset in row) for row in offsets)
    if count < max(LEAST, SHARE * len(signs)):
        return None
    return [[off if (off := math.dist(offset, habit)) < LOOSE else math.inf for offset in row] for row in offsets]


def _support(offsets: Sequence[Sequence[Point]], place: Point) -> float:
    """Return the number of signs with an arrow at this offset, nearer ones weighted higher."""
    least = (min((math.dist(offset, place) for offset in row), default=math.inf) for row in offsets)
    return sum(1 - off / (2 * LOOSE) for off in least if off < LOOSE)

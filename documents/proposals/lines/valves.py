"""Valves drawn as four short strokes: two that cross and two that join their ends, as an hourglass. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from documents.proposals.shapes import Outline, Point, cross, midpoint

LONGEST = 3.0  # letters of a diagonal
TOUCH = 0.1  # of a diagonal: between ends that are one


def stroked_valves(strokes: Sequence[Outline], letter: float) -> list[tuple[Outline, tuple[Outline, ...]]]:
    """Return each valve as one crossed outline, and its strokes."""
    short = [
        one for one in strokes if math.dist(*_ends(one.points)) < LONGEST * letter and one.length < LONGEST * letter
    ]
    valves = []
    for one, other in _crossing(short, letter):
        for ends in (other.points, other.points[::-1]):
            corners = (*_ends(one.points), *_ends(ends))
            sides = (_between(short, corners[1], corners[2]), _between(short, corners[3], corners[0]))
            if sides[0] is not None and sides[1] is not None:
                valve = Outline(points=corners, closed=True, colour=one.colour, order=one.order)
                valves.append((valve, (one, other, *filter(None, sides))))
                break
    return valves


def _ends(points: Sequence[Point]) -> tuple[Point, Point]:
    return points[0], points[-1]


def _crossing(strokes: Sequence[Outline], letter: float) -> Iterator[tuple[Outline, Outline]]:
    """Yield the pairs of strokes of one length that cross in their middles."""
    placed = sorted((midpoint(*_ends(stroke.points)), at) for at, stroke in enumerate(strokes))
    for first, (middle, at) in enumerate(placed):
        for other, near in placed[first + 1 :]:
            if other[0] - middle[0] > 2 * TOUCH * LONGEST * letter:
                break
            (a, b), (c, d) = _ends(strokes[at].points), _ends(strokes[near].points)
            slack = 2 * TOUCH * math.dist(a, b)
            is_one = math.dist(other, middle) < slack and abs(math.dist(a, b) - math.dist(c, d)) < slack
            if is_one and cross(a, b, c, d) is not None:
                yield strokes[at], strokes[near]


def _between(strokes: Sequence[Outline], start: Point, end: Point) -> Outline | None:
    """Return the stroke from one point to another."""
    slack = TOUCH * math.dist(start, end)
    for stroke in strokes:
        a, b = _ends(stroke.points)
        if min(max(math.dist(a, start), math.dist(b, end)), max(math.dist(b, start), math.dist(a, end))) < slack:
            return stroke
    return None

"""Arrows, open heads and lines drawn as closed, painted outlines: their middle lines and the corners of heads. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from documents.proposals.shapes import Point, angle, area_of, back_along, length_of, midpoint, unit

CORNER = 25.0  # degrees: less is a bend of a curve, since Béziers arrive in short steps
MOST_POINTS = 200
STEPS = 12  # of a middle line
WIDEST = 1.5  # of its head: where an arrow is wider, two cross
Corners = tuple[Point, Point, Point]
OPEN_HEAD = re.compile("(o{1,2})i(?:o{1,3}i)?(o{1,2})")  # outward and inward corners, from the tip round to it again


def block_arrow(points: Sequence[Point]) -> tuple[tuple[Point, ...], Corners] | None:
    """Return the middle line, from tail to tip, and (tip, wing, wing) of an arrow drawn as one polygon.

    Around the head the outline turns in at the neck, out at a wing, out at the tip, out at the other wing, and in."""
    if not 7 <= len(points) <= MOST_POINTS:
        return None
    corners = _corners(points)
    heads = [head for start in range(len(corners)) if (head := _head(points, corners, start)) is not None]
    if len(heads) != 1:
        return None
    neck, wing, tip, other_wing, other_neck = heads[0]
    around = [*points[other_neck:], *points[:other_neck]]
    rest = around[: (neck - other_neck) % len(points) + 1]  # from neck to neck round the tail
    half = length_of(rest) / 2
    forth, back = _split(rest, half)
    middle = _middle(forth, back)
    head_length = math.dist(points[tip], midpoint(points[wing], points[other_wing]))
    is_thin = area_of(points) < 0.25 * half * half
    spread = math.dist(points[wing], points[other_wing])
    is_one_line = max(math.dist(a, b) for a, b in _pairs(forth, back)) < WIDEST * spread
    if not is_thin or not is_one_line or half < 0.3 * head_length:
        return None
    return (*middle[::-1], points[tip]), (points[tip], points[wing], points[other_wing])


def open_outline(points: Sequence[Point]) -> tuple[Point, Point] | None:
    """Return tip and middle of the base of an open head whose strokes were painted as one outline, as office programs
    do; None if it is none. Between its two legs may lie the last bit of the shaft."""
    corners = _corners(points)
    for start in range(len(corners)):
        around = [*corners[start:], *corners[:start]]
        (place, outwards), rest = around[0], around[1:]
        match = OPEN_HEAD.fullmatch("".join("o" if out else "i" for _, out in rest))
        if not outwards or match is None:
            continue
        tip = points[place]
        legs = rest[: len(match[1])], rest[len(rest) - len(match[2]) :]
        one, other = (_mean([points[corner] for corner, _ in leg]) for leg in legs)
        sides = sorted((math.dist(tip, one), math.dist(tip, other)))
        inner = [points[corner] for corner, out in rest if not out]
        is_even = sides[0] > 0.85 * sides[1] and 20 < angle(unit(tip, one), unit(tip, other)) < 110
        if is_even and max(math.dist(tip, corner) for corner in inner) < 0.6 * sides[0]:
            return tip, midpoint(one, other)
    return None


def _mean(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def thin_line(points: Sequence[Point], letter: float) -> tuple[Point, ...] | None:
    """Return the middle line of a long, thin outline: a shaft drawn as a shape. None if it is none."""
    around = length_of([*points, points[0]])
    thickness = 2 * area_of(points) / around if around else 0.0
    if around / 2 < 1.2 * letter or thickness > min(0.3 * letter, 0.12 * around / 2) or len(points) > MOST_POINTS:
        return None
    _, later, earlier = max((math.dist(a, b), i, j) for i, a in enumerate(points) for j, b in enumerate(points[:i]))
    forth = list(points[earlier : later + 1])
    back = [*points[later:], *points[: earlier + 1]][::-1]
    return _middle(forth, back)


def _corners(points: Sequence[Point]) -> list[tuple[int, bool]]:
    doubled = sum(
        a[0] * b[1] - b[0] * a[1] for a, b in zip(points, [*points[1:], points[0]], strict=True)
    )  # twice the area, with the sign of the way round
    sharp = []
    for place, point in enumerate(points):
        before, after = points[place - 1], points[(place + 1) % len(points)]
        ax, ay, bx, by = point[0] - before[0], point[1] - before[1], after[0] - point[0], after[1] - point[1]
        turn = math.degrees(math.atan2(ax * by - ay * bx, ax * bx + ay * by))
        if abs(turn) > CORNER:
            sharp.append((place, (turn > 0) == (doubled > 0)))
    return sharp


def _head(points: Sequence[Point], corners: Sequence[tuple[int, bool]], start: int) -> tuple[int, ...] | None:
    """Return the places of neck, wing, tip, wing and neck that begin at a corner, if they form an arrowhead."""
    five = [corners[(start + step) % len(corners)] for step in range(5)]
    if len(corners) < 7 or [outwards for _, outwards in five] != [False, True, True, True, False]:
        return None
    neck, wing, tip, other_wing, other_neck = (points[place] for place, _ in five)
    spread, waist = math.dist(wing, other_wing), math.dist(neck, other_neck)
    sides = sorted((math.dist(tip, wing), math.dist(tip, other_wing)))
    is_even = sides[0] > 0.75 * sides[1]
    return tuple(place for place, _ in five) if is_even and 0 < waist < 0.75 * spread else None


def _split(run: Sequence[Point], distance: float) -> tuple[list[Point], list[Point]]:
    walked = 0.0
    for place, (a, b) in enumerate(pairwise(run)):
        step = math.dist(a, b)
        if walked + step >= distance:
            share = (distance - walked) / step if step else 0.0
            cut = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
            return [*run[: place + 1], cut], [*run[:place:-1], cut]
        walked += step
    return list(run), [run[-1]]


def _middle(one: Sequence[Point], other: Sequence[Point]) -> tuple[Point, ...]:
    return tuple(midpoint(a, b) for a, b in _pairs(one, other))


def _pairs(one: Sequence[Point], other: Sequence[Point]) -> list[tuple[Point, Point]]:
    shares = [step / STEPS for step in range(STEPS + 1)]
    return [(_at_share(one, share), _at_share(other, share)) for share in shares]


def _at_share(points: Sequence[Point], share: float) -> Point:
    return back_along(points, (1 - share) * length_of(points)) if share < 1 else points[-1]

"""Arrowheads: triangles, stealth shapes and open Vs. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from documents.proposals.lines.blocks import open_outline
from documents.proposals.lines.strokes import Pieces
from documents.proposals.shapes import (
    Colour,
    Outline,
    Point,
    angle,
    area_of,
    hull,
    length_of,
    midpoint,
    nearest_on,
    simplified,
    size,
    unit,
)

DRAWN_TOGETHER = 3  # paths between the two strokes of an open head, at most


@dataclass(frozen=True, slots=True)
class Head:
    """An arrowhead."""

    readings: tuple[tuple[Point, Point], ...]  # (tip, middle of its base); several if all its sides are alike
    colour: Colour
    order: int

    @property
    def length(self) -> float:
        return math.dist(*self.readings[0])


def find_heads(pieces: Pieces, letter: float) -> tuple[list[Head], list[Outline], list[tuple[Point, ...]]]:
    """Return possible heads, the short strokes that form none, and valves (two triangles tip to tip)."""
    candidates = [(head, solid) for solid in pieces.solids if (head := _solid_head(solid, letter)) is not None]
    valves = [
        (*one.points, *other.points)
        for (first, one), (second, other) in combinations(candidates, 2)
        if _are_valve(first, second)
    ]
    in_valve = {point for valve in valves for point in valve}
    heads = [head for head, solid in candidates if not in_valve.issuperset(solid.points)]
    for vee in pieces.vees:
        points = vee.points
        bent = simplified(points, 0.2 * max(math.dist(points[0], points[-1]), length_of(points) / 2))
        heads.append(Head(((bent[1], midpoint(bent[0], bent[2])),), vee.colour, vee.order))
    open_heads, rest = _paired_wings(pieces.wings, letter)
    return _without_twins(heads + open_heads), rest, valves + [valve.points for valve in pieces.valves]


def _without_twins(heads: Sequence[Head]) -> list[Head]:
    """Return every head once: many are drawn twice, painted and then outlined.

    Heads of lines that arrive at one point are alike, too, but between them their lines are drawn."""
    unique: list[Head] = []
    last: dict[tuple[int, ...], int] = {}
    for head in heads:
        place = tuple(round(4 * value / max(head.length, 0.1)) for point in head.readings[0] for value in point)
        if place not in last or abs(head.order - last[place]) > 1:
            unique.append(head)
        last[place] = head.order
    return unique


def _are_valve(one: Head, other: Head) -> bool:
    for tip, back in one.readings:
        for far_tip, far_back in other.readings:
            is_joint = math.dist(tip, far_tip) < 0.15 * one.length
            if is_joint and angle(unit(back, tip), unit(far_tip, far_back)) < 15:
                return True
    return False


def _solid_head(solid: Outline, letter: float) -> Head | None:
    points = simplified([*solid.points, solid.points[0]], 0.05 * size(solid.box))[:-1]
    around = hull(points)
    if len(around) < 3 or len(points) > 14 or size(solid.box) < 0.12 * letter:
        return None
    corners = max(combinations(around, 3), key=area_of)
    bulge = area_of(around)
    if bulge < 1e-3:
        return None
    if (barbs := open_outline(points)) is not None:
        return Head((barbs,), solid.colour, solid.order)
    if area_of(corners) < 0.8 * bulge:
        return None
    if not solid.filled and len(around) > 3:
        return None
    readings = _tips(corners, points, area_of(points) / bulge)
    return Head(tuple(readings), solid.colour, solid.order) if readings else None


def _tips(corners: Sequence[Point], points: Sequence[Point], fullness: float) -> list[tuple[Point, Point]]:
    """Return the corners that may be the tip, with the middle of the side opposite. A notch makes its side the base."""
    sides = [
        (corners[place], (corners[place - 1], corners[place - 2])) for place in range(3)
    ]  # corner, the side opposite
    if fullness < 0.93:
        inner = [point for point in points if min(math.dist(point, corner) for corner in corners) > 1e-6]
        if inner:
            notch = max(inner, key=lambda point: min(math.dist(point, nearest_on(*s, point)) for _, s in sides))
            tip, side = min(sides, key=lambda one: _evenness(*one) + _off_axis(notch, *one))
            return [(tip, midpoint(*side))]
    even = [(tip, midpoint(*side)) for tip, side in sides if _evenness(tip, side) < 0.14]
    return even or [(tip, midpoint(*side)) for tip, side in sides if _evenness(tip, side) < 0.35]


def _off_axis(notch: Point, tip: Point, side: tuple[Point, Point]) -> float:
    base = midpoint(*side)
    return math.dist(notch, nearest_on(tip, base, notch)) / max(math.dist(tip, base), 1e-9)


def _evenness(tip: Point, side: tuple[Point, Point]) -> float:
    first, second = math.dist(tip, side[0]), math.dist(tip, side[1])
    return abs(first - second) / max(first, second, 1e-9)


def _paired_wings(wings: Sequence[Outline], letter: float) -> tuple[list[Head], list[Outline]]:
    """Return open heads drawn as two strokes that meet at the tip, and the other wings."""
    heads, used = [], set[int]()
    for (i, one), (j, other) in _meeting(wings, letter):
        if i in used or j in used or one.colour != other.colour or abs(one.order - other.order) > DRAWN_TOGETHER:
            continue  # dashes of lines that cross may meet like the strokes of a head, but not in the drawing's order
        ends = min(
            ((a, b) for a in (0, -1) for b in (0, -1)), key=lambda ab: math.dist(one.points[ab[0]], other.points[ab[1]])
        )
        tip = one.points[ends[0]]
        far, other_far = one.points[-1 - ends[0]], other.points[-1 - ends[1]]
        legs = sorted((math.dist(tip, far), math.dist(tip, other_far)))
        if 15 < angle(unit(tip, far), unit(tip, other_far)) < 110 and legs[0] > 0.7 * legs[1]:
            used |= {i, j}
            heads.append(Head(((tip, midpoint(far, other_far)),), one.colour, max(one.order, other.order)))
    return heads, [wing for place, wing in enumerate(wings) if place not in used]


def _meeting(wings: Sequence[Outline], letter: float) -> Iterator[tuple[tuple[int, Outline], tuple[int, Outline]]]:
    """Yield pairs of short strokes with a common end; those of one path or of neighbours in the drawing first."""
    cells: dict[tuple[int, int], set[int]] = {}
    for place, wing in enumerate(wings):
        for point in (wing.points[0], wing.points[-1]):
            for dx in (0, 1):
                for dy in (0, 1):
                    cell = (int(point[0] // letter) + dx, int(point[1] // letter) + dy)
                    cells.setdefault(cell, set()).add(place)
    pairs = {pair for members in cells.values() if len(members) < 40 for pair in combinations(sorted(members), 2)}
    for i, j in sorted(pairs, key=lambda pair: (abs(wings[pair[0]].order - wings[pair[1]].order), pair)):
        ends = [math.dist(a, b) for a in _ends(wings[i]) for b in _ends(wings[j])]
        if min(ends) < 0.12 * letter:
            yield (i, wings[i]), (j, wings[j])


def _ends(wing: Outline) -> tuple[Point, Point]:
    return wing.points[0], wing.points[-1]

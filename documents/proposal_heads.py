"""Arrowheads: triangles, stealth shapes and open Vs, and the shaft end to which each belongs. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from documents.proposal_shapes import (
    Colour,
    Outline,
    Point,
    angle,
    area_of,
    hull,
    length_of,
    midpoint,
    nearest_of_line,
    nearest_on,
    simplified,
    size,
    unit,
)
from documents.proposal_strokes import Pieces, Shaft

WIDEST = 65.0  # degrees between a head and the end of its shaft
DRAWN_TOGETHER = 3  # paths between the two strokes of an open head, at most
STUB = 1.0  # what a line of half a letter costs: it is more often a crumb of the shaft than a shaft
DEAR = 3.0  # what a shaft without any head costs against a worse fit


@dataclass(frozen=True, slots=True)
class Head:
    """An arrowhead: `readings` are (tip, middle of its base), more than one where all its sides are alike."""

    readings: tuple[tuple[Point, Point], ...]
    colour: Colour
    order: int

    @property
    def length(self) -> float:
        return math.dist(*self.readings[0])


@dataclass(frozen=True, slots=True)
class Fit:
    """A head at an end of a shaft: `off` is the angle between them; `rival` the further cost of the best other end
    that could own the head (infinite if there is none); `shared`: another shaft owns the head."""

    head: int
    shaft: int
    which: int
    tip: Point
    back: Point
    off: float
    cost: float
    rival: float = math.inf
    shared: bool = False


def find_heads(pieces: Pieces, letter: float) -> tuple[list[Head], list[Outline], list[tuple[Point, ...]]]:
    """Every shape that may be a head, the short strokes that form none, and valves (two triangles tip to tip)."""
    found = [(head, solid) for solid in pieces.solids if (head := _solid_head(solid, letter)) is not None]
    valves = [
        (*one.points, *other.points)
        for (first, one), (second, other) in combinations(found, 2)
        if _are_valve(first, second)
    ]
    in_valve = {point for valve in valves for point in valve}
    heads = [head for head, solid in found if not in_valve.issuperset(solid.points)]
    heads += [_vee_head(vee) for vee in pieces.vees]
    open_heads, rest = _paired_wings(pieces.wings, letter)
    return _without_twins(heads + open_heads), rest, valves + [valve.points for valve in pieces.valves]


def _without_twins(heads: Sequence[Head]) -> list[Head]:
    """Every head once: many are drawn twice, painted and then outlined."""
    kept: dict[tuple[int, ...], Head] = {}
    for head in heads:
        place = tuple(round(4 * value / max(head.length, 0.1)) for point in head.readings[0] for value in point)
        kept.setdefault(place, head)
    return list(kept.values())


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
    if area_of(corners) < 0.8 * bulge or bulge < 1e-3:
        return None
    if not solid.filled and len(around) > 3:
        return None
    readings = _tips(corners, points, area_of(points) / bulge)
    return Head(tuple(readings), solid.colour, solid.order) if readings else None


def _tips(corners: Sequence[Point], points: Sequence[Point], fullness: float) -> list[tuple[Point, Point]]:
    """The corners that may be the tip, with the middle of the side opposite. A notch in a side makes it the base."""
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
    """How far a notch lies from the axis of a head, as a share of the head's length."""
    base = midpoint(*side)
    return math.dist(notch, nearest_on(tip, base, notch)) / max(math.dist(tip, base), 1e-9)


def _evenness(tip: Point, side: tuple[Point, Point]) -> float:
    first, second = math.dist(tip, side[0]), math.dist(tip, side[1])
    return abs(first - second) / max(first, second, 1e-9)


def _vee_head(vee: Outline) -> Head:
    points = vee.points
    bent = simplified(points, 0.2 * max(math.dist(points[0], points[-1]), length_of(points) / 2))
    return Head(((bent[1], midpoint(bent[0], bent[2])),), vee.colour, vee.order)


def _paired_wings(wings: Sequence[Outline], letter: float) -> tuple[list[Head], list[Outline]]:
    """Open heads drawn as two strokes that meet at the tip."""
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
    """Pairs of short strokes with a common end; those of one path or of neighbours in the drawing first."""
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


def match_heads(heads: Sequence[Head], shafts: Sequence[Shaft], letter: float) -> list[Fit]:
    """Heads and shaft ends one to one, as cheaply as swaps can make it; a shaft without a head costs too."""
    fits = [fit for place, head in enumerate(heads) for fit in _fits(place, head, shafts, letter)]
    fits.sort(key=lambda fit: fit.cost)
    chosen = _greedy(fits)
    by_end = {(fit.head, fit.shaft, fit.which): fit for fit in fits}
    worthy = {number for number, shaft in enumerate(shafts) if shaft.length >= 0.5 * letter}
    _improve(chosen, by_end, fits, worthy)
    return [_with_rival(fit, fits, chosen) for fit in chosen.values()] + _sharing(fits, chosen, heads, shafts, letter)


def _sharing(
    fits: Sequence[Fit], chosen: dict[int, Fit], heads: Sequence[Head], shafts: Sequence[Shaft], letter: float
) -> list[Fit]:
    """Lines without a head of their own that run straight into another's: several causes with one arrowhead."""
    served = {fit.shaft for fit in chosen.values()}
    found = []
    for fit in fits:  # cheapest first
        end = shafts[fit.shaft].end(fit.which)
        near = min(math.dist(end, fit.tip), math.dist(end, nearest_on(fit.back, fit.tip, end)))
        is_long = shafts[fit.shaft].length > 1.5 * letter
        if fit.shaft not in served and is_long and fit.off < 12 and near < 0.35 * heads[fit.head].length:
            served.add(fit.shaft)
            found.append(replace(fit, shared=True))
    return found


def _fits(place: int, head: Head, shafts: Sequence[Shaft], letter: float) -> Iterator[Fit]:
    reach = 0.8 * head.length + 0.25 * letter
    x, y = head.readings[0][0]
    wide = reach + 2 * head.length
    for number, shaft in enumerate(shafts):
        for which in (0, 1):
            end = shaft.end(which)
            if abs(end[0] - x) > wide or abs(end[1] - y) > wide:
                continue
            found = [fit for tip, back in head.readings if (fit := _fit(head, shaft, which, tip, back, reach))]
            if found:
                tip, back, off, cost = min(found, key=lambda fit: fit[3])
                cost += STUB if shaft.length < 0.5 * letter else 0.0
                yield Fit(place, number, which, tip, back, off, cost)


def _fit(
    head: Head, shaft: Shaft, which: int, tip: Point, back: Point, reach: float
) -> tuple[Point, Point, float, float] | None:
    end = shaft.end(which)
    apart = math.dist(end, nearest_on(back, tip, end))
    off = angle(unit(back, tip), shaft.heading(which, 1.2 * head.length))
    if apart > reach or off > WIDEST:
        return None
    aside = math.dist(back, nearest_of_line(shaft.points, back))  # a shaft that ends at the tip runs over the base
    gap = min(abs(head.order - order) for order in shaft.orders)
    drawn_together = 0.0 if gap <= 1 else 0.25 if gap <= 3 else 0.45
    stranger = 0.4 if head.colour != shaft.colour else 0.0
    length = max(head.length, 1e-6)
    return tip, back, off, 1.5 * apart / length + min(1.0, aside / length) + off / 45 + drawn_together + stranger


def _greedy(fits: Sequence[Fit]) -> dict[int, Fit]:
    chosen: dict[int, Fit] = {}
    taken: set[tuple[int, int]] = set()
    for fit in fits:
        if fit.head not in chosen and (fit.shaft, fit.which) not in taken:
            chosen[fit.head] = fit
            taken.add((fit.shaft, fit.which))
    return chosen


def _improve(
    chosen: dict[int, Fit], by_end: dict[tuple[int, int, int], Fit], fits: Sequence[Fit], worthy: set[int]
) -> None:
    """Move a head to a free end, or let two heads change ends, while that makes the whole cheaper."""
    for _ in range(4):
        changed = False
        for fit in fits:
            now = chosen.get(fit.head)
            if now is None or now == fit:
                continue
            owner = next((one for one in chosen.values() if (one.shaft, one.which) == (fit.shaft, fit.which)), None)
            trial = {**chosen, fit.head: fit}
            if owner is not None:
                swapped = by_end.get((owner.head, now.shaft, now.which))
                if swapped is None:
                    continue
                trial[owner.head] = swapped
            if _total(trial, fits, worthy) < _total(chosen, fits, worthy) - 1e-9:
                chosen.update(trial)
                changed = True
        if not changed:
            return


def _total(chosen: dict[int, Fit], fits: Sequence[Fit], worthy: set[int]) -> float:
    served = {fit.shaft for fit in chosen.values()}
    bare = ({fit.shaft for fit in fits} & worthy) - served
    return sum(fit.cost for fit in chosen.values()) + DEAR * len(bare)


def _with_rival(fit: Fit, fits: Sequence[Fit], chosen: dict[int, Fit]) -> Fit:
    """The fit with the further cost of giving its head to an end that has none."""
    taken = {(one.shaft, one.which) for one in chosen.values()}
    others = [one.cost - fit.cost for one in fits if one.head == fit.head and (one.shaft, one.which) not in taken]
    return replace(fit, rival=min(others, default=math.inf))

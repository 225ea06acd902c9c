"""Assignment of arrowheads to the ends of shafts. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from documents.proposals.lines.heads import Head
from documents.proposals.lines.strokes import Shaft
from documents.proposals.shapes import Point, angle, back_along, midpoint, nearest_of_line, nearest_on, unit

WIDEST = 65.0  # degrees between a head and the end of its shaft
STUB = 1.0  # what a line of half a letter costs: it is more often a crumb of the shaft than a shaft
DEAR = 3.0  # what a shaft without any head costs against a worse fit
LEAST_LINE = 2.5  # letters of a line that may have its head in the middle
MIDDLE = 0.2  # share of a line's length by which a head lies off its middle
LEAST_MIDWAY = 3  # such heads in a figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A head at an end of a shaft."""

    head: int
    shaft: int
    which: int
    tip: Point
    back: Point
    off: float  # degrees between them
    cost: float
    rival: float = math.inf  # further cost of the best other end that could own the head; infinite if there is none
    shared: bool = False  # another shaft owns the head


def match_heads(heads: Sequence[Head], shafts: Sequence[Shaft], letter: float) -> list[Fit]:
    """Match heads and shaft ends one to one, as cheaply as swaps can make it; a shaft without a head costs too."""
    fits = [fit for place, head in enumerate(heads) for fit in _fits(place, head, shafts, letter)]
    fits.sort(key=lambda fit: fit.cost)
    chosen: dict[int, Fit] = {}
    used_ends: set[tuple[int, int]] = set()
    for fit in fits:
        if fit.head not in chosen and (fit.shaft, fit.which) not in used_ends:
            chosen[fit.head] = fit
            used_ends.add((fit.shaft, fit.which))
    by_end = {(fit.head, fit.shaft, fit.which): fit for fit in fits}
    worthy = {number for number, shaft in enumerate(shafts) if shaft.length >= 0.5 * letter}
    _improve(chosen, by_end, fits, worthy)
    used_ends = {(fit.shaft, fit.which) for fit in chosen.values()}
    matched: list[Fit] = []
    for fit in chosen.values():
        free = [one for one in fits if one.head == fit.head and (one.shaft, one.which) not in used_ends]
        matched.append(replace(fit, rival=min((one.cost - fit.cost for one in free), default=math.inf)))
    matched += _sharing(fits, chosen, heads, shafts, letter)
    return matched + _midway(matched, heads, shafts, letter)


def _midway(matched: Sequence[Fit], heads: Sequence[Head], shafts: Sequence[Shaft], letter: float) -> list[Fit]:
    """Match heads in the middle of lines, as markers of SVG may be; each points to one end of its line."""
    owned, served = {fit.head for fit in matched}, {fit.shaft for fit in matched}
    every = []
    for place, head in enumerate(heads):
        if place in owned:
            continue
        own = [
            fit
            for number, shaft in enumerate(shafts)
            if number not in served and shaft.length > LEAST_LINE * letter
            if (fit := _upon(place, head, number, shaft)) is not None
        ]
        if own:
            every.append(min(own, key=lambda fit: fit.cost))
    once = {fit.shaft: fit for fit in every}
    return [*once.values()] if len(once) >= LEAST_MIDWAY and len(once) == len(every) else []


def _upon(place: int, head: Head, number: int, shaft: Shaft) -> Fit | None:
    """Fit a head upon the middle of a line as if it were at the end to which it points."""
    best: Fit | None = None
    for tip, back in head.readings:
        middle, before = midpoint(tip, back), 0.0
        for a, b in pairwise(shaft.points):
            near = nearest_on(a, b, middle)
            aside, share = math.dist(near, middle), (before + math.dist(a, near)) / shaft.length
            before += math.dist(a, b)
            off = angle(unit(back, tip), unit(a, b))
            turned = min(off, 180 - off)
            cost = aside / head.length + turned / 45
            if aside > 0.25 * head.length or turned > 12 or abs(share - 0.5) > MIDDLE:
                continue
            if best is None or cost < best.cost:
                which = int(off < 90)
                line, end = shaft.towards(which), shaft.end(which)
                start = back_along(line, min(head.length, 0.3 * shaft.length))
                best = Fit(head=place, shaft=number, which=which, tip=end, back=start, off=0.0, cost=cost)
    return best


def _sharing(
    fits: Sequence[Fit], chosen: dict[int, Fit], heads: Sequence[Head], shafts: Sequence[Shaft], letter: float
) -> list[Fit]:
    """Match lines without a head of their own that run straight into another's: several causes with one arrowhead."""
    served = {fit.shaft for fit in chosen.values()}
    sharing = []
    for fit in fits:  # cheapest first
        end = shafts[fit.shaft].end(fit.which)
        near = min(math.dist(end, fit.tip), math.dist(end, nearest_on(fit.back, fit.tip, end)))
        is_long = shafts[fit.shaft].length > 1.5 * letter
        if fit.shaft not in served and is_long and fit.off < 12 and near < 0.35 * heads[fit.head].length:
            served.add(fit.shaft)
            sharing.append(replace(fit, shared=True))
    return sharing


def _fits(place: int, head: Head, shafts: Sequence[Shaft], letter: float) -> Iterator[Fit]:
    reach = 0.8 * head.length + 0.25 * letter
    x, y = head.readings[0][0]
    wide = reach + 2 * head.length
    for number, shaft in enumerate(shafts):
        for which in (0, 1):
            end = shaft.end(which)
            if abs(end[0] - x) > wide or abs(end[1] - y) > wide:
                continue
            candidates = [fit for tip, back in head.readings if (fit := _fit(head, shaft, which, tip, back, reach))]
            if candidates:
                tip, back, off, cost = min(candidates, key=lambda fit: fit[3])
                cost += STUB if shaft.length < 0.5 * letter else 0.0
                yield Fit(head=place, shaft=number, which=which, tip=tip, back=back, off=off, cost=cost)


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


def _improve(
    chosen: dict[int, Fit], by_end: dict[tuple[int, int, int], Fit], fits: Sequence[Fit], worthy: set[int]
) -> None:
    """Move a head to a free end, or let two heads change ends, while that lowers the total cost."""
    wanting = {fit.shaft for fit in fits} & worthy
    owners = {(fit.shaft, fit.which): fit for fit in chosen.values()}
    heads_of = Counter(fit.shaft for fit in chosen.values())
    for _ in range(4):
        changed = False
        for fit in fits:
            now = chosen.get(fit.head)
            if now is None or now == fit:
                continue
            owner = owners.get((fit.shaft, fit.which))
            swapped = by_end.get((owner.head, now.shaft, now.which)) if owner is not None else None
            if owner is not None and swapped is None:
                continue
            old, new = ([now], [fit]) if owner is None or swapped is None else ([now, owner], [fit, swapped])
            if _saving(old, new, heads_of, wanting) > 1e-9:
                _exchange(old, new, chosen, owners, heads_of)
                changed = True
        if not changed:
            return


def _saving(old: Sequence[Fit], new: Sequence[Fit], heads_of: Counter[int], wanting: set[int]) -> float:
    """Return the saving of a change, with shafts that lose their last head or get their first one."""
    change = Counter(fit.shaft for fit in new)
    change.subtract(fit.shaft for fit in old)
    bared = sum(heads_of[shaft] > 0 and heads_of[shaft] + by == 0 for shaft, by in change.items() if shaft in wanting)
    served = sum(heads_of[shaft] == 0 and by > 0 for shaft, by in change.items() if shaft in wanting)
    return sum(fit.cost for fit in old) - sum(fit.cost for fit in new) + DEAR * (served - bared)


def _exchange(
    old: Sequence[Fit],
    new: Sequence[Fit],
    chosen: dict[int, Fit],
    owners: dict[tuple[int, int], Fit],
    heads_of: Counter[int],
) -> None:
    for fit in old:
        owners.pop((fit.shaft, fit.which), None)
        heads_of[fit.shaft] -= 1
    for fit in new:
        owners[fit.shaft, fit.which] = fit
        heads_of[fit.shaft] += 1
        chosen[fit.head] = fit

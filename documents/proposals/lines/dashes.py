"""Dotted and dashed lines whose dots and dashes were drawn one by one. Pure.

Programs that dash a line themselves (browsers print every dashed line so) draw its dots and dashes one after the other,
mostly as painted outlines in one path. So pieces of one path, or each alone in paths that follow each other, painted
with one pen and one behind the other, are one line, regardless of what crosses it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from documents.proposals.shapes import Colour, Outline, Point, angle, area_of, midpoint, unit

LEAST = 3  # pieces
FEW = 10  # pieces that show the usual gap
WIDEST = 0.4  # letters: a thicker pen draws bars and letters
LONGEST = 3.0  # letters from one end of a dash to the other
FARTHEST = 1.5  # letters between two pieces
UNEVEN, CLOSE = 2.5, 5.0  # times the middle gap, times the pen: a farther piece belongs to another line
PARTED = 0.3  # least share of the pieces between which there is a gap
ROUND = 2.2  # times its width: a shorter piece is a dot, which points nowhere
BEND = 40.0  # degrees between pieces that follow each other; a line turns more only at its corners
STRAIGHT = 0.7  # share of the places where it does not turn more


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dash:
    """A dot (both ends are its middle) or a dash."""

    ends: tuple[Point, Point]
    width: float
    ink: float  # its length: a dash no longer than a pen may be wide is a dot, too
    colour: Colour
    order: int
    place: int  # of its outline
    is_alone: bool  # its path contains nothing else

    @property
    def middle(self) -> Point:
        return midpoint(*self.ends)

    @property
    def is_dot(self) -> bool:
        return self.ends[0] == self.ends[1]


def joined_dashes(outlines: Sequence[Outline], letter: float) -> tuple[list[Outline], list[Outline]]:
    lines, used = [], set[int]()
    for run in _runs(outlines, letter):
        lines.append(_line(run))
        used.update(dash.place for dash in run)
    return lines, [outline for place, outline in enumerate(outlines) if place not in used]


def _runs(outlines: Sequence[Outline], letter: float) -> Iterator[list[_Dash]]:
    run: list[_Dash] = []
    parts = Counter(outline.order for outline in outlines)
    for place, outline in enumerate(outlines):
        dash = _dash(outline, place, letter, parts[outline.order] == 1)
        if run and (dash is None or not _follows(run, dash, letter)):
            if _is_line(run):
                yield run
            run = []
        if dash is not None:
            run.append(dash)
    if _is_line(run):
        yield run


def _dash(outline: Outline, place: int, letter: float, is_alone: bool) -> _Dash | None:
    points = outline.points
    if not outline.is_painted:
        return None
    # Two points about as far apart as any: the farthest from the middle, and the farthest from that.
    middle = _mean(points)
    a = max(points, key=lambda point: math.dist(point, middle))
    b = max(points, key=lambda point: math.dist(point, a))
    long = math.dist(a, b)
    area = area_of(points)
    width = area / max(long, 1e-9)
    # the longer side of the rectangle with this diagonal and area
    ink = (math.sqrt(long**2 + 2 * area) + math.sqrt(max(long**2 - 2 * area, 0.0))) / 2
    if long > LONGEST * letter or not 0 < width < WIDEST * letter:
        return None
    if long < max(ROUND * width, WIDEST * letter):  # what is no longer than a pen may be wide points nowhere
        a = b = _mean(points)
    else:  # a dash's end is the side of its outline, not the corner that is farthest
        a, b = (_mean([one for one in points if math.dist(one, corner) < 1.3 * width]) for corner in (a, b))
    return _Dash(
        ends=(a, b),
        width=width,
        ink=ink,
        colour=outline.colour,
        order=outline.order,
        place=place,
        is_alone=is_alone,
    )


def _mean(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _follows(run: Sequence[_Dash], dash: _Dash, letter: float) -> bool:
    last = run[-1]
    in_turn = dash.order == last.order or (dash.order == last.order + 1 and dash.is_alone and last.is_alone)
    if not in_turn or dash.colour != last.colour or not 0.5 < dash.width / last.width < 2:
        return False
    gap = _apart(last, dash)
    gaps = sorted(_apart(a, b) for a, b in pairwise(run[:FEW]))
    usual = gaps[len(gaps) // 2] if gaps else gap
    return gap < min(FARTHEST * letter, max(UNEVEN * usual, CLOSE * dash.width))


def _gap(one: _Dash, other: _Dash) -> float:
    between = min(math.dist(a, b) for a in one.ends for b in other.ends)
    return between - one.width / 2 * one.is_dot - other.width / 2 * other.is_dot


def _apart(one: _Dash, other: _Dash) -> float:
    """Return the least gap between two dashes: dots that are short dashes lie with their longer sides along it."""
    between = min(math.dist(a, b) for a in one.ends for b in other.ends)
    return between - one.ink / 2 * one.is_dot - other.ink / 2 * other.is_dot


def _is_line(run: Sequence[_Dash]) -> bool:
    """Return True if the pieces lie one behind the other: outlined letters of a word do not."""
    if len(run) < LEAST:
        return False
    parted = sum(_gap(a, b) > 0.2 * b.width for a, b in pairwise(run))
    if parted < PARTED * (len(run) - 1):
        return False  # slivers of a painted area
    ways = [unit(a.middle, b.middle) for a, b in pairwise(run)]
    turns = [angle(a, b) for a, b in pairwise(ways)]
    for dash, way in zip(run, [*ways, ways[-1]], strict=True):
        if not dash.is_dot:
            off = angle(unit(*dash.ends), way)
            turns.append(min(off, 180 - off))
    return sum(turn < BEND for turn in turns) >= STRAIGHT * len(turns)


def _line(run: Sequence[_Dash]) -> Outline:
    points: list[Point] = []
    for place, dash in enumerate(run):
        near, far = dash.ends
        before = points[-1] if points else None
        after = run[place + 1].middle if before is None else None
        if before is not None and math.dist(far, before) < math.dist(near, before):
            near, far = far, near
        if after is not None and math.dist(near, after) < math.dist(far, after):
            near, far = far, near
        points.extend([near] if dash.is_dot else [near, far])
    return Outline(
        points=tuple(points), dashed=True, colour=run[0].colour, width=run[0].width, order=run[-1].order, curved=True
    )

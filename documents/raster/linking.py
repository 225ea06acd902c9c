"""Lines from branches of a skeleton: straight on where lines cross, along dashes, over small gaps.

Runs in a child only."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from documents.proposals.shapes import Outline, Point, angle, midpoint, unit
from documents.raster.arrowheads import Arm, arms_of, triangle
from documents.raster.doubts import Seam
from documents.raster.ink import EM
from documents.raster.skeleton import FREE, Branch, Line, point_of
from documents.rects import Rect

STRAIGHT, STRAIGHT_AT_HEAD = 40.0, 25.0  # degrees by which a line may bend at a crossing, and over a head
STRANGER = 4.0  # levels of colour that count as much as a degree
MERGED = 5.0 * EM  # length along another line over which two may run together into one head
DASH = 1.3 * EM
ROUNDS = (0.75, 1.0, 2.0)  # EM: gaps are closed from small to large, since joined dashes know their direction better
SIGN_REACH = 0.4 * EM
STUMP, STUMP_BENDS = 1.6 * EM, 40.0  # a line between a sign and its head, whose own direction is unsure
TO_HEAD = 2.4 * EM  # over a sign, from the end of a line to the middle of its head
IN_HEAD = 0.7 * EM  # between the end of a line and the middle of its head

GAP = "The line was put together across a gap."
BENDS = "Lines cross where this one bends."
MERGES = "Two lines join before this arrowhead."


@dataclass(frozen=True, slots=True)
class Trace:
    """A line as far as it was followed."""

    points: Line
    colour: NDArray[np.float64]
    is_dashed: bool = False

    @property
    def span(self) -> float:
        return math.dist(self.points[0], self.points[-1])

    def way(self, which: int, reach: float) -> Point:
        """Return the direction in which it leaves through an end."""
        line = self.points if which else self.points[::-1]
        near = np.flatnonzero(np.hypot(*(line - line[-1]).T) > reach)
        return unit(point_of(line[near[-1] if near.size else 0]), point_of(line[-1]))


Partners = Mapping[Arm, Arm]


def through_crossings(lines: Sequence[Branch], heads: Collection[int], half: float) -> tuple[list[Trace], list[Seam]]:
    """Continue branches straight on where lines meet; `heads` are the nodes that are heads.

    A line that runs into another before a head continues along it."""
    arms = arms_of(lines)
    partner: dict[Arm, Arm] = {}
    seams: list[Seam] = []
    for node, own in arms.items():
        for bend, one, other in sorted(_pairs(own, lines, node not in heads, half), key=lambda pair: pair[0]):
            if one not in partner and other not in partner:
                partner[one], partner[other] = other, one
                if bend > 20 and len(own) > 3:
                    seams.append(Seam(point_of(lines[one.branch].points[-one.which]), BENDS))
    traces = []
    for run in _runs(len(lines), partner):
        last = run[-1]
        for first, more in ((run[0], True), (Arm(last.branch, 1 - last.which), False)):
            onward = _merged(first, arms, lines, partner, heads, half)
            if onward:
                seams.append(Seam(point_of(lines[first.branch].points[-first.which]), MERGES))
                run = [Arm(arm.branch, 1 - arm.which) for arm in reversed(onward)] + run if more else run + onward
        points = np.concatenate([lines[arm.branch].towards(1 - arm.which) for arm in run])
        longest = max((lines[arm.branch] for arm in run), key=lambda line: line.length)
        trace = Trace(points, longest.colour)
        traces.append(replace(trace, is_dashed=trace.span < DASH))
    return traces, seams


def _pairs(
    arms: Sequence[Arm], lines: Sequence[Branch], is_junction: bool, half: float
) -> Iterator[tuple[float, Arm, Arm]]:
    """Yield pairs of arms that may be one line, with how far that is from straight."""
    if not is_junction and len(arms) < 3:
        return
    for one, other in combinations(arms, 2):
        if one.branch == other.branch:
            continue
        bend = _bend(one, other, lines, half) * (0.4 if len(arms) == 2 else 1.0)
        limit = STRAIGHT if is_junction else STRAIGHT_AT_HEAD
        if len(arms) > 2 and max(lines[one.branch].length, lines[other.branch].length) < 0.5 * EM:
            limit = min(limit, 24.0)  # dashes that cross: their directions are unsure
        if bend < limit:
            yield bend + _colour_distance(lines[one.branch].colour, lines[other.branch].colour), one, other


def _bend(one: Arm, other: Arm, lines: Sequence[Branch], half: float) -> float:
    first, second = (lines[arm.branch].heading(arm.which, half, 0.7 * EM) for arm in (one, other))
    return 180 - angle(first, second)


def _colour_distance(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return min(40.0, float(np.abs(one - other).max()) / STRANGER)


def _merged(
    arm: Arm,
    arms: Mapping[int, Sequence[Arm]],
    lines: Sequence[Branch],
    partner: Partners,
    heads: Collection[int],
    half: float,
) -> list[Arm]:
    """Return the arms along which a line that ends at a junction continues to a head nearby; empty if it does not."""
    node = lines[arm.branch].ends[arm.which]
    if arm in partner or node == FREE or node in heads or lines[arm.branch].length < 0.5 * EM:
        return []
    others = [each for each in arms[node] if each in partner and each.branch != arm.branch]
    ways = sorted((_bend(arm, each, lines, half), each.branch, each.which) for each in others)
    for bend, branch, which in ways:
        if bend > STRAIGHT:
            break
        onward = _as_far_as_a_head(Arm(branch, which), lines, partner, heads)
        if onward:
            return onward
    return []


def _as_far_as_a_head(start: Arm, lines: Sequence[Branch], partner: Partners, heads: Collection[int]) -> list[Arm]:
    run, walked, current = [], 0.0, start
    while walked < MERGED and current not in run:
        run.append(current)
        walked += lines[current.branch].length
        end = Arm(current.branch, 1 - current.which)
        if lines[end.branch].ends[end.which] in heads:
            return run
        if end not in partner:
            break
        current = partner[end]
    return []


def _runs(count: int, partner: Partners) -> Iterator[list[Arm]]:
    """Yield chains of branches, each given by the end through which it is entered."""
    seen: set[int] = set()
    ends_known = sorted(range(count), key=lambda place: (Arm(place, 0) in partner) + (Arm(place, 1) in partner))
    for place in ends_known:
        if place in seen:
            continue
        is_backwards = Arm(place, 0) in partner and Arm(place, 1) not in partner
        run: list[Arm] = []
        current: Arm | None = Arm(place, int(is_backwards))
        while current is not None and current.branch not in seen:
            seen.add(current.branch)
            run.append(current)
            current = partner.get(Arm(current.branch, 1 - current.which))
        yield run


# --- gaps -----------------------------------------------------------------------------------------------------------


def over_gaps(
    traces: Sequence[Trace], heads: Sequence[Outline], signs: Sequence[Rect]
) -> tuple[list[Trace], list[Seam]]:
    """Join dashes and lines where one continues in the other's direction; a gap with a sign in it may be wide."""
    polygons = [np.array(head.points, np.float32).reshape(-1, 1, 2) for head in heads]
    seams: list[Seam] = []
    joined = list(traces)
    for widest in ROUNDS:
        costs = sorted(_gaps(joined, widest * EM, signs, polygons), key=lambda gap: gap[0])
        partner: dict[Arm, Arm] = {}
        for _, one, other in costs:
            if one not in partner and other not in partner:
                partner[one], partner[other] = other, one
                ends = _tip(joined, one), _tip(joined, other)
                is_dash = joined[one.branch].is_dashed or joined[other.branch].is_dashed
                if not is_dash and math.dist(*ends) > 0.2 * EM:
                    seams.append(Seam(midpoint(*ends), GAP))
        joined = [_joined(run, joined) for run in _runs(len(joined), partner)]
    return [_to_head(trace, joined, heads, signs) for trace in joined], seams


def _to_head(trace: Trace, traces: Sequence[Trace], heads: Sequence[Outline], signs: Sequence[Rect]) -> Trace:
    """Continue a line over a sign to the head just behind it, at which no other line ends."""
    if trace.span < STUMP:
        return trace
    for which in (0, 1):
        tip, way = point_of(trace.points[-which]), trace.way(which, 0.9 * EM)
        for head in heads:
            middle = point_of(np.mean(head.points, axis=0))
            is_ahead = 0.8 * EM < math.dist(tip, middle) < TO_HEAD and angle(way, unit(tip, middle)) < 25
            if not is_ahead or not any(_is_over(midpoint(tip, middle), sign, 0.3 * EM) for sign in signs):
                continue
            others = (point_of(one.points[-end]) for one in traces if one.span > 0.8 * EM for end in (0, 1))
            if not any(math.dist(end, middle) < IN_HEAD for end in others):
                line = trace.points if which else trace.points[::-1]
                return replace(trace, points=np.concatenate([line, [middle]]))
    return trace


def _is_over(point: Point, sign: Rect, reach: float) -> bool:
    return sign[0] - reach < point[0] < sign[2] + reach and sign[1] - reach < point[1] < sign[3] + reach


def _joined(run: Sequence[Arm], traces: Sequence[Trace]) -> Trace:
    if len(run) == 1:
        return traces[run[0].branch]
    parts = [traces[arm.branch].points[:: -1 if arm.which else 1] for arm in run]
    longest = max((traces[arm.branch] for arm in run), key=lambda trace: trace.span)
    return Trace(np.concatenate(parts), longest.colour, any(traces[arm.branch].is_dashed for arm in run))


def _tip(traces: Sequence[Trace], arm: Arm) -> Point:
    return point_of(traces[arm.branch].points[-arm.which])


def _gaps(
    traces: Sequence[Trace], widest: float, signs: Sequence[Rect], heads: Sequence[NDArray[np.float32]]
) -> Iterator[tuple[float, Arm, Arm]]:
    ends = [Arm(place, which) for place in range(len(traces)) for which in (0, 1)]
    tips = np.array([_tip(traces, arm) for arm in ends]).reshape(-1, 2)
    ways = [traces[arm.branch].way(arm.which, 0.9 * EM) for arm in ends]
    for place, tip in enumerate(tips):
        for near in np.flatnonzero(np.abs(tips[place + 1 :] - tip).max(axis=1) < widest) + place + 1:
            one, other = ends[place], ends[near]
            if one.branch == other.branch:
                continue
            pair = (traces[one.branch], traces[other.branch])
            places = (point_of(tip), point_of(tips[near]))
            cost = _cost(pair, places, (ways[place], ways[near]), signs, widest)
            if cost is not None and not _meets(heads, tip, tips[near]):
                yield cost, one, other


def _cost(
    pair: tuple[Trace, Trace],
    tips: tuple[Point, Point],
    ways: tuple[Point, Point],
    signs: Sequence[Rect],
    widest: float,
) -> float | None:
    far = math.dist(*tips)
    dashed = sum(trace.is_dashed for trace in pair)
    over = any(_is_over(midpoint(*tips), sign, SIGN_REACH) for sign in signs)
    if far > (widest if dashed == 2 or over else 0.7 * EM if dashed else 0.35 * EM):
        return None
    bend = 180 - angle(*ways)
    if over and (cost := _to_stump(pair, tips, ways, bend)) is not None:
        return cost
    if far > EM and (bend > 20 or min(trace.span for trace in pair) < (0.4 if over else 1.2) * EM):
        return None
    aside = 0.0
    if far > 0.08 * EM:
        along = unit(*tips)
        aside = max(angle(ways[0], along), angle(ways[1], (-along[0], -along[1])))
    most_bend, most_aside = (38, 28) if dashed else (25, 18) if over else (18, 12)
    if bend > most_bend or aside > most_aside:
        return None
    return far / EM + bend / 40 + aside / 30 + _colour_distance(pair[0].colour, pair[1].colour) / 20


def _to_stump(
    pair: tuple[Trace, Trace], tips: tuple[Point, Point], ways: tuple[Point, Point], bend: float
) -> float | None:
    """Return the cost of continuing a line over a sign to the stump before its head; None if neither is a stump."""
    long = max((0, 1), key=lambda place: pair[place].span)
    if not pair[1 - long].span < STUMP < pair[long].span or bend > STUMP_BENDS:
        return None
    aside = angle(ways[long], unit(tips[long], tips[1 - long]))
    colour_gap = _colour_distance(pair[0].colour, pair[1].colour) / 20
    return math.dist(*tips) / EM + bend / 40 + aside / 30 + colour_gap if aside < 20 else None


def _meets(heads: Sequence[NDArray[np.float32]], one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    for head in heads:
        if np.abs(head[0, 0] - one).max() < 4 * EM:
            for x, y in (one, (one + other) / 2, other):
                if cv2.pointPolygonTest(head, (float(x), float(y)), True) > -2:
                    return True
    return False


def along_lines(heads: Sequence[Outline], traces: Sequence[Trace]) -> list[Outline]:
    """Turn heads whose sides are nearly alike in the direction of the lines that end in them."""
    ends = [(point_of(trace.points[-which]), trace, which) for trace in traces for which in (0, 1)]
    return [_along_line(head, ends) if len(head.points) == 3 and head.closed else head for head in heads]


def _along_line(head: Outline, ends: Sequence[tuple[Point, Trace, int]]) -> Outline:
    middle = point_of(np.mean(head.points, axis=0))
    near = sorted((math.dist(end, middle), place) for place, (end, _, _) in enumerate(ends))
    for far, place in near:
        end, trace, which = ends[place]
        if far > IN_HEAD:
            break
        way = trace.way(which, 0.6 * EM)
        if trace.span < 0.8 * EM or (far > 0.15 * EM and angle(way, unit(end, middle)) > 50):
            continue
        points = np.array(head.points)
        ahead, across = points @ np.array(way), points @ np.array([-way[1], way[0]])
        axis, wide = float(np.mean(across)), float(np.ptp(across))
        tip, back = (
            (value * way[0] - axis * way[1], value * way[1] + axis * way[0]) for value in (ahead.max(), ahead.min())
        )
        return triangle(tip, back, 0.5 * wide)
    return head


def smooth(points: Line) -> Line:
    if len(points) < 7:
        return points
    padded = np.concatenate([np.repeat(points[:1], 2, axis=0), points, np.repeat(points[-1:], 2, axis=0)])
    soft: Line = np.mean([padded[shift : shift + len(points)] for shift in range(5)], axis=0)
    soft[0], soft[-1] = points[0], points[-1]
    return soft

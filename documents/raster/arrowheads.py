"""Arrowheads in ink: places thicker than the lines that lead to them, short wings at a line's end, hollow triangles.
Runs in a child only.

A head is a triangle that narrows towards where its line points. The line says along which axis, the widths along that
axis say which way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from documents.proposals.lines.blocks import block_arrow
from documents.proposals.shapes import Outline, Point, angle, midpoint, unit
from documents.raster.ink import EM
from documents.raster.skeleton import FREE, Branch, Line, point_of
from documents.raster.words import Ink

SMALLEST, LARGEST = 0.12 * EM, 2.6 * EM  # of a thick place's box
STUB = 1.1 * EM  # a branch that ends free and is no longer may be a wing or a spur
STRAIGHT_ON = 25.0  # degrees by which a line through a head may bend
WINGS = (12.0, 80.0)  # degrees between a wing and its line
THICK_ARROW = 0.2 * EM  # a line thinner than that is followed, and its head found by itself
SHORTEST = 0.9  # of its width: a head is at least so long; what is missing was taken away with a node's rim
APART = 0.15 * EM  # between an open head's tip and its line, which then ends between the wings
TAPER = 0.8  # the front half of a head is at most this wide beside its back half


@dataclass(frozen=True, slots=True)
class Blob:
    """A place thicker than its lines. `node` is its number among the skeleton's nodes, `points` its pixels (x, y),
    `depth` half its thickness."""

    node: int
    points: Line
    depth: float

    @property
    def centre(self) -> Point:
        return point_of(self.points.mean(axis=0))


@dataclass(frozen=True, slots=True)
class Arm:
    """A branch at a node: its place among the branches, and which of its ends."""

    branch: int
    which: int


def depths(ink: Ink) -> NDArray[np.float32]:
    return np.asarray(cv2.distanceTransform(ink.astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE), np.float32)


def thick_places(ink: Ink, skeleton: Ink, depth: NDArray[np.float32]) -> tuple[Ink, float]:
    """Pixels much thicker than the lines of their own piece, and half the usual line's thickness."""
    count, labels = cv2.connectedComponents(ink.astype(np.uint8), connectivity=8)
    values, owners = depth[skeleton], labels[skeleton]
    usual = float(np.median(values)) if values.size else 1.0
    half = np.full(count, usual)
    order = np.argsort(owners, kind="stable")
    owners, values = owners[order], values[order]
    cuts = np.searchsorted(owners, np.arange(count + 1))
    for piece in range(1, count):
        own = values[cuts[piece] : cuts[piece + 1]]
        if own.size > 1.5 * EM:
            half[piece] = min(max(float(np.percentile(own, 40)), 0.6 * usual), 4 * usual)
    limit = np.where(half > 0.07 * EM, 1.3, 1.75) * half + 0.6
    ys, xs = np.nonzero(ink)
    owners = labels[ys, xs]
    is_seed = depth[ys, xs] > limit[owners]
    ys, xs, sizes = ys[is_seed], xs[is_seed], np.round(limit)[owners[is_seed]]
    thick = np.zeros(ink.shape, np.uint8)
    for radius in np.unique(sizes):
        size = 2 * int(radius) + 1
        near = np.zeros(ink.shape, np.uint8)
        near[ys[sizes == radius], xs[sizes == radius]] = 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        thick |= np.asarray(cv2.dilate(near, disc), np.uint8)
    return (thick > 0) & ink, usual


def blobs_of(thick: Ink, depth: NDArray[np.float32]) -> tuple[list[Blob], NDArray[np.int32], int]:
    """The thick places of a head's size, their pixels numbered, and the first number that none of them has."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick.astype(np.uint8), connectivity=8)
    nodes = np.zeros(thick.shape, np.int32)
    found = []
    for number in range(1, count):
        x, y, wide, high, _ = (int(value) for value in stats[number])
        if not SMALLEST <= max(wide, high) <= LARGEST:
            continue
        part = labels[y : y + high, x : x + wide] == number
        nodes[y : y + high, x : x + wide][part] = number
        ys, xs = np.nonzero(part)
        points = np.stack([xs + x, ys + y], axis=1).astype(float)
        found.append(Blob(number, points, float(depth[y : y + high, x : x + wide][part].max())))
    return found, nodes, count


def arms_of(lines: Sequence[Branch]) -> dict[int, list[Arm]]:
    """The branches' ends at each node."""
    found: dict[int, list[Arm]] = {}
    for place, line in enumerate(lines):
        for which in (0, 1):
            if line.ends[which] != FREE:
                found.setdefault(line.ends[which], []).append(Arm(place, which))
    return found


def plain_crossings(blobs: Sequence[Blob], lines: Sequence[Branch], half: float) -> list[Blob]:
    """The thick places that are no plain crossing: where lines merge at a slant they are thick too, but hardly thicker
    than two lines, and without wings."""
    if half >= 0.07 * EM:
        return list(blobs)
    arms = arms_of(lines)
    kept = []
    for blob in blobs:
        own = [arm for arm in arms.get(blob.node, ()) if lines[arm.branch].length > 0.25 * EM]
        stubs = [arm for arm in own if _is_stub(lines[arm.branch], arm.which)]
        most = 3.0 if len(own) > 3 else 2.4
        if not (len(own) >= 3 and len(stubs) < 2 and blob.depth < most * half + 0.6):
            kept.append(blob)
    return kept


def _is_stub(line: Branch, which: int) -> bool:
    return line.length <= STUB and line.ends[1 - which] == FREE


# --- painted heads --------------------------------------------------------------------------------------------------


def painted_heads(
    blobs: Sequence[Blob], lines: Sequence[Branch], half: float
) -> tuple[list[Outline], set[int], set[int]]:
    """Heads at thick places; the places of the branches that are only their wings; the nodes that are heads."""
    arms = arms_of(lines)
    heads, wings, nodes = [], set[int](), set[int]()
    for blob in blobs:
        own = arms.get(blob.node, [])
        found, used = _painted(blob, own, lines, half)
        if found is not None:
            heads.append(found)
            wings |= used
            nodes.add(blob.node)
    return heads, wings, nodes


def _painted(blob: Blob, arms: Sequence[Arm], lines: Sequence[Branch], half: float) -> tuple[Outline | None, set[int]]:
    stubs = {arm.branch for arm in arms if _is_stub(lines[arm.branch], arm.which)}
    points = blob.points
    used: set[int] = set()
    if len(stubs) >= 2 and len(arms) > len(stubs) and blob.depth < 2.6 * half:
        used = stubs  # an open head, thick only where its wings meet the line
        points = np.concatenate([points, *(lines[place].points for place in sorted(stubs))])
    shafts = _shafts([arm for arm in arms if arm.branch not in used], lines)
    if arms and all(_is_stub(lines[arm.branch], arm.which) for arm in arms):  # a head apart from its line
        if len(shafts) == 1 and (dashed := _tapered(points, shafts, lines, half)) is not None:
            return dashed, set()  # with a dash of it
        every = np.concatenate([blob.points, *(lines[arm.branch].points for arm in arms)])
        if (apart := _alone(every)) is not None:
            return apart, {arm.branch for arm in arms}
    if not shafts:
        return _alone(points), used
    found = _tapered(points, shafts, lines, half, least=math.inf if len(shafts) == 1 else TAPER)
    return (found, used) if found is not None else (None, set())


def _tapered(
    points: Line, shafts: Sequence[Arm], lines: Sequence[Branch], half: float, least: float = TAPER
) -> Outline | None:
    """The head along the branch in whose direction a thick place narrows most, if it narrows to less than `least`."""
    best: tuple[float, Outline] | None = None
    for arm in shafts:
        taper, head = _along(points, lines[arm.branch].heading(arm.which, half, 0.6 * EM))
        if head is not None and (best is None or taper < best[0]):
            best = (taper, head)
    return best[1] if best is not None and best[0] < least else None


def _shafts(arms: Sequence[Arm], lines: Sequence[Branch]) -> list[Arm]:
    """The branches that may be a head's line: not the spurs of its corners."""
    long = [arm for arm in arms if lines[arm.branch].length > 0.2 * EM]
    longest = max((lines[arm.branch].length for arm in long), default=0.0)
    least = min(STUB, 0.5 * longest)
    return [arm for arm in long if lines[arm.branch].length > least or lines[arm.branch].ends[1 - arm.which] != FREE]


def _along(points: Line, along: Point) -> tuple[float, Outline | None]:
    """How much a thick place narrows along a direction (front half's width by back half's), and the head it makes."""
    axis = np.array(along)
    ahead = points @ axis
    beside = points @ np.array([-along[1], along[0]])
    first, last = float(ahead.min()), float(ahead.max())
    long = last - first
    if long < SMALLEST / 2:
        return math.inf, None
    middle = float(np.median(beside))
    front, back = beside[ahead > first + 0.6 * long], beside[ahead < first + 0.4 * long]
    widths = [float(np.ptp(part)) + 1.0 if part.size else 1.0 for part in (front, back)]
    wide = float(np.ptp(beside)) + 1.0
    missing = max(0.0, SHORTEST * wide - long)
    tip, tail = _at(along, last + 0.5 * missing, middle), _at(along, first - 0.5 * missing, middle)
    return widths[0] / widths[1], triangle(tip, tail, 0.5 * wide)


def _at(along: Point, ahead: float, beside: float) -> Point:
    return ahead * along[0] - beside * along[1], ahead * along[1] + beside * along[0]


def triangle(tip: Point, back: Point, half: float) -> Outline:
    """A head as one painted triangle that can be read one way only."""
    dx, dy = unit(back, tip)
    half = min(half, 0.36 * math.dist(tip, back))
    wings = ((back[0] - half * dy, back[1] + half * dx), (back[0] + half * dy, back[1] - half * dx))
    return Outline(points=(tip, *wings), closed=True, filled=True)


def _alone(points: Line) -> Outline | None:
    """A thick place without a line, if it fills a triangle."""
    corners, filled = enclosing_triangle(points)
    longest = max((math.dist(one, other) for one, other in combinations(corners, 2)), default=math.inf)
    if filled < 0.6 or longest > 3.2 * EM:
        return None
    return Outline(points=tuple(corners), closed=True, filled=True)


def enclosing_triangle(points: Line) -> tuple[list[Point], float]:
    """The smallest triangle around points, and how much of it their hull fills."""
    area, corners = cv2.minEnclosingTriangle(points.reshape(-1, 1, 2).astype(np.float32))
    if corners is None or area <= 0:
        return [], 0.0
    hull = cv2.convexHull(points.reshape(-1, 1, 2).astype(np.float32))
    return [point_of(corner) for corner in np.asarray(corners, float).reshape(3, 2)], float(
        cv2.contourArea(hull) / area
    )


# --- open and hollow heads, whole arrows ----------------------------------------------------------------------------


def open_heads(lines: Sequence[Branch], taken: set[int], half: float) -> tuple[list[Outline], set[int]]:
    """Two short wings and a line that meet at a tip, or would if no frame had been taken away there; and the places
    of the wings."""
    ends = [(Arm(place, which), line.points[-which]) for place, line in enumerate(lines) for which in (0, 1)]
    ends = [(arm, point) for arm, point in ends if arm.branch not in taken]
    tips = np.array([point for _, point in ends]) if ends else np.zeros((0, 2))
    found = []
    for arm, tip in ends:
        line = lines[arm.branch]
        if line.length < 0.8 * EM:
            continue
        along = line.heading(arm.which, half, 0.6 * EM)
        near = [ends[place][0] for place in np.flatnonzero(np.hypot(*(tips - tip).T) < 0.4 * EM)]
        wings = [wing for wing in near if wing.branch != arm.branch and _is_wing(lines[wing.branch], wing, line)]
        for one, other in combinations(wings, 2):
            cost = _unevenness(lines, one, other, along)
            if one.branch != other.branch and cost is not None:
                found.append((cost, arm, one, other))
    heads, used = [], set[int]()
    for _, arm, one, other in sorted(found, key=lambda each: each[0]):
        if not {arm.branch, one.branch, other.branch} & used:
            used |= {one.branch, other.branch}
            end = point_of(lines[arm.branch].points[-arm.which])
            near_tip = [point_of(lines[each.branch].points[-each.which]) for each in (one, other)]
            far = [point_of(lines[each.branch].points[each.which - 1]) for each in (one, other)]
            tip = midpoint(*near_tip)
            if math.dist(end, tip) > APART:
                heads.append(triangle(tip, midpoint(*far), 0.5 * math.dist(*far)))
            else:
                heads.append(Outline(points=(far[0], point_of(np.mean([end, *near_tip], axis=0)), far[1])))
    return heads, used


def parted_wings(lines: list[Branch], taken: set[int], half: float) -> None:
    """Open heads whose line ends before their tip are one bent stroke: it is parted at its bend, as two wings."""
    longer = [place for place, line in enumerate(lines) if place not in taken and line.length > 0.8 * EM]
    tips = np.array([lines[place].points[-which] for place in longer for which in (0, 1)]).reshape(-1, 2)
    for place, line in enumerate(lines):
        if place in taken or line.ends != [FREE, FREE] or not 0.3 * EM < line.length < 2.4 * EM:
            continue
        first, last = line.points[0], line.points[-1]
        along = (last - first) / (np.hypot(*(last - first)) + 1e-9)
        aside = (line.points - first) @ np.array([-along[1], along[0]])
        bend = int(np.abs(aside).argmax())
        short, long = sorted((bend + 1, len(line.points) - bend))
        sharp = angle(
            unit(point_of(line.points[bend]), point_of(first)), unit(point_of(line.points[bend]), point_of(last))
        )
        own = (np.abs(tips - first).max(axis=1) < 1) | (np.abs(tips - last).max(axis=1) < 1)
        near = np.hypot(*(tips - line.points[bend]).T) < 0.4 * EM
        if short > 0.5 * long and sharp < 140 and short > 2 * half and (near & ~own).any():
            lines[place] = Branch(line.points[: bend + 1], [FREE, FREE], line.colour)
            lines.append(Branch(line.points[bend:], [FREE, FREE], line.colour))


def _is_wing(wing: Branch, arm: Arm, line: Branch) -> bool:
    return 0.07 * EM < wing.length < min(1.3 * EM, 0.8 * line.length) and wing.ends[1 - arm.which] == FREE


def _unevenness(lines: Sequence[Branch], one: Arm, other: Arm, along: Point) -> float | None:
    """How unlike two wings are; None if they lie on one side or do not turn back."""
    ways = [_outwards(lines[arm.branch], arm.which) for arm in (one, other)]
    opened = [angle(way, (-along[0], -along[1])) for way in ways]
    sides = [along[0] * way[1] - along[1] * way[0] > 0 for way in ways]
    short, long = sorted(lines[arm.branch].length for arm in (one, other))
    uneven = abs(opened[0] - opened[1])
    is_pair = sides[0] != sides[1] and all(WINGS[0] < each < WINGS[1] for each in opened)
    return uneven + 30 * (1 - short / long) if is_pair and short > 0.5 * long and uneven < 35 else None


def _outwards(line: Branch, which: int) -> Point:
    """The direction from a wing's tip to its free end."""
    return unit(point_of(line.points[-which]), point_of(line.points[which - 1]))


def hollow_heads(ink: Ink) -> Ink:
    """The white inside of hollow heads: small triangles with at most three lines out of them, since three lines that
    cross enclose a triangle too, with six."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((~ink).astype(np.uint8), connectivity=4)
    inside = np.zeros(ink.shape, np.uint8)
    for number in range(1, count):
        x, y, wide, high, area = (int(value) for value in stats[number])
        if not 0.03 * EM**2 < area < 1.2 * EM**2 or max(wide, high) > 2 * EM:
            continue
        part = (labels[y : y + high, x : x + wide] == number).astype(np.uint8)
        contours, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(x, y))
        contour = max(contours, key=cv2.contourArea)
        corners, filled = enclosing_triangle(contour[:, 0].astype(float))
        sides = sorted(math.dist(one, other) for one, other in combinations(corners, 2))
        bulges = cv2.contourArea(contour) > 0.85 * cv2.contourArea(cv2.convexHull(contour))
        if filled > 0.72 and bulges and sides[0] > 0.25 * sides[2] and _ways_out(ink, contour[:, 0]) <= 3:
            cv2.drawContours(inside, [contour], -1, 1, cv2.FILLED)
    return inside > 0


def _ways_out(ink: Ink, hole: NDArray[np.int32]) -> int:
    """In how many places ink leaves the surroundings of a hole."""
    x, y = hole.mean(axis=0)
    radius = float(np.hypot(*(hole - (x, y)).T).max()) + 0.2 * EM
    turns = np.linspace(0, 2 * math.pi, max(40, int(4 * radius)), endpoint=False)
    xs = np.clip((x + radius * np.cos(turns)).round().astype(int), 0, ink.shape[1] - 1)
    ys = np.clip((y + radius * np.sin(turns)).round().astype(int), 0, ink.shape[0] - 1)
    on = ink[ys, xs].astype(int)
    return int((np.diff(np.append(on, on[0])) == 1).sum())


def whole_arrows(ink: Ink, skeleton: Ink, depth: NDArray[np.float32]) -> list[Outline]:
    """Thick arrows that touch nothing else, as outlines; they are taken out of the ink and the skeleton."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    found = []
    for number in range(1, count):
        x, y, wide, high, area = (int(value) for value in stats[number])
        if max(wide, high) < 0.8 * EM or area < 0.3 * EM**2:
            continue
        window = np.s_[y : y + high, x : x + wide]
        part = labels[window] == number
        bones = skeleton[window] & part
        if 2 * float(np.median(depth[window][bones])) < THICK_ARROW:
            continue
        contours, _ = cv2.findContours(part.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(x, y))
        corners = _arrow_of(max(contours, key=len))
        if corners is not None:
            found.append(Outline(points=corners, closed=True, filled=True))
            ink[window][part] = False
            skeleton[window][part] = False
    return found


def _arrow_of(contour: NDArray[np.int32]) -> tuple[Point, ...] | None:
    for tolerance in (0.04, 0.06, 0.08, 0.1):
        corners = cv2.approxPolyDP(contour, tolerance * EM, closed=True)[:, 0].astype(float)
        points = tuple(point_of(corner) for corner in corners)
        if block_arrow(points) is not None:
            return points
    return None

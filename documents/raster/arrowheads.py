"""Arrowheads in ink: places thicker than the lines that lead to them. Runs in a child only.

A head is a triangle that narrows towards where its line points. The line gives the axis, the widths along it the
direction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from documents.proposals.shapes import Outline, Point, angle, midpoint, unit
from documents.raster.ink import EM
from documents.raster.skeleton import FREE, Branch, Line, point_of
from documents.raster.words import Ink

SMALLEST, LARGEST = 0.12 * EM, 2.6 * EM  # of a thick place's box
STUB = 1.1 * EM  # a branch that ends free and is no longer may be a wing or a spur
AS_LONG = 0.7  # a thick place that holds several heads reaches so far into each, as a share of the usual head
NEXT = 0.5  # of the usual head's width, between lines that end in heads side by side
ONE_SIDE = 75.0  # degrees between lines whose heads touch each other, at most
STRAIGHT_ON = 25.0  # degrees by which a line through a head may bend
SHORTEST = 0.9  # of its width: a head is at least this long; what is missing was removed with a node's rim
TAPER = 0.8  # the front half of a head is at most this wide, as a share of its back half


@dataclass(frozen=True, slots=True)
class Blob:
    """A place thicker than its lines."""

    node: int  # its number among the skeleton's nodes
    points: Line  # its pixels (x, y)
    depth: float  # half its thickness

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
    """Return the pixels much thicker than the lines of their own piece, and half the usual line's thickness."""
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
    """Return the thick places of a head's size, their pixels numbered, and the first number that none of them has."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick.astype(np.uint8), connectivity=8)
    nodes = np.zeros(thick.shape, np.int32)
    blobs = []
    for number in range(1, count):
        x, y, wide, high, _ = (int(value) for value in stats[number])
        if not SMALLEST <= max(wide, high) <= LARGEST:
            continue
        part = labels[y : y + high, x : x + wide] == number
        nodes[y : y + high, x : x + wide][part] = number
        ys, xs = np.nonzero(part)
        points = np.stack([xs + x, ys + y], axis=1).astype(float)
        blobs.append(Blob(number, points, float(depth[y : y + high, x : x + wide][part].max())))
    return blobs, nodes, count


def arms_of(lines: Sequence[Branch]) -> dict[int, list[Arm]]:
    arms: dict[int, list[Arm]] = {}
    for place, line in enumerate(lines):
        for which in (0, 1):
            if line.ends[which] != FREE:
                arms.setdefault(line.ends[which], []).append(Arm(place, which))
    return arms


def plain_crossings(blobs: Sequence[Blob], lines: Sequence[Branch], half: float) -> list[Blob]:
    """Return the thick places that are no plain crossing: where lines merge at a slant they are thick too, but hardly
    thicker than two lines, and without wings."""
    if half >= 0.07 * EM:
        return list(blobs)
    arms = arms_of(lines)
    remaining = []
    for blob in blobs:
        own = [arm for arm in arms.get(blob.node, ()) if lines[arm.branch].length > 0.25 * EM]
        stubs = [arm for arm in own if _is_stub(lines[arm.branch], arm.which)]
        most = 3.0 if len(own) > 3 else 2.4
        if not (len(own) >= 3 and len(stubs) < 2 and blob.depth < most * half + 0.6):
            remaining.append(blob)
    return remaining


def _is_stub(line: Branch, which: int) -> bool:
    return line.length <= STUB and line.ends[1 - which] == FREE


# --- painted heads --------------------------------------------------------------------------------------------------


def painted_heads(
    blobs: Sequence[Blob], lines: Sequence[Branch], half: float
) -> tuple[list[Outline], set[int], set[int]]:
    """Return heads at thick places, the branches that are only their wings, and the nodes that are heads."""
    arms = arms_of(lines)
    heads, wings, nodes = [], set[int](), set[int]()
    for blob in blobs:
        own = arms.get(blob.node, [])
        head, used = _painted(blob, own, lines, half)
        if head is not None:
            heads.append(head)
            wings |= used
            nodes.add(blob.node)
    others = [blob for blob in blobs if blob.node not in nodes]
    for blob in others:
        more = _side_by_side(blob, arms.get(blob.node, []), lines, heads, half)
        heads += more
        nodes |= {blob.node} if more else set()
    return heads, wings, nodes


def _side_by_side(
    blob: Blob, arms: Sequence[Arm], lines: Sequence[Branch], heads: Sequence[Outline], half: float
) -> list[Outline]:
    """Return heads that touch each other, as large as the figure's others, if all lines come from one side."""
    shafts = _shafts(arms, lines)
    if len(shafts) < 2 or not heads:
        return []
    ways = [lines[arm.branch].heading(arm.which, half, 0.6 * EM) for arm in shafts]
    if any(angle(one, other) > ONE_SIDE for one, other in combinations(ways, 2)):
        return []
    long = float(np.median([math.dist(head.points[0], midpoint(*head.points[1:])) for head in heads]))
    wide = float(np.median([math.dist(*head.points[1:]) for head in heads]))
    ends = [point_of(lines[arm.branch].points[-arm.which]) for arm in shafts]
    if any(math.dist(one, other) < NEXT * wide for one, other in combinations(ends, 2)):
        return []
    row = []
    for (x, y), way in zip(ends, ways, strict=True):
        ahead = (blob.points - (x, y)) @ np.array(way)
        if float(ahead.max()) < AS_LONG * long:
            return []
        row.append(triangle((x + long * way[0], y + long * way[1]), (x, y), 0.5 * wide))
    return row


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
    head = _tapered(points, shafts, lines, half, least=math.inf if len(shafts) == 1 else TAPER)
    return (head, used) if head is not None else (None, set())


def _tapered(
    points: Line, shafts: Sequence[Arm], lines: Sequence[Branch], half: float, least: float = TAPER
) -> Outline | None:
    """Return the head along the branch in whose direction a thick place narrows most, if to less than `least`."""
    best: tuple[float, Outline] | None = None
    for arm in shafts:
        taper, head = _along(points, lines[arm.branch].heading(arm.which, half, 0.6 * EM))
        if head is not None and (best is None or taper < best[0]):
            best = (taper, head)
    return best[1] if best is not None and best[0] < least else None


def _shafts(arms: Sequence[Arm], lines: Sequence[Branch]) -> list[Arm]:
    """Return the branches that may be a head's line: not the spurs of its corners."""
    long = [arm for arm in arms if lines[arm.branch].length > 0.2 * EM]
    longest = max((lines[arm.branch].length for arm in long), default=0.0)
    least = min(STUB, 0.5 * longest)
    return [arm for arm in long if lines[arm.branch].length > least or lines[arm.branch].ends[1 - arm.which] != FREE]


def _along(points: Line, along: Point) -> tuple[float, Outline | None]:
    """Return how much a thick place narrows along a direction (front half's width by back half's), and its head."""
    axis = np.array(along)
    ahead = points @ axis
    across = points @ np.array([-along[1], along[0]])
    first, last = float(ahead.min()), float(ahead.max())
    long = last - first
    if long < SMALLEST / 2:
        return math.inf, None
    middle = float(np.median(across))
    front, back = across[ahead > first + 0.6 * long], across[ahead < first + 0.4 * long]
    widths = [float(np.ptp(part)) + 1.0 if part.size else 1.0 for part in (front, back)]
    wide = float(np.ptp(across)) + 1.0
    missing = max(0.0, SHORTEST * wide - long)
    tip, tail = _at(along, last + 0.5 * missing, middle), _at(along, first - 0.5 * missing, middle)
    return widths[0] / widths[1], triangle(tip, tail, 0.5 * wide)


def _at(along: Point, ahead: float, aside: float) -> Point:
    return ahead * along[0] - aside * along[1], ahead * along[1] + aside * along[0]


def triangle(tip: Point, back: Point, half: float) -> Outline:
    """Return a head as one painted triangle that can be read one way only."""
    dx, dy = unit(back, tip)
    half = min(half, 0.36 * math.dist(tip, back))
    wings = ((back[0] - half * dy, back[1] + half * dx), (back[0] + half * dy, back[1] - half * dx))
    return Outline(points=(tip, *wings), closed=True, filled=True)


def _alone(points: Line) -> Outline | None:
    corners, filled = enclosing_triangle(points)
    longest = max((math.dist(one, other) for one, other in combinations(corners, 2)), default=math.inf)
    if filled < 0.6 or longest > 3.2 * EM:
        return None
    return Outline(points=tuple(corners), closed=True, filled=True)


def enclosing_triangle(points: Line) -> tuple[list[Point], float]:
    area, corners = cv2.minEnclosingTriangle(points.reshape(-1, 1, 2).astype(np.float32))
    if corners is None or area <= 0:
        return [], 0.0
    hull = cv2.convexHull(points.reshape(-1, 1, 2).astype(np.float32))
    return [point_of(corner) for corner in np.asarray(corners, float).reshape(3, 2)], float(
        cv2.contourArea(hull) / area
    )

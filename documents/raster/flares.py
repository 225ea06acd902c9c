"""Small heads at the rims of nodes, whose tips were removed with the rim: a line that widens to both sides at its end.

Runs in a child only."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from documents.proposals.shapes import Outline, Point
from documents.raster.arrowheads import triangle
from documents.raster.ink import EM, pixels_of
from documents.raster.skeleton import FREE, Branch, Line, point_of
from documents.raster.words import Ink

SHAFT = 0.8 * EM  # a line that may end in a head is at least so long
AT_RIM = 0.5 * EM
WINDOW = 0.6 * EM
BEFORE, BEYOND = 0.4 * EM, 0.25 * EM  # where wings lie, seen from a line's end
WIDER = 0.09 * EM  # than the line itself, on either side
SKETCHED, FEW_HEADS = 2 * EM, 0.5  # least length of a line; most heads, as a share of such lines
LONG, HALF = 0.32 * EM, 0.14 * EM  # of the resulting head


def flared_ends(
    lines: Sequence[Branch], used: set[int], ink: Ink, half: float, nodes: Sequence[Outline], heads: Sequence[Outline]
) -> tuple[list[Outline], set[int]]:
    """Return heads at ends of lines near nodes, and the places of the branches that are their wings.

    `used`: branches that are wings of other heads."""
    rims = [np.array(node.points, np.float32).reshape(-1, 1, 2) for node in nodes]
    tips = [np.mean(head.points, axis=0) for head in heads]
    flared: list[Outline] = []
    wings: set[int] = set()
    for place, line in enumerate(lines):
        if place in used or line.length < SHAFT:
            continue
        for which in (0, 1):
            tip = point_of(line.points[-which])
            if any(math.dist(tip, head) < 0.7 * EM for head in tips) or not any(
                cv2.pointPolygonTest(rim, tip, measureDist=True) > -AT_RIM for rim in rims
            ):
                continue
            along = line.heading(which, 0.3 * EM, 0.6 * EM)
            if not _widens(ink, _others(lines, place, tip), tip, along, half):
                continue
            ahead = (tip[0] + 0.1 * EM * along[0], tip[1] + 0.1 * EM * along[1])
            back = (ahead[0] - LONG * along[0], ahead[1] - LONG * along[1])
            flared.append(triangle(ahead, back, HALF))
            wings |= set(_stubs(lines, place, tip))
    return flared, wings


def sketched_ends(lines: Sequence[Line], heads: Sequence[Outline], ink: Ink, half: float) -> list[Outline]:
    """Return heads where lines widen at one end only, in a figure most of whose lines have no other head: drawn with a
    pen or a brush, wings merge with their line or miss it."""
    branches = [Branch(line, [FREE, FREE]) for line in lines]
    long = [place for place, line in enumerate(branches) if line.length > SKETCHED]
    tips = [np.mean(head.points, axis=0) for head in heads]
    if len(heads) > FEW_HEADS * len(long):
        return []
    sketched = []
    for place in long:
        ends = [point_of(branches[place].points[-which]) for which in (0, 1)]
        if any(math.dist(end, tip) < EM for end in ends for tip in tips):
            continue
        ways = [branches[place].heading(which, 0.3 * EM, 0.6 * EM) for which in (0, 1)]
        widens = [_widens(ink, _others(branches, place, ends[at]), ends[at], ways[at], half) for at in (0, 1)]
        if widens[0] != widens[1]:
            (x, y), (dx, dy) = ends[widens.index(True)], ways[widens.index(True)]
            tip = (x + 0.1 * EM * dx, y + 0.1 * EM * dy)
            sketched.append(triangle(tip, (tip[0] - LONG * dx, tip[1] - LONG * dy), HALF))
    return sketched


def _others(lines: Sequence[Branch], own: int, tip: Point) -> Iterator[Line]:
    for place, line in enumerate(lines):
        if place != own and line.length >= SHAFT:
            near = line.points[(np.abs(line.points - tip) < WINDOW + EM).all(axis=1)]
            if len(near) > 1:
                yield near


def _widens(ink: Ink, others: Iterator[Line], tip: Point, along: Point, half: float) -> bool:
    """Return True if ink lies on both sides of a line's last stretch, away from other lines."""
    window = pixels_of((*tip, *tip), ink, WINDOW)
    part = ink[window].astype(np.uint8)
    corner = np.array([window[1].start, window[0].start])
    for line in others:
        places = (line - corner).round().astype(np.int32)
        cv2.polylines(part, [places], isClosed=False, color=0, thickness=2 * math.ceil(half) + 3)
    ys, xs = np.nonzero(part)
    from_tip = np.stack([xs, ys], axis=1) + corner - np.array(tip)
    ahead = from_tip @ np.array(along)
    across = from_tip @ np.array([-along[1], along[0]])
    across = across[(ahead > -BEFORE) & (ahead < BEYOND)]
    wide = half + WIDER
    return bool((across > wide).sum() >= 3 and (across < -wide).sum() >= 3)


def _stubs(lines: Sequence[Branch], own: int, tip: Point) -> Iterator[int]:
    for place, line in enumerate(lines):
        if place == own or line.length > 0.6 * EM or FREE not in line.ends:
            continue
        if min(math.dist(tip, point_of(line.points[end])) for end in (0, -1)) < 0.45 * EM:
            yield place

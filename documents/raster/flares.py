"""Small heads at the rims of nodes, whose tips were removed with the rim: a line that widens to both sides at its end.

Runs in a child only."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from documents.proposals.shapes import Outline, Point
from documents.raster.arrowheads import triangle
from documents.raster.doubts import Seam
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
HIDDEN = 1.5 * EM  # least length of a line whose head is hidden
STRAY = 0.05 * EM  # beyond a line's own thickness, from which ink at its end is part of a head
LEAST_STRAY, MORE = 12, 3  # pixels of a hidden head; by which factor they exceed those at the other end

HIDDEN_HEAD = "Its head is partly hidden by the node; check its direction."


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
            flared.append(_head(line, which))
            wings |= set(_stubs(lines, place, tip))
    return flared, wings


def sketched_ends(lines: Sequence[Line], heads: Sequence[Outline], ink: Ink, half: float) -> list[Outline]:
    """Return heads where lines widen at one end only, in a figure most of whose lines have no other head: drawn with a
    pen or a brush, wings merge with their line or miss it. Where most widen so, one that is thicker on one side of its
    end has its head there."""
    branches = [Branch(line, [FREE, FREE]) for line in lines]
    long = [place for place, line in enumerate(branches) if line.length > SKETCHED]
    tips = [np.mean(head.points, axis=0) for head in heads]
    if len(heads) > FEW_HEADS * len(long):
        return []
    wide: dict[int, int] = {}
    thick: dict[int, int] = {}
    for place in long:
        ends = [point_of(branches[place].points[-which]) for which in (0, 1)]
        if any(math.dist(end, tip) < EM for end in ends for tip in tips):
            continue
        ways = [branches[place].heading(which, 0.3 * EM, 0.6 * EM) for which in (0, 1)]
        widens = [_widens(ink, _others(branches, place, ends[at]), ends[at], ways[at], half) for at in (0, 1)]
        if widens[0] != widens[1]:
            wide[place] = widens.index(True)
        elif (at := _thicker(branches, place, ink, half)) is not None:
            thick[place] = at
    sure = len(heads) + len(wide) > FEW_HEADS * len(long)
    return [_head(branches[place], at) for place, at in (wide | thick if sure else wide).items()]


def hidden_heads(
    lines: Sequence[Line], heads: Sequence[Outline], ink: Ink, half: float, nodes: Sequence[Outline]
) -> tuple[list[Outline], list[Seam]]:
    """Return heads of lines that have none and begin or end at a node: where a node covers most of a head, the line is
    a little thicker than at its other end, often on one side only."""
    rims = [np.array(node.points, np.float32).reshape(-1, 1, 2) for node in nodes]
    tips = [np.mean(head.points, axis=0) for head in heads]
    branches = [Branch(line, [FREE, FREE]) for line in lines]
    hidden: list[Outline] = []
    for place, line in enumerate(branches):
        ends = [point_of(line.points[-which]) for which in (0, 1)]
        if line.length < HIDDEN or any(math.dist(end, tip) < 1.6 * EM for end in ends for tip in tips):
            continue
        at = _thicker(branches, place, ink, half)
        if at is None:
            continue
        if any(cv2.pointPolygonTest(rim, ends[at], measureDist=True) > -AT_RIM for rim in rims):
            hidden.append(_head(line, at))
    return hidden, [Seam(head.points[0], HIDDEN_HEAD) for head in hidden]


def _head(line: Branch, which: int) -> Outline:
    (x, y), (dx, dy) = point_of(line.points[-which]), line.heading(which, 0.3 * EM, 0.6 * EM)
    tip = (x + 0.1 * EM * dx, y + 0.1 * EM * dy)
    return triangle(tip, (tip[0] - LONG * dx, tip[1] - LONG * dy), HALF)


def _others(lines: Sequence[Branch], own: int, tip: Point) -> Iterator[Line]:
    for place, line in enumerate(lines):
        if place != own and line.length >= SHAFT:
            near = line.points[(np.abs(line.points - tip) < WINDOW + EM).all(axis=1)]
            if len(near) > 1:
                yield near


def _widens(ink: Ink, others: Iterator[Line], tip: Point, along: Point, half: float) -> bool:
    """Return True if ink lies on both sides of a line's last stretch, away from other lines."""
    across = _across(ink, others, tip, along, half)
    wide = half + WIDER
    return bool((across > wide).sum() >= 3 and (across < -wide).sum() >= 3)


def _thicker(lines: Sequence[Branch], place: int, ink: Ink, half: float) -> int | None:
    """Return the end of a line with clearly more ink next to its last stretch than the other end; None if neither."""
    stray = []
    for which in (0, 1):
        tip = point_of(lines[place].points[-which])
        along = lines[place].heading(which, 0.3 * EM, 0.6 * EM)
        aside = np.abs(_across(ink, _others(lines, place, tip), tip, along, half))
        stray.append(int(((aside > half + STRAY) & (aside < half + 0.3 * EM)).sum()))
    at = int(stray[1] > stray[0])
    return at if stray[at] >= LEAST_STRAY and stray[at] > MORE * stray[1 - at] else None


def _across(ink: Ink, others: Iterator[Line], tip: Point, along: Point, half: float) -> NDArray[np.float64]:
    """Return how far to the side of a line's last stretch its ink lies, without other lines."""
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
    return np.asarray(across[(ahead > -BEFORE) & (ahead < BEYOND)])


def _stubs(lines: Sequence[Branch], own: int, tip: Point) -> Iterator[int]:
    for place, line in enumerate(lines):
        if place == own or line.length > 0.6 * EM or FREE not in line.ends:
            continue
        if min(math.dist(tip, point_of(line.points[end])) for end in (0, -1)) < 0.45 * EM:
            yield place

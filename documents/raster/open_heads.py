"""Arrowheads that are not painted: short wings at a line's end, hollow triangles; and arrows that are one outline.

Runs in a child only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from documents.proposals.lines.blocks import block_arrow
from documents.proposals.lines.strokes import is_vee
from documents.proposals.shapes import Outline, Point, angle, midpoint, unit
from documents.raster.arrowheads import Arm, enclosing_triangle, triangle
from documents.raster.ink import EM
from documents.raster.skeleton import FREE, Branch, point_of
from documents.raster.words import Ink

WINGS = (12.0, 80.0)  # degrees between a wing and its line
THICK_ARROW = 0.2 * EM  # a line thinner than that is followed, and its head detected by itself
APART = 0.15 * EM  # between an open head's tip and its line, which then ends between the wings


def open_heads(lines: Sequence[Branch], known_wings: set[int], half: float) -> tuple[list[Outline], set[int]]:
    """Return heads of two short wings and a line that meet at a tip, or would but for a removed frame; and the places
    of the wings."""
    ends = [(Arm(place, which), line.points[-which]) for place, line in enumerate(lines) for which in (0, 1)]
    ends = [(arm, point) for arm, point in ends if arm.branch not in known_wings]
    tips = np.array([point for _, point in ends]) if ends else np.zeros((0, 2))
    pairs = []
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
                pairs.append((cost, arm, one, other))
    heads, used = [], set[int]()
    for _, arm, one, other in sorted(pairs, key=lambda each: each[0]):
        if not {arm.branch, one.branch, other.branch} & used:
            used |= {one.branch, other.branch}
            end = point_of(lines[arm.branch].points[-arm.which])
            near_tip = [point_of(lines[each.branch].points[-each.which]) for each in (one, other)]
            far = [point_of(lines[each.branch].points[each.which - 1]) for each in (one, other)]
            is_apart = math.dist(end, midpoint(*near_tip)) > APART
            tip = midpoint(*near_tip) if is_apart else point_of(np.mean([end, *near_tip], axis=0))
            if not is_apart and is_vee((far[0], tip, far[1])):
                heads.append(Outline(points=(far[0], tip, far[1])))
            else:  # as drawn by hand, with wings of two lengths
                heads.append(triangle(tip, midpoint(*far), 0.5 * math.dist(*far)))
    return heads, used


def parted_wings(lines: list[Branch], known_wings: set[int], half: float) -> None:
    """Part the wings of open heads whose line ends before their tip: they are one bent stroke."""
    longer = [place for place, line in enumerate(lines) if place not in known_wings and line.length > 0.8 * EM]
    tips = np.array([lines[place].points[-which] for place in longer for which in (0, 1)]).reshape(-1, 2)
    for place, line in enumerate(lines):
        if place in known_wings or line.ends != [FREE, FREE] or not 0.3 * EM < line.length < 2.4 * EM:
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
    """Return how unlike two wings are; None if they lie on one side or do not turn back."""
    tips = [(lines[arm.branch].points[-arm.which], lines[arm.branch].points[arm.which - 1]) for arm in (one, other)]
    ways = [unit(point_of(tip), point_of(end)) for tip, end in tips]
    opened = [angle(way, (-along[0], -along[1])) for way in ways]
    sides = [along[0] * way[1] - along[1] * way[0] > 0 for way in ways]
    short, long = sorted(lines[arm.branch].length for arm in (one, other))
    uneven = abs(opened[0] - opened[1])
    is_pair = sides[0] != sides[1] and all(WINGS[0] < each < WINGS[1] for each in opened)
    return uneven + 30 * (1 - short / long) if is_pair and short > 0.5 * long and uneven < 35 else None


def hollow_heads(ink: Ink) -> Ink:
    """Return the white inside of hollow heads: small triangles with at most three lines out of them, since three lines
    that cross enclose a triangle too, with six."""
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
    x, y = hole.mean(axis=0)
    radius = float(np.hypot(*(hole - (x, y)).T).max()) + 0.2 * EM
    turns = np.linspace(0, 2 * math.pi, max(40, int(4 * radius)), endpoint=False)
    xs = np.clip((x + radius * np.cos(turns)).round().astype(int), 0, ink.shape[1] - 1)
    ys = np.clip((y + radius * np.sin(turns)).round().astype(int), 0, ink.shape[0] - 1)
    on = ink[ys, xs].astype(int)
    return int((np.diff(np.append(on, on[0])) == 1).sum())


def whole_arrows(ink: Ink, skeleton: Ink, depth: NDArray[np.float32]) -> list[Outline]:
    """Return thick arrows that touch nothing else, as outlines; they are removed from the ink and the skeleton."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    arrows = []
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
            arrows.append(Outline(points=corners, closed=True, filled=True))
            ink[window][part] = False
            skeleton[window][part] = False
    return arrows


def _arrow_of(contour: NDArray[np.int32]) -> tuple[Point, ...] | None:
    for tolerance in (0.04, 0.06, 0.08, 0.1):
        corners = cv2.approxPolyDP(contour, tolerance * EM, closed=True)[:, 0].astype(float)
        points = tuple(point_of(corner) for corner in corners)
        if block_arrow(points) is not None:
            return points
    return None

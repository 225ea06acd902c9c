"""Delay marks in ink: two short parallel strokes across a line, close together. Where they cross it the ink is thick,
and their ends look like wings; so they are removed before heads are searched for. Runs in a child only."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from documents.proposals.shapes import Outline, Point, angle
from documents.raster.arrowheads import Arm, arms_of
from documents.raster.ink import EM
from documents.raster.skeleton import FREE, Branch, point_of

STROKE = 0.18 * EM, 0.8 * EM  # from the line to one end of a stroke
EVEN = 0.55  # the shorter side of a stroke, as a share of the longer one
OPPOSITE = 150.0  # degrees between the two sides of a stroke, at least
ACROSS = 40.0  # degrees between a stroke and the line, at least
PARALLEL = 25.0
APART = 0.7 * EM  # between the middles of what two strokes leave of a line


@dataclass(frozen=True, slots=True)
class DelayMarks:
    strokes: tuple[Outline, ...]
    branches: frozenset[int]  # that are their halves
    nodes: Mapping[int, int]  # where they cross lines, each with the node that its mark becomes


@dataclass(frozen=True, slots=True)
class _Stroke:
    node: int
    one: Arm
    other: Arm
    way: Point


def delay_marks(lines: Sequence[Branch]) -> DelayMarks:
    """Return the pairs of strokes across one line; a single one is none."""
    arms = arms_of(lines)
    across = {node: list(_strokes(node, own, lines)) for node, own in arms.items()}
    middles = {
        node: point_of(np.mean([lines[arm.branch].points[-arm.which] for arm in arms[node]], axis=0))
        for node, own in across.items()
        if own
    }
    paired: list[_Stroke] = []
    nodes: dict[int, int] = {}
    for node, middle in middles.items():
        near = [each for each, other in middles.items() if each >= node and math.dist(middle, other) < APART]
        others = [stroke for each in near for stroke in across[each]]
        for stroke in across[node]:
            twin = next(
                (
                    each
                    for each in others
                    if not bool({stroke.one, stroke.other} & {each.one, each.other})
                    and _slant(stroke.way, each.way) < PARALLEL
                ),
                None,
            )
            if twin is not None:
                paired += [stroke, twin]
                nodes[twin.node] = nodes.setdefault(node, node)
    unique = {stroke.one: stroke for stroke in paired}
    outlines: list[Outline] = []
    for order, stroke in enumerate(unique.values()):
        one, other = (point_of(lines[arm.branch].points[arm.which - 1]) for arm in (stroke.one, stroke.other))
        outlines.append(Outline(points=(one, other), order=10 * order))
    return DelayMarks(
        strokes=tuple(outlines),
        branches=frozenset(arm.branch for stroke in unique.values() for arm in (stroke.one, stroke.other)),
        nodes=nodes,
    )


def _strokes(node: int, own: Sequence[Arm], lines: Sequence[Branch]) -> Iterator[_Stroke]:
    """Yield the strokes that cross a line at a node: two free ends opposite each other, at an angle to the rest."""
    halves = [
        arm
        for arm in own
        if lines[arm.branch].ends[1 - arm.which] == FREE and STROKE[0] < lines[arm.branch].length < STROKE[1]
    ]
    headings = {arm: lines[arm.branch].heading(arm.which, 0.0, 0.3 * EM) for arm in own}
    ways = {arm: (-x, -y) for arm, (x, y) in headings.items()}
    rest = [arm for arm in own if arm not in halves]
    if not 1 <= len(rest) <= 2 or not 2 <= len(halves) <= 4:
        return
    for one, other in combinations(halves, 2):
        short, long = sorted(lines[arm.branch].length for arm in (one, other))
        turned = min((_slant(ways[one], ways[arm]) for arm in rest), default=0.0)
        if short > EVEN * long and angle(ways[one], ways[other]) > OPPOSITE and turned > ACROSS:
            yield _Stroke(node, one, other, ways[one])


def _slant(one: Point, other: Point) -> float:
    turned = angle(one, other)
    return min(turned, 180 - turned)

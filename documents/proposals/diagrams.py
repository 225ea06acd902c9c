"""Geometry of an arrow between two labels: its ends, its sign and its delay mark. Pure.

An arrow is a quadratic curve from centre to centre, cut at the labels' boxes. y grows downwards, so "right" of an
arrow, as its traveller sees it, is (-dy, dx)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from documents.rects import Rect, grown

Point = tuple[float, float]
STEPS = 400
SIGN_BACK, SIGN_ASIDE = 13.0, 7.0  # points from the arrow's tip along it, and away from it


@dataclass(frozen=True, slots=True)
class DrawnArrow:
    """A cut arrow: a quadratic curve."""

    start: Point
    control: Point
    tip: Point
    side: int  # of its bulge: 1 right, -1 left

    def at(self, t: float) -> Point:
        return _quadratic(self.start, self.control, self.tip, t)

    def heading(self, t: float) -> Point:
        (x0, y0), (x1, y1), (x2, y2) = self.start, self.control, self.tip
        dx = (1 - t) * (x1 - x0) + t * (x2 - x1)
        dy = (1 - t) * (y1 - y0) + t * (y2 - y1)
        return _unit(dx, dy)

    def back_from_tip(self, distance: float) -> float:
        """Return the t at which the arrow is still `distance` points from its tip."""
        for step in range(STEPS, -1, -1):
            if math.dist(self.at(step / STEPS), self.tip) >= distance:
                return step / STEPS
        return 0.0

    def cubic(self, end: float = 1.0) -> tuple[Point, Point, Point, Point]:
        start, control, tip = self.start, _blend(self.start, self.control, end), self.at(end)
        return start, _blend(start, control, 2 / 3), _blend(tip, control, 2 / 3), tip

    def head(self, length: float, half_width: float) -> tuple[Point, Point, Point]:
        dx, dy = self.heading(self.back_from_tip(length / 2))
        x, y = self.tip[0] - dx * length, self.tip[1] - dy * length
        return self.tip, (x - dy * half_width, y + dx * half_width), (x + dy * half_width, y - dx * half_width)

    def sign_place(self, *, inner: bool = False) -> Point:
        """Return the centre of the sign: next to the head, on the outer side of the bend unless `inner`."""
        side = -self.side if inner else self.side
        t = self.back_from_tip(SIGN_BACK)
        (x, y), (dx, dy) = self.at(t), self.heading(t)
        return x - dy * SIGN_ASIDE * side, y + dx * SIGN_ASIDE * side

    def delay_strokes(self, length: float = 10.0, gap: float = 3.4) -> tuple[tuple[Point, Point], ...]:
        """Return two short strokes across the middle."""
        (x, y), (dx, dy) = self.at(0.5), self.heading(0.5)
        half = length / 2
        strokes = []
        for along in (-gap / 2, gap / 2):
            cx, cy = x + dx * along, y + dy * along
            strokes.append(((cx - dy * half, cy + dx * half), (cx + dy * half, cy - dx * half)))
        return tuple(strokes)


def arrow_between(source: Rect, sink: Rect, bend: float = 0.0, shift: float = 0.0, gap: float = 3.0) -> DrawnArrow:
    """Return the arrow from one box to another, `gap` points off both; see DemoEdge for bend and shift."""
    start, tip = _centre(source), _centre(sink)
    dx, dy = _unit(tip[0] - start[0], tip[1] - start[1])
    start = (start[0] - dy * shift, start[1] + dx * shift)
    tip = (tip[0] - dy * shift, tip[1] + dx * shift)
    bulge = 2 * bend * math.dist(start, tip)  # a quadratic reaches half way to its control point
    control = ((start[0] + tip[0]) / 2 - dy * bulge, (start[1] + tip[1]) / 2 + dx * bulge)
    leaves = _last_inside(start, control, tip, grown(source, gap), range(STEPS + 1))
    enters = _last_inside(start, control, tip, grown(sink, gap), range(STEPS, -1, -1))
    # The part of the curve between these two, by de Casteljau's algorithm.
    middle = _blend(_blend(start, control, leaves), _blend(control, tip, leaves), enters)
    first, last = _quadratic(start, control, tip, leaves), _quadratic(start, control, tip, enters)
    return DrawnArrow(first, middle, last, 1 if bend > 0 else -1)


def _last_inside(start: Point, control: Point, tip: Point, box: Rect, steps: range) -> float:
    for step in steps:
        x, y = _quadratic(start, control, tip, step / STEPS)
        if not (box[0] <= x <= box[2] and box[1] <= y <= box[3]):
            return step / STEPS
    return 0.5


def _quadratic(start: Point, control: Point, tip: Point, t: float) -> Point:
    return _blend(_blend(start, control, t), _blend(control, tip, t), t)


def _blend(one: Point, other: Point, share: float) -> Point:
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def _unit(dx: float, dy: float) -> Point:
    length = math.hypot(dx, dy) or 1.0
    return dx / length, dy / length


def _centre(box: Rect) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2

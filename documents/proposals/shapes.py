"""Drawn lines as points, and the plane geometry that reading arrows needs. Pure; lengths in points, y downwards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from documents.rects import Rect

Point = tuple[float, float]
Colour = tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Outline:
    """One run of the pen. Béziers arrive flattened."""

    points: tuple[Point, ...]
    closed: bool = False  # returns to its start, which is not repeated
    filled: bool = False
    stroked: bool = True
    curved: bool = False  # contains a Bézier
    dashed: bool = False
    colour: Colour = (0.0,)
    width: float = 1.0
    order: int = 0  # place of its path in the drawing's order

    @cached_property
    def box(self) -> Rect:
        return box_of(self.points)

    @property
    def length(self) -> float:
        return length_of(self.points)

    @property
    def is_painted(self) -> bool:
        """Return True if filled and without a rim, as letters, heads and lines painted as areas are."""
        return self.closed and self.filled and not self.stroked


def box_of(points: Iterable[Point]) -> Rect:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def holds(box: Rect, point: Point) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def centre(box: Rect) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def size(box: Rect) -> float:
    return max(box[2] - box[0], box[3] - box[1])


def corners(box: Rect) -> tuple[Point, ...]:
    x0, y0, x1, y1 = box
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def length_of(points: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(points))


def unit(start: Point, end: Point) -> Point:
    """Return the direction from start to end; (0, 0) if they are equal."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    return (dx / length, dy / length) if length > 1e-9 else (0.0, 0.0)


def angle(one: Point, other: Point) -> float:
    """Return the degrees between two directions, 0 to 180."""
    dot = one[0] * other[0] + one[1] * other[1]
    cross = one[0] * other[1] - one[1] * other[0]
    return abs(math.degrees(math.atan2(cross, dot)))


def midpoint(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def area_of(points: Sequence[Point]) -> float:
    """Return the area of a polygon (shoelace formula), without sign."""
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)) / 2


def hull(points: Iterable[Point]) -> list[Point]:
    """Return the convex hull (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def half(run: Iterable[Point]) -> list[Point]:
        chain: list[Point] = []
        for point in run:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return half(ordered) + half(reversed(ordered))


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def nearest_on(a: Point, b: Point, point: Point) -> Point:
    """Return the point of segment a-b nearest to a point."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    squared = dx * dx + dy * dy
    if squared < 1e-12:
        return a
    t = max(0.0, min(1.0, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / squared))
    return a[0] + t * dx, a[1] + t * dy


def nearest_of_line(points: Sequence[Point], point: Point) -> Point:
    """Return the point of a line of segments nearest to a point; written out, since a figure calls it 10,000 times."""
    x, y = point
    (x0, y0), nearest, least = points[0], points[0], math.inf
    for x1, y1 in points[1:]:
        dx, dy = x1 - x0, y1 - y0
        squared = dx * dx + dy * dy
        along = ((x - x0) * dx + (y - y0) * dy) / squared if squared >= 1e-12 else 0.0
        along = 0.0 if along < 0.0 else 1.0 if along > 1.0 else along
        near_x, near_y = x0 + along * dx, y0 + along * dy
        apart = (near_x - x) * (near_x - x) + (near_y - y) * (near_y - y)
        if apart < least:
            least, nearest = apart, (near_x, near_y)
        x0, y0 = x1, y1
    return nearest


def inside(polygon: Sequence[Point], point: Point) -> bool:
    x, y = point
    is_within = False
    for (x0, y0), (x1, y1) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            is_within = not is_within
    return is_within


def nearest_of_polygon(polygon: Sequence[Point], point: Point) -> Point:
    """Return the point of a filled polygon nearest to a point: the point itself if it lies inside."""
    return point if inside(polygon, point) else nearest_of_line([*polygon, polygon[0]], point)


def cross(a: Point, b: Point, c: Point, d: Point) -> Point | None:
    """Return the crossing of segments a-b and c-d, None if they do not cross."""
    denominator = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if abs(denominator) < 1e-9:
        return None
    t = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / denominator
    s = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / denominator
    return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) if 0 <= t <= 1 and 0 <= s <= 1 else None


def back_along(points: Sequence[Point], distance: float) -> Point:
    """Return the point `distance` before the last one, along the line; the first point if the line is shorter."""
    left = distance
    for later, earlier in zip(reversed(points), list(reversed(points))[1:], strict=False):
        step = math.dist(later, earlier)
        if step >= left > 0:
            share = left / step
            return later[0] + (earlier[0] - later[0]) * share, later[1] + (earlier[1] - later[1]) * share
        left -= step
    return points[0]


def flattened(a: Point, b: Point, c: Point, d: Point, steps: int = 14) -> list[Point]:
    """Return points of a cubic Bézier without its start."""
    points = []
    for step in range(1, steps + 1):
        t = step / steps
        p, q, r, s = (1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3
        points.append((p * a[0] + q * b[0] + r * c[0] + s * d[0], p * a[1] + q * b[1] + r * c[1] + s * d[1]))
    return points


def enough_steps(a: Point, b: Point, c: Point, d: Point, most: int = 14) -> int:
    """Return the steps for a cubic Bézier to bend by 7 degrees at each and to lie within a twentieth of a point of it.
    Browsers draw a circle as sixteen curves, which need few steps each."""
    ways = [way for way in (unit(a, b), unit(b, c), unit(c, d)) if way != (0.0, 0.0)]
    turn = sum(angle(one, other) for one, other in pairwise(ways))
    bends = (math.hypot(p[0] - 2 * q[0] + r[0], p[1] - 2 * q[1] + r[1]) for p, q, r in ((a, b, c), (b, c, d)))
    return max(1, min(most, math.ceil(max(turn / 7, math.sqrt(0.75 * max(bends) / 0.05)))))


def simplified(points: Sequence[Point], tolerance: float) -> list[Point]:
    """Simplify a line at a tolerance (Douglas and Peucker); both ends stay."""
    if len(points) < 3:
        return list(points)
    a, b = points[0], points[-1]
    far, place = max(
        (math.dist(nearest_on(a, b, point), point), place) for place, point in enumerate(points[1:-1], start=1)
    )
    if far <= tolerance:
        return [a, b]
    return simplified(points[: place + 1], tolerance)[:-1] + simplified(points[place:], tolerance)


def node_shapes(outlines: Sequence[Outline], frame: Rect) -> list[Outline]:
    """Return closed, bulging outlines that could contain a name (boxes, ellipses, hexagons); twins only once."""
    most = 0.5 * (frame[2] - frame[0]) * (frame[3] - frame[1])
    by_box: dict[tuple[int, ...], Outline] = {}
    for outline in outlines:
        x0, y0, x1, y1 = outline.box
        if not outline.closed or min(x1 - x0, y1 - y0) < 4 or (x1 - x0) * (y1 - y0) > most:
            continue
        area = area_of(outline.points)
        if area > 0.45 * (x1 - x0) * (y1 - y0) and area > 0.92 * area_of(hull(outline.points)):
            by_box.setdefault(tuple(round(value) for value in outline.box), outline)
    return list(by_box.values())

"""Boxes on a page: (x0, y0, x1, y1) in points of the displayed page, y grows downwards."""

from __future__ import annotations

from collections.abc import Iterable

Rect = tuple[float, float, float, float]


def union(boxes: Iterable[Rect]) -> Rect:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def join(one: Rect, other: Rect) -> Rect:
    return union((one, other))


def meet(one: Rect, other: Rect) -> Rect:
    return (max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]))


def grown(box: Rect, by: float) -> Rect:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def area(box: Rect) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def touch(one: Rect, other: Rect) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def is_inside(inner: Rect, outer: Rect, slack: float) -> bool:
    wide = grown(outer, slack)
    return wide[0] <= inner[0] and wide[1] <= inner[1] and inner[2] <= wide[2] and inner[3] <= wide[3]


def overlap(one: Rect, other: Rect, axis: int) -> float:
    """Return the length shared on the x axis (0) or y axis (1)."""
    return min(one[axis + 2], other[axis + 2]) - max(one[axis], other[axis])

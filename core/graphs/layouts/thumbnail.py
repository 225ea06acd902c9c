"""A graph as a small picture: its boxes and lines at their positions, without names."""

from __future__ import annotations

from collections.abc import Sequence

from core.graphs.labels import LabelSize
from core.graphs.layouts.layout import Point

_MARGIN = 12.0
_SHAPE = (92, 60)  # width and height in lists, in pixels, so that a line is 1 px


def thumbnail_svg(boxes: Sequence[tuple[Point, LabelSize]], edges: Sequence[tuple[int, int]]) -> str:
    """Return the picture as SVG, on white in the dark theme too; `edges` are places in `boxes`, and a self-loop is not
    drawn.

    >>> box = LabelSize(40, 20)
    >>> thumbnail_svg([(Point(0, 0), box), (Point(100, 0), box)], [(0, 1)]).count("<rect")
    2
    """
    left = min((point.x - size.width / 2 for point, size in boxes), default=0) - _MARGIN
    top = min((point.y - size.height / 2 for point, size in boxes), default=0) - _MARGIN
    width = max((point.x + size.width / 2 for point, size in boxes), default=0) + _MARGIN - left
    height = max((point.y + size.height / 2 for point, size in boxes), default=0) + _MARGIN - top
    line = max(width / _SHAPE[0], height / _SHAPE[1], 1)
    ends = ((boxes[source][0], boxes[sink][0]) for source, sink in edges if source != sink)
    path = "".join(f"M{a.x:.0f} {a.y:.0f}L{b.x:.0f} {b.y:.0f}" for a, b in ends)
    rects = "".join(
        f'<rect x="{point.x - size.width / 2:.0f}" y="{point.y - size.height / 2:.0f}" '
        f'width="{size.width:.0f}" height="{size.height:.0f}"/>'
        for point, size in boxes
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SHAPE[0]}" height="{_SHAPE[1]}" '
        f'viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}">'
        f'<path d="M{left:.0f} {top:.0f}h{width:.0f}v{height:.0f}h-{width:.0f}z" fill="#fff"/>'
        f'<g fill="#fff" stroke="#4a4f54" stroke-width="{line:.1f}"><path d="{path}" fill="none"/>{rects}</g></svg>'
    )

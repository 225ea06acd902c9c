"""Swimlanes drawn as two open runs, a header and a body, that are closed by one line between them. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from documents.proposals.shapes import Outline, Point, corners
from documents.rects import Rect, join

TOUCH = 0.05  # letters between ends that are one
STRAIGHT = 0.01  # letters by which a side may slant


def with_lanes(outlines: Sequence[Outline], letter: float) -> list[Outline]:
    """Return the outlines with each swimlane as two closed ones, its header and the whole."""
    runs = [(place, outline) for place, outline in enumerate(outlines) if _is_three_sides(outline, letter)]
    closed: dict[int, list[Outline]] = {}
    gone: set[int] = set()
    for number, (place, one) in enumerate(runs):
        for other_place, other in runs[number + 1 :]:
            if place in closed or other_place in gone or not _meet(_ends(one), _ends(other), letter):
                continue
            closed[place] = [_box(one, one.box), _box(one, join(one.box, other.box))]
            gone.add(other_place)
            gone |= {
                between
                for between, line in enumerate(outlines)
                if len(line.points) == 2 and _meet(_ends(one), _ends(line), letter)
            }
    return [
        part for place, outline in enumerate(outlines) if place not in gone for part in closed.get(place, [outline])
    ]


def _is_three_sides(outline: Outline, letter: float) -> bool:
    if outline.closed or outline.curved or len(outline.points) != 4:
        return False
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = outline.points
    slack = STRAIGHT * letter
    is_upright = max(abs(ax - bx), abs(by - cy), abs(cx - dx), abs(ay - dy)) < slack and (by > ay) == (cy > dy)
    is_flat = max(abs(ay - by), abs(bx - cx), abs(cy - dy), abs(ax - dx)) < slack and (bx > ax) == (cx > dx)
    return is_upright or is_flat


def _ends(outline: Outline) -> tuple[Point, Point]:
    return outline.points[0], outline.points[-1]


def _meet(one: tuple[Point, Point], other: tuple[Point, Point], letter: float) -> bool:
    return any(
        max(math.dist(one[0], near), math.dist(one[1], far)) < TOUCH * letter for near, far in (other, other[::-1])
    )


def _box(outline: Outline, box: Rect) -> Outline:
    return replace(outline, points=corners(box), closed=True)

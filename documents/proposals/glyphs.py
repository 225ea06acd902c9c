"""Glyphs, the drawn bodies of nodes at whose edges lines end: those that contain no name. Pure; lengths in letters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from documents.proposals.labels import has_room
from documents.proposals.shapes import (
    Outline,
    Point,
    area_of,
    centre,
    holds,
    hull,
    simplified,
    size,
)
from documents.proposals.words import PrintedWord
from documents.rects import Rect

SMALLEST, LARGEST = 0.25, 8.0  # a dot is visible as one; a larger shape without a name is a frame
WIDEST = 2.5  # longer side over shorter: dots, squares, small boxes and diamonds, no bars
HEADLIKE = 0.75  # share of a triangle in its hull from which a small shape is an arrowhead
FINE, ROW = 0.6, 2.5  # dots smaller than FINE with two others within ROW of their own size belong to a dotted line


def dots(outlines: Iterable[Outline], words: Sequence[PrintedWord], letter: float) -> list[Outline]:
    """Return compact closed shapes that may be a node whose name is printed next to it.

    They contain no word and no sign, at most a number. Shapes with one centre are one (painted, then outlined)."""
    by_place: dict[tuple[int, int], Outline] = {}
    for outline in outlines:
        if not outline.closed or not _is_compact(outline, letter):
            continue
        if any(_fits_in(word, outline.box) for word in words):
            continue
        x, y = centre(outline.box)
        place = (round(4 * x / letter), round(4 * y / letter))
        if place not in by_place or size(by_place[place].box) < size(outline.box):
            by_place[place] = replace(outline, points=_rounder(outline.points))
    return _out_of_rows(list(by_place.values()), letter)


def _fits_in(word: PrintedWord, box: Rect) -> bool:
    """Return True if a word is printed in a shape; a much wider one lies over it."""
    is_number = any(map(str.isdigit, word.text)) and not any(map(str.isalpha, word.text))
    return not is_number and holds(box, centre(word.box)) and has_room(box, word)


def _is_compact(outline: Outline, letter: float) -> bool:
    x0, y0, x1, y1 = outline.box
    wide, high = x1 - x0, y1 - y0
    if not SMALLEST * letter < min(wide, high) <= max(wide, high) < LARGEST * letter:
        return False
    if max(wide, high) > WIDEST * min(wide, high):
        return False
    area, around = area_of(outline.points), hull(outline.points)
    if area < 0.45 * wide * high or area < 0.92 * area_of(around):
        return False
    few = hull(_rounder(outline.points))
    return max((area_of(three) for three in combinations(few, 3)), default=0.0) < HEADLIKE * area


def _rounder(points: Sequence[Point]) -> tuple[Point, ...]:
    """Simplify an outline: circles arrive with up to a thousand points."""
    turn = len(points) // 2
    slack = 0.02 * max(math.dist(points[0], points[turn]), 1e-6)
    halves = (points[: turn + 1], [*points[turn:], points[0]])
    return tuple(point for half in halves for point in simplified(half, slack)[:-1])


def _out_of_rows(outlines: Sequence[Outline], letter: float) -> list[Outline]:
    isolated = []
    for outline in outlines:
        reach, middle = ROW * size(outline.box), centre(outline.box)
        near = sum(
            other is not outline
            and math.dist(centre(other.box), middle) < reach
            and 0.8 * size(outline.box) < size(other.box) < 1.25 * size(outline.box)
            for other in outlines
        )
        if near < 2 or size(outline.box) > FINE * letter:
            isolated.append(outline)
    return isolated

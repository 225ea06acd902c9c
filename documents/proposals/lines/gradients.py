"""Shapes painted in a colour that runs into another: printed as several bands of paint, one after the other. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from documents.proposals.shapes import Outline, corners
from documents.rects import Rect, is_inside, join

LEAST = 6  # bands
STEP = 0.08  # of a colour's channel from one band to the next
SLACK = 0.03  # shares of the whole by which the sides of bands may miss each other


def without_bands(outlines: Sequence[Outline]) -> list[Outline]:
    """Return the outlines with one for all bands of a shape: each would be read as a shape or a line of its own."""
    merged: list[Outline] = []
    run: list[Outline] = []
    whole: Rect = (0.0, 0.0, 0.0, 0.0)
    for outline in outlines:
        if run and _is_next(outline, run[-1], whole):
            run.append(outline)
            whole = join(whole, outline.box)
            continue
        merged += _joined(run, whole)
        run, whole = [outline], outline.box
    return merged + _joined(run, whole)


def _is_next(outline: Outline, last: Outline, whole: Rect) -> bool:
    """Return True if a band follows: painted without a rim in nearly the same colour, within the earlier bands or along
    one of their sides."""
    if not all(one.is_painted for one in (outline, last)):
        return False
    if outline.order - last.order > 1 or len(outline.colour) != len(last.colour):
        return False
    if not all(abs(a - b) < STEP for a, b in zip(outline.colour, last.colour, strict=True)):
        return False
    box = outline.box
    wide, high = whole[2] - whole[0], whole[3] - whole[1]
    if is_inside(box, whole, SLACK * max(wide, high)) and is_inside(whole, box, SLACK * max(wide, high)):
        return True
    is_column = abs(box[0] - whole[0]) + abs(box[2] - whole[2]) < SLACK * wide
    is_row = abs(box[1] - whole[1]) + abs(box[3] - whole[3]) < SLACK * high
    meets_down = box[1] < whole[3] + SLACK * high and whole[1] < box[3] + SLACK * high
    meets_across = box[0] < whole[2] + SLACK * wide and whole[0] < box[2] + SLACK * wide
    return (is_column and meets_down) or (is_row and meets_across)


def _joined(run: Sequence[Outline], whole: Rect) -> list[Outline]:
    if len(run) < LEAST or len({one.colour for one in run}) < LEAST // 2:
        return [*run]
    largest = max(run, key=lambda one: (one.box[2] - one.box[0]) * (one.box[3] - one.box[1]))
    is_whole = is_inside(whole, largest.box, SLACK * max(whole[2] - whole[0], whole[3] - whole[1]))
    return [largest if is_whole else replace(largest, points=corners(whole), curved=False)]

"""Figures whose letters are outlines: their lines are in the PDF, their words only in its pixels. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median

from documents.proposals.shapes import Outline, area_of, centre, holds, hull, size
from documents.proposals.words import PrintedWord
from documents.raster.letters import LARGEST
from documents.rects import Rect, grown, join

LETTER_MARGIN = 0.2  # letters around a read word within which an outline is one of its letters
TALLEST = 1.35  # letters: no letter is larger
SPECK = 0.3  # letters: remains of letters are smaller
DELAY = "||"
SMALLEST_BAR, LONGEST_BAR = 0.2, 0.9  # letters: how long a minus is
WRITTEN = 40  # this number of letter-like outlines is a text, not heads


def letter_like(outlines: Iterable[Outline], tokens: Sequence[PrintedWord]) -> int:
    """Count the painted outlines away from the printed words that may be letters."""
    boxes = [token.box for token in tokens]
    return sum(
        (one.is_painted and len(one.points) > 7 and size(one.box) < LARGEST)
        and not any(holds(box, centre(one.box)) for box in boxes)
        for one in outlines
    )


def without_letters(
    outlines: Sequence[Outline], words: Sequence[PrintedWord], letters: Sequence[Outline] = ()
) -> tuple[list[Outline], list[PrintedWord]]:
    """Return the lines of a figure without its letters, and the signs and delay marks among these that were not read.
    `letters`: the outlines that were read, if known; then anything else under a word may be a head or a dot."""
    known = {id(one) for one in letters}
    letter = median(word.size for word in words) if words else 10.0
    places = [grown(word.box, LETTER_MARGIN * word.size) for word in words]
    lines, signs = [], []
    for outline in outlines:
        painted = outline.is_painted
        largest = SPECK if known else TALLEST
        if id(outline) in known:
            continue
        if (
            painted
            and size(outline.box) < largest * letter
            and any(
                x0 <= outline.box[0] and y0 <= outline.box[1] and outline.box[2] <= x1 and outline.box[3] <= y1
                for x0, y0, x1, y1 in places
            )
        ):
            continue
        if painted and (sign := _sign(outline, letter)):
            signs.append((sign, outline))
        else:
            lines.append(outline)
    bars = [outline.box for sign, outline in signs if sign == "-"]
    unread = []
    for sign, outline in signs:
        if sign == "-" and _is_dash(outline.box, bars):
            lines.append(outline)
        else:
            unread.append(PrintedWord(sign, outline.box, letter))
    marks = _delay_marks(lines, letter)
    used = {id(bar) for mark in marks for bar in mark}
    unread += [PrintedWord(DELAY, join(one.box, other.box), letter) for one, other in marks]
    return [outline for outline in lines if id(outline) not in used], unread


def _delay_marks(outlines: Sequence[Outline], letter: float) -> list[tuple[Outline, Outline]]:
    """Return pairs of upright bars side by side, each as high as a letter."""
    bars = sorted((one for one in outlines if _is_upright_bar(one, letter)), key=lambda one: one.box)
    marks: list[tuple[Outline, Outline]] = []
    for bar in bars:
        used = {id(own) for mark in marks for own in mark}
        for other in bars:
            high = bar.box[3] - bar.box[1]
            is_level = max(abs(bar.box[side] - other.box[side]) for side in (1, 3)) < 0.05 * high
            apart = other.box[0] - bar.box[2]
            if is_level and 0 < apart < 0.5 * high and not {id(bar), id(other)} & used:
                marks.append((bar, other))
                break
    return marks


def _is_upright_bar(outline: Outline, letter: float) -> bool:
    x0, y0, x1, y1 = outline.box
    wide, high = x1 - x0, y1 - y0
    is_bar = 0.6 * letter < high < TALLEST * letter and wide < 0.2 * high
    return outline.is_painted and is_bar and area_of(outline.points) > 0.9 * wide * high


def _sign(outline: Outline, letter: float) -> str:
    x0, y0, x1, y1 = outline.box
    wide, high = x1 - x0, y1 - y0
    if not SMALLEST_BAR * letter < wide < LONGEST_BAR * letter:
        return ""
    filled = area_of(outline.points) / max(wide * high, 1e-9)
    if high < 0.45 * wide and filled > 0.8:
        return "-"
    bulge = area_of(hull(outline.points)) / max(wide * high, 1e-9)
    is_cross = len(outline.points) == 12 and 0.75 < wide / max(high, 1e-9) < 1.33 and filled < 0.5 and bulge > 0.55
    return "+" if is_cross else ""


def _is_dash(box: Rect, bars: Sequence[Rect]) -> bool:
    return any(
        other != box
        and abs(other[1] - box[1]) < 0.5 * (box[3] - box[1])
        and math.dist(centre(other), centre(box)) < 2.5 * (box[2] - box[0])
        for other in bars
    )

"""Titles in the margin that layout analysis merges with the paragraph next to them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from documents.rects import Rect

_NARROW = 0.45  # of the block's width: the most that a margin takes
_GUTTER = 2.0  # points between the margin and the text
_FILLED = 0.8  # of the width of the text: a line that continues in the next one
_PROSE_WORDS = 5  # words of a line of prose, at least
_APART = 1.35  # distances of two lines of the text: from there on another paragraph begins
_TITLES_APART = 1.8  # and another title
_SAME_ROW = 0.25  # of that distance
_SENTENCE_END = re.compile(r"[.!?:;][\"'”’)\]]*$")
_WORD = re.compile(r"[^\W\d_]{3}")
_WHOLE = re.compile(r"[0-9]{1,4}")
_FEWEST_NUMBERS = 5
_NUMBERING = re.compile(r"\(?[ivxlc]+[.)]")


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A line as printed."""

    box: Rect
    text: str

    @property
    def middle(self) -> float:
        return (self.box[1] + self.box[3]) / 2


def without_margin(lines: Sequence[PrintedLine]) -> list[list[PrintedLine]]:
    """Return the paragraphs of a block, with its margin's texts before the paragraph where they begin. Empty if nothing
    is in the margin. A margin is left or right of all other lines, is narrow and has words. It is one text next to a
    sentence of several lines, or comes between two of these; terms next to their definitions are read line by line."""
    for margin, text in _sides(lines):
        middles = sorted(line.middle for line in text)
        distance = median([below - above for above, below in pairwise(middles)] or [0.0])
        titles = _paragraphs(margin, _TITLES_APART * distance)
        is_one = len(titles) == 1
        if any(_WORD.search(line.text) and not _NUMBERING.fullmatch(line.text.strip()) for line in margin) and any(
            _is_adjacent(margin, *pair, is_one=is_one) for pair in _sentence_lines(text)
        ):
            return _in_order(titles, _paragraphs(text, _APART * distance))
    return []


def line_numbers(lines: Sequence[PrintedLine]) -> set[int]:
    """Return the places of the numbers of lines that manuscripts print next to the text: at least five whole numbers,
    each one more than the last, in a column left or right of every line of prose."""
    prose = [line.box for line in lines if len(line.text.split()) >= _PROSE_WORDS]
    if not prose:
        return set()
    left, right = min(box[0] for box in prose), max(box[2] for box in prose)
    numbered = [place for place, line in enumerate(lines) if _WHOLE.fullmatch(line.text.strip())]
    sides = (
        [place for place in numbered if lines[place].box[2] < left],
        [place for place in numbered if lines[place].box[0] > right],
    )
    result = set[int]()
    for places in sides:
        column = sorted(places, key=lambda place: lines[place].middle)
        values = [int(lines[place].text) for place in column]
        if len(column) >= _FEWEST_NUMBERS and all(two == one + 1 for one, two in pairwise(values)):
            result.update(column)
    return result


def _sides(lines: Sequence[PrintedLine]) -> list[tuple[list[PrintedLine], list[PrintedLine]]]:
    sides = list[tuple[list[PrintedLine], list[PrintedLine]]]()
    if len(lines) < 3:
        return sides
    left, right = min(line.box[0] for line in lines), max(line.box[2] for line in lines)
    for edge in sorted({line.box[2] for line in lines}):
        before = [line for line in lines if line.box[2] <= edge]
        behind = [line for line in lines if line.box[0] >= edge + _GUTTER]
        if not behind or len(before) + len(behind) < len(lines):
            continue
        most = _NARROW * (right - left)
        if edge - left <= most:
            sides.append((before, behind))
        if right - min(line.box[0] for line in behind) <= most:
            sides.append((behind, before))
    return sides


def _sentence_lines(text: Sequence[PrintedLine]) -> Iterator[tuple[PrintedLine, PrintedLine]]:
    """Yield pairs of lines, the second of which continues a sentence of the first.

    Two lines must reach the column's edge, else it may be one line with a gap."""
    left, right = min(line.box[0] for line in text), max(line.box[2] for line in text)
    ordered = sorted(text, key=lambda line: line.middle)
    filled = [line.box[2] - left >= _FILLED * (right - left) for line in ordered]
    if sum(filled) < 2:
        return
    for is_filled, (above, below) in zip(filled, pairwise(ordered), strict=False):
        is_prose = is_filled and len(above.text.split()) >= _PROSE_WORDS
        if is_prose and not _SENTENCE_END.search(above.text.rstrip()) and below.text.lstrip()[:1].islower():
            yield above, below


def _is_adjacent(margin: Sequence[PrintedLine], above: PrintedLine, below: PrintedLine, *, is_one: bool) -> bool:
    """Return True if a line of the margin comes between two lines in reading order or, if the margin is one text, is
    next to either."""
    slack = _SAME_ROW * (below.middle - above.middle)
    is_left = margin[0].box[0] < above.box[0]
    first = above.middle + slack if is_left and not is_one else above.middle - slack
    last = below.middle - slack if not is_left and not is_one else below.middle + slack
    return any(first <= line.middle <= last for line in margin)


def _in_order(titles: Sequence[list[PrintedLine]], paragraphs: Sequence[list[PrintedLine]]) -> list[list[PrintedLine]]:
    ordered, waiting = list[list[PrintedLine]](), list(titles)
    for paragraph in paragraphs:
        end = paragraph[-1].box[3]
        ordered += [title for title in waiting if title[0].middle < end]
        waiting = [title for title in waiting if title[0].middle >= end]
        ordered.append(paragraph)
    return [*ordered, *waiting]


def _paragraphs(lines: Sequence[PrintedLine], apart: float) -> list[list[PrintedLine]]:
    ordered = sorted(lines, key=lambda line: (round(line.middle), line.box[0]))
    paragraphs = [ordered[:1]]
    for above, below in pairwise(ordered):
        if below.middle - above.middle > apart:
            paragraphs.append([])
        paragraphs[-1].append(below)
    return paragraphs

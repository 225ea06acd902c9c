"""Delay marks printed as letters: ∥, || or // at a line, with or without its sign. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from documents.proposals.matching import ReadArrow
from documents.proposals.shapes import centre, nearest_of_line
from documents.proposals.signs import one_to_one
from documents.proposals.words import SIGN, PrintedWord, is_adjacent
from documents.rects import Rect, union

STROKES = re.compile(r"(?P<before>[+＋\-−–—]?)(?:[‖∥║⫽]|[|│∣]{2}|//)(?P<after>[+＋\-−–—]?)")
STROKE = re.compile(r"[|│∣]")  # of a slanted pair each may be a word of its own
APART = 0.9  # letters between the middles of such a pair
NEAR = 2.5  # letters from a mark to its line


def printed_delays(words: Sequence[PrintedWord]) -> tuple[list[PrintedWord], list[Rect]]:
    """Return the words without delay marks, and the boxes of the marks, each with the sign next to it.

    A mark between the words of a line is part of a name."""
    rest: list[PrintedWord] = []
    marks: list[PrintedWord] = []
    single: list[PrintedWord] = []
    for word in words:
        match = STROKES.fullmatch(word.text)
        is_mark = match is not None or STROKE.fullmatch(word.text)
        if not is_mark or _is_in_name(word, words):
            rest.append(word)
        elif match is None:
            single.append(word)
        else:
            marks.append(word)
            rest += [replace(word, text=sign) for sign in match.groups() if sign]
    places: list[Rect] = []
    for mark in marks:
        near = [word for word in words if is_adjacent(mark, word) or is_adjacent(word, mark)]
        signs = [word.box for word in near if SIGN.fullmatch(word.text)]
        places.append(union([mark.box, *signs[:1]]))
    for one, other in combinations(single, 2):
        if math.dist(centre(one.box), centre(other.box)) < APART * min(one.size, other.size):
            places.append(union([one.box, other.box]))
    return rest, places


def _is_in_name(word: PrintedWord, words: Sequence[PrintedWord]) -> bool:
    lettered = [other for other in words if any(map(str.isalnum, other.text))]
    return any(is_adjacent(other, word) for other in lettered) and any(is_adjacent(word, other) for other in lettered)


def delayed_by_letters(places: Sequence[Rect], arrows: Sequence[ReadArrow], letter: float) -> set[int]:
    """Return the places of the arrows at whose lines delay marks are printed, one to one."""
    distances = [[_distance(place, arrow) / letter for arrow in arrows] for place in places]
    return set(one_to_one(distances, NEAR))


def _distance(place: Rect, arrow: ReadArrow) -> float:
    """Return the distance from a mark to a line; of two lines through it, the one nearer to its middle is nearer."""
    middle = centre(place)
    near = nearest_of_line(arrow.path, middle)
    wide = max(place[0] - near[0], near[0] - place[2], 0.0)
    high = max(place[1] - near[1], near[1] - place[3], 0.0)
    return math.hypot(wide, high) + 0.2 * math.dist(near, middle)

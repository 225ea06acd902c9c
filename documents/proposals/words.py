"""Printed words, and the polarity signs among them. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from documents.proposals.shapes import Point, centre
from documents.rects import Rect

PLUS, MINUS = frozenset("+＋"), frozenset("-−–—‐‑﹣－")
SIGN = re.compile(r"[(\[]?([+＋\-−–—‐‑﹣－])[)\]]?")
GLUED = re.compile(r"^([+−])(?=[^\W\d_])|(?<=[^\W\d_])([+−])$")  # a sign printed so close that it joined the word
TWIN = 0.15  # letters by which a word and its halo differ
SAME = 0.02  # letters between the boxes of a sign and its halo
SAME_OPPOSITE = {"s": "+", "S": "+", "o": "-", "O": "-"}


@dataclass(frozen=True, slots=True)
class PrintedWord:
    """A printed word."""

    text: str
    box: Rect
    size: float  # of its letters
    turn: int | None = 0  # clockwise quarter turns; None: slanted


@dataclass(frozen=True, slots=True)
class PrintedMark:
    """A polarity sign and its place."""

    sign: str
    place: Point


def without_twins(tokens: Sequence[PrintedWord]) -> list[PrintedWord]:
    """Return every word once: a halo or shadow is the word printed a second time. Signs of two arrows may lie nearly
    upon each other; only one printed at the same place is a halo."""
    by_text: dict[str, list[PrintedWord]] = {}
    for token in tokens:
        same = by_text.setdefault(token.text, [])
        slack = (TWIN if len(token.text) > 1 else SAME) * token.size
        if not any(all(abs(a - b) < slack for a, b in zip(token.box, other.box, strict=True)) for other in same):
            same.append(token)
    return [token for token in tokens if any(token is one for one in by_text[token.text])]


def unglued(token: PrintedWord) -> list[PrintedWord]:
    x0, y0, x1, y1 = token.box
    if len(token.text) > 1 and set(token.text) <= PLUS | MINUS:  # signs that overlap in print
        return _apart(token)
    match = GLUED.search(token.text)
    if match is None or token.turn != 0:
        return [token]
    wide = min(0.6 * token.size, (x1 - x0) / 2)
    if match[1]:
        parts = [(token.text[0], (x0, y0, x0 + wide, y1)), (token.text[1:], (x0 + wide, y0, x1, y1))]
    else:
        parts = [(token.text[:-1], (x0, y0, x1 - wide, y1)), (token.text[-1], (x1 - wide, y0, x1, y1))]
    return [replace(token, text=text, box=box) for text, box in parts]


def parted(
    tokens: Sequence[PrintedWord],
    homes: Sequence[int | None],
) -> tuple[list[PrintedMark], list[tuple[PrintedWord, int | None]]]:
    """Return signs, and the other words with their shapes. A dash between two words of a line belongs to a name."""
    signs: list[PrintedMark] = []
    rest = []
    letters = sum(len(token.text) for token in tokens if _is_letters(token))
    written = sum(SIGN.fullmatch(token.text) is not None for token in tokens)  # a figure that writes + uses S as a name
    spoken = letters >= 2 and letters > written and letters >= 0.3 * sum(len(token.text) > 2 for token in tokens) ** 0.5
    named = {home for token, home in zip(tokens, homes, strict=True) if not _is_letters(token)}
    for token, home in zip(tokens, homes, strict=True):
        match = SIGN.fullmatch(token.text)
        if match is not None and not _is_between(token, tokens):
            signs.append(PrintedMark("+" if match[1] in PLUS else "-", centre(token.box)))
        elif spoken and _is_letters(token) and _is_astray(token, home, tokens, named):
            signs.extend(PrintedMark(SAME_OPPOSITE[part.text], centre(part.box)) for part in _apart(token))
        else:
            rest.append((token, home))
    return signs, rest


def _is_letters(token: PrintedWord) -> bool:
    """Return True for one to three letters that mean "same" and "opposite"; several overlap in print."""
    return len(token.text) <= 3 and set(token.text) <= set(SAME_OPPOSITE)


def _is_astray(
    token: PrintedWord, home: int | None, tokens: Sequence[PrintedWord], named: Collection[int | None]
) -> bool:
    """Return True if a letter is no part of a name: outside shapes it is between no words, inside one it is apart from
    the shape's words."""
    if home is None:
        return not _is_between(token, tokens)
    adjacent = (is_adjacent(one, two) for other in tokens for one, two in ((token, other), (other, token)))
    return home in named and not any(adjacent)


def _apart(token: PrintedWord) -> list[PrintedWord]:
    x0, y0, x1, y1 = token.box
    step = (x1 - x0) / len(token.text)
    places = [(x0 + step * place, y0, x0 + step * (place + 1), y1) for place in range(len(token.text))]
    return [replace(token, text=letter, box=box) for letter, box in zip(token.text, places, strict=True)]


def _is_between(token: PrintedWord, tokens: Sequence[PrintedWord]) -> bool:
    words = [other for other in tokens if not SIGN.fullmatch(other.text) and not _is_letters(other)]
    return any(is_adjacent(word, token) for word in words) and any(is_adjacent(token, word) for word in words)


def is_adjacent(left: PrintedWord, right: PrintedWord) -> bool:
    """Return True for words on one baseline, in about one size, and no further apart than two spaces."""
    a, b = left.box, right.box
    height = min(a[3] - a[1], b[3] - b[1])
    shared = min(a[3], b[3]) - max(a[1], b[1])
    near = -0.3 * height < b[0] - a[2] < 0.55 * min(left.size, right.size) + 0.5
    return near and shared > 0.6 * height and max(left.size, right.size) < 1.6 * min(left.size, right.size)

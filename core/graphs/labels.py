"""Lines and approximate size of a variable's name as a label: the same for screen, print and layout.

No font is available here, so widths are those of the wider of Source Sans at 14 px (the screen) and Helvetica at 13 pt
(print), by kinds of letters: a label is never wider than computed, and seldom more than a tenth narrower."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

MAX_CAPTION = 72  # characters of a name that a figure shows; the line below it and the table show the whole name

_LINES = (104.0, 128.0)  # a line's widths: names of one or two lines, and longer ones
_LONGEST_WORD = 150.0  # beyond, a word is broken
_BREAKS = "._-/:)"
_PADDING_X, _PADDING_Y, _LEADING = 22.0, 16.0, 15.5

_WIDTHS = {
    **dict.fromkeys("ijlI|'.,:; ", 3.8),
    **dict.fromkeys("frt()[]{}-/\\!", 5.0),
    **dict.fromkeys('sxzcvyJkL*"', 7.2),
    **dict.fromkeys("OQG", 10.2),
    **dict.fromkeys("mwMW%@…→—", 13.2),
}
_SMALL, _CAPITAL, _FULL = 7.8, 9.4, 14.0


@dataclass(frozen=True, slots=True)
class LabelSize:  # in pixels at zoom 1
    width: float
    height: float


def caption(name: str) -> str:
    """Return a name as the figure shows it: on one line, at most `MAX_CAPTION` characters, never empty.

    >>> caption("Crop\\n yield"), caption("")
    ('Crop yield', '(no name)')
    """
    line = " ".join(name.split()) or "(no name)"
    return line if len(line) <= MAX_CAPTION else line[: MAX_CAPTION - 1].rstrip() + "…"


@lru_cache(maxsize=4096)
def lines_of(text: str) -> tuple[str, ...]:
    """Return a name in lines of similar length; a word is broken only if it is longer than the longest line.

    >>> lines_of("effect of delivery delay on sales")
    ('effect of delivery', 'delay on sales')
    """
    words = [piece for word in text.split() for piece in _pieces(word)] or [""]
    lines = _filled(words, _LINES[0])
    if len(lines) > 2:
        lines = _filled(words, _LINES[1])
    while len(evener := _filled(words, max(map(_width, lines)) - 0.05)) == len(lines):
        if max(map(_width, evener)) >= max(map(_width, lines)):
            break  # one long word rules
        lines = evener
    return tuple(lines)


@lru_cache(maxsize=4096)
def size_of(name: str) -> LabelSize:
    """Return the box of a name's label on the screen, its border included.

    >>> size_of("Rain").width < size_of("Rainfall").width, size_of("Rain").height
    (True, 31.5)
    """
    lines = lines_of(caption(name))
    return LabelSize(round(max(map(_width, lines)) + _PADDING_X, 1), _PADDING_Y + _LEADING * len(lines))


def _filled(words: list[str], limit: float) -> list[str]:
    lines = words[:1]
    for word in words[1:]:
        if _width(f"{lines[-1]} {word}") <= limit:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _pieces(word: str) -> list[str]:
    """Return the word whole; if it is longer than a line may be, cut after a mark such as a dot or a slash, else
    anywhere."""
    pieces, start = [], 0
    for end in range(1, len(word) + 1):
        if _width(word[start:end]) > _LONGEST_WORD:
            marks = [at for at in range(start + 1, end) if word[at - 1] in _BREAKS]
            cut = marks[-1] if marks else end - 1
            pieces.append(word[start:cut])
            start = cut
    return [*pieces, word[start:]]


@lru_cache(maxsize=16384)
def _width(text: str) -> float:
    return sum(map(_letter, text))


@lru_cache(maxsize=4096)
def _letter(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return _FULL
    base = unicodedata.normalize("NFD", letter)[0]
    if base != letter:
        return _letter(base)
    return _CAPITAL if letter.isupper() else _SMALL

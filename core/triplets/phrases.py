"""Positions of a relation's phrases in an abstract: every place of each, by whole words, in any case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.triplets.passages import Match, letters

Span = tuple[int, int]  # first character, and the one after the last
Form = Callable[[str], str]  # replacement of one character, of any length


@dataclass(frozen=True, slots=True)
class HighlightedPart:
    """A part of a text and the indexes of the phrases in it."""

    text: str
    phrases: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HighlightedText:
    parts: tuple[HighlightedPart, ...]
    matches: tuple[Match, ...]


def highlight_phrases(text: str, phrases: Sequence[str]) -> HighlightedText:
    """Highlight phrases in a text. Word for word: equal once case is folded and runs of white space are one blank; else
    "but for typography" as in `passages.find`. A phrase without letters is not found.

    >>> [part.text for part in highlight_phrases("Taxes cut use. A tax cuts use.", ["tax"]).parts if part.phrases]
    ['tax']
    """
    strict = _Folded(text, lambda character: " " if character.isspace() else character)
    loose = _Folded(text, letters)
    matches = []
    for phrase in phrases:
        if spans := strict.places(phrase):
            matches.append((Match.VERBATIM, spans))
        elif spans := loose.places(phrase):
            matches.append((Match.TYPOGRAPHY, spans))
        else:
            matches.append((Match.NOT_FOUND, []))
    ends = sorted({0, len(text), *(end for _, spans in matches for span in spans for end in span)})
    parts = (
        HighlightedPart(
            text[start:end],
            tuple(
                place
                for place, (_, spans) in enumerate(matches)
                if any(first <= start and end <= last for first, last in spans)
            ),
        )
        for start, end in pairwise(ends)
    )
    return HighlightedText(tuple(parts), tuple(match for match, _ in matches))


class _Folded:
    """A text in a folded form for searching, with the origin of each character."""

    def __init__(self, text: str, form: Form) -> None:
        self._text, self._form = text, form
        self._folded, self._from = _fold(text, form)

    def places(self, phrase: str) -> list[Span]:
        needle = _fold(" ".join(phrase.split()), self._form)[0].strip()
        spans: list[Span] = []
        at = self._folded.find(needle) if any(map(str.isalnum, needle)) else -1
        while at >= 0:
            span = self._from[at], self._from[at + len(needle) - 1] + 1
            if self._is_whole(*span):
                spans.append(span)
            at = self._folded.find(needle, at + 1)
        return spans

    def _is_whole(self, start: int, end: int) -> bool:
        text = self._text
        begins = start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
        return begins and (end == len(text) or not (text[end - 1].isalnum() and text[end].isalnum()))


def _fold(text: str, form: Form) -> tuple[str, list[int]]:
    folded: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for folded_character in form(character).casefold():
            if folded_character == " " and folded and folded[-1] == " ":
                continue
            folded.append(folded_character)
            places.append(place)
    return "".join(folded), places

"""Position of a paragraph of evidence in a paper: the page, the characters, and boxes to highlight them."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import groupby

from core.papers.pages import Box, PageFacts, Word


class Match(StrEnum):
    """Match of the printed words with the evidence."""

    VERBATIM = "word for word"
    TYPOGRAPHY = "but for typography"
    NOT_FOUND = "not found"


@dataclass(frozen=True, slots=True)
class Passage:
    """Characters `start` up to `end` of a page's words joined by single blanks, and a box around each line of them, in
    points of the displayed page. Evidence over a page break has a passage on each page."""

    page: int
    start: int
    end: int
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class FoundPassages:
    match: Match
    passages: tuple[Passage, ...] = ()


class PrintedWords:
    """The words of pages, prepared for many searches, in the order of the search."""

    def __init__(self, pages: Sequence[PageFacts]) -> None:
        self._pages = {page.number: page for page in pages}
        self._places = [(page, place) for page in pages for place in range(len(page.words))]
        self._words = [page.words[place] for page, place in self._places]

    @cached_property
    def _verbatim(self) -> tuple[str, list[int]]:
        """The words with single blanks: white space inside a printed word is folded too; only whole words are
        marked."""
        return _text_of(self._words, lambda word: " ".join(word.printed.split()), " ")

    @cached_property
    def _letters(self) -> tuple[str, list[int]]:
        return _text_of(self._words, lambda word: letters(word.printed), "")

    def find(self, evidence: str) -> FoundPassages:
        needle = " ".join(evidence.split())
        if not needle:
            return FoundPassages(Match.NOT_FOUND)
        span, match = _search(needle, *self._verbatim), Match.VERBATIM
        if span is None and (plain := letters(needle)):
            span, match = _search(plain, *self._letters), Match.TYPOGRAPHY
        if span is None:
            return FoundPassages(Match.NOT_FOUND)
        first, last = span
        passages = (
            _passage(self._pages[number], [place for _, place in group])
            for number, group in groupby(self._places[first : last + 1], key=lambda place: place[0].number)
        )
        return FoundPassages(match, tuple(passages))


def find(evidence: str, pages: Sequence[PageFacts]) -> FoundPassages:
    """Return the first place of `evidence` in the words of `pages`, in the order given.

    Word for word means equal once runs of white space are one blank. Otherwise the search ignores white space and
    hyphens, with ligatures, quotes and dashes of one form each (NFKC), so that a word broken at the end of a line is
    found: "but for typography". An empty paragraph is not found."""
    return PrintedWords(pages).find(evidence)


def joined(words: Iterable[Word]) -> str:
    """Return the text in which a passage's characters are counted."""
    return " ".join(word.printed for word in words)


Span = tuple[int, int]  # numbers of the first and of the last word


def _text_of(words: Sequence[Word], form: Callable[[Word], str], between: str) -> tuple[str, list[int]]:
    """Return (all words as one text, the start of each in it)."""
    starts, parts, length = [], [], 0
    for word in words:
        starts.append(length)
        parts.append(form(word))
        length += len(parts[-1]) + len(between)
    return between.join(parts), starts


def _search(needle: str, text: str, starts: Sequence[int]) -> Span | None:
    at = text.find(needle)
    if at < 0:
        return None
    # Words without letters share their start with the next one: the last of them is the one that begins there.
    return bisect_right(starts, at) - 1, bisect_right(starts, at + len(needle) - 1) - 1


_DROPPED = re.compile("[\\s\\-\u00ad\u2010-\u2015\u2212\u200b-\u200d\u2060\ufeff]+")
_QUOTES = str.maketrans({"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"'})


def letters(text: str) -> str:
    """Return `text` without white space and hyphens, ligatures, quotes and dashes of one form each."""
    return _DROPPED.sub("", unicodedata.normalize("NFKC", text)).translate(_QUOTES)


def _passage(page: PageFacts, places: Sequence[int]) -> Passage:
    first, last = places[0], places[-1]
    start = len(joined(page.words[:first])) + (1 if first else 0)
    end = start + len(joined(page.words[first : last + 1]))
    marked = page.words[first : last + 1]
    lines = groupby(marked, key=lambda word: (word.block, word.line))
    return Passage(page.number, start, end, tuple(Box.around([word.box for word in line]) for _, line in lines))

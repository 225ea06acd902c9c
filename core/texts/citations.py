"""In-line citations by their form: [12], [3–5], (Smith et al., 2020; Lee, 2021), superscript numbers after a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.texts.words import joined_at_line_ends

_BETWEEN = r"\s*[,;\u2013\u2014\u2212-]\s*"
_NUMBER = r"\d{1,3}[a-z]?"
_BRACKETED = re.compile(rf"\[{_NUMBER}(?:{_BETWEEN}{_NUMBER}){{0,40}}\](?:\(#[^()\s]{{0,80}}\))?")
_SUPERSCRIPT = re.compile(rf"<sup>\s*\[?{_NUMBER}(?:{_BETWEEN}{_NUMBER}){{0,40}}\]?\s*</sup>")
_RAISED = re.compile(r"[\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u02d2\u207b,\u2013-]+")
_RAISED_DIGIT = re.compile(r"[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]")
_PARENTHESIS = re.compile(r"\([^()]{4,400}\)")
_REACH = 400  # characters of a parenthesis of authors and years
_YEAR = re.compile(r"(?:1[89]|20)\d\d[a-z]?")
_PAGES = re.compile(r",?\s(?:pp?\.\s?)[\d\u2013-]{1,12}$")
_NAME = re.compile(r"[A-Z\u00c0-\u024f][\w.’'\u2010\u2011-]*")
_SMALL = frozenset(
    ("de", "da", "di", "du", "del", "la", "le", "van", "von", "der", "den", "ter", "et", "al", "al.", "and")
)
_SMALL |= {"&", "y", "e"}
_BEFORE = frozenset(("see", "e.g.", "e.g", "cf.", "cf", "i.e.", "also", "for", "example", "in"))
_UNDATED = frozenset(["press", "forthcoming", "n.d.", "n.d"])
_MONTHS = frozenset(("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"))
_MONTHS |= {"November", "December", "Spring", "Summer", "Autumn", "Winter", "Fall"}
_NUMBERS_FOLLOW = frozenset(".,;:)]”’\"'")


def citations_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the in-line citations of a text or of Markdown, in order, with the blank before them."""
    reached = 0
    for start, end in sorted(_candidates(text)):
        while start > reached and text[start - 1] in " \t":
            start -= 1
        if start >= reached:
            yield start, end
            reached = end


def citations_in_parts(parts: Sequence[str]) -> Iterator[list[tuple[int, int]]]:
    """Yield the citations of each of the consecutive parts of a text, as `citations_in`: one that spans two parts has a
    place in both."""
    pieces, starts, length, tail = list[str](), list[int](), 0, ""
    for part in parts:
        if pieces:
            pieces.append("\n" if tail.rfind("(") > tail.rfind(")") else "\n\n")
            length += len(pieces[-1])
        starts.append(length)
        pieces.append(part)
        length, tail = length + len(part), part[-_REACH:]
    citations = list(citations_in("".join(pieces)))
    at = 0
    for start, part in zip(starts, parts, strict=True):
        end = start + len(part)
        while at < len(citations) and citations[at][1] <= start:
            at += 1
        yield [(max(one, start) - start, min(other, end) - start) for one, other in citations[at:] if one < end]


def _candidates(text: str) -> Iterator[tuple[int, int]]:
    for match in _BRACKETED.finditer(text):
        yield match.span()
    for match in _SUPERSCRIPT.finditer(text):
        before = text[match.start() - 1 : match.start()]
        if before and (before.isalpha() or before in _NUMBERS_FOLLOW):
            yield match.span()
    for match in _RAISED.finditer(text):
        several = [part for part in re.split(r"[,\u02d2\u207b\u2013-]", match[0]) if part]
        if len(several) > 1 and _RAISED_DIGIT.match(match[0]) and text[match.start() - 1 : match.start()].isalpha():
            yield match.start(), match.start() + len(match[0].rstrip(",-\u2013"))
    for match in _PARENTHESIS.finditer(text):
        if "\n\n" not in match[0] and _is_author_year(joined_at_line_ends(match[0][1:-1])):
            yield match.span()


def _is_author_year(inside: str) -> bool:
    """Return True if a parenthesis has only authors with years; a part of years alone follows its authors."""
    parts = [_PAGES.sub("", part.strip()).replace(",", " ").split() for part in inside.split(";")]
    return all(_is_one(words, is_first=place == 0) for place, words in enumerate(parts))


def _is_one(words: list[str], *, is_first: bool) -> bool:
    while words and words[0].casefold() in _BEFORE:
        words = words[1:]
    dated = [bool(_YEAR.fullmatch(word)) or word in _UNDATED for word in words]
    if not any(dated) or (is_first and not _NAME.fullmatch(words[0]) and words[0] not in _SMALL):
        return False
    return all(
        is_year or _is_of_authors(word, after_year=place > 0 and dated[place - 1])
        for place, (word, is_year) in enumerate(zip(words, dated, strict=True))
    )


def _is_of_authors(word: str, *, after_year: bool) -> bool:
    if after_year and len(word) == 1 and word.islower():
        return True  # 2001a, b
    return word in _SMALL or word == "in" or (word not in _MONTHS and _NAME.fullmatch(word) is not None)

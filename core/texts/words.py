"""The words of a text with their places, for the guards to count and compare."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import starmap

_SOFT_HYPHEN = "\u00ad"
_BROKEN = re.compile(r"[-\u2010\u2011\u00ad][ \t\r]*\n[ \t\r]*(?=[^\W\d_])")
_WORD = re.compile(r"(?:[^\W_]|[\u00ad\u0300-\u036f])+")
_JOINING = r"sup|sub|b|i|u|s|em|strong|mark|small|span"
_TAG = re.compile(rf"</?(?:{_JOINING}|p|div|table|thead|tbody|tr|td|th)\b[^<>]{{0,200}}>", re.I)
_JOINING_TAG = re.compile(rf"</?(?:{_JOINING})\b", re.I)
_RAISED = re.compile(r"</?su[bp]>", re.I)
_BREAK = re.compile(r"<br\s*/?>", re.I)
_TARGET = re.compile(r"(?<=\])\((?:[^()\n]|\([^()\n]*\))*\)")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[A-Za-z]{2,31});")


@dataclass(frozen=True, slots=True)
class WordAt:
    """One word for comparison, and its characters in the text (`end` excluded)."""

    word: str
    start: int
    end: int


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a plain text: letters and digits after NFKC and case folding, without soft hyphens; a word
    that is broken at a line's end is one word.

    >>> words_of("A well-known exam-\\nple, 3.5 %.")
    ('a', 'well', 'known', 'example', '3', '5')
    """
    return tuple(word for word, _start, _end in _spans(text))


def words_at(text: str) -> Iterator[WordAt]:
    return starmap(WordAt, _spans(text))


def _spans(text: str) -> Iterator[tuple[str, int, int]]:
    breaks = {match.start() for match in _BROKEN.finditer(text) if _is_after_letter(match)}
    broken_word: tuple[str, int] | None = None  # the first part of a broken word, and where it starts
    for match in _WORD.finditer(text):
        run, (start, end) = match[0], match.span()
        if broken_word is not None:
            run, start, broken_word = broken_word[0] + run, broken_word[1], None
        if end in breaks or (end - 1 in breaks and run[-1] == _SOFT_HYPHEN):
            broken_word = (run, start)
        elif run.isascii():
            yield run.lower(), start, end
        else:
            yield from _words_within(run, start, end)
    if broken_word is not None:
        yield from _words_within(broken_word[0], broken_word[1], len(text))


def joined_at_line_ends(text: str) -> str:
    """Return the text on one line, with words broken at a line's end joined."""
    return " ".join(_BROKEN.sub(lambda match: "" if _is_after_letter(match) else match[0], text).split())


def markdown_words(text: str) -> tuple[str, ...]:
    """Return the words of Markdown: without tags, comments and the targets of links, which are invisible."""
    return tuple(word for word, _start, _end in markdown_spans(text))


def markdown_words_at(text: str) -> Iterator[WordAt]:
    """Return the words of Markdown with their places. Superscripts and subscripts belong to their word, as in a PDF's
    text."""
    return words_at(_without_marks(text))


def printed_words_at(text: str) -> Iterator[WordAt]:
    """Return the words of Markdown, or of a PDF's text with marked superscripts, as `markdown_words_at` does, but
    superscripts and subscripts apart: a number of a note does not belong to its word, and readers of PDFs disagree on
    the rest."""
    return markdown_words_at(_RAISED.sub(_blank, text))


def markdown_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of Markdown as (word, start, end), for callers that need only the words of a whole text."""
    return _spans(_without_marks(text))


def _words_within(run: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a run; NFKC can turn a letter into a blank or a sign (½, ㎏), so its result is split again."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", run).casefold())
    for match in _WORD.finditer(folded.replace(_SOFT_HYPHEN, "")):
        yield match[0], start, end


def _without_marks(text: str) -> str:
    """Blank out Markdown's marks one character for one, so that places stay. Tags become U+00AD, which joins the text
    on both sides and counts for nothing."""
    text = _without_comments(text)
    text = _TARGET.sub(_blank, text)
    text = _BREAK.sub(lambda match: "\n".ljust(len(match[0])), text)
    text = _TAG.sub(lambda match: _SOFT_HYPHEN * len(match[0]) if _JOINING_TAG.match(match[0]) else _blank(match), text)
    return _ENTITY.sub(lambda match: (html.unescape(match[0]) + " " * len(match[0]))[: len(match[0])], text)


def _is_after_letter(match: re.Match[str]) -> bool:
    return match.string[match.start() - 1 : match.start()].isalpha()


def _without_comments(text: str) -> str:
    parts, done = list[str](), 0
    while (start := text.find("<!--", done)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts += [text[done:start], _blanked(text[start : end + 3])]
        done = end + 3
    return "".join([*parts, text[done:]])


def _blank(match: re.Match[str]) -> str:
    return _blanked(match[0])


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)

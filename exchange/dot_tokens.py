"""Tokens of DOT and DAGitty code: ids, arrows and marks with their lines, without comments."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

_LETTER = r"0-9A-Za-z_.\x80-\U0010ffff"
_TOKEN = re.compile(
    rf"""
    (?P<space>\s+|//[^\n]*|(?<!\S)\#[^\n]*)
  | (?P<comment>/\*)
  | (?P<quote>")
  | (?P<op><->|<-@|@->|@-@|@--|--@|->|--|<-)
  | (?P<junk>[→⇒⟶⟹←⇐↔])
  | (?P<word>(?<![{_LETTER}])-(?=[\d.])[{_LETTER}]+|[{_LETTER}]+)
  | (?P<mark>[{{}}\[\]=;,:+])
  | (?P<html><)
  | (?P<other>.)
    """,
    re.DOTALL | re.VERBOSE,
)
_DOT_TEXT = re.compile(r'[^"\\]*+(?:\\.?[^"\\]*+)*+', re.DOTALL)
_DAGITTY_TEXT = re.compile(r'[^"\\]*+(?:\\"?[^"\\]*+)*+')
_DOT_ESCAPE = re.compile(r'\\(\r?\n|")|\\.', re.DOTALL)
_DAGITTY_ESCAPE = re.compile(r'\\(\r?\n|")')
_ANGLE = re.compile("[<>]")


class DotToken(NamedTuple):
    """A token. `kind` is word, quoted, html, op, mark or junk; `text` is without quotes."""

    kind: str
    text: str
    line: int

    @property
    def is_id(self) -> bool:
        return self.kind in ("word", "quoted", "html")

    def is_mark(self, text: str) -> bool:
        return self.kind == "mark" and self.text == text

    def is_keyword(self, *words: str) -> bool:
        return self.kind == "word" and self.text.lower() in words


def tokens(text: str, *, is_dagitty: bool = False) -> Iterator[DotToken]:
    """Yield the tokens of a text, without comments and white space. In DAGitty a backslash escapes nothing but a quote;
    in DOT the backslashes for a display (\\n, \\N, \\\\) stay for the reader of the name."""
    inside, escape = (_DAGITTY_TEXT, _DAGITTY_ESCAPE) if is_dagitty else (_DOT_TEXT, _DOT_ESCAPE)
    was_equals = False  # <…> is HTML as a value only; as a node's id it is nearly always a stray < of a name
    place, lines = 0, [0, *(line_end.end() for line_end in re.finditer("\n", text))]
    last_comment = text.rfind("*/")
    while place < len(text):
        start = place
        kind, piece, place = _piece(text, start, inside, last_comment)
        line = bisect_right(lines, start)
        is_value, was_equals = was_equals, (kind, piece) == ("mark", "=") or (was_equals and kind == "space")
        if kind == "quoted":
            yield DotToken(kind, escape.sub(_without_escape, piece), line)
        elif kind == "html" and is_value and (end := _html_end(text, start)):
            yield DotToken(kind, text[place : end - 1], line)
            place = end
        elif kind == "quote" or (kind == "html" and is_value):  # never closed
            yield DotToken("junk", text[start:], line)
            return
        elif kind in ("html", "other", "junk"):
            yield DotToken("junk", piece, line)
        elif kind != "space":
            yield DotToken(kind, piece, line)


def _piece(text: str, place: int, inside: re.Pattern[str], last_comment: int) -> tuple[str, str, int]:
    """Return kind, text and end of the token at a place. An unclosed opening mark is searched for once: a comment by
    `last_comment`, a quote by the caller, who stops at it."""
    match = _TOKEN.match(text, place)
    assert match is not None, "the last alternative matches any character"
    kind, end = match.lastgroup or "other", match.end()
    if kind == "comment":
        return ("space", "", text.index("*/", end) + 2) if end <= last_comment else ("other", "/", place + 1)
    if kind == "quote" and (quoted := inside.match(text, end)) and text.startswith('"', quoted.end()):
        return "quoted", quoted.group(), quoted.end() + 1
    return kind, match.group(), end


def _without_escape(match: re.Match[str]) -> str:
    if match.group(1) is None:
        return match.group()
    return '"' if match.group(1) == '"' else ""


def _html_end(text: str, start: int) -> int:
    depth = 0
    for match in _ANGLE.finditer(text, start):
        depth += 1 if match.group() == "<" else -1
        if depth == 0:
            return match.end()
    return 0

"""Repair of faulty JSON without a guess: json-repair proposes a value, which is compared with the text mark by mark.

json-repair always returns something: it drops repeated keys, closes what was cut off, and ends a text wherever a quote
is missing. So its value is accepted only if the text has the same content in the same order, and differs from JSON only
in this: single or curly quotes, keys and single words without quotes, a superfluous comma or a blank instead of one,
Python's True, False and None, line breaks, quotes and bad escapes within a text, and comments of plain words up to the
line end. Every bracket is in both; a text ends at a quote that is followed by a comma, a bracket or the next key; and a
text with quotes of its own must not look like two.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import json_repair

from protocols.replies.json_in_text import MOST_DIGITS, PYTHON_NONE

_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "‘": "’", "‚": "‘", "«": "»"}
_BLANKS = re.compile(r"\s*+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_WORD = re.compile(r"[^\s,:={}\[\]\"'`“”„«»‘’‚\\]{1,80}+")
_QUOTED_KEY = re.compile(r"[\"'`“„«‘‚]\w{1,60}[\"'`”“»’‘]\s{0,20}:")
_ESCAPE = re.compile(r"\\[\w\"'\\/]")
_CONSTANTS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_ENDS = frozenset(("", *",:=[]{}"))
_NO_TEXT = frozenset({"true", "false", "null", "none", "nan", "infinity", "-infinity", "+infinity"})


class Guessed(Exception):
    """Raised if the text does not state the repaired value."""


def repaired_json(text: str) -> Any:
    """Return the value of faulty JSON, with PYTHON_NONE for Python's bare None. Raises Guessed if a repair would have
    to guess. `text` must be short (`MOST_REPAIRED`).

    >>> repaired_json("{'sign': '+', n: 1,}")
    {'sign': '+', 'n': 1}
    >>> repaired_json('{"sign": "+", "sign": "-",}')
    Traceback (most recent call last):
    protocols.replies.repairing.Guessed
    """
    try:
        proposed = json_repair.repair_json(text, return_objects=True, skip_json_loads=True)
        return _Reader(text).whole(proposed)
    except (ValueError, TypeError, ArithmeticError, LookupError, AttributeError, RecursionError) as error:
        raise Guessed from error


class _Reader:
    """Reads a proposed value again from the text; every method raises Guessed on a difference."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def whole(self, proposed: Any) -> Any:
        value = self.value(proposed)
        self.blanks()
        self.check(self.at == len(self.text))
        return value

    def value(self, proposed: Any) -> Any:
        self.blanks()
        if isinstance(proposed, Mapping):
            self.mark("{")
            members = {}
            for number, (name, member) in enumerate(proposed.items()):
                self.between(number)
                self.string(name)
                self.check(self.next() in (":", "="))
                self.at += 1
                members[name] = self.value(member)
            self.between(len(proposed))
            self.mark("}")
            return members
        if isinstance(proposed, list):
            self.mark("[")
            elements = []
            for number, member in enumerate(proposed):
                self.between(number)
                elements.append(self.value(member))
            self.between(len(proposed))
            self.mark("]")
            return elements
        return self.string(proposed) if isinstance(proposed, str) else self.scalar(proposed)

    def between(self, before: int) -> None:
        """Skip what follows `before` values of a list or object: blanks and at most one comma."""
        self.blanks()
        if before and self.text.startswith(",", self.at):
            self.at += 1
            self.blanks()

    def blanks(self) -> None:
        """Skip blanks and comments; a comment that could contain an answer is refused."""
        self.match(_BLANKS)
        while self.text.startswith(("#", "//"), self.at):
            end = self.text.find("\n", self.at)
            comment = self.text[self.at : end if end >= 0 else len(self.text)]
            self.check(not set("\"'{}[]:") & set(comment))
            self.at += len(comment)
            self.match(_BLANKS)

    def check(self, is_so: bool) -> None:
        if not is_so:
            raise Guessed

    def match(self, pattern: re.Pattern[str]) -> str:
        token = pattern.match(self.text, self.at)
        if token is None:
            raise Guessed
        self.at = token.end()
        return token[0]

    def next(self) -> str:
        """Return the mark after the blanks; empty at the end."""
        self.blanks()
        return self.text[self.at : self.at + 1]

    def bare(self, pattern: re.Pattern[str]) -> str:
        """Read an unquoted word or number, which a mark must follow."""
        word = self.match(pattern)
        mark = self.next()
        self.check(mark != "" and mark in ",:=]}")
        return word

    def mark(self, bracket: str) -> None:
        self.check(self.text.startswith(bracket, self.at))
        self.at += 1

    def scalar(self, proposed: bool | float | None) -> Any:
        if proposed is None or isinstance(proposed, bool):
            word = self.bare(_WORD)
            self.check(word in _CONSTANTS and _CONSTANTS[word] is proposed)
            return PYTHON_NONE if word == "None" else proposed
        word = self.bare(_NUMBER)
        self.check(len(word) <= MOST_DIGITS and math.isfinite(proposed) and json.loads(word) == proposed)
        return proposed

    def string(self, text: str) -> str:
        opening = self.text[self.at : self.at + 1]
        closing = _QUOTES.get(opening)
        if closing is None:
            word = self.bare(_WORD)
            self.check(word == text and word.lower() not in _NO_TEXT and not _is_number(word))
            return text
        self.at += 1
        self.at = self.end_of(text, opening, closing)
        ended, mark = self.at, self.next()
        # Without a comma only the next key may follow; then a comma is missing.
        is_key = self.at > ended and _QUOTED_KEY.match(self.text, self.at) is not None
        self.check(is_key or (mark != "" and mark in ",:=]}"))
        return text

    def end_of(self, text: str, opening: str, closing: str) -> int:
        """Return the position after a quoted string, written with or without escapes."""
        ways = (text, _escaped(text, is_ascii=False), _escaped(text, is_ascii=True))
        for written in ways[_ESCAPE.search(text) is not None :]:
            end = self.at + len(written)
            if self.text.startswith(written, self.at) and self.text.startswith(closing, end):
                # Escaped quotes do not end a text; unescaped ones could.
                bare = written.replace("\\\\", "").replace(f"\\{closing}", "")
                is_escaped = (len(written) - len(written.rstrip("\\"))) % 2 == 1
                self.check(not _could_be_two(bare, opening, closing) and not is_escaped)
                return end + len(closing)
        raise Guessed


def _escaped(text: str, *, is_ascii: bool) -> str:
    return json.dumps(text, ensure_ascii=is_ascii)[1:-1]


def _could_be_two(written: str, opening: str, closing: str) -> bool:
    """Return True if quotes in a text could end it and begin another. Apostrophes within a word cannot, nor can pairs
    around words without adjacent marks of JSON."""
    for quote in {opening, closing}:
        is_within = False
        for before, after in pairwise(written.split(quote)):
            if before[-1:].isalnum() and after[:1].isalnum():
                continue
            is_within = not is_within
            # Both are read away from the quote.
            inside, outside = (after, before[::-1]) if is_within else (before[::-1], after)
            if inside[:1] in _ENDS or inside[:1].isspace() or outside[:1].isalnum() or outside.lstrip()[:1] in _ENDS:
                return True
        if is_within:
            return True
    return False


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True

"""Faulty JSON made good without a guess: json-repair proposes, and its value is held against the text, mark by mark.

json-repair always finds something: it drops a key that stands twice, closes what was cut off, and puts the end of a
text wherever a quote is missing. So its value is taken only if the text says the same in the same order, and differs
from JSON in nothing but this: single or curly quotes, keys and single words without quotes, a comma too many or a blank
in its place, Python's True, False and None, line breaks, quotes and bad escapes within a text, and comments of plain
words to the end of their line. Every bracket stands in both; a text ends at a quote after which a comma, a bracket or
the next key comes; and a text that holds its own quotes must not look like two.
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
_SAID = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_ENDS = frozenset(("", *",:=[]{}"))
_NO_TEXT = frozenset({"true", "false", "null", "none", "nan", "infinity", "-infinity", "+infinity"})


class Guessed(Exception):
    """The text does not say what the repair made of it."""


def repaired_json(text: str) -> Any:
    """The value of faulty JSON, with PYTHON_NONE where Python's bare None stands.

    Raises Guessed where a repair would have to guess, or has nothing to go by. `text` must be short
    (`MOST_REPAIRED`).

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
    """Reads a value again out of the text that it was made from; every method raises Guessed where it is not there."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def whole(self, proposed: Any) -> Any:
        found = self.value(proposed)
        self.blanks()
        self.check(self.at == len(self.text))
        return found

    def value(self, proposed: Any) -> Any:
        self.blanks()
        if isinstance(proposed, Mapping):
            self.mark("{")
            found = {}
            for number, (name, said) in enumerate(proposed.items()):
                self.between(number)
                self.string(name)
                self.check(self.next() in (":", "="))
                self.at += 1
                found[name] = self.value(said)
            self.between(len(proposed))
            self.mark("}")
            return found
        if isinstance(proposed, list):
            self.mark("[")
            read = []
            for number, said in enumerate(proposed):
                self.between(number)
                read.append(self.value(said))
            self.between(len(proposed))
            self.mark("]")
            return read
        return self.string(proposed) if isinstance(proposed, str) else self.scalar(proposed)

    def between(self, before: int) -> None:
        """What stands after `before` values of a list or object: blanks, and one comma or none."""
        self.blanks()
        if before and self.text.startswith(",", self.at):
            self.at += 1
            self.blanks()

    def blanks(self) -> None:
        """To the next mark, over comments; one that could hold an answer is none."""
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
        found = pattern.match(self.text, self.at)
        if found is None:
            raise Guessed
        self.at = found.end()
        return found[0]

    def next(self) -> str:
        """The mark after the blanks; empty at the end."""
        self.blanks()
        return self.text[self.at : self.at + 1]

    def bare(self, pattern: re.Pattern[str]) -> str:
        """A word or number without quotes: whole, so a mark comes after it."""
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
            self.check(word in _SAID and _SAID[word] is proposed)
            return PYTHON_NONE if word == "None" else proposed
        word = self.bare(_NUMBER)
        self.check(len(word) <= MOST_DIGITS and math.isfinite(proposed) and json.loads(word) == proposed)
        return proposed

    def string(self, said: str) -> str:
        opening = self.text[self.at : self.at + 1]
        closing = _QUOTES.get(opening)
        if closing is None:
            word = self.bare(_WORD)
            self.check(word == said and word.lower() not in _NO_TEXT and not _is_number(word))
            return said
        self.at += 1
        self.at = self.end_of(said, opening, closing)
        ended, mark = self.at, self.next()
        is_key = self.at > ended and _QUOTED_KEY.match(self.text, self.at) is not None
        self.check(is_key or (mark != "" and mark in ",:=]}"))
        return said

    def end_of(self, said: str, opening: str, closing: str) -> int:
        """Where the text goes on behind a quoted string, that may be written with escapes or without."""
        ways = (said, _escaped(said, is_ascii=False), _escaped(said, is_ascii=True))
        for written in ways[_ESCAPE.search(said) is not None :]:
            end = self.at + len(written)
            if self.text.startswith(written, self.at) and self.text.startswith(closing, end):
                # Escaped quotes are no end of a text; those that stand there as they are could be one.
                bare = written.replace("\\\\", "").replace(f"\\{closing}", "")
                self.check(not _looks_like_two(bare, opening, closing) and not _ends_escaped(written))
                return end + len(closing)
        raise Guessed


def _escaped(said: str, *, is_ascii: bool) -> str:
    return json.dumps(said, ensure_ascii=is_ascii)[1:-1]


def _ends_escaped(written: str) -> bool:
    return (len(written) - len(written.rstrip("\\"))) % 2 == 1


def _looks_like_two(written: str, opening: str, closing: str) -> bool:
    """Whether quotes in a text could end it and begin another: all but an apostrophe within a word, and pairs around
    words beside which no mark of JSON stands."""
    for quote in {opening, closing}:
        is_within = False
        for before, after in pairwise(written.split(quote)):
            if before[-1:].isalnum() and after[:1].isalnum():
                continue
            is_within = not is_within
            # Both as they lead away from the quote.
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

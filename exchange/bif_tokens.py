"""The pieces of a BIF file: words, texts in quotes and marks, each with its line; comments left out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | "(?P<quoted>[^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"
  | (?P<mark>[{}()\[\];,|=])
  | (?P<word>(?:(?!//|/\*)[^\s{}()\[\];,|="])+)
  | (?P<other>.)
    """,
    re.DOTALL | re.VERBOSE,
)


class Token(NamedTuple):
    """A piece of the file. `kind` is word, quoted, mark or other; `text` is without its quotes."""

    kind: str
    text: str
    line: int

    @property
    def is_name(self) -> bool:
        return self.kind in ("word", "quoted")

    def is_word(self, word: str) -> bool:
        return self.kind == "word" and self.text == word

    def is_mark(self, mark: str) -> bool:
        return self.kind == "mark" and self.text == mark


def tokens(text: str) -> Iterator[Token]:
    r"""The pieces of a text. In quotes \" is a quote and \\ a backslash; a name in quotes does not cross lines.

    >>> [token.text for token in tokens('variable "a b" { } // c')]
    ['variable', 'a b', '{', '}']
    """
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or "other"
        if kind == "space":
            continue
        piece = found.group(kind)
        if kind == "quoted":
            piece = re.sub(r'\\(["\\])', r"\1", piece)
        yield Token(kind, piece, bisect_right(starts, found.start()))

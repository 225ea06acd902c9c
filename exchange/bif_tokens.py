"""Tokens of a BIF file: words, quoted texts and marks with their lines, without comments."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*)
  | (?P<comment>/\*)
  | (?P<quote>")
  | (?P<mark>[{}()\[\];,|=])
  | (?P<word>(?:[^\s{}()\[\];,|="/]|/(?![/*]))+)
  | (?P<other>.)
    """,
    re.DOTALL | re.VERBOSE,
)
_QUOTED = re.compile(r'[^"\\\n]*+(?:\\.?[^"\\\n]*+)*+', re.DOTALL)


class BifToken(NamedTuple):
    """A token. `kind` is word, quoted, mark or other; `text` is without quotes."""

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


def tokens(text: str) -> Iterator[BifToken]:
    r"""Yield the tokens of a text. In quotes \" is a quote and \\ a backslash; a name in quotes does not cross lines.

    >>> [token.text for token in tokens('variable "a b" { } // c')]
    ['variable', 'a b', '{', '}']
    """
    starts = [0, *(line_end.end() for line_end in re.finditer("\n", text))]
    for kind, piece, place in _pieces(text):
        shown = re.sub(r'\\(["\\])', r"\1", piece) if kind == "quoted" else piece
        yield BifToken(kind, shown, bisect_right(starts, place))


def _pieces(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield kind, text and place of each token. An opening mark that is never closed is searched for once, and is a
    token alone."""
    place, open_until, last_comment = 0, 0, text.rfind("*/")
    while place < len(text):
        match = _TOKEN.match(text, place)
        assert match is not None, "the last alternative matches any character"
        start, kind, piece, place = place, match.lastgroup or "other", match.group(), match.end()
        if kind == "comment" and place <= last_comment:
            place = text.index("*/", place) + 2
        elif kind == "comment":
            place = start + 1
            yield "other", "/", start
        elif kind == "quote" and start >= open_until and (quoted := _QUOTED.match(text, place)) is not None:
            open_until = quoted.end()  # up to here no other quote is closed either
            is_closed = text.startswith('"', open_until)
            place = open_until + 1 if is_closed else place
            yield ("quoted", quoted.group(), start) if is_closed else ("other", piece, start)
        elif kind != "space":
            yield "other" if kind == "quote" else kind, piece, start

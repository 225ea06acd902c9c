"""Reading of a list of a graph's variables: which it names, and which names are wrong.

Brackets, list marks and quotation marks are removed. Pieces are split at commas, semicolons and line ends, but not
within quotation marks or within a variable that contains some. Names are compared after NFKC, case and white-space
folding, or only white-space folding if two variables would become equal. A piece that is no variable is a wrong name:
counted, never dropped. A repeated name counts once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

EMPTY = frozenset({"", "null", "none"})  # folded answers that mean that no variable answers
MOST_WRONG, LONGEST_WRONG = 100, 200  # stored wrong names, and characters of each; all are counted

_DELIMITER = re.compile(r"[,;\n\r]")
_CLOSING = {'"': '"', "“": "”", "‘": "’", "'": "'", "`": "`", "«": "»"}
_AFTER_QUOTE, _MOST_BLANKS = frozenset(",;\n\r])}."), 8
_MARK = re.compile(r"(?:[-*•–‣·]|\(?[0-9]{1,4}[.)]|\(?[a-zA-Z][.)])[ \t]++")
_PAIRS = {"[": "]", "(": ")", "{": "}"}


@dataclass(frozen=True, slots=True)
class NamedVariables:
    """Variables that an answer names."""

    names: tuple[str, ...]  # in the graph's order, each once
    wrong: tuple[str, ...] = ()  # other names, in the order of the answer, each once, at most `MOST_WRONG`
    wrong_count: int = 0  # of all wrong names


def is_folded_apart(names: Sequence[str]) -> bool:
    """Return True if these names stay distinct after folding case and white space.

    >>> is_folded_apart(["HR", "BP"]), is_folded_apart(["HR", "hr"])
    (True, False)
    """
    return _reader(tuple(names)).is_folded


def read_names(answer: str, names: Sequence[str]) -> NamedVariables:
    """Read the variables among `names` that an answer names.

    >>> read_names("[hr, Blood pressure (BP), hr]", ["BP", "HR"])
    NamedVariables(names=('HR',), wrong=('Blood pressure (BP)',), wrong_count=1)
    >>> read_names("Null", ["BP", "HR"]).names, read_names("[Null]", ["Null", "HR"]).names
    ((), ('Null',))
    """
    return _reader(tuple(names)).read(answer)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reader for one graph."""

    names: tuple[str, ...]
    is_folded: bool
    place: dict[str, int]  # by folded name
    most_delimiters: int  # within any name

    def key(self, text: str) -> str:
        plain = " ".join(unicodedata.normalize("NFKC", text).split())
        return plain.casefold() if self.is_folded else plain

    def read(self, answer: str) -> NamedVariables:
        plain = _without_fence(answer.strip())
        bare = plain.strip(" \t\r\n.\"'`*_“”").casefold()
        if bare in EMPTY:
            return NamedVariables(())
        inside = self._without_brackets(plain)
        if inside.strip(" \t\r\n.\"'`*_“”").casefold() in EMPTY and self._place_of(inside) is None:
            return NamedVariables(())
        places: set[int] = set()
        wrong: dict[str, str] = {}
        for piece, place in self._pieces(inside):
            if place is not None:
                places.add(place)
            elif piece:
                wrong.setdefault(self.key(piece), piece)
        stored = tuple(each[:LONGEST_WRONG] for each in list(wrong.values())[:MOST_WRONG])
        return NamedVariables(tuple(self.names[place] for place in sorted(places)), stored, len(wrong))

    def _without_brackets(self, text: str) -> str:
        """Remove one pair of brackets around the whole text, unless a variable has that name."""
        plain = text.rstrip(". \t\r\n")
        closing = _PAIRS.get(plain[:1])
        if closing is None or not plain.endswith(closing) or self._place_of(plain) is not None:
            return text
        return plain[1:-1]

    def _pieces(self, text: str) -> Iterator[tuple[str, int | None]]:
        """Yield every piece, bare, and the place of the variable that it names."""
        parts = _split(text)
        at = 0
        while at < len(parts):
            # A name can contain delimiters, so the longest run of parts is tried first.
            for end in range(min(len(parts), at + self.most_delimiters + 1), at, -1):
                joined = text[parts[at].start : parts[end - 1].end]
                place = self._place_of(joined)
                if place is not None:
                    yield joined, place
                    at = end
                    break
            else:
                yield _bare(text[parts[at].start : parts[at].end]), None
                at += 1

    def _place_of(self, piece: str) -> int | None:
        """Return the place of the variable that a piece names; the unchanged piece is tried first."""
        for form in _forms(piece):
            place = self.place.get(self.key(form))
            if place is not None:
                return place
        return None


@lru_cache(maxsize=64)
def _reader(names: tuple[str, ...]) -> _Reader:
    folded = _Reader(names, True, {}, 0)
    keys = [folded.key(name) for name in names]
    is_folded = len(set(keys)) == len(names)
    if not is_folded:
        exact = _Reader(names, False, {}, 0)
        keys = [exact.key(name) for name in names]
    most = max((len(_DELIMITER.findall(name)) for name in names), default=0)
    return _Reader(names, is_folded, {key: place for place, key in enumerate(keys)}, most)


@dataclass(frozen=True, slots=True)
class _Part:
    start: int
    end: int


def _split(text: str) -> list[_Part]:
    """Split at delimiters outside quotation marks, which open where a piece begins and close where it ends."""
    parts: list[_Part] = []
    start, at, unclosed = 0, 0, set[str]()
    while at <= len(text):
        at = _quoted_end(text, start, unclosed)
        delimiter = _DELIMITER.search(text, at)
        end = delimiter.start() if delimiter else len(text)
        parts.append(_Part(start, end))
        start = at = end + 1
    return parts


def _quoted_end(text: str, start: int, unclosed: set[str]) -> int:
    """Return the end of a quotation that begins a piece; the start of the piece if there is none. `unclosed` collects
    marks known not to be closed later."""
    opening = start
    while opening < len(text) and text[opening] in " \t[({":
        opening += 1
    mark = _MARK.match(text[opening : opening + 12])
    opening += mark.end() if mark else 0
    closing = _CLOSING.get(text[opening : opening + 1])
    if closing is None or closing in unclosed:
        return start
    at = text.find(closing, opening + 1)
    while at >= 0:
        if text[at - 1] != "\\" and _ends_piece(text, at + 1):
            return at + 1
        at = text.find(closing, at + 1)
    unclosed.add(closing)
    return start


def _ends_piece(text: str, at: int) -> bool:
    """Return True if at most a few blanks precede the end of the text or of the piece."""
    rest = text[at : at + _MOST_BLANKS].lstrip(" \t")
    return rest[0] in _AFTER_QUOTE if rest else at + _MOST_BLANKS >= len(text)


def _forms(piece: str) -> Iterator[str]:
    """Yield a piece unchanged, then without each of what models put around a name."""
    plain = piece.strip()
    yield plain
    if (stopped := plain.rstrip(".").rstrip()) != plain:
        yield stopped
    if mark := _MARK.match(plain):
        stopped = plain[mark.end() :].strip()
        yield stopped
    if len(stopped) > 1 and _CLOSING.get(stopped[0]) == stopped[-1]:
        yield stopped[1:-1].replace('\\"', '"')
    yield _bare(plain)


def _bare(piece: str) -> str:
    """Remove list marks, emphasis, quotation marks, brackets and a full stop around a piece."""
    plain = piece.strip()
    if mark := _MARK.match(plain):
        plain = plain[mark.end() :].strip()
    for _ in range(4):
        before = plain
        plain = plain.rstrip(".").strip()
        for opening, closing in (("**", "**"), ("__", "__"), *_CLOSING.items(), *_PAIRS.items()):
            size = len(opening)
            if len(plain) >= 2 * size and plain.startswith(opening) and plain.endswith(closing):
                plain = plain[size : len(plain) - size].strip()
        if plain.startswith(("[", "{")) and _PAIRS[plain[0]] not in plain:
            plain = plain[1:].strip()
        if plain.endswith(("]", "}")) and plain.count("[") + plain.count("{") == 0:
            plain = plain[:-1].strip()
        if plain == before:
            break
    return plain.replace('\\"', '"')


def _without_fence(text: str) -> str:
    """Remove a code fence around the whole text."""
    if not (text.startswith("```") and text.endswith("```") and len(text) >= 6):
        return text
    inside = text[3:-3]
    first, line_end, rest = inside.partition("\n")
    return (rest if line_end and first.strip().isalpha() else inside).strip()

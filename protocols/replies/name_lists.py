"""A list of a graph's variables as a model writes it: which of them it names, and what it names that is none.

Brackets, marks of a list and quotation marks are taken off; pieces are split at commas, semicolons and line ends, but
not between quotation marks or within a variable whose name has some. Names are compared after NFKC, case and
white-space folding; where that would make two variables one, as they are (but for white space). A piece that is no
variable is a wrong name: counted, never dropped. The same name twice is one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

EMPTY = frozenset({"", "null", "none"})
"""What says that no variable answers, after folding."""
MOST_WRONG, LONGEST_WRONG = 100, 200
"""Wrong names that are kept, and characters of each; all are counted."""

_DELIMITER = re.compile(r"[,;\n\r]")
_CLOSING = {'"': '"', "“": "”", "‘": "’", "'": "'", "`": "`", "«": "»"}
_AFTER_QUOTE, _MOST_BLANKS = frozenset(",;\n\r])}."), 8
_MARK = re.compile(r"(?:[-*•–‣·]|\(?[0-9]{1,4}[.)]|\(?[a-zA-Z][.)])[ \t]++")
_PAIRS = {"[": "]", "(": ")", "{": "}"}


@dataclass(frozen=True, slots=True)
class NamedVariables:
    """`names`: variables that are named, in the graph's order, each once. `wrong`: what else is named, in the order of
    the answer, each once and at most `MOST_WRONG` of them; `wrong_count`: of all."""

    names: tuple[str, ...]
    wrong: tuple[str, ...] = ()
    wrong_count: int = 0


def is_folded_apart(names: Sequence[str]) -> bool:
    """Whether case and white space can be folded without making two of these names one.

    >>> is_folded_apart(["HR", "BP"]), is_folded_apart(["HR", "hr"])
    (True, False)
    """
    return _reader(tuple(names)).is_folded


def read_names(said: str, names: Sequence[str]) -> NamedVariables:
    """The variables among `names` that an answer names.

    >>> read_names("[hr, Blood pressure (BP), hr]", ["BP", "HR"])
    NamedVariables(names=('HR',), wrong=('Blood pressure (BP)',), wrong_count=1)
    >>> read_names("Null", ["BP", "HR"]).names, read_names("[Null]", ["Null", "HR"]).names
    ((), ('Null',))
    """
    return _reader(tuple(names)).read(said)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Of one graph. `place`: by folded name; `most_delimiters`: in any of them."""

    names: tuple[str, ...]
    is_folded: bool
    place: dict[str, int]
    most_delimiters: int

    def key(self, text: str) -> str:
        plain = " ".join(unicodedata.normalize("NFKC", text).split())
        return plain.casefold() if self.is_folded else plain

    def read(self, said: str) -> NamedVariables:
        plain = _without_fence(said.strip())
        bare = plain.strip(" \t\r\n.\"'`*_“”").casefold()
        if bare in EMPTY:
            return NamedVariables(())
        inside = self._without_brackets(plain)
        if inside.strip(" \t\r\n.\"'`*_“”").casefold() in EMPTY and self._found(inside) is None:
            return NamedVariables(())
        places: set[int] = set()
        wrong: dict[str, str] = {}
        for piece, place in self._pieces(inside):
            if place is not None:
                places.add(place)
            elif piece:
                wrong.setdefault(self.key(piece), piece)
        kept = tuple(each[:LONGEST_WRONG] for each in list(wrong.values())[:MOST_WRONG])
        return NamedVariables(tuple(self.names[place] for place in sorted(places)), kept, len(wrong))

    def _without_brackets(self, text: str) -> str:
        """Without one pair of brackets around all of it, unless a variable is called so."""
        plain = text.rstrip(". \t\r\n")
        closing = _PAIRS.get(plain[:1])
        if closing is None or not plain.endswith(closing) or self._found(plain) is not None:
            return text
        return plain[1:-1]

    def _pieces(self, text: str) -> Iterator[tuple[str, int | None]]:
        """Every piece, without what is around its name, and the place of the variable that it names."""
        parts = _split(text)
        at = 0
        while at < len(parts):
            for end in range(min(len(parts), at + self.most_delimiters + 1), at, -1):
                joined = text[parts[at].start : parts[end - 1].end]
                place = self._found(joined)
                if place is not None:
                    yield joined, place
                    at = end
                    break
            else:
                yield _bare(text[parts[at].start : parts[at].end]), None
                at += 1

    def _found(self, piece: str) -> int | None:
        """The variable that a piece names, looked for as it stands before anything is taken off it."""
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
    """Stretches between delimiters that are not within quotation marks, which open where a piece begins and close where
    it ends."""
    found: list[_Part] = []
    start, at, unclosed = 0, 0, set[str]()
    while at <= len(text):
        at = _quoted_end(text, start, unclosed)
        delimiter = _DELIMITER.search(text, at)
        end = delimiter.start() if delimiter else len(text)
        found.append(_Part(start, end))
        start = at = end + 1
    return found


def _quoted_end(text: str, start: int, unclosed: set[str]) -> int:
    """Where a quotation that begins a piece ends; where the piece begins if it is none. `unclosed`: marks that were
    looked for and are closed nowhere later."""
    begun = start
    while begun < len(text) and text[begun] in " \t[({":
        begun += 1
    mark = _MARK.match(text[begun : begun + 12])
    begun += mark.end() if mark else 0
    closing = _CLOSING.get(text[begun : begun + 1])
    if closing is None or closing in unclosed:
        return start
    at = text.find(closing, begun + 1)
    while at >= 0:
        if text[at - 1] != "\\" and _ends_piece(text, at + 1):
            return at + 1
        at = text.find(closing, at + 1)
    unclosed.add(closing)
    return start


def _ends_piece(text: str, at: int) -> bool:
    """Whether nothing but a few blanks stands before the end or what ends a piece."""
    rest = text[at : at + _MOST_BLANKS].lstrip(" \t")
    return rest[0] in _AFTER_QUOTE if rest else at + _MOST_BLANKS >= len(text)


def _forms(piece: str) -> Iterator[str]:
    """A piece as it stands, then without what models put around a name, one after the other."""
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
    """Without marks of a list, emphasis, quotation marks, brackets and a full stop around it."""
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
    """Without a code fence around all of it."""
    if not (text.startswith("```") and text.endswith("```") and len(text) >= 6):
        return text
    inside = text[3:-3]
    first, line_end, rest = inside.partition("\n")
    return (rest if line_end and first.strip().isalpha() else inside).strip()

"""Occurrences of people's names in a study's texts, with context; read-only."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from sqlmodel import Session

from core.pseudonyms import NamedPerson, Pseudonyms
from store import texts
from store.texts import TEXTS, WordsBy

MOST_EXCERPTS = 3
_AROUND = 30


@dataclass(frozen=True, slots=True)
class NamePart:
    """A part of a name, with the number of times it occurs alone in people's texts, and excerpts."""

    word: str
    count: int
    excerpts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamePlace:
    """A kind of text that contains names: table, column, origin of its words, and the number of names."""

    table: str
    column: str
    source: WordsBy
    names: int


def survey(session: Session, names: Pseudonyms, words: Collection[str]) -> tuple[tuple[NamePlace, ...], list[NamePart]]:
    """Return every kind of text with names, and the context of each part of a name; in one pass over the store."""
    alone = Pseudonyms(NamedPerson(word, word) for word in words)
    numbers: Counter[tuple[str, str, WordsBy]] = Counter()
    counts: Counter[str] = Counter()
    excerpts: dict[str, dict[str, None]] = defaultdict(dict)

    def may_hold(text: str) -> bool:
        return names.may_hold(text) or alone.may_hold(text)

    for table, column in TEXTS:

        def look(text: str, source: WordsBy, place: tuple[str, str] = (table, column)) -> str:
            numbers[(*place, source)] += names.count(text)
            if source is WordsBy.WRITTEN:
                for word, number in alone.found(text).items():
                    counts[word] += number
                    if len(excerpts[word]) < MOST_EXCERPTS:
                        excerpts[word][_around(text, word)] = None
            return text

        for _ in texts.rows_to_rewrite(session, table, column, look, may_hold):
            pass
    places = tuple(NamePlace(*place, number) for place, number in sorted(numbers.items()) if number)
    return places, [NamePart(word, counts[word], tuple(excerpts[word])) for word in words]


def _around(text: str, word: str) -> str:
    position = max(0, text.casefold().find(word.casefold()))
    start, end = max(0, position - _AROUND), position + len(word) + _AROUND
    before, after = text[start:position], text[position:end]
    if start and " " in before:
        before = before.partition(" ")[2]
    if end < len(text) and " " in after[len(word) :]:
        after = after.rpartition(" ")[0]
    return " ".join(f"{before}{after}".split())

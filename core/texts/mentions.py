"""Mentions of node names in a text: folded, whole words, the longest name first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.texts.words import WordAt, markdown_words, markdown_words_at, words_of


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as the graph has it, and its characters in the text (`end` excluded)."""

    name: str
    start: int
    end: int


class MentionedNames:
    """The names of a graph, indexed for searching texts. Names without a letter or digit are never found."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_first = defaultdict[str, list[tuple[tuple[str, ...], str]]](list)
        for name in dict.fromkeys(names):
            if words := words_of(name):
                self._by_first[words[0]].append((words, name))
        for candidates in self._by_first.values():
            candidates.sort(key=lambda each: -len(each[0]))

    def in_words(self, words: Sequence[WordAt]) -> tuple[Mention, ...]:
        """Return every mention in order; a word belongs to one mention at most."""
        places = self.places_in(tuple(each.word for each in words))
        return tuple(Mention(name, words[start].start, words[end - 1].end) for name, start, end in places)

    def places_in(self, words: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
        """Yield each mention as its name, its first word, and the word after its last."""
        if self._by_first.keys().isdisjoint(words):
            return
        place = 0
        while place < len(words):
            for parts, name in self._by_first.get(words[place], ()):
                if words[place : place + len(parts)] == parts:
                    yield name, place, place + len(parts)
                    place += len(parts)
                    break
            else:
                place += 1

    def in_text(self, text: str) -> tuple[Mention, ...]:
        return self.in_words(tuple(markdown_words_at(text)))


def mentioned(text: str, names: Iterable[str]) -> frozenset[str]:
    """Return the names that are in a text, also within longer ones."""
    distinct_names = tuple(dict.fromkeys(names))
    joined = f" {' '.join(markdown_words(text))} "
    return frozenset(name for name in distinct_names if (parts := words_of(name)) and f" {' '.join(parts)} " in joined)

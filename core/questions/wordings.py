"""Phrases of extractions for an abstract's relations, and those that its text does not contain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.triplets.passages import Match
from core.triplets.phrases import HighlightedText


@dataclass(frozen=True, slots=True)
class QuestionWording:
    """A phrase for the `end`, X or Y, of the relation with this number, from 1."""

    number: int
    end: str
    phrase: str

    @property
    def name(self) -> str:
        """The end and the number: "X1"."""
        return f"{self.end}{self.number}"


def wordings(relations: Iterable[Mapping[str, Any]]) -> list[QuestionWording]:
    """Return the wordings of a paper's consensus relations: their own phrases first, then those of their `members`."""
    return [
        QuestionWording(number, end, phrase)
        for number, relation in enumerate(relations, 1)
        for end in ("X", "Y")
        for phrase in dict.fromkeys([relation[end], *(member[end] for member in relation["members"])])
    ]


def found_nowhere(phrases: Sequence[QuestionWording], texts: Iterable[HighlightedText]) -> list[QuestionWording]:
    """Return the first wording of each end of which none is in any of the texts, highlighted with all of the phrases.

    >>> from core.triplets.phrases import highlight_phrases
    >>> phrases = [("X", "Taxes"), ("X", "a tax"), ("Y", "Fuel use")]
    >>> text = highlight_phrases("A tax cuts use of fuel.", [phrase for _, phrase in phrases])
    >>> [each.phrase for each in found_nowhere([QuestionWording(1, *phrase) for phrase in phrases], [text])]
    ['Fuel use']
    """
    present = {
        phrases[place].name
        for text in texts
        for place, match in enumerate(text.matches)
        if match is not Match.NOT_FOUND
    }
    first: dict[str, QuestionWording] = {}
    for wording in phrases:
        first.setdefault(wording.name, wording)
    return [each for name, each in first.items() if name not in present]

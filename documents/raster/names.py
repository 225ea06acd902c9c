"""Correction of read names by the paper's own words: letters crossed by a line are misread with high scores. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from documents.proposals.words import PrintedWord

FEW = 60  # a paper of fewer words says nothing about a word that is not among them
SHORT = 4  # letters: shorter words have too many neighbours
MOST_WRONG = 2  # letters


@dataclass(frozen=True, slots=True)
class MatchedWords:
    """Read words with misread ones corrected, and those that the paper does not contain."""

    words: list[PrintedWord]
    unmatched: list[PrintedWord]


def matched(words: Iterable[PrintedWord], vocabulary: Collection[str]) -> MatchedWords:
    """Replace each read word that is none of the paper's by the only one of these within two letters (one, in words of
    up to six letters). `vocabulary`: the paper's words in lower case."""
    known = {word for word in vocabulary if word.isalpha()}
    matches, unmatched = [], []
    for word in words:
        text = word.text.lower().strip(".,;:()")
        if len(known) < FEW or len(text) < SHORT or text in vocabulary:
            matches.append(word)
            continue
        nearest = _nearest(text, known)
        if nearest is None:
            matches.append(word)
            unmatched.append(word)
        elif word.text.isupper():
            matches.append(replace(word, text=nearest.upper()))
        else:
            first = nearest[:1].upper() if word.text[:1].isupper() else nearest[:1]
            matches.append(replace(word, text=first + nearest[1:]))
    return MatchedWords(matches, unmatched)


def _nearest(text: str, known: Collection[str]) -> str | None:
    """Return the one word that is nearest within a few letters; None if there is none, or several as near."""
    most = 1 if len(text) <= 6 else MOST_WRONG
    near = process.extract(text, known, scorer=Levenshtein.distance, score_cutoff=most, limit=2)
    if not near or (len(near) > 1 and near[0][1] == near[1][1]):
        return None
    return str(near[0][0])

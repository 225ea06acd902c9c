"""Probable class of the difference between two spellings of one variable: a suggestion to an adjudicator, never
applied."""

from __future__ import annotations

import re
import unicodedata

from core.graphs.alignment import LEAST_LIKENESS, NameClass
from core.graphs.names import fold_name

LETTERS = 5  # minimum length of a name in which one letter is more likely a typo than another word
_NOT_WRITTEN = re.compile(r"[\W_]+")


def likely_class(one: str, other: str) -> NameClass:
    """Return the class that two names of one variable are likely to get (ReCITE, appendix I).

    A typo differs in case, spacing, punctuation or accents, or by one letter inserted, left out, changed or swapped
    with its neighbour (the restricted Damerau-Levenshtein distance is at most 1) in a name of `LETTERS` or more: GDP
    and GNP are no typo. More distant names are a minor difference while they share words, and a major mismatch if
    rapidfuzz's token_set_ratio of the folded names, 0-100, is below `LEAST_LIKENESS`.

    >>> likely_class("Net price", "net-price"), likely_class("Arable land", "County's arable land area")
    (<NameClass.TYPO: 'auto-correctable typo'>, <NameClass.MINOR: 'minor difference'>)
    """
    from rapidfuzz import fuzz
    from rapidfuzz.distance import OSA

    bare = _bare(one), _bare(other)
    if OSA.distance(*bare) <= (1 if max(map(len, bare)) >= LETTERS else 0):
        return NameClass.TYPO
    alike = fuzz.token_set_ratio(fold_name(one), fold_name(other)) >= LEAST_LIKENESS
    return NameClass.MINOR if alike else NameClass.MAJOR


def _bare(name: str) -> str:
    """Return letters and digits only; a name of signs alone keeps them."""
    folded = fold_name(name)
    letters = "".join(each for each in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(each))
    return _NOT_WRITTEN.sub("", letters) or folded

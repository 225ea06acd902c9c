"""Finding people's names in text and replacing them by pseudonyms. Pure.

A name is found as whole words in any case, with spaces, dots, hyphens, underscores or nothing between its words, with
the family name first, composed or decomposed, without its accents, and as JSON writes it (`\\u00e9`). Parts of a name
(of four letters or more) are found alone only on request: "Price" is a person and a variable."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

SHORTEST_PART = 4  # minimum letters of a part of a name that is searched alone: shorter ones occur in too many places

# Words of the program that people use for test accounts; alone they name nobody.
ORDINARY = frozenset(
    {
        "annotator",
        "expert",
        "reviewer",
        "researcher",
        "owner",
        "demo",
        "second",
        "newcomer",
        "student",
        "person",
        "user",
        "guest",
        "colleague",
        "terminal",
        "worker",
        "model",
        "test",
        "first",
        "third",
    }
)

_BETWEEN = r"[\s_.,\-\u2010-\u2015]{0,3}"
_START, _END = r"(?<![^\W_])", r"(?![^\W_])"  # an underscore parts words, as in names of files


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """A person's name, the pseudonym that replaces it, and the parts of the name that are replaced alone too."""

    name: str
    pseudonym: str
    parts: tuple[str, ...] = ()


def parts_of(name: str) -> tuple[str, ...]:
    """Return the parts of a name that can be searched alone, each once.

    >>> parts_of("Ada Li-Nakamura"), parts_of("Demo annotator"), parts_of("Nakamura")
    (('Nakamura',), (), ())
    """
    words = _words(name)
    if len(words) < 2:
        return ()
    long = [word for word in words if len(word) >= SHORTEST_PART and word.casefold() not in ORDINARY]
    return tuple({word.casefold(): word for word in long}.values())


def is_ordinary(name: str) -> bool:
    """Return True if a name consists of the program's own words only, such as "Owner" or "Demo annotator"."""
    return all(word.casefold() in ORDINARY or not word.isalpha() for word in _words(name))


class Pseudonyms:
    """Replaces the names of some people. Longer names go first, so that no part breaks a whole name."""

    def __init__(self, people: Iterable[NamedPerson]) -> None:
        forms: dict[str, str] = {}
        hints: set[str | None] = set()
        for person in people:
            hints |= {_hint(name) for name in (person.name, *person.parts)}
            for form in (_whole(person.name), *(_bounded(part, _word(part)) for part in person.parts)):
                forms.setdefault(form, person.pseudonym)
        ordered = sorted(forms, key=lambda form: (-len(form), form))
        self._pseudonyms = [forms[form] for form in ordered]
        joined = "|".join(f"({form})" for form in ordered)
        self._pattern = re.compile(joined, re.IGNORECASE) if ordered else None

        self._hints = None if None in hints else tuple(sorted(hint for hint in hints if hint))

    def may_hold(self, text: str) -> bool:
        """Return False only if no name is in `text`, plain or JSON: a quick check before the full search."""
        if self._pattern is None or self._hints is None:
            return self._pattern is not None
        folded = text.casefold().replace("\u0307", "")
        return any(hint in folded for hint in self._hints)

    def count(self, text: str) -> int:
        return 0 if self._pattern is None else sum(1 for _ in self._pattern.finditer(text))

    def found(self, text: str) -> Counter[str]:
        """Return pseudonym → number of occurrences of that person's name."""
        if self._pattern is None:
            return Counter()
        return Counter(self._pseudonyms[(match.lastindex or 1) - 1] for match in self._pattern.finditer(text))

    def replaced(self, text: str) -> str:
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda match: self._pseudonyms[(match.lastindex or 1) - 1], text)


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\s_.,\-\u2010-\u2015]+", unicodedata.normalize("NFC", name)) if word]


def _hint(name: str) -> str | None:
    """Return letters that every spelling of the name has in a row, None if there are too few to search for."""
    runs = re.findall(r"[a-z]+", unicodedata.normalize("NFC", name).lower())
    longest = max(runs, key=len, default="")
    return longest if len(longest) >= 2 else None


def _whole(name: str) -> str:
    words = [_word(word) for word in _words(name)] or [re.escape(name)]
    orders = [_BETWEEN.join(words)]
    if len(words) > 1:
        orders.append(_BETWEEN.join([words[-1], *words[:-1]]))
    return _bounded(name, "|".join(f"(?:{order})" for order in orders))


def _bounded(name: str, pattern: str) -> str:
    """Match whole words only, in scripts with upper and lower case, which separate words by spaces; Chinese does
    not."""
    return f"{_START}(?:{pattern}){_END}" if name.upper() != name.lower() else f"(?:{pattern})"


def _word(word: str) -> str:
    return "".join(map(_letter, unicodedata.normalize("NFC", word)))


def _letter(letter: str) -> str:
    """Return a pattern for one letter: composed, decomposed, without its accent, or escaped by JSON."""
    if letter.isascii():
        return re.escape(letter)
    spelled = {letter, letter.lower(), letter.upper()}
    forms = set(spelled)
    for each in spelled:
        apart = unicodedata.normalize("NFD", each)
        forms |= {apart, json.dumps(each)[1:-1], json.dumps(apart)[1:-1]}
        if apart[0].isalpha() and apart[0].isascii():
            forms.add(apart[0])
    return "(?:" + "|".join(sorted(map(re.escape, forms), key=lambda form: (-len(form), form))) + ")"

"""Variable names: which are valid, when two are the same node, and which only look alike.

Only `may_merge` decides that two names are one. Everything `near_names` returns is a proposal: GDP and GNP differ by
one letter and are two variables (ReCITE 3.2)."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations
from operator import attrgetter

from core.errors import InvalidName

# Maximum characters of a cleaned name; the longest printed label seen in real diagrams is far shorter.
LONGEST_NAME = 300

_LIKE = 0.5  # least similarity (0-1, of difflib) of a name suggested for a mistyped one
_MOST_APART = 3  # letters; see `_allowed_distance`

_WHITE_SPACE = re.compile(r"[\t\n\v\f\r\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_TRIMMED = "\u200b\u2060\ufeff "  # zero-width space, word joiner and byte order mark arrive with pasted text
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")  # letters by category, but nothing is drawn

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u02d7\u058a\u2e3a\u2e3b"), "-")
_QUOTES = dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\u0060"), "'")
_QUOTES |= dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"), '"')

# Letters of other scripts drawn like Latin ones; used for proposals only, never for sameness.
_DRAWN_ALIKE = str.maketrans(
    "аеорсухіјѕԁһӏ" + "αοριντυχκηγ" + "вкмнтгз",
    "aeopcyxijsdhl" + "aopivtuxkny" + "bkmhtr3",
)


def clean_name(text: str) -> str:
    """Return the name to store: NFC, trimmed, every run of white space (no-break spaces and line breaks too) one space.

    Everything else stays as printed. Raises InvalidName if nothing visible is left, if the name is longer than 300
    characters, or if it has control or text-direction characters.

    >>> clean_name("  Total\\u00a0grain \\n output ")
    'Total grain output'
    """
    name = _WHITE_SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip(_TRIMMED)
    if not any(map(_is_visible, name)):
        raise InvalidName("The name is empty; write the variable as it is printed in the figure.")
    if len(name) > LONGEST_NAME:
        start = f"{name[:40]}…"
        raise InvalidName(
            f"The name “{start}” has {len(name):,} characters; a name may have at most {LONGEST_NAME}. Shorten it."
        )
    for place, character in enumerate(name, start=1):
        number, category = ord(character), unicodedata.category(character)
        code = f"U+{number:04X}"
        if character in _BIDI_CONTROLS:
            raise InvalidName(
                f"The name contains a text-direction character ({code}) at position {place}, which can make it look "
                "different from what it is; remove it."
            )
        if category == "Cc":
            raise InvalidName(f"The name contains a control character ({code}) at position {place}; remove it.")
        # Half of a surrogate pair, or a noncharacter.
        if category == "Cs" or number & 0xFFFE == 0xFFFE or 0xFDD0 <= number <= 0xFDEF:
            raise InvalidName(
                f"The name contains a broken character ({code}) at position {place}; type the name again."
            )
    return name


@lru_cache(maxsize=16_384)  # every act compares all names of a graph several times
def fold_name(text: str) -> str:
    """Return the form in which two spellings of one node are equal: the single definition used by autocorrection.

    NFKC, case folding, one kind of dash and quote, single spaces and none around dashes, no zero-width characters. A
    hyphen and a space stay different ("A -B", "A B"); such pairs are proposed.

    >>> fold_name("Work \\u2013 Life  Balance") == fold_name("work-life balance")
    True
    """
    folded = text
    while (further := _fold_once(folded)) != folded:  # one pass can leave a character that NFKC changes again
        folded = further
    return folded


def name_key(text: str) -> int:
    """Return a number from -2⁶³ to 2⁶³ - 1 that is equal for names that are equal after folding: the first eight bytes
    of the folded name's BLAKE2b. It fits any index, for names of any length, and does not reveal the name.

    >>> name_key("Grain  Output") == name_key("grain output"), name_key("GDP") == name_key("GNP")
    (True, False)
    """
    digest = blake2b(fold_name(text).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def may_merge(first: str, second: str) -> bool:
    """Return True if two names are automatically the same node: equal after folding. Names with `<` or `>` (shadow
    variables) are never merged with another spelling.

    >>> may_merge("GDP", "gdp"), may_merge("GDP", "GNP"), may_merge("<Price>", "<price>")
    (True, False, False)
    """
    if first == second:
        return True
    folded = fold_name(first)
    return folded == fold_name(second) and "<" not in folded and ">" not in folded


class NearKind(StrEnum):
    """Reasons to propose two different names as one, in the order in which they are tried."""

    CASE = "case"
    LOOK_ALIKE = "look-alike"
    HYPHEN = "hyphen"
    PLURAL = "plural"
    EDIT_DISTANCE = "edit distance"
    PREFIX = "prefix"


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two names that may be one. `distance` counts the letters to insert, delete or exchange after folding."""

    first: str
    second: str
    kind: NearKind
    distance: int

    @property
    def is_mergeable(self) -> bool:
        """True if equal after folding, so that autocorrection may merge them; every other pair needs a person."""
        return may_merge(self.first, self.second)

    @property
    def is_rare(self) -> bool:
        """True if the names differ by more than one letter: a merge at this distance is marked "rare" (ReCITE 3.2)."""
        return self.distance > 1


def near_names(names: Iterable[str], limit: int | None = None) -> tuple[NearPair, ...]:
    """Return pairs of different names to check, likeliest first; `limit` keeps the first pairs.

    Proposals only. Names that differ only in digits ("Phase 1", "Phase 2") are numbered on purpose and are not
    proposed; names under three letters are compared for case and look only.

    >>> [(pair.first, pair.second, pair.kind.value) for pair in near_names(["GDP", "GNP", "Tree", "Trees"])]
    [('Tree', 'Trees', 'plural'), ('GDP', 'GNP', 'edit distance')]
    """
    from rapidfuzz.distance.Levenshtein import distance

    forms = [_Forms.of(name) for name in dict.fromkeys(names)]
    compared = (_compare(forms[first], forms[second], distance) for first, second in _maybe_near(forms))
    pairs = [pair for pair in compared if pair is not None]
    order = list(NearKind)
    pairs.sort(key=lambda pair: (order.index(pair.kind), pair.distance))
    return tuple(pairs if limit is None else pairs[:limit])


def spelled_like(name: str, others: Iterable[str]) -> tuple[str, ...]:
    """Return those of `others` of which this name may be a typo, likeliest first; a longer name is none.

    >>> spelled_like("Househould income", ["Income", "Household income", "Househould income of farms"])
    ('Household income',)
    """
    from rapidfuzz.distance.Levenshtein import distance

    own, order = _Forms.of(name), list(NearKind)
    near = [pair for other in others if (pair := _compare(own, _Forms.of(other), distance)) is not None]
    near.sort(key=lambda pair: (order.index(pair.kind), pair.distance))
    return tuple(pair.second for pair in near if pair.kind is not NearKind.PREFIX)


def nearest_names(name: str, others: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Return those of `others` most similar to a mistyped name, nearest first.

    >>> nearest_names("HRR", ["HREKG", "PAP", "HRBP", "HR"])
    ('HR', 'HRBP', 'HREKG')
    """
    from difflib import SequenceMatcher

    compared = SequenceMatcher(None, b=name.casefold(), autojunk=False)
    near: list[tuple[float, str]] = []
    for other in others:
        compared.set_seq1(other.casefold())
        if compared.real_quick_ratio() >= _LIKE and (likeness := compared.ratio()) >= _LIKE:
            near.append((likeness, other))
    near.sort(key=lambda each: (-each[0], len(each[1])))
    return tuple(other for _, other in near[:most])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Forms:
    """The spellings of one name that comparisons need, computed once per name."""

    name: str
    words: tuple[str, ...]
    cased: str
    drawn: str
    folded: str
    joined: str
    singular: str
    undigited: str

    @classmethod
    @lru_cache(maxsize=4096)  # a graph is checked again after every edge, with nearly the same names
    def of(cls, name: str) -> _Forms:
        folded = fold_name(name)
        return cls(
            name=name,
            words=tuple(name.split()),
            cased=" ".join(name.split()).lower(),
            drawn=unicodedata.normalize("NFKC", " ".join(name.split())).casefold().translate(_DRAWN_ALIKE),
            folded=folded,
            joined=re.sub(r"(?<=\w)[- ](?=\w)", "", folded),
            singular=" ".join(map(_singular, folded.split(" "))),
            undigited=re.sub(r"\d+", "#", folded),
        )


_Distance = Callable[..., int]

# Spellings that make two names near if they are equal.
_FORMS: tuple[Callable[[_Forms], Hashable], ...] = tuple(
    map(attrgetter, ("words", "cased", "drawn", "joined", "singular"))
)


def _maybe_near(forms: Sequence[_Forms]) -> list[tuple[int, int]]:
    """Return the pairs, by their places and in order, that `_compare` may accept: thousands of names have millions of
    pairs, nearly all of them very different."""
    import numpy as np
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    pairs: set[tuple[int, int]] = set()
    for form in _FORMS:
        alike = defaultdict[Hashable, list[int]](list)
        for place, spelling in enumerate(forms):
            alike[form(spelling)].append(place)
        pairs.update(pair for places in alike.values() for pair in combinations(places, 2))
    folded = [each.folded for each in forms]
    by_folded = defaultdict[str, list[int]](list)
    for place, text in enumerate(folded):
        by_folded[text].append(place)
    for place, text in enumerate(folded):
        beginnings = (text[: blank.start()] for blank in re.finditer(" ", text))
        others = (other for beginning in beginnings for other in by_folded.get(beginning, ()))
        pairs.update((min(place, other), max(place, other)) for other in others)
    if forms:
        apart = cdist(folded, folded, scorer=Levenshtein.distance, score_cutoff=_MOST_APART, dtype=np.uint8)
        allowed = np.array([_allowed_distance(len(text)) for text in folded], np.uint8)
        firsts, seconds = np.nonzero(np.triu(apart <= np.minimum.outer(allowed, allowed), 1))
        # Names that are numbered on purpose would be a million pairs, nearly all of no use; skip them here.
        kinds: dict[str, int] = {}
        numbered = np.array([kinds.setdefault(each.undigited, len(kinds)) for each in forms])
        is_named = numbered[firsts] != numbered[seconds]
        pairs.update(zip(firsts[is_named].tolist(), seconds[is_named].tolist(), strict=True))
    return sorted(pairs)


def _compare(first: _Forms, second: _Forms, levenshtein: _Distance) -> NearPair | None:
    kind = _kind_of_form(first, second)
    if kind is not None:
        return NearPair(first.name, second.name, kind, levenshtein(first.folded, second.folded))
    if first.undigited == second.undigited:
        return None
    short, long = sorted((first.folded, second.folded), key=len)
    allowed = _allowed_distance(len(short))
    if allowed and len(long) - len(short) <= allowed:
        distance = levenshtein(first.folded, second.folded, score_cutoff=allowed)
        if distance <= allowed:
            return NearPair(first.name, second.name, NearKind.EDIT_DISTANCE, distance)
    if len(short) >= 4 and long.startswith(short + " "):
        return NearPair(first.name, second.name, NearKind.PREFIX, len(long) - len(short))
    return None


def _kind_of_form(first: _Forms, second: _Forms) -> NearKind | None:
    """Return the kind of nearness that holds for names of any length or number."""
    if first.words == second.words:
        return NearKind.LOOK_ALIKE  # only white space differs
    if first.cased == second.cased:
        return NearKind.CASE
    if first.drawn == second.drawn:
        return NearKind.LOOK_ALIKE
    if first.joined == second.joined:
        return NearKind.HYPHEN
    return NearKind.PLURAL if first.singular == second.singular else None


def _allowed_distance(length: int) -> int:
    """Return the number of letters that may differ: 1 from three letters (GDP, GNP), 2 from eight ("Percipitation"), 3
    from twenty."""
    return 0 if length < 3 else 1 if length < 8 else 2 if length < 20 else _MOST_APART


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _fold_once(text: str) -> str:
    if text.isascii():  # of these only capitals, one quote, blanks and dashes change: a tenth of the time
        plain = text.replace("`", "'").lower()
    else:
        plain = unicodedata.normalize("NFKC", text.translate(_QUOTES)).casefold()
        plain = unicodedata.normalize("NFKC", plain).translate(_DASHES).translate(_QUOTES)
        plain = "".join(character for character in plain if unicodedata.category(character) != "Cf")
    plain = _WHITE_SPACE.sub(" ", plain).strip()
    return re.sub(r"(?<=\S) ?- ?(?=\S)", "-", plain)


def _is_visible(character: str) -> bool:
    """Return True if a glyph is drawn, or the character needs an error message of its own."""
    if character in _BLANK_LETTERS or character == " ":
        return False
    return unicodedata.category(character) != "Cf" or character in _BIDI_CONTROLS

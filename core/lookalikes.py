"""Which texts look alike, and which script a letter belongs to, as Unicode Technical Standard 39 says.

The data are those of the pinned package confusable-homoglyphs (Unicode 15.1), read when first asked for.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache

_LEFT_TO_RIGHT_MARK = "\u200e"  # the package's data are cut out of comments, where it stands around Arabic and Hebrew

_LEFTWARDS, _ON_A_LETTER = "left", "mark"
_WAYS = {
    "R": _LEFTWARDS,
    "AL": _LEFTWARDS,
    "L": "right",
    "EN": "digits",
    "AN": "digits",
    "WS": " ",
    "NSM": _ON_A_LETTER,
}
"""Bidirectional class → which characters beside each other stay together; all others turn one by one."""
_MIRRORED = str.maketrans("([{<«‹", ")]}>»›")


def skeleton(text: str) -> str:
    """The form that is equal for two texts if they look alike (UTS 39, section 4); never to be shown.

    Decomposed, each character replaced by its prototype, decomposed again. The case stays: "I" and "l" look alike,
    "i" and "l" do not. Characters that cannot be seen are not removed here; the caller does.

    >>> skeleton("Bern") == skeleton("Bem"), skeleton("paypal") == skeleton("раураl"), skeleton("Ágnes") == "Agnes"
    (True, True, False)
    """
    return _replaced(text, _prototypes())


def in_any_order(text: str) -> str:
    """The skeleton, but of a text that mixes letters of both directions, or those to the left with digits or signs, its
    parts sorted: how such a text is drawn depends on what stands around it.

    >>> in_any_order("1 \u05d0") == in_any_order("\u05d0 1"), in_any_order("1 a") == in_any_order("a 1")
    (True, False)
    """
    parts: list[tuple[str, str]] = []
    for character in text:
        way = _WAYS.get(unicodedata.bidirectional(character), character)
        if parts and way in (_ON_A_LETTER, parts[-1][0]):
            parts[-1] = (parts[-1][0], parts[-1][1] + character)
        elif way != " ":
            parts.append((way, character))
    ways = {way for way, _ in parts}
    if ways <= {_LEFTWARDS} or _LEFTWARDS not in ways:
        return skeleton(text)
    return "\0".join(sorted(skeleton(part) for _, part in parts)).translate(_MIRRORED)


def script_of(character: str) -> str | None:
    """The Unicode script of one character, in capitals; None for a character that the data do not know.

    >>> script_of("a"), script_of("д"), script_of("-"), script_of("\\u0301"), script_of("\\ue000")
    ('LATIN', 'CYRILLIC', 'COMMON', 'INHERITED', None)
    """
    from confusable_homoglyphs.categories import alias

    found: str = alias(character)
    return None if found == "Unknown" else found


@cache
def _prototypes() -> Mapping[str, str]:
    """Character → what UTS 39 puts in its place, one character or several.

    The package keeps each line "source → prototype" of confusables.txt twice, under either end. A prototype with
    several sources has several entries; of a lone pair the source was met first.
    """
    from confusable_homoglyphs.confusables import confusables_data

    found: dict[str, str] = {}
    met: set[str] = set()
    for character, others in confusables_data.items():
        met.add(character)
        other = others[0]["c"]
        if len(others) == 1 and (len(confusables_data[other]) > 1 or other not in met):
            found[character.strip(_LEFT_TO_RIGHT_MARK)] = other.strip(_LEFT_TO_RIGHT_MARK)
    # Thirteen prototypes hold a composed letter that has a prototype itself once it is decomposed.
    return {character: _replaced(prototype, found) for character, prototype in found.items()}


def _replaced(text: str, prototypes: Mapping[str, str]) -> str:
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(prototypes.get(character, character) for character in apart))

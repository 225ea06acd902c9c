"""Texts that look alike, and the script of a letter, by Unicode Technical Standard 39. The data are those of the pinned
package confusable-homoglyphs (Unicode 15.1), read on first use."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache

_LEFT_TO_RIGHT_MARK = "\u200e"  # the package's data are cut out of comments, where it surrounds Arabic and Hebrew

_LEFTWARDS, _ON_A_LETTER = "left", "mark"

# Bidirectional class → key of characters that stay together when adjacent; all others turn one by one.
_WAYS = {
    "R": _LEFTWARDS,
    "AL": _LEFTWARDS,
    "L": "right",
    "EN": "digits",
    "AN": "digits",
    "WS": " ",
    "NSM": _ON_A_LETTER,
}
_MIRRORED = str.maketrans("([{<«‹", ")]}>»›")


def skeleton(text: str) -> str:
    """Return the form that is equal for two texts if they look alike (UTS 39, section 4); never to be shown.

    Decomposed, each character replaced by its prototype, decomposed again. The case stays: "I" and "l" look alike, "i"
    and "l" do not. The caller removes invisible characters.

    >>> skeleton("Bern") == skeleton("Bem"), skeleton("paypal") == skeleton("раураl"), skeleton("Ágnes") == "Agnes"
    (True, True, False)
    """
    return _replaced(text, _prototypes())


def in_any_order(text: str) -> str:
    """Return the skeleton; with the parts sorted for a text that mixes letters of both directions, or right-to-left
    letters with digits or signs, since the order of their display depends on the surrounding text.

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
    """Return the Unicode script of one character, in capitals; None for a character that the data do not contain.

    >>> script_of("a"), script_of("д"), script_of("-"), script_of("\\u0301"), script_of("\\ue000")
    ('LATIN', 'CYRILLIC', 'COMMON', 'INHERITED', None)
    """
    from confusable_homoglyphs.categories import alias

    script: str = alias(character)
    return None if script == "Unknown" else script


@cache
def _prototypes() -> Mapping[str, str]:
    """Return character → its UTS 39 replacement, one character or several.

    The package stores each line "source → prototype" of confusables.txt twice, under either end. A prototype with
    several sources has several entries; of a single pair the source comes first."""
    from confusable_homoglyphs.confusables import confusables_data

    replacements: dict[str, str] = {}
    met: set[str] = set()
    for character, others in confusables_data.items():
        met.add(character)
        other = others[0]["c"]
        if len(others) == 1 and (len(confusables_data[other]) > 1 or other not in met):
            replacements[character.strip(_LEFT_TO_RIGHT_MARK)] = other.strip(_LEFT_TO_RIGHT_MARK)
    # Thirteen prototypes hold a composed letter that has a prototype itself once it is decomposed.
    return {character: _replaced(prototype, replacements) for character, prototype in replacements.items()}


def _replaced(text: str, prototypes: Mapping[str, str]) -> str:
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(prototypes.get(character, character) for character in apart))

"""Licences of papers that allow redistributing their texts in changed form: shortened and normalised."""

from __future__ import annotations

import re

_SEPARATORS = re.compile(r"[\s_/:.,;()\-]+")
_PUBLIC = frozenset({"cc0", "cc zero", "public domain", "pd", "pdm"})
_CREATIVE_COMMONS = re.compile(
    r"(?:creative commons )?(?:cc )?(?:licen[cs]es? )?by(?: nc)?(?: sa)?(?: \d(?: \d)?)?"
    r"(?: (?:international|unported|generic|licen[cs]e|igo|au|ca|de|fr|nl|u[ks]))*"
)
_WORDS = (
    ("creativecommons org publicdomain zero", "cc0"),
    ("creativecommons org licenses", "cc"),
    ("attribution", "by"),
    ("non commercial", "nc"),
    ("noncommercial", "nc"),
    ("share alike", "sa"),
    ("sharealike", "sa"),
    ("no derivatives", "nd"),
    ("noderivatives", "nd"),
    ("noderivs", "nd"),
)

# Licences of any version and country. ND licences forbid changed texts; an unlisted licence is not redistributed.
REDISTRIBUTABLE = ("CC0", "CC BY", "CC BY-SA", "CC BY-NC", "CC BY-NC-SA", "public domain")


def may_redistribute(licence: str) -> bool:
    """Return True if a paper's licence, by its name or its address, is one of `REDISTRIBUTABLE`.

    >>> [may_redistribute(each) for each in ("CC BY 4.0", "http://creativecommons.org/licenses/by-nc/4.0/", "CC BY-ND")]
    [True, True, False]
    >>> [may_redistribute(each) for each in ("", "All rights reserved", "publisher-specific, author manuscript")]
    [False, False, False]
    """
    text = licence.strip().casefold().removeprefix("https://").removeprefix("http://").removeprefix("www.")
    plain = _SEPARATORS.sub(" ", text).strip()
    for long, short in _WORDS:
        plain = plain.replace(long, short)
    words = plain.split()
    if "nd" in words:
        return False
    if plain in _PUBLIC or words[:1] == ["cc0"]:
        return True
    return bool({"cc", "creative"} & set(words[:1])) and _CREATIVE_COMMONS.fullmatch(plain) is not None

"""Words as people search for them: ligatures, look-alike forms and curly quotes folded. Pure."""

from __future__ import annotations

import unicodedata

# NFKC leaves these alone, and names in figures and names typed by people often differ in them.
QUOTES = str.maketrans({"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"'})
UNSEEN = str.maketrans(dict.fromkeys(("\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"), ""))


def folded(printed: str) -> str:
    """Apply NFKC (splits ligatures: "ﬂ" becomes "fl"), straight quotes, no zero-width characters or soft hyphens.

    >>> folded("ﬂexibility") + " " + folded("farmers’")
    "flexibility farmers'"
    """
    return unicodedata.normalize("NFKC", printed).translate(QUOTES).translate(UNSEEN)

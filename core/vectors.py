"""Vectors of short texts from their letters alone: no model, no download, the same on every machine.

They bring together spellings ("wage structure", "Wage structures") and not meanings ("wages", "pay").
"""

from __future__ import annotations

import math
import unicodedata
import zlib
from array import array

LEXICAL = "lexical"
"""The name under which a run says that it used these."""
NOTICE = (
    "The built-in vectors compare letters, not meanings. The papers' thresholds (0.8, 0.9) were set for OpenAI's "
    "text-embedding-3: with these vectors, fewer and different pairs reach them."
)
DIMENSIONS = 1024
SIZES = (2, 3, 4)
"""Characters of an n-gram. A word's ends are marked by a blank, and no n-gram spans two words."""


def lexical(text: str) -> array[float]:
    """The vector of a text: `DIMENSIONS` numbers of length 1 together, or all 0 for a text without a letter or digit.

    Counts of character n-grams of the words (NFKC, case-folded), each added to or taken from the place that its CRC-32
    names (Weinberger et al. 2009, feature hashing). The cosine of two vectors is the sum of products.

    >>> one, other = lexical("Wage structure"), lexical("wage  structures")
    >>> round(sum(a * b for a, b in zip(one, other)), 2), sum(a * a for a in lexical("—"))
    (0.9, 0.0)
    """
    found = array("d", bytes(8 * DIMENSIONS))
    for word in _words(text):
        marked = f" {word} "
        for size in SIZES:
            for start in range(len(marked) - size + 1):
                code = zlib.crc32(marked[start : start + size].encode("utf-8", "replace"))
                found[code % DIMENSIONS] += 1.0 if code & 0x8000_0000 else -1.0
    length = math.sqrt(math.fsum(number * number for number in found))
    if length:
        for place, number in enumerate(found):
            if number:
                found[place] = number / length
    return found


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(each if each.isalnum() else " " for each in folded).split()

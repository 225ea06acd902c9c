"""Vectors of short texts from their letters alone: no model, no download, identical on all platforms. They bring
together spellings ("wage structure", "Wage structures") and not meanings ("wages", "pay")."""

from __future__ import annotations

import math
import unicodedata
import zlib
from array import array

LEXICAL = "lexical"  # the embedder's name in a run's settings
NOTICE = (
    "The built-in vectors compare letters, not meanings. The papers' thresholds (0.8, 0.9) were set for OpenAI's "
    "text-embedding-3: with these vectors, fewer and different pairs reach them."
)
DIMENSIONS = 1024
SIZES = (2, 3, 4)  # characters of an n-gram. A blank marks each end of a word, and no n-gram spans two words.


def lexical(text: str) -> array[float]:
    """Return the vector of a text: `DIMENSIONS` numbers of total length 1, or all 0 for a text without a letter or
    digit.

    Counts of character n-grams of the words (NFKC, case-folded), each added to or subtracted from the component that
    its CRC-32 selects (Weinberger et al. 2009, feature hashing). The cosine of two vectors is the sum of products.

    >>> one, other = lexical("Wage structure"), lexical("wage  structures")
    >>> round(sum(a * b for a, b in zip(one, other)), 2), sum(a * a for a in lexical("—"))
    (0.9, 0.0)
    """
    vector = array("d", bytes(8 * DIMENSIONS))
    folded = unicodedata.normalize("NFKC", text).casefold()
    for word in "".join(each if each.isalnum() else " " for each in folded).split():
        marked = f" {word} "
        for size in SIZES:
            for start in range(len(marked) - size + 1):
                code = zlib.crc32(marked[start : start + size].encode("utf-8", "replace"))
                vector[code % DIMENSIONS] += 1.0 if code & 0x8000_0000 else -1.0
    length = math.sqrt(math.fsum(number * number for number in vector))
    if length:
        for place, number in enumerate(vector):
            if number:
                vector[place] = number / length
    return vector

"""Texts cut into requests for vectors, none so large that its reply passes the endpoint's maximum."""

from __future__ import annotations

from collections.abc import Sequence

MOST_TEXTS = 256
MOST_BYTES = 100_000
"""Of one request: providers take some 2,000 texts and 300,000 tokens, small local servers far less."""
NUMBER_BYTES, ROW_BYTES = 24, 100
"""Of one number written out in a reply (a sign, 0.0, 17 digits, a comma and a blank; 6 in base64), and of what stands
around one vector."""
WIDEST = 4_096
"""Numbers of a vector, until the first reply shows how many a model gives."""


def most_texts(most_bytes: int, width: int) -> int:
    """How many texts a request may hold so that its reply, vectors of `width` numbers written out, stays below the
    endpoint's maximum."""
    return max(1, min(MOST_TEXTS, most_bytes // (width * NUMBER_BYTES + ROW_BYTES)))


def batches(texts: Sequence[str], most_texts: int = MOST_TEXTS) -> list[list[str]]:
    """The texts in order, cut so that no request is too large."""
    cut: list[list[str]] = []
    size = 0
    for text in texts:
        length = len(text.encode())
        if not cut or len(cut[-1]) == most_texts or size + length > MOST_BYTES:
            cut.append([])
            size = 0
        cut[-1].append(text)
        size += length
    return cut

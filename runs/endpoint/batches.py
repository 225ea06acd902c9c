"""Batches of texts for embedding requests, each small enough that its reply stays below the endpoint's maximum."""

from __future__ import annotations

from collections.abc import Sequence

MOST_TEXTS = 256
# Of one request: providers accept some 2,000 texts and 300,000 tokens, small local servers far less.
MOST_BYTES = 100_000
# A number written out in a reply (a sign, 0.0, 17 digits, a comma and a blank; 6 bytes in base64), and the JSON around
# one vector.
NUMBER_BYTES, ROW_BYTES = 24, 100
WIDEST = 4_096  # Assumed length of a vector until the first reply shows the model's.


def most_texts(most_bytes: int, width: int) -> int:
    """Return how many vectors of `width` written-out numbers fit into a reply of `most_bytes`."""
    return max(1, min(MOST_TEXTS, most_bytes // (width * NUMBER_BYTES + ROW_BYTES)))


def batches(texts: Sequence[str], most_texts: int = MOST_TEXTS) -> list[list[str]]:
    """Split the texts, in order, into requests."""
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

"""Reproducible random share of things, by a seed and each thing's own id."""

from __future__ import annotations

import hashlib


def is_drawn(seed: int, thing_id: str, share: float) -> bool:
    """Return True if a thing belongs to a random share (0-1) of all things.

    The thing's random number in [0, 1) is SHA-256 of seed and id. So draws are independent of each other, of the order
    of things and of their number, and a larger share includes every smaller one.

    >>> is_drawn(7, "figure", 0.0), is_drawn(7, "figure", 1.0)
    (False, True)
    """
    if not 0 < share < 1:  # no draw needed
        return share >= 1
    drawn_number = int.from_bytes(hashlib.sha256(f"{seed}/{thing_id}".encode()).digest()[:8], "big")
    return drawn_number < share * 2**64

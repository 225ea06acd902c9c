"""Drawing lots that anyone can repeat: which things fall into a share, by a seed and each thing's own id."""

from __future__ import annotations

import hashlib


def is_drawn(seed: int, thing_id: str, share: float) -> bool:
    """Whether a thing falls into a share (0-1) of all things.

    A thing's lot is SHA-256 of seed and id as a number from 0 up to 1, so lots are independent of each other, of the
    order in which things come and of how many there are, and a larger share holds every smaller one.

    >>> is_drawn(7, "figure", 0.0), is_drawn(7, "figure", 1.0)
    (False, True)
    """
    if not 0 < share < 1:  # no lot to draw
        return share >= 1
    lot = int.from_bytes(hashlib.sha256(f"{seed}/{thing_id}".encode()).digest()[:8], "big")
    return lot < share * 2**64

"""Seeded random numbers, identical on all platforms and Python versions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import Any, TypeVar

Row = TypeVar("Row")


def draw(seed: int, purpose: str, number: int, below: int) -> int:
    """Return the `number`-th random number in [0, `below`): SHA-256 of seed, purpose and number, modulo `below`. Draws
    for two purposes are independent of each other.

    >>> [draw(1, "sample", k, 1_000) for k in range(3)]
    [731, 162, 705]
    """
    digest = sha256(f"{seed}/{purpose}/{number}".encode()).digest()
    return int.from_bytes(digest, "big") % below


def shuffled(seed: int, purpose: str, names: Iterable[str]) -> list[str]:
    """Return names in a random order that depends on the names alone, not on their input order.

    >>> shuffled(1, "neutral", "ABCD") == shuffled(1, "neutral", "DCBA")
    True
    """
    return sorted(names, key=lambda name: sha256(f"{seed}/{purpose}/{name}".encode("utf-8", "surrogatepass")).digest())


def sample(seed: int, rows: Sequence[Row], most: int | None) -> list[Row]:
    """Return all rows, or a random sample of `most` in their order; None for all.

    >>> sample(1, "ABCDE", 2), sample(1, "AB", None)
    (['A', 'B'], ['A', 'B'])
    """
    if most is None or most >= len(rows):
        return list(rows)
    places = Random(seed).sample(range(len(rows)), most)  # noqa: S311 - no secret
    return [rows[place] for place in sorted(places)]


@lru_cache(maxsize=256)
def _hash_of_prefix(text: str) -> Any:
    """SHA-256 of a prefix that thousands of texts share, to be copied and extended."""
    return sha256(text.encode())


def permuted(seed: int, purpose: str, number: int, below: int) -> int:
    """Return the `number`-th element of a random permutation of [0, `below`), which is never stored. Four Feistel
    rounds of SHA-256 over the next power of four, repeated until the number is below (cycle walking).

    >>> sorted(permuted(1, "sample", k, 10) for k in range(10))
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    bits = max(1, ((below - 1).bit_length() + 1) // 2)
    mask = (1 << bits) - 1
    prefix_hash = _hash_of_prefix(f"{seed}/{purpose}/")
    value = number
    while True:
        left, right = value >> bits, value & mask
        for turn in range(4):
            drawn = prefix_hash.copy()
            drawn.update(b"%d/%d" % (turn, right))
            left, right = right, left ^ (int.from_bytes(drawn.digest()[:8], "big") & mask)
        value = left << bits | right
        if value < below:
            return value

"""Numbers drawn by a seed, the same on every machine and in every version of Python."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Any


def draw(seed: int, purpose: str, number: int, below: int) -> int:
    """The `number`-th number from 0 up to `below`, which is not among them: SHA-256 of seed, purpose and number, modulo
    `below`. Draws for two purposes are independent of each other.

    >>> [draw(1, "sample", k, 1_000) for k in range(3)]
    [731, 162, 705]
    """
    digest = sha256(f"{seed}/{purpose}/{number}".encode()).digest()
    return int.from_bytes(digest, "big") % below


def shuffled(seed: int, purpose: str, names: Iterable[str]) -> list[str]:
    """Names in a drawn order that depends on the names alone, not on the order in which they come.

    >>> shuffled(1, "neutral", "ABCD") == shuffled(1, "neutral", "DCBA")
    True
    """
    return sorted(names, key=lambda name: sha256(f"{seed}/{purpose}/{name}".encode("utf-8", "surrogatepass")).digest())


@lru_cache(maxsize=256)
def _begun(text: str) -> Any:
    """SHA-256 of what thousands of texts begin with, to be copied and gone on with."""
    return sha256(text.encode())


def permuted(seed: int, purpose: str, number: int, below: int) -> int:
    """The `number`-th of the numbers from 0 up to `below` in a drawn order, in which each of them stands once; none has
    to be listed. Four Feistel rounds of SHA-256 over the next power of four, walked until the number is below.

    >>> sorted(permuted(1, "sample", k, 10) for k in range(10))
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    bits = max(1, ((below - 1).bit_length() + 1) // 2)
    mask = (1 << bits) - 1
    begun = _begun(f"{seed}/{purpose}/")
    found = number
    while True:
        left, right = found >> bits, found & mask
        for turn in range(4):
            drawn = begun.copy()
            drawn.update(b"%d/%d" % (turn, right))
            left, right = right, left ^ (int.from_bytes(drawn.digest()[:8], "big") & mask)
        found = left << bits | right
        if found < below:
            return found

"""Numbers drawn by a seed, the same on every machine and in every version of Python."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256


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

"""Numbering of unordered pairs, so that they need not be listed."""

from __future__ import annotations

from math import comb, isqrt


def pair_at(number: int) -> tuple[int, int]:
    """Return the pair i < j with this number, counted by j and then by i.

    >>> [pair_at(number) for number in range(4)]
    [(0, 1), (0, 2), (1, 2), (0, 3)]
    """
    j = (1 + isqrt(1 + 8 * number)) // 2
    return number - comb(j, 2), j


def pair_number(i: int, j: int) -> int:
    """Return the number of a pair i < j, the inverse of `pair_at`.

    >>> pair_number(1, 2)
    2
    """
    return comb(j, 2) + i

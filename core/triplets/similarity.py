"""Cosines of embeddings, compared with a threshold exactly, and groups by chains of similarity."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Matrix = NDArray[np.bool_]

# Cosines nearer to a threshold than this are compared in whole numbers; rounding of 10,000 dimensions is below it.
NEAR = 1e-9


def cosines(vectors: Array) -> Array:
    """Return all cosines, n x n, −1–1, of `vectors` (n x dimensions, none of them zero)."""
    import numpy as np

    scaled = vectors / np.abs(vectors).max(axis=1, keepdims=True)  # so that no square overflows
    unit = scaled / np.sqrt((scaled**2).sum(axis=1, keepdims=True))
    return np.asarray(np.clip(unit @ unit.T, -1.0, 1.0), dtype=np.float64)


def at_least(vectors: Array, pair_cosines: Array, threshold: float) -> Matrix:
    """Return the pairs with a cosine of at least `threshold` (0–1), n x n; `pair_cosines` are their `cosines`.

    There is no tolerance. Where rounding could decide, numbers are read as the decimals that name them (0.8 is 8/10)
    and compared without it: x·y ≥ t|x||y| as (x·y)² ≥ t²|x|²|y|²."""
    import numpy as np

    exact = Fraction(repr(float(threshold)))
    same = pair_cosines >= threshold
    np.fill_diagonal(same, True)
    near = np.triu(np.abs(pair_cosines - threshold) < NEAR, k=1)
    whole: dict[int, tuple[list[int], int]] = {}
    for first, second in np.argwhere(near).tolist():
        for place in (first, second):
            if place not in whole:
                numbers = _whole(vectors[place].tolist())
                whole[place] = numbers, sum(number * number for number in numbers)
        same[first, second] = same[second, first] = _reaches(whole[first], whole[second], exact)
    return np.asarray(same, dtype=np.bool_)


def components(same: Matrix) -> list[list[int]]:
    """Return groups of numbers linked by chains of `same` (n x n, symmetric), each ascending, in the order of their
    first."""
    import numpy as np

    is_open = np.ones(len(same), dtype=np.bool_)
    groups = []
    for start in range(len(same)):
        if not is_open[start]:
            continue
        group, frontier = [start], [start]
        is_open[start] = False
        while frontier:
            reached = same[frontier].any(axis=0) & is_open
            frontier = np.flatnonzero(reached).tolist()
            is_open[frontier] = False
            group += frontier
        groups.append(sorted(group))
    return groups


def _reaches(first: tuple[list[int], int], second: tuple[list[int], int], threshold: Fraction) -> bool:
    (x, x_squared), (y, y_squared) = first, second
    dot = sum(a * b for a, b in zip(x, y, strict=True))
    if dot < 0:
        return False  # the threshold is not negative
    return (dot * threshold.denominator) ** 2 >= threshold.numerator**2 * x_squared * y_squared


def _whole(vector: Sequence[float]) -> list[int]:
    """Return the vector as whole numbers in the same proportion; a cosine is independent of the length."""
    parts = [Decimal(repr(number)).as_tuple() for number in vector]
    least = min(int(part.exponent) for part in parts)
    return [
        (-1 if part.sign else 1) * int("".join(map(str, part.digits))) * 10 ** (int(part.exponent) - least)
        for part in parts
    ]

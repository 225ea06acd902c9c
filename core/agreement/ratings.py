"""Ratings of units by raters, with gaps: the table that every coefficient of agreement is computed from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import BadInput
from core.estimate import Estimate, undefined
from core.words import quoted

Value = str | int | float
Array = NDArray[np.float64]
Codes = NDArray[np.intp]

GAP = -1  # the code of a missing rating

# Minimum number of units rated twice. With one or two, libraries return 0, -0.2 or 6: none is a finding.
LEAST_UNITS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """`codes`: units x raters, the place of each value in `domain`, `GAP` where a rater did not rate the unit.

    `domain` is the scale in its order, unused values included; `is_ordered` is False for words without a given order.
    Build it with `Ratings.of`."""

    codes: Codes
    domain: tuple[Value, ...]
    is_ordered: bool = True

    @classmethod
    def of(cls, table: Iterable[Sequence[Value | None]], domain: Sequence[Value] = ()) -> Ratings:
        """Build ratings from one row per unit, one column per rater, None = not rated.

        Without a `domain`, the scale is the values that occur: numbers ascending, then words by letter. Raises BadInput
        for rows of different length, a value outside a given domain, one listed twice there, or NaN.

        >>> Ratings.of([["+", "-"], ["+", None]]).domain
        ('+', '-')
        """
        rows = [tuple(row) for row in table]
        width = len(rows[0]) if rows else 0
        for number, row in enumerate(rows, 1):
            if len(row) != width:
                raise BadInput(f"Unit {number} has {len(row)} ratings, the first one {width}; a gap is given as None.")
            if any(value != value for value in row):
                raise BadInput(f"Unit {number} has a rating that is not a number (NaN); a gap is given as None.")
        observed = {value for row in rows for value in row if value is not None}
        scale = tuple(domain) or tuple(sorted(observed, key=lambda value: (isinstance(value, str), value)))
        places = {value: place for place, value in enumerate(scale)}
        if len(places) < len(scale):
            raise BadInput(f"The scale {list(scale)} lists a value twice.")
        codes = [[_code(value, places, number) for value in row] for number, row in enumerate(rows, 1)]
        is_ordered = bool(domain) or not any(isinstance(value, str) for value in scale)
        return cls(np.array(codes, dtype=np.intp).reshape(len(rows), width), scale, is_ordered)

    @property
    def raters(self) -> tuple[int, ...]:
        return tuple(int(column) for column in np.flatnonzero((self.codes != GAP).any(axis=0)))

    def counts(self) -> Codes:
        """Return value counts, units x values: how many raters gave each value of the domain to each unit."""
        units, width = self.codes.shape[0], len(self.domain)
        cells = (np.arange(units)[:, None] * width + self.codes)[self.codes != GAP]
        return np.bincount(cells, minlength=units * width).reshape(units, width)

    def scale(self) -> Array:
        """Return the domain as numbers. Raises BadInput if a value of it is a word."""
        words = [value for value in self.domain if isinstance(value, str)]
        if words:
            raise BadInput(f"The value {quoted(words[0])} is not a number, so distances between values are undefined.")
        return np.array(self.domain, dtype=np.float64)

    def ranks(self) -> Array:
        """Return places on the scale. Raises BadInput if it is of words without a given order."""
        if not self.is_ordered:
            raise BadInput(f"The order of {list(self.domain)} is not known; give the scale in its order.")
        return np.arange(len(self.domain), dtype=np.float64)

    def pair(self, first: int, second: int) -> Ratings:
        return Ratings(self.codes[:, [first, second]], self.domain, self.is_ordered)


def obstacle(ratings: Ratings) -> Estimate | None:
    """Return why no coefficient can be computed from these ratings; None if there are enough of them.

    >>> obstacle(Ratings.of([[1, None], [2, None], [1, None]])).reason
    'there is only one rater'
    """
    rated = (ratings.codes != GAP).sum(axis=1) if ratings.codes.size else np.zeros(0)
    twice = int((rated >= 2).sum())
    if not rated.any():
        return undefined("there are no ratings", 0)
    if len(ratings.raters) == 1:
        return undefined("there is only one rater", 0)
    if twice == 0:
        return undefined("no unit was rated by two raters", 0)
    if twice < LEAST_UNITS:
        what = "one unit was" if twice == 1 else f"{twice} units were"
        return undefined(f"only {what} rated by two raters, and {LEAST_UNITS} are needed", twice)
    return None


def only_value(ratings: Ratings) -> Value | None:
    """Return the one value of all ratings on units that were rated at least twice; None if they differ."""
    pairable = ratings.codes[(ratings.codes != GAP).sum(axis=1) >= 2]
    values = np.unique(pairable[pairable != GAP])
    return ratings.domain[int(values[0])] if len(values) == 1 else None


def raw_agreement(ratings: Ratings) -> Estimate:
    """Return the share, 0–1, of pairs of raters that gave a unit the same value, averaged over the units rated at least
    twice.

    >>> raw_agreement(Ratings.of([["a", "a", "b"], ["a", "a", None]])).value
    0.6666666666666666
    """
    agreeing, is_pairable = agreeing_pairs(ratings.counts())
    n = int(is_pairable.sum())
    if n == 0:
        return obstacle(ratings) or undefined("no unit was rated by two raters", 0)
    return Estimate(float(agreeing.sum() / n), n=n)


def agreeing_pairs(counts: Codes) -> tuple[Array, NDArray[np.bool_]]:
    """Return per unit the share of agreeing pairs of raters (0 if there is no pair), and True if there is a pair."""
    rated = counts.sum(axis=1)
    pairs = np.maximum(rated * (rated - 1), 1)
    return (counts * (counts - 1)).sum(axis=1) / pairs, rated >= 2


def _code(value: Value | None, places: dict[Value, int], unit: int) -> int:
    if value is None:
        return GAP
    try:
        return places[value]
    except KeyError:
        raise BadInput(f"Unit {unit} is rated {value!r}, which is not on the scale {list(places)}.") from None

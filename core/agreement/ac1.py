"""Gwet's AC1: agreement corrected for chance that does not collapse when almost every rating is the same."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from core.agreement.ratings import Array, Ratings, agreeing_pairs, obstacle
from core.estimate import Estimate, undefined
from core.scoring.interval import Resampling, Statistic, with_interval


def gwet_ac1(ratings: Ratings, how: Resampling | None = None, clusters: Sequence[Hashable] | None = None) -> Estimate:
    """Return Gwet's AC1 of any number of raters, with gaps, at most 1; `n`: units rated twice.

    Chance agreement is Σ π(1 − π) / (q − 1) over the q values of the domain, π the mean over rated units of the share
    of ratings that are this value, so the scale must be given if some of its values were never used. All ratings equal
    is agreement of 1 on a scale of several values, and undefined on a scale of one. Gwet 2008; Gwet 2014, chapter 2,
    for gaps: a unit rated once counts in π, not in the agreement. `how` and `clusters` as in `krippendorff_alpha`.

    >>> gwet_ac1(Ratings.of([[1, 1], [2, 2], [1, 2], [2, 2]])).value
    0.5294117647058824
    """
    missing = obstacle(ratings)
    if missing is not None:
        return missing
    counts = ratings.counts()
    n = int((counts.sum(axis=1) >= 2).sum())
    if len(ratings.domain) < 2:
        return undefined(f"every rating is {ratings.domain[0]}, and the scale has no other value", n)
    rated = counts.sum(axis=1)
    agreeing, is_pairable = agreeing_pairs(counts)
    shares = counts / np.maximum(rated, 1)[:, None]
    # Per unit: the share of each value, 1 if it is rated, its share of agreeing pairs, 1 if it has a pair.
    columns = np.hstack([shares, (rated > 0)[:, None], agreeing[:, None], is_pairable[:, None]]).astype(np.float64)
    statistic = _statistic(len(ratings.domain))
    estimate = Estimate(float(statistic(columns.sum(axis=0, keepdims=True))[0]), n=n)
    return with_interval(estimate, columns, statistic, how, clusters)


def _statistic(width: int) -> Statistic:
    def ac1(sums: Array) -> Array:
        rated, agreeing, pairable = sums[:, width], sums[:, width + 1], sums[:, width + 2]
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = sums[:, :width] / rated[:, None]
            by_chance = (shares * (1 - shares)).sum(axis=1) / (width - 1)
            coefficients = (agreeing / pairable - by_chance) / (1 - by_chance)
        return np.where(pairable > 0, coefficients, np.nan)

    return ac1

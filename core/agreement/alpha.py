"""Krippendorff's alpha with gaps: the value from the krippendorff package, the interval from a vectorised form."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from core.agreement.level import MeasurementLevel
from core.agreement.ratings import Array, Codes, Ratings, obstacle, only_value
from core.estimate import Estimate, undefined
from core.scoring.interval import Resampling, Statistic, with_interval

# Units x values² that the package allocates at once; beyond, the vectorised form is used.
_MOST_CELLS = 50_000_000


def krippendorff_alpha(
    ratings: Ratings, level: MeasurementLevel, how: Resampling | None = None, clusters: Sequence[Hashable] | None = None
) -> Estimate:
    """Return Krippendorff's alpha, at most 1; 0 is agreement by chance, and less is possible. `n`: units rated twice.

    `how` asks for a bootstrap interval over units, or over `clusters` (one name per unit). Undefined without ratings,
    with one rater, too few units rated twice, or one value only. Krippendorff 2011, "Computing Krippendorff's
    Alpha-Reliability". Raises BadInput for ordinal data of words without a given order, and for interval data of words.

    >>> krippendorff_alpha(Ratings.of([[1, 1], [2, 2], [1, 2], [2, 2]]), MeasurementLevel.NOMINAL).value
    0.5333333333333333
    """
    values = _values(ratings, level)
    missing = obstacle(ratings)
    if missing is not None:
        return missing
    value_counts = ratings.counts()
    counts: Codes = value_counts[value_counts.sum(axis=1) >= 2]  # units with a pair of ratings
    same = only_value(ratings)
    if same is not None:
        return undefined(f"every rating is {same}, so chance agreement is complete", len(counts))
    columns, statistic = columns_of(counts, values, level), statistic_of(values, level)
    if counts.shape[0] * counts.shape[1] ** 2 <= _MOST_CELLS:
        import krippendorff  # loaded late: it takes longer to import than to compute

        value = float(krippendorff.alpha(value_counts=counts, value_domain=values, level_of_measurement=level.value))
    else:
        value = float(statistic(columns.sum(axis=0, keepdims=True))[0])
    estimate = Estimate(value, n=len(counts))
    if clusters is not None:
        clusters = [name for name, rated in zip(clusters, ratings.counts().sum(axis=1), strict=True) if rated >= 2]
    return with_interval(estimate, columns, statistic, how, clusters)


def columns_of(counts: Codes, values: Array, level: MeasurementLevel) -> Array:
    """Return each unit's contribution to the sums of which alpha is computed; `counts`: units x values.

    Nominal and interval: the count of each value, and the unit's own disagreement. Ordinal: the count of each value,
    and the coincidences of each two, because distances there depend on the whole sample."""
    pairable = counts.astype(np.float64) * (counts.sum(axis=1, keepdims=True) >= 2)
    others = np.maximum(counts.sum(axis=1), 2) - 1
    if level is MeasurementLevel.ORDINAL:
        low, high = np.triu_indices(counts.shape[1], k=1)
        own = 2 * pairable[:, low] * pairable[:, high] / others[:, None]
    else:
        own = (((pairable @ _distances(values, level)) * pairable).sum(axis=1) / others)[:, None]
    return np.hstack([pairable, own])


def statistic_of(values: Array, level: MeasurementLevel) -> Statistic:
    """Return the function from sums of such columns, draws x columns, to alpha; NaN where all values are one."""
    width = len(values)
    low, high = np.triu_indices(width, k=1)
    fixed = None if level is MeasurementLevel.ORDINAL else _distances(values, level)

    def alpha(sums: Array) -> Array:
        value_counts = sums[:, :width]
        if fixed is None:
            # The distance of two values is the ratings between them: the difference of their mean ranks.
            ranks = value_counts.cumsum(axis=1) - value_counts / 2
            apart = (ranks[:, high] - ranks[:, low]) ** 2
            observed = (sums[:, width:] * apart).sum(axis=1)
            expected = 2 * (value_counts[:, low] * value_counts[:, high] * apart).sum(axis=1)
        else:
            observed = sums[:, width]
            expected = ((value_counts @ fixed) * value_counts).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            alphas = 1 - (value_counts.sum(axis=1) - 1) * observed / expected
        return np.where(expected > 0, alphas, np.nan)

    return alpha


def _values(ratings: Ratings, level: MeasurementLevel) -> Array:
    if level is MeasurementLevel.INTERVAL:
        return ratings.scale()
    if level is MeasurementLevel.ORDINAL:
        return ratings.ranks()
    return np.arange(len(ratings.domain), dtype=np.float64)


def _distances(values: Array, level: MeasurementLevel) -> Array:
    apart = values[:, None] - values[None, :]
    return (apart != 0).astype(np.float64) if level is MeasurementLevel.NOMINAL else apart**2

"""Cohen's kappa of two raters, plain and weighted, on the units that both rated."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np

from core.agreement.ratings import GAP, Array, Codes, Ratings, obstacle
from core.errors import BadInput
from core.estimate import Estimate, undefined
from core.scoring.interval import Resampling, Statistic, with_interval


class Weights(StrEnum):
    """Penalty of a disagreement by the distance of the two values in steps of the scale."""

    NONE = "unweighted"
    LINEAR = "linear weights"
    QUADRATIC = "quadratic weights"


@dataclass(frozen=True, slots=True)
class PairKappa:
    """Kappa of two raters, by the numbers of their columns; its `n` is the units both rated."""

    first: int
    second: int
    kappa: Estimate


def cohen_kappa(
    ratings: Ratings,
    weights: Weights = Weights.NONE,
    how: Resampling | None = None,
    clusters: Sequence[Hashable] | None = None,
) -> Estimate:
    """Return Cohen's kappa, −1–1, of the two raters; weighted by the distance of places in the domain, or its square.

    Undefined without units that both rated, with too few of them, and if a rater gave all of them one value: then kappa
    is 0 or undefined, regardless of the other rater. `how` and `clusters` as in `krippendorff_alpha`. Cohen 1960; Cohen
    1968 for the weights. Raises BadInput unless there are two columns, and for weights on words without a given order.

    >>> cohen_kappa(Ratings.of([[1, 1], [2, 2], [1, 2], [2, 2]])).value
    0.5
    """
    if ratings.codes.size and ratings.codes.shape[1] != 2:
        raise BadInput(f"Cohen's kappa needs two raters, not {ratings.codes.shape[1]}; choose two of them.")
    if weights is not Weights.NONE:
        ratings.ranks()
    missing = obstacle(ratings)
    if missing is not None:
        return missing
    is_rated = (ratings.codes != GAP).all(axis=1)
    codes = ratings.codes[is_rated]
    for column, who in enumerate(("first", "second")):
        if (codes[:, column] == codes[0, column]).all():
            value = ratings.domain[int(codes[0, column])]
            return undefined(f"the {who} rater gave every unit {value}, so κ has no variance to work on", len(codes))
    steps = np.abs(np.subtract.outer(np.arange(len(ratings.domain)), np.arange(len(ratings.domain)))).astype(np.float64)
    # Whole numbers, so that sums of them are exact; scaling all penalties does not change kappa.
    penalty = {Weights.NONE: np.minimum(steps, 1), Weights.LINEAR: steps, Weights.QUADRATIC: steps**2}[weights]
    columns, statistic = _columns(codes, penalty), _statistic(penalty)
    estimate = Estimate(float(statistic(columns.sum(axis=0, keepdims=True))[0]), n=len(codes))
    if clusters is not None:
        clusters = [name for name, rated in zip(clusters, is_rated, strict=True) if rated]
    return with_interval(estimate, columns, statistic, how, clusters)


def pairwise_kappas(ratings: Ratings, weights: Weights = Weights.NONE) -> tuple[PairKappa, ...]:
    """Return kappa of every two raters, each on the units that both of them rated."""
    return tuple(
        PairKappa(first, second, cohen_kappa(ratings.pair(first, second), weights))
        for first, second in combinations(ratings.raters, 2)
    )


def table_ratings(table: Sequence[Sequence[int]], domain: Sequence[str | int]) -> Ratings:
    """Return the ratings of a contingency table: rows are the first rater's values, columns the second's."""
    cells = np.array(table, dtype=np.intp)
    first, second = np.indices(cells.shape)
    repeated = [np.repeat(side.ravel(), cells.ravel()) for side in (first, second)]
    return Ratings(np.stack(repeated, axis=1).astype(np.intp), tuple(domain))


def _columns(codes: Codes, penalty: Array) -> Array:
    """Return per unit: the value each rater gave, as columns of 0 and 1, and the penalty."""
    one_hot = np.eye(len(penalty))
    first, second = codes[:, 0], codes[:, 1]
    return np.hstack([one_hot[first], one_hot[second], penalty[first, second][:, None]])


def _statistic(penalty: Array) -> Statistic:
    width = len(penalty)

    def kappa(sums: Array) -> Array:
        first, second, observed = sums[:, :width], sums[:, width : 2 * width], sums[:, -1]
        by_chance = ((first @ penalty) * second).sum(axis=1)
        has_choice = ((first > 0).sum(axis=1) > 1) & ((second > 0).sum(axis=1) > 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            kappas = 1 - first.sum(axis=1) * observed / by_chance
        return np.where(has_choice, kappas, np.nan)

    return kappa

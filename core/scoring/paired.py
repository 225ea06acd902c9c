"""Two sides on the same items: is one better, by how much, and how many items would show it (Miller 2024)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import BadInput
from core.estimate import Estimate, undefined
from core.scoring.interval import cluster_numbers

LEVEL, POWER = 0.975, 0.80
ONE_CLUSTER = "all items are of one cluster"
NO_DIFFERENCE = "the difference is 0"
NOT_BINARY = "a score is neither 0 nor 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """The first side minus the second over items that both have a score on.

    Attributes:
        n: items
        clusters: groups of items that were drawn together, such as the questions about one paper
        mean_a: mean score of the first side
        mean_b: mean score of the second side
        difference: its mean, with a 95% interval by clusters
        se: the standard error of the difference
        p: two-sided, of no difference, from the same t distribution as the interval
        wins: items on which the first side is higher
        ties: items on which both are equal
        losses: items on which the second side is higher
        mcnemar_p: exact, for scores of 0 and 1
        sign_p: exact, of wins and losses being equally likely
        detectable: the smallest difference that these items show in 80% of cases, at 5%
        n_needed: items that show the observed difference, or another in 80% of cases
    """

    n: int
    clusters: int
    mean_a: float
    mean_b: float
    difference: Estimate
    se: Estimate
    p: Estimate
    wins: int
    ties: int
    losses: int
    mcnemar_p: Estimate
    sign_p: Estimate
    detectable: Estimate
    n_needed: Estimate


def paired(
    a: Sequence[float], b: Sequence[float], clusters: Sequence[Hashable], difference: float | None = None
) -> Paired:
    """Compare two sides item by item; `clusters`: the cluster of each item, `difference`: the one that `n_needed` is
    for, by default the observed one.

    The standard error is √(Σ over clusters of (Σ deviations)²) ÷ n. With G clusters the interval is t(G − 1) standard
    errors times √(G ÷ (G − 1)) wide on either side: with few clusters the normal one is too narrow. Raises BadInput
    without an item, ValueError for sides of different lengths."""
    from scipy.special import ndtri, stdtr, stdtrit  # importing scipy.stats takes three times as long

    if not len(a) == len(b) == len(clusters):
        raise ValueError(f"there are {len(a)} and {len(b)} scores and {len(clusters)} clusters")
    if not len(a):
        raise BadInput("Both have a score on 0 items; nothing can be compared.")
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    apart = first - second
    n, mean = len(apart), float(apart.mean())
    groups = np.bincount(cluster_numbers(clusters), apart - mean)
    many = len(groups)
    equal = are_equal(first, second)
    wins, losses = int(((apart > 0) & ~equal).sum()), int(((apart < 0) & ~equal).sum())
    mean_difference = Estimate(mean, n=n)
    if many < 2:
        none = undefined(ONE_CLUSTER)
        mean_difference = Estimate(mean, n=n, reason=f"{ONE_CLUSTER}: no interval")
        se = p = detectable = needed = none
    else:
        error = math.sqrt(float((groups**2).sum())) / n
        wide = error * math.sqrt(many / (many - 1))
        half = float(stdtrit(many - 1, LEVEL)) * wide
        mean_difference = Estimate(mean, low=mean - half, high=mean + half, n=n)
        z = float(ndtri(LEVEL) + ndtri(POWER))
        se, detectable = Estimate(error), Estimate(z * error)
        p = Estimate(float(2 * stdtr(many - 1, -abs(mean) / wide))) if wide else undefined("all differences are equal")
        target = mean if difference is None else difference
        needed = Estimate(math.ceil(n * (z * error / target) ** 2)) if target else undefined(NO_DIFFERENCE)
    sign = _binomial(wins, losses)
    is_binary = bool(np.isin(np.concatenate([first, second]), (0.0, 1.0)).all())
    return Paired(
        n=n,
        clusters=many,
        mean_a=float(first.mean()),
        mean_b=float(second.mean()),
        difference=mean_difference,
        se=se,
        p=p,
        wins=wins,
        ties=n - wins - losses,
        losses=losses,
        mcnemar_p=sign if is_binary else undefined(NOT_BINARY),
        sign_p=sign,
        detectable=detectable,
        n_needed=needed,
    )


def are_equal(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return on which items both scores are the same share, which may have been computed from other counts."""
    return np.isclose(first, second, rtol=1e-9, atol=1e-12)


def holm(p: Sequence[float]) -> list[float]:
    """Return p-values adjusted for their number (Holm 1979): in rising order each times the number of those that
    are left, and never below one before it."""
    order = np.argsort(p, kind="stable")
    left = np.arange(len(p), 0, -1)
    adjusted = np.minimum(1.0, np.maximum.accumulate(np.asarray(p, dtype=np.float64)[order] * left))
    result = np.empty(len(p))
    result[order] = adjusted
    values: list[float] = result.tolist()
    return values


def _binomial(wins: int, losses: int) -> Estimate:
    """The exact two-sided p of a probability of one half, at which both tails are equal."""
    from scipy.special import bdtr

    return Estimate(min(1.0, 2 * float(bdtr(min(wins, losses), wins + losses, 0.5))))

"""Scores of a judge corrected by people's labels of some of the rows (PPI++, Angelopoulos, Duchi and Zrnic 2023,
arXiv 2311.01453)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import BadInput
from core.estimate import Estimate, undefined
from core.scoring.interval import cluster_numbers
from core.words import counted

Array = NDArray[np.float64]
SAMPLES_NEEDED = 20  # labelled samples from which 95% intervals of graded scores hold the truth in 92% of cases
LABELS_NEEDED = 8  # samples with a label of 1, and with one of 0, where scores are binary
DIFFERENCES_NEEDED = 5  # samples on which judge and person differ: a rare error that no label shows has no variance
APART_BY_CHANCE = 1e-12  # variances below it are of equal scores, summed with rounding
TARGET = 0.02  # half the width of the interval that `labels_missing` is for
ONE_CLUSTER = "all rows are of one cluster"
ONE_LABELLED = "all labelled rows are of one cluster"


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """The mean score that people would give, from a judge's scores of all rows and people's of some.

    Attributes:
        n: rows
        labelled: rows with a person's label
        judge_mean: mean of the judge's scores of all rows
        value: the corrected mean, with its 95% interval or the reason why it has none
        se: the standard error of the value
        judge_weight: λ, 0–1; 0 takes the mean of the labels and ignores the judge
        labels_missing: further labels that make the interval ± TARGET
    """

    n: int
    labelled: int
    judge_mean: float
    value: Estimate
    se: Estimate
    judge_weight: float
    labels_missing: Estimate


def corrected(judge: Sequence[float], person: Sequence[float | None], clusters: Sequence[Hashable]) -> Corrected:
    """Correct a judge's mean score; `person`: None where a row has no label, `clusters`: the cluster of each row.

    With f the judge, y the person, n labelled rows and N others, λ = cov(y, f) ÷ ((1 + n ÷ N) · var(f)) within 0–1, and
    the value is λ · mean(f, others) + mean(y − λf). Without others it is the mean of the labels.

    Rows keep their weight, and a cluster counts once in the error (Miller 2024): the deviations of its labelled rows,
    divided by n, and λ times those of its others, divided by N, are added up, and se² is the sum of their squares. So
    the value is of rows, a cluster may be labelled in part, and with rows of their own clusters
    se² = λ² · var(f, others) ÷ N + var(y − λf) ÷ n. Averaging clusters first would make those that are labelled in part
    labelled and other at once, which are taken as independent.

    The interval is t(n − 1) standard errors wide on either side; times √(G ÷ (G − 1)) for G labelled clusters of
    several rows, of which 20 would otherwise hold the truth in 91% of cases, and where all rows are labelled, so that
    it is that of their mean.

    Raises BadInput without a label, ValueError for columns of different lengths."""
    from scipy.special import stdtrit

    if not len(judge) == len(person) == len(clusters):
        raise ValueError(f"there are {len(judge)} and {len(person)} scores and {len(clusters)} clusters")
    is_labelled = np.array([each is not None for each in person], dtype=bool)
    if not is_labelled.any():
        raise BadInput("No row has a person's label.")
    f, y = np.asarray(judge, dtype=np.float64), np.array([each or 0.0 for each in person], dtype=np.float64)
    centre = float(y[is_labelled].mean())
    sums = moments(y - centre, f - f.mean(), is_labelled).sum(axis=0)
    values, weights = corrected_means(sums[None])
    value, weight, labelled = float(values[0]) + centre, float(weights[0]), int(is_labelled.sum())
    numbers = cluster_numbers(clusters)
    many = len(set(numbers[is_labelled].tolist()))
    reason = no_interval(f, y, is_labelled, numbers)
    if many < 2:
        error = undefined(ONE_CLUSTER if numbers.max() == 0 else ONE_LABELLED)
    else:
        rest = y - weight * f
        deviations = np.where(is_labelled, (rest - rest[is_labelled].mean()) / labelled, 0.0)
        if labelled < len(f):
            others = f - f[~is_labelled].mean()
            deviations += np.where(is_labelled, 0.0, weight * others / (len(f) - labelled))
        error = Estimate(math.sqrt(float((np.bincount(numbers, deviations) ** 2).sum())))
    if reason or error.value is None:
        bounded, missing = Estimate(value, n=len(f), reason=reason), undefined(reason)
    else:
        is_plain = len(set(numbers.tolist())) == len(f) > labelled
        half = float(stdtrit(many - 1, 0.975)) * math.sqrt(1.0 if is_plain else many / (many - 1)) * error.value
        bounded = Estimate(value, low=value - half, high=value + half, n=len(f))
        missing = labels_missing(sums, many, half)
    return Corrected(
        n=len(f),
        labelled=labelled,
        judge_mean=float(f.mean()),
        value=bounded,
        se=error,
        judge_weight=weight,
        labels_missing=missing,
    )


def moments(y: Array, f: Array, is_labelled: NDArray[np.bool_]) -> Array:
    """Return columns whose sums over any rows determine the corrected mean of these rows: of labelled rows 1, y, f,
    y², yf and f², of others 1, f and f²."""
    known, other = is_labelled.astype(np.float64), (~is_labelled).astype(np.float64)
    return np.column_stack(
        [known, known * y, known * f, known * y * y, known * y * f, known * f * f, other, other * f, other * f * f]
    )


def corrected_means(sums: Array) -> tuple[Array, Array]:
    """Return (corrected mean, λ) of each row of sums of `moments`; NaN without a labelled row."""
    n, y, f, _yy, yf, ff, others, g, gg = sums.T
    every = n + others
    with np.errstate(invalid="ignore", divide="ignore"):
        covariance = yf / n - y * f / n**2
        variance = (ff + gg - (f + g) ** 2 / every) / (every - 1)
        weight = covariance / (every / others * variance)
        weight = np.where((others > 0) & (variance > APART_BY_CHANCE), np.clip(weight, 0.0, 1.0), 0.0)
        return y / n + weight * (np.where(others > 0, g / others, 0.0) - f / n), weight


def labels_missing(sums: Array, samples: int, half: float) -> Estimate:
    """Return how many further labels make an interval of ± `half` one of ± TARGET, or the reason why none do.

    `sums`: of `moments` over all rows; `samples`: labelled ones. The half-width is as the standard error of more labels
    of independent rows with the same moments, and has the t of samples in proportion."""
    from scipy.special import stdtrit

    n, every = int(sums[0]), int(sums[0] + sums[6])
    labels = np.arange(n, every + 1, dtype=np.float64)
    errors = _errors(sums, labels)
    df = np.maximum(1.0, samples * labels / n - 1)
    wide = stdtrit(df, 0.975) * np.sqrt((df + 1) / df)
    halves = half * wide / wide[0] * np.sqrt(errors / errors[0]) if errors[0] > 0 else np.full(len(labels), half)
    enough = np.flatnonzero(halves <= TARGET)
    if len(enough):
        return Estimate(int(enough[0]))
    return undefined(f"even all {every:,} labels give ±{halves[-1]:.3f}")


def _errors(sums: Array, labels: Array) -> Array:
    """The squared standard error with each number of labels, each with its own λ."""
    n, y, f, yy, yf, ff, others, g, gg = sums.tolist()
    every = n + others
    of_y, covariance, of_f = yy / n - (y / n) ** 2, yf / n - y * f / n**2, (ff + gg) / every - ((f + g) / every) ** 2
    left = every - labels
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = np.clip(covariance * left / (every * of_f), 0.0, 1.0) if of_f > 0 else np.zeros(len(labels))
        of_others = np.where(left > 0, weight**2 * of_f / left, 0.0)
    return np.asarray(of_others + (of_y - 2 * weight * covariance + weight**2 * of_f) / labels, dtype=np.float64)


def no_interval(f: Array, y: Array, is_labelled: NDArray[np.bool_], numbers: NDArray[np.intp]) -> str:
    """Return the reason why there is no interval, empty if there is one: see the constants above. `numbers`: each row's
    cluster.

    Over base rates of 2 to 98%, judges from exact to useless, 20 to 400 labels and 1 to 50 other rows a label, an
    interval with these numbers of labels misses the truth in at most 8% of cases; without them in up to 88%."""
    if numbers.max() == 0:
        return f"{ONE_CLUSTER}: no interval"
    y, f, of = y[is_labelled], f[is_labelled], numbers[is_labelled]
    if reason := more_samples(len(np.unique(of))):
        return reason
    is_binary = bool(np.isin(y, (0.0, 1.0)).all())
    if is_binary:
        for label in (1, 0):
            many = len(np.unique(of[y == label]))
            if many < LABELS_NEEDED:
                return f"{many} of the labelled samples have a label of {label}; an interval needs {LABELS_NEEDED}"
    differ = len(np.unique(of[np.abs(y - f) >= (0.5 if is_binary else 1e-9)]))
    if differ < DIFFERENCES_NEEDED and not is_labelled.all():
        return f"judge and people differ on {differ} labelled samples; an interval needs {DIFFERENCES_NEEDED}"
    return ""


def more_samples(labelled: int) -> str:
    """Return how many samples are still to be labelled for an interval; empty if there are enough."""
    missing = SAMPLES_NEEDED - labelled
    return f"label {counted(missing, 'more sample')} to correct this score" if missing > 0 else ""

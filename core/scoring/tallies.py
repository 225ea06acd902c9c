"""Scores as functions of sums over questions, so that papers can be resampled without scoring again."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.estimate import Estimate
from core.scoring.interval import Numbers, Resampling, Statistic, bounded, drawn_values, drawn_within_strata

Array = NDArray[np.float64]


MOST_STRATA = 9
"""Strata up to which units are drawn within each; more of them are drawn as wholes."""


@dataclass(frozen=True, slots=True)
class EdgeTally:
    columns: Array  # questions x columns; equal questions of one unit may be one row, with their sums
    statistic: Statistic  # from sums over all questions to the score
    units: Sequence[Hashable] | Numbers  # what each question is drawn with, such as its paper
    strata: Numbers | None = None  # number of the stratum of each question's unit, such as a graph

    def with_interval(self, estimate: Estimate, how: Resampling | None) -> Estimate:
        """The percentile interval: over units, within strata if there are any, or over strata where there are many."""
        return with_intervals([(estimate, self)], how)[0]


def with_intervals(drawn: Sequence[tuple[Estimate, EdgeTally]], how: Resampling | None) -> list[Estimate]:
    """Return estimates with the intervals of their tallies. Those of the same units are drawn by one product."""
    result = [estimate for estimate, _ in drawn]
    if how is None:
        return result
    values: dict[int, Array | str] = {}
    alike: dict[int, list[int]] = {}
    for place, (estimate, tally) in enumerate(drawn):
        if estimate.value is None:
            continue
        if tally.strata is None or len(np.unique(tally.strata)) > MOST_STRATA:
            alike.setdefault(id(tally.units), []).append(place)
        else:
            units = np.asarray(tally.units)
            values[place] = drawn_within_strata(tally.columns, tally.statistic, how, units, tally.strata)
    for places in alike.values():
        tallies = [drawn[place][1] for place in places]
        clusters = tallies[0].units if tallies[0].strata is None else tallies[0].strata
        blocks, statistics = [tally.columns for tally in tallies], [tally.statistic for tally in tallies]
        values |= zip(places, drawn_values(blocks, statistics, how, clusters), strict=True)
    bounds = bounded([result[place] for place in values], list(values.values()), how)
    for place, estimate in zip(values, bounds, strict=True):
        result[place] = estimate
    return result


def quotients(sums: Array) -> Array:
    """Return the first sum divided by the second."""
    return divided(sums[:, 0], sums[:, 1])


def confusion_columns(cells: ArrayLike, width: int) -> Array:
    """Return a row for each of `cells`, true label x (width + 1) + answer, where `width` means anything else: 1 in its
    column, 0 in the others."""
    return np.eye(width * (width + 1))[np.asarray(cells, dtype=np.intp)]


def accuracies(width: int) -> Statistic:
    def statistic(sums: Array) -> Array:
        right = np.trace(sums.reshape(-1, width, width + 1), axis1=1, axis2=2)
        return divided(right, sums.sum(axis=1))

    return statistic


def macro_f1s(width: int) -> Statistic:
    """Return macro-F1 per draw; a label that is neither expected nor predicted in a draw counts 0."""

    def statistic(sums: Array) -> Array:
        right, expected, predicted = _margins(sums, width)
        either = expected + predicted
        f1s = np.divide(2 * right, either, out=np.zeros_like(right), where=either > 0)
        return np.asarray(f1s.mean(axis=1), dtype=np.float64)

    return statistic


def of_class(width: int, place: int, figure: str) -> Statistic:
    """Return precision, recall or f1 of the label at `place`; NaN in a draw in which it is undefined."""

    def statistic(sums: Array) -> Array:
        right, expected, predicted = (each[:, place] for each in _margins(sums, width))
        return divided(right, {"precision": predicted, "recall": expected, "f1": (expected + predicted) / 2}[figure])

    return statistic


def drops(sums: Array) -> Array:
    """Return the percentage points by which the quotient of the third and fourth sum is below that of the first two."""
    return np.asarray(100 * (quotients(sums) - quotients(sums[:, 2:])), dtype=np.float64)


def ece_tally(
    bins: NDArray[np.intp],
    right: NDArray[np.bool_],
    confidence: NDArray[np.float64],
    n_bins: int,
    units: NDArray[np.int64],
) -> EdgeTally:
    """Return the tally of the expected calibration error, from each question's bin, rightness, confidence and unit,
    which is drawn as a whole. It has a row for each unit, in the order of their first questions."""
    names, first, of_row = np.unique(units, return_index=True, return_inverse=True)
    order = np.argsort(first)
    turn = np.empty(len(names), dtype=np.intp)
    turn[order] = np.arange(len(names))
    cells = turn[of_row] * n_bins + bins
    sums = [np.bincount(cells, weights, minlength=len(names) * n_bins) for weights in (None, right, confidence)]
    columns = np.stack(sums, axis=-1).astype(np.float64).reshape(len(names), n_bins * 3)

    def errors(sums: Array) -> Array:
        tables = sums.reshape(-1, n_bins, 3)
        gaps = np.abs(tables[:, :, 1] - tables[:, :, 2]).sum(axis=1)
        return divided(gaps, tables[:, :, 0].sum(axis=1))

    return EdgeTally(columns, errors, names[order])


def mean_tally(tallies: Sequence[EdgeTally]) -> EdgeTally:
    """Return the tally of the plain mean of several scores (models of a group) of one class; papers are drawn
    together."""
    ends = np.cumsum([tally.columns.shape[1] for tally in tallies]).tolist()
    starts = [0, *ends[:-1]]
    columns = np.zeros((sum(len(tally.columns) for tally in tallies), ends[-1]))
    row = 0
    for tally, start, end in zip(tallies, starts, ends, strict=True):
        columns[row : row + len(tally.columns), start:end] = tally.columns
        row += len(tally.columns)

    def statistic(sums: Array) -> Array:
        parts = [tally.statistic(sums[:, start:end]) for tally, start, end in zip(tallies, starts, ends, strict=True)]
        return np.asarray(np.mean(parts, axis=0), dtype=np.float64)

    strata = None if tallies[0].strata is None else np.concatenate([tally.strata for tally in tallies])
    return EdgeTally(columns, statistic, np.concatenate([tally.units for tally in tallies]), strata)


def divided(above: Array, below: Array) -> Array:
    """Divide; NaN in a draw with denominator 0."""
    shares = np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0)
    return np.asarray(shares, dtype=np.float64)


def _margins(sums: Array, width: int) -> tuple[Array, Array, Array]:
    """Return (right, expected, predicted), draws x labels each."""
    tables = sums.reshape(-1, width, width + 1)
    return tables[:, range(width), range(width)], tables.sum(axis=2), tables[:, :, :width].sum(axis=1)

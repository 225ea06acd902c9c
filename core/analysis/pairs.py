"""Questions that were answered under two conditions, such as with own and with neutral names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.columns import DrawnItems, ItemColumns
from core.analysis.items import ResultItem
from core.analysis.metrics import Array, Measure, Measured
from core.estimate import Estimate, undefined
from core.scoring.tallies import EdgeTally, quotients


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two conditions of a question.

    Attributes:
        side: returns 0 or 1, the condition of an item, and None for an item that does not count
        alike: returns what is equal within a pair, in addition to the cluster
        reason: why there is no difference where no question was answered under both
        draws_all: an interval draws units of which no question was answered under both too
    """

    side: Callable[[ResultItem], int | None]
    alike: Callable[[ResultItem], tuple[str, ...]]
    reason: str = ""
    draws_all: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """Questions in the order of their first items, those that were answered under one condition only among them.

    Attributes:
        scored: the scored items under either condition
        drawn: the rows in which an interval draws them
        pair: number of each row's question
        side: condition of each row
        counts: questions x conditions, numbers of answers
        first: the first row of each question
    """

    scored: ItemColumns
    drawn: DrawnItems
    pair: NDArray[np.intp]
    side: NDArray[np.intp]
    counts: Array
    first: NDArray[np.intp]

    @property
    def is_both(self) -> NDArray[np.bool_]:
        return np.asarray(self.counts.all(axis=1))

    def differences(self, value: Callable[[ResultItem], float]) -> Array:
        """The mean value of each question under the first condition minus that under the second, and 1; two zeros for a
        question that was answered under one condition only."""
        values = self.drawn.of([value(kind) for kind in self.scored.kinds])
        sums = np.zeros_like(self.counts)
        np.add.at(sums, (self.pair, self.side), values * self.drawn.counts)
        means = np.divide(sums, self.counts, out=np.zeros_like(sums), where=self.is_both[:, None])
        return np.column_stack([means[:, 0] - means[:, 1], self.is_both])

    def tally(self, differences: Array, *, draws_all: bool = False) -> EdgeTally:
        """The tally of the mean of `differences`, in which questions answered under both conditions are drawn, or
        all."""
        which = np.arange(len(self.first)) if draws_all else np.flatnonzero(self.is_both)
        rows, strata = self.first[which], self.drawn.strata
        of_rows = None if strata is None else strata[rows]
        return EdgeTally(differences[which], quotients, self.drawn.units[rows], of_rows)


def pairs_of(items: ItemColumns, pairing: Pairing) -> Pairs | None:
    """None where no question was answered under both conditions."""
    import pandas as pd

    scored = items.where(lambda item: pairing.side(item) is not None)
    if len({pairing.side(kind) for kind in scored.kinds}) < 2:
        return None
    drawn = scored.drawn
    alike, _ = pd.factorize(np.array([repr(pairing.alike(kind)) for kind in scored.kinds], dtype=object))
    side = np.array([pairing.side(kind) for kind in scored.kinds], dtype=np.intp)[drawn.kinds]
    pair, _ = pd.factorize(drawn.clusters * (len(scored.kinds) + 1) + alike[drawn.kinds])
    _, first = np.unique(pair, return_index=True)
    counts = np.zeros((len(first), 2))
    np.add.at(counts, (pair, side), drawn.counts)
    return Pairs(scored, drawn, pair, side, counts, first) if counts.all(axis=1).any() else None


def difference(pairing: Pairing, value: Callable[[ResultItem], float]) -> Measure:
    """The mean difference in a value over the questions that were answered under both conditions, first minus second,
    in percentage points; several answers to one question count as their mean."""

    def measure(items: ItemColumns, again: bool) -> Measured:
        pairs = pairs_of(items, pairing)
        if pairs is None:
            return undefined(pairing.reason, 0), None
        columns = pairs.differences(value) * (100, 1)
        differences = columns[pairs.is_both, 0]
        estimate = Estimate(float(differences.mean()), n=len(differences))
        return estimate, pairs.tally(columns, draws_all=pairing.draws_all) if again else None

    return measure

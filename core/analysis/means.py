"""Means of what answers are worth, where they can be right in part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from core.analysis.columns import ItemColumns
from core.analysis.metrics import SHARE, UNSCORED, Measured, Metric
from core.estimate import Estimate, undefined
from core.scoring.tallies import quotients
from core.words import counted


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of a measure (`ResultItem.measures`) over the items where it is defined."""

    name: str
    title: str
    told: str
    unit: str = SHARE

    @property
    def column(self) -> str:
        """The measure: the mean "f1:edge" is of "edge_f1"."""
        return "_".join(reversed(self.name.split(":")))


def mean_metric(of: Mean) -> Metric:
    """Return the metric of a table: mean, population standard deviation, and number of items where it is defined."""
    return Metric(
        name=of.name,
        title=of.title,
        told=of.told,
        measure=partial(_mean, of.column),
        unit=of.unit,
        is_mean=True,
        measured=of.column,
    )


def mean_over(items: ItemColumns, of_kinds: ArrayLike, again: bool, note: str = "") -> Measured:
    """The mean of a value over items, with its population standard deviation. `of_kinds`: the value of each kind."""
    if not len(items):
        return undefined(note or UNSCORED, 0), None
    values = np.repeat(np.asarray(of_kinds, dtype=np.float64), items.counts)
    estimate = Estimate(float(values.mean()), n=len(items), reason=note, sd=float(values.std()))
    columns = np.column_stack([of_kinds, np.ones(len(items.kinds))])
    return estimate, items.tally(columns, quotients) if again else None


def _mean(name: str, items: ItemColumns, again: bool) -> Measured:
    defined = items.having(name)
    values = items.kinds.measure(name)
    left = int(np.dot(items.kinds.are_scored & np.isnan(values), items.counts))
    if not len(defined):
        return undefined("it is defined in no item" if left else UNSCORED, left), None
    note = f"undefined in {counted(left, 'item')}" if left else ""
    return mean_over(defined, values[~np.isnan(values)], again, note)

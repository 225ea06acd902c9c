"""Means of what answers are worth, where they can be right in part, and of two models on the same samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from core.analysis.columns import ItemColumns
from core.analysis.groupings import Grouping, models
from core.analysis.items import ResultItem
from core.analysis.metrics import COUNT, NUMBER, SHARE, UNSCORED, Array, Measured, Metric, draw_clusters
from core.analysis.pairs import Pairing, Pairs, pairs_of
from core.analysis.slices import words_of
from core.analysis.tables import ResultTable, build_tables
from core.estimate import Estimate, undefined
from core.scoring.tallies import EdgeTally, quotients
from core.words import counted

if TYPE_CHECKING:
    from core.analysis.presets import Shown

MINUS = " − "
"""Separates two models in the label of their difference."""


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


def _mean(name: str, items: ItemColumns, again: bool) -> Measured:
    defined = items.where(lambda item: name in item.measures)
    left = len(items.where(lambda item: item.is_scored and name not in item.measures))
    if not len(defined):
        return undefined("it is defined in no item" if left else UNSCORED, left), None
    of_kinds = np.array([kind.measures[name] for kind in defined.kinds])
    values = np.repeat(of_kinds, defined.counts)
    note = f"undefined in {counted(left, 'item')}" if left else ""
    estimate = Estimate(float(values.mean()), n=len(defined), reason=note, sd=float(values.std()))
    columns = np.column_stack([of_kinds, np.ones(len(of_kinds))])
    return estimate, draw_clusters(defined, columns, quotients) if again else None


def paired_tables(items: ItemColumns, columns: Grouping, of: Mean, shown: Shown) -> tuple[ResultTable, ...]:
    """Compare every two models: the mean difference on the samples where both have the measure, with its interval over
    samples, and how many of these each wins. A sample is identified by its cluster across runs; of several answers to
    one sample the mean counts."""
    rows = models(items.kinds, shown.models)
    labels = rows.order(list(dict.fromkeys(rows.of(kind)[0] for kind in items.kinds)))
    two = {MINUS.join(pair): pair for pair in combinations(labels, 2)}

    def place(item: ResultItem) -> int:
        return labels.index(rows.of(item)[0])

    def compared(figure: Callable[[Array], Estimate], items: ItemColumns, again: bool) -> Measured:
        first = min(map(place, items.kinds), default=0)  # a cell has items of two models
        pairing = Pairing(lambda item: int(place(item) > first) if of.column in item.measures else None, lambda _: ())
        pairs = pairs_of(items, pairing)
        if pairs is None:
            return undefined("no sample has a score of both" if len(items) else "there are no items", 0), None
        return _compared(pairs, of.column, figure, again)

    def label(item: ResultItem) -> list[str]:
        return [label for label, pair in two.items() if rows.of(item)[0] in pair]

    comparison = f"{of.title}, the first model minus the second, on the samples where both have a score."
    metrics = [
        Metric(name=name, title=title, told=told, measure=partial(compared, figure), unit=unit, measured=of.column)
        for name, title, told, unit, figure in (
            ("difference", f"{of.title}: difference", f"Mean of {comparison}", NUMBER, _difference),
            ("first_wins", "Samples the first wins", f"Samples with a higher {comparison}", COUNT, _first_wins),
            ("second_wins", "Samples the second wins", f"Samples with a lower {comparison}", COUNT, _second_wins),
        )
    ]
    tables = build_tables(items, Grouping("pair", "Models", label, lambda _: list(two)), columns, metrics, shown.how)
    return tuple(replace(table, of=words_of(items.kinds, is_pooled=False)) for table in tables)


def _compared(pairs: Pairs, column: str, figure: Callable[[Array], Estimate], again: bool) -> Measured:
    differences = pairs.differences(lambda item: item.measures[column])[pairs.is_both]
    estimate = replace(figure(differences[:, 0]), n=len(differences))
    if not again or estimate.sd is None:  # a number of samples has no interval
        return estimate, None
    return estimate, EdgeTally(differences, quotients, pairs.drawn.units[pairs.first[pairs.is_both]].tolist())


def _difference(differences: Array) -> Estimate:
    return Estimate(float(differences.mean()), sd=float(differences.std()))


def _first_wins(differences: Array) -> Estimate:
    return Estimate(int((differences > 0).sum()))


def _second_wins(differences: Array) -> Estimate:
    return Estimate(int((differences < 0).sum()))

"""Means of what answers are worth, where they can be right in part, and of two models on the same samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from core.analysis.columns import ItemColumns
from core.analysis.groupings import Grouping, models
from core.analysis.items import ResultItem
from core.analysis.metrics import COUNT, NUMBER, SHARE, UNSCORED, Array, Measured, Metric, draw_clusters
from core.analysis.slices import words_of
from core.analysis.tables import ResultTable, build_tables
from core.estimate import Estimate, undefined
from core.scoring.tallies import quotients, share_tally
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


# --- two models on the same samples -----------------------------------------------------------------------------


def paired_tables(items: ItemColumns, columns: Grouping, of: Mean, shown: Shown) -> tuple[ResultTable, ...]:
    """Compare every two models: the mean difference on the samples where both have the measure, with its interval over
    samples, and how many of these each wins. A sample is identified by its cluster across runs; of several answers to
    one sample the mean counts."""
    of_models = models(items.kinds, shown.models)
    labels = of_models.order(list(dict.fromkeys(of_models.of(kind)[0] for kind in items.kinds)))
    pairs = [MINUS.join(pair) for pair in combinations(labels, 2)]

    def pairs_of(item: ResultItem) -> Sequence[str]:
        (own,) = of_models.of(item)
        return [MINUS.join(pair) for pair in combinations(labels, 2) if own in pair]

    def side(item: ResultItem) -> int:
        return labels.index(of_models.of(item)[0])

    said = f"{of.title}, the first model minus the second, on the samples where both have a score."
    metrics = tuple(
        Metric(
            name=name,
            title=title,
            told=told,
            measure=partial(_paired, of.column, side, figure),
            unit=unit,
            measured=of.column,
        )
        for name, title, told, unit, figure in (
            ("difference", f"{of.title}: difference", f"Mean of {said}", NUMBER, _difference),
            ("first_wins", "Samples the first wins", f"Samples with a higher {said}", COUNT, _first_wins),
            ("second_wins", "Samples the second wins", f"Samples with a lower {said}", COUNT, _second_wins),
        )
    )
    tables = build_tables(items, Grouping("pair", "Models", pairs_of, lambda _: pairs), columns, metrics, shown.how)
    return tuple(replace(table, of=words_of(items.kinds, is_pooled=False)) for table in tables)


def _paired(
    name: str,
    side: Callable[[ResultItem], int],
    figure: Callable[[Array], Estimate],
    items: ItemColumns,
    again: bool,
) -> Measured:
    scored = items.where(lambda item: name in item.measures)
    sides = sorted({side(kind) for kind in scored.kinds})
    of_sides = [_by_cluster(scored.where(lambda item, of=of: side(item) == of), name) for of in sides]  # type: ignore[misc]
    shared = [cluster for cluster in of_sides[0] if cluster in of_sides[1]] if len(sides) == 2 else []
    if not shared:
        return undefined("no sample has a score of both" if len(items) else "there are no items", 0), None
    differences = np.array([of_sides[0][cluster] - of_sides[1][cluster] for cluster in shared])
    estimate = replace(figure(differences), n=len(shared))
    if not again or estimate.sd is None:  # a number of samples has no interval
        return estimate, None
    return estimate, share_tally(differences, np.ones(len(shared)), shared)


def _by_cluster(items: ItemColumns, name: str) -> dict[int, float]:
    drawn = items.drawn()
    sums: dict[int, float] = {}
    counts: dict[int, int] = {}
    for cluster, kind, count in zip(drawn.clusters, drawn.kinds.tolist(), drawn.counts.tolist(), strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + items.kinds[kind].measures[name] * count
        counts[cluster] = counts.get(cluster, 0) + count
    return {cluster: sums[cluster] / counts[cluster] for cluster in sums}


def _difference(differences: Array) -> Estimate:
    return Estimate(float(differences.mean()), sd=float(differences.std()))


def _first_wins(differences: Array) -> Estimate:
    return Estimate(int((differences > 0).sum()))


def _second_wins(differences: Array) -> Estimate:
    return Estimate(int((differences < 0).sum()))

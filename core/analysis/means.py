"""Means of what answers are worth, where they can be right in part, and of two models on the same samples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.analysis.columns import ItemColumns
from core.analysis.groupings import Grouping, models
from core.analysis.items import ResultItem
from core.analysis.metrics import COUNT, NUMBER, SHARE, Metric
from core.analysis.slices import words_of
from core.analysis.tables import Place, ResultCell, ResultTable, build_table
from core.estimate import Estimate, undefined
from core.runs.answer_counts import AnswerCounts
from core.words import counted

if TYPE_CHECKING:
    from core.analysis.presets import Shown
    from core.scoring.tallies import EdgeTally

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
        measure=partial(_measured, of.column),
        unit=of.unit,
        is_mean=True,
        measured=of.column,
    )


def _measured(name: str, items: ItemColumns, again: bool) -> tuple[Estimate, EdgeTally | None]:
    defined = items.where(lambda item: name in item.measures)
    left = len(items.where(lambda item: item.is_scored and name not in item.measures))
    if not len(defined):
        return undefined("it is defined in no item" if left else "no item is scored", left), None
    values = np.repeat([kind.measures[name] for kind in defined.kinds], defined.counts)
    note = f"undefined in {counted(left, 'item')}" if left else ""
    estimate = Estimate(float(values.mean()), n=len(defined), reason=note, sd=float(values.std()))
    if not again:
        return estimate, None
    from core.scoring.tallies import share_tally

    drawn = defined.drawn()
    each = drawn.of([kind.measures[name] for kind in defined.kinds])
    return estimate, share_tally(each * drawn.counts, drawn.counts, drawn.clusters)


# --- two models on the same samples -----------------------------------------------------------------------------


def paired_tables(items: ItemColumns, columns: Grouping, of: Mean, shown: Shown) -> tuple[ResultTable, ...]:
    """Compare every two models: the mean difference on the samples where both have the measure, with its interval over
    samples, and how many of these each wins. A sample is identified by its cluster across runs; of several answers to
    one sample the mean counts."""
    rows = models(items.kinds, shown.models)
    of_model: dict[str, list[int]] = defaultdict(list)
    for number, kind in enumerate(items.kinds):
        of_model[rows.of(kind)[0]].append(number)
    labels = rows.order(list(of_model))
    pairs = list(combinations(labels, 2))
    said = f"{of.title}, the first model minus the second, on the samples where both have a score."
    figures: tuple[tuple[Metric, Callable[[NDArray[np.float64]], tuple[Estimate, NDArray[np.float64] | None]]], ...] = (
        (_metric("difference", of, f"{of.title}: difference", f"Mean of {said}", NUMBER), _difference),
        (_metric("first_wins", of, "Samples the first wins", f"Samples with a higher {said}", COUNT), _first_wins),
        (_metric("second_wins", of, "Samples the second wins", f"Samples with a lower {said}", COUNT), _second_wins),
    )
    tables = []
    for metric, figure in figures:
        of_pairs: list[ResultTable] = []
        for first, second in pairs:
            two = items.taken(sorted((*of_model[first], *of_model[second])))
            one = replace(metric, measure=partial(_paired, of.column, partial(_is_of, rows, first), figure))
            label = f"{first}{MINUS}{second}"
            of_pairs.append(
                build_table(two, Grouping("pair", "Models", partial(_named, label)), columns, one, shown.how)
            )
        tables.append(
            _together(items, columns, metric, [f"{first}{MINUS}{second}" for first, second in pairs], of_pairs)
        )
    return tuple(tables)


def _metric(name: str, of: Mean, title: str, told: str, unit: str) -> Metric:
    return Metric(name=name, title=title, told=told, measure=_never, unit=unit, measured=of.column)


def _never(items: ItemColumns, again: bool) -> tuple[Estimate, EdgeTally | None]:
    raise AssertionError("each pair has a measure of its own")


def _named(label: str, _item: ResultItem) -> list[str]:
    return [label]


def _is_of(rows: Grouping, label: str, item: ResultItem) -> bool:
    return rows.of(item)[0] == label


def _paired(
    name: str,
    is_first: Callable[[ResultItem], bool],
    figure: Callable[[NDArray[np.float64]], tuple[Estimate, NDArray[np.float64] | None]],
    items: ItemColumns,
    again: bool,
) -> tuple[Estimate, EdgeTally | None]:
    scored = items.where(lambda item: name in item.measures)
    sides = [_by_cluster(scored.where(side), name) for side in (is_first, lambda item: not is_first(item))]
    shared = [cluster for cluster in sides[0] if cluster in sides[1]]
    if not shared:
        return undefined("no sample has a score of both", 0), None
    differences = np.array([sides[0][cluster] - sides[1][cluster] for cluster in shared])
    estimate, drawn = figure(differences)
    estimate = replace(estimate, n=len(shared))
    if not again or drawn is None:
        return estimate, None
    from core.scoring.tallies import share_tally

    return estimate, share_tally(drawn, np.ones(len(shared)), shared)


def _by_cluster(items: ItemColumns, name: str) -> dict[int, float]:
    drawn = items.drawn()
    values = drawn.of([kind.measures[name] for kind in items.kinds]).tolist() if items.kinds else list[float]()
    sums: dict[int, float] = defaultdict(float)
    counts: dict[int, int] = defaultdict(int)
    for cluster, value, many in zip(drawn.clusters, values, drawn.counts, strict=True):
        sums[cluster] += float(value) * int(many)
        counts[cluster] += int(many)
    return {cluster: sums[cluster] / counts[cluster] for cluster in sums}


def _difference(differences: NDArray[np.float64]) -> tuple[Estimate, NDArray[np.float64] | None]:
    return Estimate(float(differences.mean()), sd=float(differences.std())), differences


def _first_wins(differences: NDArray[np.float64]) -> tuple[Estimate, None]:
    return Estimate(int((differences > 0).sum())), None


def _second_wins(differences: NDArray[np.float64]) -> tuple[Estimate, None]:
    return Estimate(int((differences < 0).sum())), None


def _together(
    items: ItemColumns, columns: Grouping, metric: Metric, labels: Sequence[str], tables: Sequence[ResultTable]
) -> ResultTable:
    """One table of them all; a pair that was not asked about a column has an empty cell there."""
    heads = list(columns.order(list(dict.fromkeys(label for each in tables for label in each.column_labels))))
    cells: dict[Place, ResultCell] = {place: cell for each in tables for place, cell in each.cells.items()}
    none = undefined("there are no items", 0)
    empty = ResultCell(estimate=none, counts=AnswerCounts(), statuses={}, item_ids=())
    whole: Mapping[Place, ResultCell] = {
        (label, head): cells.get((label, head), empty) for label in labels for head in heads
    }
    return ResultTable(
        title=metric.title,
        metric=metric,
        row_title="Models",
        column_title=columns.title,
        row_labels=tuple(labels),
        column_labels=tuple(heads),
        cells=whole,
        of=words_of(items.kinds, is_pooled=False),
        samples=items.sample_count,
    )

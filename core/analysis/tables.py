"""The one table builder: rows x columns of items, a score in each cell, and counts of all items that are not in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.columns import ItemColumns
from core.analysis.groupings import Grouping
from core.analysis.kinds import Kinds
from core.analysis.metrics import COUNT, Figure, Measured, Metric, is_any
from core.analysis.printed import NO_VALUE, label_of
from core.analysis.slices import words_of
from core.estimate import Estimate, undefined
from core.runs.answer_counts import FAILURES, AnswerCounts, added
from core.runs.states import ItemStatus

if TYPE_CHECKING:
    from core.analysis.charts import Chart
    from core.scoring.interval import Resampling
    from core.scoring.tallies import EdgeTally

Place = tuple[str, str]
NEVER_COUNT = frozenset({ItemStatus.INCOMPLETE.value, ItemStatus.EXCLUDED.value, ItemStatus.PENDING.value})
"""Statuses that have a part of their own in the counts of a cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultCell:
    """A score with what it is of. `counts`: of its items; `statuses`: status → items, adding up to `n_total`.

    `item_ids` are all of them; `asked_again`: how many of them were asked again after a reply that could not be read.
    Of a pair: `sides`, and `places`, the number of each item's question and its side, 0 or 1.
    """

    estimate: Estimate
    counts: AnswerCounts
    statuses: Mapping[str, int]
    item_ids: tuple[str, ...]
    asked_again: int = 0
    sides: tuple[str, str] = ("", "")
    places: tuple[tuple[int, int], ...] = ()

    @property
    def questions(self) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """The questions of a pair: IDs of the answers of its first side, and of its second."""
        questions: dict[int, tuple[list[str], list[str]]] = {}
        for item_id, (question, side) in zip(self.item_ids, self.places, strict=True):
            questions.setdefault(question, ([], []))[side].append(item_id)
        return [(tuple(one), tuple(two)) for one, two in questions.values()]

    @property
    def n_total(self) -> int:
        return self.counts.asked

    @property
    def n_scored(self) -> int:
        """The items in the score, those that count as 0 among them."""
        return self.counts.in_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """The best model of a column of a table.

    Attributes:
        best, second: rows; baselines are among them only if there is no second model
        baseline: the best row of a baseline, which may be one of them; empty without one, and without a model
        unit: of the difference, POINTS for shares
        difference: best minus second on the questions that both have a score of
        p: of no difference, corrected for all `comparisons` with the best
        detectable: the smallest difference that these questions show in 80% of cases, at 5%
    """

    column: str
    best: str
    second: str
    baseline: str
    unit: str
    difference: Estimate
    p: Estimate
    detectable: Estimate
    comparisons: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    """Cells by (row label, column label), one for each pair. `means`: rows that are the mean of others' scores.

    `of`: which tasks and variants it is of, in words; `samples`: how many samples of them it counts; `asked_again`: by
    model, how many of its items were asked again after a reply that could not be read; `uneven`: how many samples its
    models share, in words, where they have answers for different ones. `figures`: of columns that
    print other figures than `metric`; `is_of_pairs`: its cells open the answers where two sides differ, and
    its intervals are of no bootstrap. `chart`: where it is not the one of its cells. `only_labels`: of columns, the one
    label that all their right answers are; `lead`: of a table of models, the best and whether it differs from others.
    """

    title: str
    metric: Figure
    row_title: str
    column_title: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    cells: Mapping[Place, ResultCell]
    means: tuple[str, ...] = ()
    of: str = ""
    samples: int = 0
    asked_again: Mapping[str, int] = field(default_factory=dict)
    uneven: str = ""
    figures: Mapping[str, Figure] = field(default_factory=dict)
    is_of_pairs: bool = False
    chart: Chart | None = None
    only_labels: Mapping[str, str] = field(default_factory=dict)
    lead: Lead | None = None

    def figure(self, column: str) -> Figure:
        """Return what the cells of a column print."""
        return self.figures.get(column, self.metric)

    @property
    def sums(self) -> dict[str, list[str]]:
        """Counts in which an answer is not scored, or scores 0 because it is empty, as one sum → the rows with it, each
        with its columns where these differ."""
        rows: dict[str, list[str]] = {}
        for row in self.row_labels:
            by_counts: dict[AnswerCounts, list[str]] = {}
            for column in self.column_labels:
                by_counts.setdefault(self.cells[row, column].counts, []).append(column)
            for counts, columns in by_counts.items():
                if not counts.is_plain:
                    more = f" and {len(columns) - 3:,} more" if len(columns) > 3 else ""
                    named = row if len(by_counts) == 1 else f"{row} ({', '.join(columns[:3])}{more})"
                    rows.setdefault(str(counts), []).append(named)
        return rows

    @property
    def undefined_words(self) -> str:
        """List the reasons why values are undefined, each with its cells; empty without any."""
        reasons: dict[str, list[str]] = {}
        for row, column in product(self.row_labels, self.column_labels):
            estimate = self.cells[row, column].estimate
            if estimate.value is None:
                reasons.setdefault(estimate.reason, []).append(f"{label_of(row)} · {label_of(column)}")
        listed = "; ".join(f"{few(places)}: {reason}" for reason, places in reasons.items())
        return f"{NO_VALUE} means undefined. {listed}." if listed else ""


def few(places: Sequence[str]) -> str:
    """List the first four places, and the number of the others."""
    return ", ".join(places[:4]) + (f" and {len(places) - 4:,} more" if len(places) > 4 else "")


def as_json(table: ResultTable) -> dict[str, Any]:
    """A table with every number of its cells; an undefined one is null, and its `note` says why."""
    return {
        "title": table.title,
        "of": table.of,
        "samples": table.samples,
        "metric": table.metric.name,
        "unit": table.metric.unit,
        "row_title": table.row_title,
        "column_title": table.column_title,
        "cells": [
            {
                "row": row,
                "column": column,
                **({"metric": table.figures[column].name, "unit": table.figures[column].unit} if table.figures else {}),
                "value": table.figure(column).exact(cell.estimate),
                "low": cell.estimate.low,
                "high": cell.estimate.high,
                "sd": cell.estimate.sd,
                "n_scored": cell.n_scored,
                **asdict(cell.counts),
                "asked_again": cell.asked_again,
                "note": cell.estimate.reason,
            }
            for row, column in product(table.row_labels, table.column_labels)
            for cell in [table.cells[row, column]]
        ],
    }


def build_table(
    items: ItemColumns,
    rows: Grouping,
    columns: Grouping,
    metric: Metric,
    how: Resampling | None = None,
    *,
    title: str = "",
    means: Mapping[str, Sequence[str]] | None = None,
) -> ResultTable:
    """One score of every row and column. `how` asks for intervals by bootstrap over papers, drawn as wholes.

    An item is in every cell that its groups name. An empty cell is undefined, not 0. `means`: extra rows, each the
    plain mean of the scores of some row labels (models of one kind); members without a score are left out of it, and
    the reason says how many. Raises BadInput as the metric's scorer does.
    """
    (table,) = build_tables(items, rows, columns, (metric,), how, means=means)
    return replace(table, title=title or table.title)


def build_tables(
    items: ItemColumns,
    rows: Grouping,
    columns: Grouping,
    metrics: Sequence[Metric],
    how: Resampling | None = None,
    *,
    means: Mapping[str, Sequence[str]] | None = None,
) -> tuple[ResultTable, ...]:
    """Build one table per score, as `build_table` does; the items of each cell are determined once for all of them."""
    groups: dict[Place, list[int]] = {}
    for number, kind in enumerate(items.kinds):
        for row in rows.of(kind):
            for column in columns.of(kind):
                groups.setdefault((row, column), []).append(number)
    row_labels = tuple(rows.order(list(dict.fromkeys(row for row, _ in groups))))
    column_labels = tuple(columns.order(list(dict.fromkeys(column for _, column in groups))))
    extra = {label: [one for one in members if one in row_labels] for label, members in (means or {}).items()}
    extra = {label: members for label, members in extra.items() if members}
    cells: list[dict[Place, ResultCell]] = [{} for _ in metrics]
    tallies: list[dict[Place, EdgeTally | None]] = [{} for _ in metrics]
    of_places = {place: items.taken(groups.get(place, ())).shared() for place in product(row_labels, column_labels)}
    measured = [_measured(group, metric, how) for group in of_places.values() for metric in metrics]
    estimates = _bounded(measured, how)
    for turn, (place, group) in enumerate(of_places.items()):
        first = turn * len(metrics)
        for number, cell in enumerate(_cells(group, metrics, estimates[first : first + len(metrics)])):
            cells[number][place] = cell
            tallies[number][place] = measured[first + number][1] if extra else None
    for those, drawn in zip(cells, tallies, strict=True):
        for (label, members), column in product(extra.items(), column_labels):
            places = [(member, column) for member in members]
            those[label, column] = _mean([those[each] for each in places], [drawn[each] for each in places], how)
    of, samples = described(items, groups.values()), items.sample_count
    columns_of: dict[str, list[int]] = {}
    for (_, column), numbers in groups.items():
        columns_of.setdefault(column, []).extend(numbers)
    only_labels = {
        column: label for column in column_labels if (label := only_label(items.kinds, columns_of.get(column, ())))
    }
    return tuple(
        ResultTable(
            title=metric.title,
            metric=metric,
            row_title=rows.title,
            column_title=columns.title,
            row_labels=(*row_labels, *extra),
            column_labels=column_labels,
            cells=those,
            means=tuple(extra),
            of=of,
            samples=samples,
            only_labels=only_labels,
        )
        for metric, those in zip(metrics, cells, strict=True)
    )


def side_by_side(tables: Sequence[ResultTable], heading: Metric) -> ResultTable:
    """Join tables of one unnamed column each: the columns are their metrics. They are different figures, each printed
    as its own, where the heading has the name of one of them, which is the main one."""
    cells = {(row, table.title): cell for table in tables for (row, _), cell in table.cells.items()}
    columns = tuple(table.title for table in tables)
    figures = {table.title: table.metric for table in tables}
    are_different = heading.name in {figure.name for figure in figures.values()}
    return replace(
        tables[0],
        title=heading.title,
        metric=heading,
        column_labels=columns,
        cells=cells,
        figures=figures if are_different else {},
    )


def described(items: ItemColumns, groups: Iterable[Sequence[int]]) -> str:
    """Name the items of a table. Tasks and variants, and runs, that are in one cell together are named as pooled."""
    _, questions = items.kinds.coded("asked", lambda kind: (kind.task, kind.variant_words, kind.variant))
    names, of_runs = items.kinds.coded("run", lambda kind: kind.run)
    is_pooled, runs = False, dict[str, None]()
    for numbers in groups:
        places = np.asarray(numbers, dtype=np.intp)
        is_pooled = is_pooled or len(np.unique(questions[places])) > 1
        if len(together := firsts(of_runs[places])) > 1:
            runs |= dict.fromkeys(names[number] for number in of_runs[places][together].tolist())
    some = [items.kinds[number] for number in firsts(questions).tolist()]
    return words_of(some, is_pooled=is_pooled, pooled_runs=tuple(runs))


def firsts(values: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the places at which each distinct value is first, in their order."""
    return np.sort(np.unique(values, return_index=True)[1])


def only_label(kinds: Kinds, numbers: Sequence[int] | slice = slice(None)) -> str:
    """Return the label that is the right answer of all of these kinds; empty where there are several, or none."""
    labels, which = kinds.coded("answer", lambda kind: kind.answer)
    places = np.unique(which[numbers])
    label = labels[places[0]] if len(places) == 1 else None
    return label or ""


def _bounded(measured: Sequence[Measured], how: Resampling | None) -> list[Estimate]:
    """Return the estimates with their intervals, all drawn together: a call costs more than the draws of a cell."""
    estimates = [estimate for estimate, _ in measured]
    drawn = {place: (estimate, tally) for place, (estimate, tally) in enumerate(measured) if tally is not None}
    if drawn:
        from core.scoring.tallies import with_intervals

        for place, estimate in zip(drawn, with_intervals(list(drawn.values()), how), strict=True):
            estimates[place] = estimate
    return estimates


def _cells(group: ItemColumns, metrics: Sequence[Metric], estimates: Sequence[Estimate]) -> list[ResultCell]:
    """The cells of the same items, one for each score."""
    counted = dict[bytes, dict[str, Any]]()  # alike for most scores
    result = []
    for metric, estimate in zip(metrics, estimates, strict=True):
        covered = group if metric.covers is is_any else group.where(metric.covers)
        totals = np.array(covered.counts)
        inside = totals * metric.are_in(covered.kinds)
        is_number_of_items = ItemStatus.EXCLUDED.value in metric.scores  # which counts items in any status
        key = b"%d,%d," % (id(covered), is_number_of_items) + inside.tobytes()
        if key not in counted:
            failed_as = "scored" if is_number_of_items else "as_zero"
            counted[key] = counts_of(covered.kinds, totals, inside, failed_as=failed_as)
        result.append(ResultCell(estimate=estimate, item_ids=covered.ids, **counted[key]))
    return result


def _measured(group: ItemColumns, metric: Metric, how: Resampling | None) -> Measured:
    if not len(group) and metric.unit != COUNT:  # of nothing there are 0
        return undefined("there are no items", 0), None
    estimate, tally = metric.measure(group, how is not None)
    return estimate, None if estimate.value is None else tally


def counts_of(
    kinds: Kinds, totals: NDArray[np.int64], inside: NDArray[np.int64], *, failed_as: str = "as_zero"
) -> dict[str, Any]:
    """The fields of a cell that count its items. `totals`: items of each kind; `inside`: how many of them are in the
    score; `failed_as`: the part of refused, truncated and failed ones that are."""
    statuses: Counter[str] = Counter()
    parts: Counter[str] = Counter()
    again = 0
    outcomes, which = kinds.outcomes()
    totals_of, scored_of = (np.bincount(which, each, len(outcomes)).astype(int) for each in (totals, inside))
    occurring = which[totals > 0]
    for number in occurring[firsts(occurring)].tolist():
        outcome, total, scored = outcomes[number], int(totals_of[number]), int(scored_of[number])
        statuses[outcome.status] += total
        if outcome.is_asked_again:
            again += total
        if scored:
            part = failed_as if outcome.status in FAILURES else "scored"
            parts[part] += scored
            if part == "scored" and outcome.is_empty:
                parts["empty"] += scored
        if scored < total:
            parts[outcome.status if outcome.status in NEVER_COUNT else "left_out"] += total - scored
    counts = AnswerCounts(asked=int(totals.sum()), **parts)
    return {"counts": counts, "statuses": dict(statuses), "asked_again": again}


def _mean(cells: Sequence[ResultCell], tallies: Sequence[EdgeTally | None], how: Resampling | None) -> ResultCell:
    """The plain mean over models, each worth the same however many items it has; papers are drawn for all together."""
    values = [cell.estimate.value for cell in cells if cell.estimate.value is not None]
    scored = sum(cell.n_scored for cell in cells)
    if not values:
        estimate = undefined("no member has a score", 0)
    else:
        left_out = len(cells) - len(values)
        note = f"mean over {len(values)} of {len(cells)}; the others have no score" if left_out else ""
        estimate = Estimate(sum(values) / len(values), n=scored, reason=note)
        drawn = [tally for tally in tallies if tally is not None]
        if how is not None and len(drawn) == len(values):
            from core.scoring.tallies import mean_tally

            estimate = mean_tally(drawn).with_interval(estimate, how)
    statuses: Counter[str] = Counter()
    for cell in cells:
        statuses.update(cell.statuses)
    return ResultCell(
        estimate=estimate,
        counts=added(cell.counts for cell in cells),
        statuses=dict(statuses),
        item_ids=tuple(chain.from_iterable(cell.item_ids for cell in cells)),
        asked_again=sum(cell.asked_again for cell in cells),
    )

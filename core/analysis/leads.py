"""The best model of a table, and whether it differs from the others on the same questions."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

import numpy as np

from core.analysis.columns import ItemColumns
from core.analysis.groupings import ALL, models
from core.analysis.items import BASELINE
from core.analysis.metrics import POINTS, SHARE
from core.analysis.sides import Compared, SideMeans, answers_of, corrected_p, corrected_ps
from core.analysis.tables import Lead, ResultTable
from core.estimate import Estimate


def lead_of(
    table: ResultTable, items: ItemColumns, compares: Sequence[Compared], order: Sequence[str] = ()
) -> Lead | None:
    """Return the best model of the table's last column of all, or its first column with two values. None where the
    table is of no score that sides are compared by, and where fewer than two rows have a value. `items`: of the table,
    whose rows are models."""
    of_names = {each.metric.name: each for each in compares}
    columns = [column for column in table.column_labels if table.figure(column).name in of_names]
    columns = [column for column in columns if column == ALL] or columns
    rows = models(items.kinds, order)
    baselines = {label for kind in items.kinds if kind.kind == BASELINE for label in rows.of(kind)}
    for column in columns:
        values = {
            row: value
            for row in table.row_labels
            if row not in table.means and (value := table.cells[row, column].estimate.value) is not None
        }
        ranked = sorted(values, key=values.__getitem__, reverse=True)
        answering = [row for row in ranked if row not in baselines]
        first = answering if len(answering) > 1 else _with_best_baseline(ranked, baselines)
        if len(first) < 2:
            continue
        best, others = first[0], first[1:]
        ids = {item_id for row in first for item_id in table.cells[row, column].item_ids}
        inside = items.selected(np.fromiter((each in ids for each in items.ids), dtype=bool, count=len(items)))
        of = of_names[table.figure(column).name]
        answers = answers_of(inside.where(of.metric.covers), of, rows)
        means = SideMeans.of(answers.assign(side=answers["model"], key=answers["question"]))
        results = {other: result for other in others if (result := means.paired((best, other))) is not None}
        if others[0] not in results:
            return None
        result, corrected = results[others[0]], corrected_ps(results).get(others[0])
        scale = 100 if of.metric.unit == SHARE else 1
        return Lead(
            column=column,
            best=best,
            second=others[0],
            baseline=next((row for row in ranked if row in baselines), "") if answering else "",
            unit=POINTS if of.metric.unit == SHARE else of.metric.unit,
            difference=_scaled(result.difference, scale, result.n),
            p=corrected_p(result, corrected),
            detectable=_scaled(result.detectable, scale, result.n),
            comparisons=len(results),
        )
    return None


def _with_best_baseline(ranked: Sequence[str], baselines: Container[str]) -> list[str]:
    """The only model and the best baseline, the better one first; without a model all baselines."""
    is_first = {row in baselines: row for row in reversed(ranked)}
    return [row for row in ranked if row in is_first.values()] if False in is_first else list(ranked)


def _scaled(estimate: Estimate, scale: float, n: int) -> Estimate:
    value, low, high = (
        None if each is None else scale * each for each in (estimate.value, estimate.low, estimate.high)
    )
    return replace(estimate, value=value, low=low, high=high, n=n)

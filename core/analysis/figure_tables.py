"""Tables whose columns are different figures of the same rows of the frame: means, correlations, differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from core.analysis.charts import Chart
from core.analysis.columns import ItemColumns
from core.analysis.items import WITHOUT_EDGES
from core.analysis.metrics import Figure
from core.analysis.slices import words_of
from core.analysis.tables import NEVER_COUNT, Place, ResultCell, ResultTable
from core.estimate import Estimate, undefined
from core.runs.answer_counts import FAILURES, AnswerCounts
from core.runs.states import ItemStatus
from core.scoring.interval import mean_estimate

if TYPE_CHECKING:
    import pandas as pd

    from core.scoring.interval import Resampling


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A row of such a table.

    Attributes:
        rows: rows of the frame that it is about, which its cells open
        estimates: by the name of a figure; one that is missing is undefined
        used: whether each row is in the numbers; None for all of them
        failed_as: the part of refused, truncated and failed ones that are, `scored` where they do not count as 0
    """

    rows: pd.DataFrame
    estimates: Mapping[str, Estimate]
    used: pd.Series[Any] | None = None
    failed_as: str = "as_zero"


def figure_table(
    items: ItemColumns,
    heading: Figure,
    row_title: str,
    figures: Sequence[Figure],
    rows: Mapping[str, FigureRow],
    *,
    chart: Chart | None = None,
) -> ResultTable:
    """Build the table of rows, by their labels. `heading`: names the table and says what it shows; `items`: all that
    it is of."""
    cells = dict[Place, ResultCell]()
    keys = {label: (id(row.rows), id(row.used), row.failed_as) for label, row in rows.items()}
    parts = {keys[label]: row for label, row in rows.items()}  # many rows may be about the same items
    abouts = {
        key: _counts(
            *_listed(row.rows),
            [True] * len(row.rows) if row.used is None else row.used.astype(bool).tolist(),
            row.failed_as,
        )
        for key, row in parts.items()
    }
    for label, row in rows.items():
        about = abouts[keys[label]]
        for figure in figures:
            estimate = row.estimates.get(figure.name) or undefined("it is not defined for this row", 0)
            cells[label, figure.title] = ResultCell(estimate=estimate, **about)
    return ResultTable(
        title=heading.title,
        metric=heading,
        row_title=row_title,
        column_title="Figure",
        row_labels=tuple(rows),
        column_labels=tuple(figure.title for figure in figures),
        cells=cells,
        of=_words(items, map(_conditions, {id(row.rows): row.rows for row in rows.values()}.values())),
        samples=items.sample_count,
        figures={figure.title: figure for figure in figures},
        chart=chart,
    )


def mean_table(
    items: ItemColumns,
    heading: Figure,
    rows: tuple[str, Sequence[str]],
    columns: tuple[str, Sequence[str]],
    frame: pd.DataFrame,
    how: Resampling | None = None,
) -> ResultTable:
    """Build the table of means of `value`, over the rows of a frame with the same labels in `row` and in `column`; a
    row without a value is counted and in no mean. `rows` and `columns`: a title, and labels in their order; `how`:
    intervals by bootstrap over clusters."""
    import numpy as np

    places: dict[Place, list[int]] = {}
    for number, place in enumerate(zip(frame["row"].tolist(), frame["column"].tolist(), strict=True)):
        places.setdefault(place, []).append(number)
    values = frame["value"].to_numpy(dtype=np.float64)
    clusters = frame["cluster"].tolist()
    is_used = (~np.isnan(values)).tolist()
    ids, statuses, flags = _listed(frame)
    cells = dict[Place, ResultCell]()
    for place in product(rows[1], columns[1]):
        numbers = places.get(place, [])
        within = [number for number in numbers if is_used[number]]
        if len(within) == 1 and how is None:  # a heat map has thousands
            estimate = Estimate(float(values[within[0]]), n=1, sd=0.0)
        else:
            estimate = mean_estimate(values[within], [clusters[number] for number in within], how)
        cells[place] = ResultCell(
            estimate=estimate,
            **_counts(
                [ids[number] for number in numbers],
                [statuses[number] for number in numbers],
                [flags[number] for number in numbers],
                [is_used[number] for number in numbers],
            ),
        )
    conditions = _conditions(frame)
    return ResultTable(
        title=heading.title,
        metric=heading,
        row_title=rows[0],
        column_title=columns[0],
        row_labels=tuple(rows[1]),
        column_labels=tuple(columns[1]),
        cells=cells,
        of=_words(items, ([conditions[number] for number in numbers] for numbers in places.values())),
        samples=items.sample_count,
    )


def _words(items: ItemColumns, groups: Iterable[Iterable[tuple[Any, Any, Any]]]) -> str:
    """Name the items of a table. `groups`: task, variant and run of the rows of the frame that are in one number."""
    is_pooled, several = False, dict[str, None]()
    for group in groups:
        distinct = dict.fromkeys(group)
        is_pooled = is_pooled or len({(task, variant) for task, variant, _ in distinct}) > 1
        runs = dict.fromkeys(run for _, _, run in distinct if run and run == run)
        several |= runs if len(runs) > 1 else {}
    return words_of(items.kinds, is_pooled=is_pooled, pooled_runs=tuple(several))


def _conditions(rows: pd.DataFrame) -> list[tuple[Any, Any, Any]]:
    """Return task, variant and run of rows."""
    return list(zip(*(rows[name].astype(object).tolist() for name in ("task", "variant", "run")), strict=True))


def _listed(rows: pd.DataFrame) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the ids, statuses and flags of rows."""
    return rows["item"].tolist(), rows["status"].tolist(), rows["flags"].astype(object).tolist()


def _counts(
    ids: Sequence[str], statuses: Sequence[str], flags: Sequence[Any], used: Sequence[bool], failed_as: str = "as_zero"
) -> dict[str, Any]:
    """The fields of a cell that count its items. `used`: whether each is in the number."""
    parts: Counter[str] = Counter()
    for (status, flag, is_used), many in Counter(zip(statuses, flags, used, strict=True)).items():
        if not is_used:
            parts[status if status in NEVER_COUNT else "left_out"] += many
        elif status in FAILURES:
            parts[failed_as] += many
        else:
            parts["scored"] += many
            if status == ItemStatus.UNPARSABLE.value or WITHOUT_EDGES in str(flag):
                parts["empty"] += many
    counts = AnswerCounts(asked=len(ids), **parts)
    return {"counts": counts, "statuses": dict(Counter(statuses)), "item_ids": tuple(ids)}

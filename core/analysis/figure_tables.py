"""Tables whose columns are different figures of the same rows of the frame: means, correlations, differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.analysis.charts import Chart
from core.analysis.columns import ItemColumns
from core.analysis.items import WITHOUT_EDGES
from core.analysis.metrics import Figure
from core.analysis.slices import words_of
from core.analysis.tables import NEVER_COUNT, ResultCell, ResultTable
from core.estimate import Estimate, undefined
from core.runs.answer_counts import FAILURES, AnswerCounts
from core.runs.states import ItemStatus

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A row of such a table.

    Attributes:
        rows: rows of the frame that it is about, which its cells open
        estimates: by the name of a figure; one that is missing is undefined
        used: whether each row is in the numbers; None for all of them
    """

    rows: pd.DataFrame
    estimates: Mapping[str, Estimate]
    used: pd.Series[Any] | None = None


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
    cells = dict[tuple[str, str], ResultCell]()
    parts = {(id(row.rows), id(row.used)): row for row in rows.values()}  # many rows may be about the same items
    abouts = {key: _counts(row) for key, row in parts.items()}
    for label, row in rows.items():
        about = abouts[id(row.rows), id(row.used)]
        for figure in figures:
            estimate = row.estimates.get(figure.name) or undefined("it is not defined for this row", 0)
            cells[label, figure.title] = ResultCell(estimate=estimate, **about)
    frames = {id(row.rows): row.rows for row in rows.values()}.values()
    pooled = [each[["task", "variant"]].drop_duplicates() for each in frames if "task" in each]
    runs = [each["run"].dropna().unique() for each in frames if "run" in each]
    several = dict.fromkeys(name for names in runs if len(names) > 1 for name in names)
    return ResultTable(
        title=heading.title,
        metric=heading,
        row_title=row_title,
        column_title="Figure",
        row_labels=tuple(rows),
        column_labels=tuple(figure.title for figure in figures),
        cells=cells,
        of=words_of(items.kinds, is_pooled=any(len(each) > 1 for each in pooled), pooled_runs=tuple(several)),
        samples=items.sample_count,
        figures={figure.title: figure for figure in figures},
        chart=chart,
    )


def _counts(row: FigureRow) -> dict[str, Any]:
    """The fields of a cell that count its items."""
    statuses = row.rows["status"].astype(object)
    used = statuses.notna() if row.used is None else row.used.astype(bool)
    has_failed = used & statuses.isin(FAILURES)
    is_empty = (statuses == ItemStatus.UNPARSABLE.value) | row.rows["flags"].astype(str).str.contains(WITHOUT_EDGES)
    parts = {
        "scored": used & ~has_failed,
        "as_zero": has_failed,
        **{name: ~used & (statuses == name) for name in NEVER_COUNT},
        "left_out": ~used & ~statuses.isin(NEVER_COUNT),
    }
    counts = {name: int(part.sum()) for name, part in parts.items()}
    return {
        "counts": AnswerCounts(asked=len(statuses), empty=int((is_empty & parts["scored"]).sum()), **counts),
        "statuses": statuses.value_counts().to_dict(),
        "item_ids": tuple(row.rows["item"]),
    }

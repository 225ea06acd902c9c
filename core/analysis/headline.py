"""Summary of a table of results in one sentence: the ends of its main figure, of how many answers."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.metrics import Figure
from core.analysis.tables import ResultTable
from core.runs.answer_counts import added


@dataclass(frozen=True, slots=True)
class Headline:
    """Attributes:
    figure: the figure that the table is named after, or else that of its first column
    ends: row and column of the cells with the lowest and the highest value; one if only one is defined, none without
    is_in_columns: the figure has several columns
    asked: answers of these cells, each counted once; None where some are in several cells and others in none
    left_out: of them, those that no value counts
    """

    figure: Figure
    ends: tuple[tuple[str, str], ...]
    is_in_columns: bool
    asked: int | None
    left_out: int


def headline(table: ResultTable) -> Headline:
    """Return the headline of a table over its rows, without the means of models."""
    main = [column for column in table.column_labels if table.figure(column).name == table.metric.name]
    columns = main or list(table.column_labels[:1])
    places = [(row, column) for row in table.row_labels if row not in table.means for column in columns]
    values = {place: value for place in places if (value := table.cells[place].estimate.value) is not None}
    ranked = sorted(values, key=values.__getitem__)
    ids = {item_id for place in places for item_id in table.cells[place].item_ids}
    asked, left_out = None, 0
    for some in (columns, *([column] for column in columns)):  # in which each answer is once, such as a last one of all
        counts = added(table.cells[place].counts for place in places if place[1] in some)
        if counts.asked == len(ids):
            asked, left_out = counts.asked, counts.asked - counts.in_number
            break
    return Headline(
        figure=table.figure(columns[0]) if columns else table.metric,
        ends=(ranked[0], ranked[-1]) if len(ranked) > 1 else tuple(ranked),
        is_in_columns=len(columns) > 1,
        asked=asked,
        left_out=left_out,
    )

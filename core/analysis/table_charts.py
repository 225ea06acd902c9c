"""Charts of tables of results, and the reliability diagram of a row of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.analysis.charts import MOST_SERIES, Chart, ChartKind, Point, chart_of_points
from core.analysis.metrics import POINTS, RANK
from core.analysis.printed import is_percent, label_of, shown, shown_interval
from core.analysis.tables import ResultTable
from core.errors import BadInput
from core.scoring.calibration import Bin
from core.words import counted, quoted


def chart_of(table: ResultTable, kind: ChartKind | None = None, in_time: Sequence[str] = ()) -> Chart:
    """The chart of a table: its own, or one of all its cells; where its columns are different figures, of the one that
    the table is named after, or the first. Ranks are a heat map, and so is a table of more rows and columns than can be
    distinguished by colour."""
    if table.chart is not None:
        return table.chart
    columns = table.column_labels
    if table.figures:
        main = (label for label, figure in table.figures.items() if figure.name == table.metric.name)
        columns = (next(main, columns[0]),)
    columns = tuple(column for column in columns if column in in_time) or columns
    figure = table.figure(columns[0]) if columns else table.metric
    points = [
        Point.of(label_of(row), label_of(column), estimate, shown(estimate, figure), shown_interval(estimate, figure))
        for row in table.row_labels
        for column in columns
        for estimate in [table.cells[row, column].estimate]
    ]
    chart = chart_of_points(
        points,
        kind=kind or ChartKind.DOTS,
        title=f"{table.title}, {table.of}",
        row_title=table.row_title,
        column_title=table.column_title,
        value_title=figure.title + (", percentage points" if figure.unit == POINTS else ""),
        in_percent=is_percent(figure),
        in_order=bool(in_time),
        is_ranked=figure.unit == RANK,
        are_pairs=table.is_of_pairs,
        reference=0.0 if table.is_of_pairs or figure.unit == POINTS else None,
    )
    is_heat = chart.is_ranked or min(len(chart.rows), len(chart.columns)) > MOST_SERIES
    return replace(chart, kind=ChartKind.HEAT) if kind is None and is_heat else chart


def chart_at(
    tables: Sequence[ResultTable], part: int, kind: ChartKind | None = None, in_time: Sequence[str] = ()
) -> Chart:
    """The chart of one of several tables, the first for `part` 1. Raises BadInput for a table that there is not, or one
    without a value."""
    if not 1 <= part <= len(tables):
        raise BadInput(f"There is no table {part}; the preset has {counted(len(tables), 'table')} here.")
    chart = chart_of(tables[part - 1], kind, in_time)
    if not chart.rows:
        raise BadInput(f"No value of the table {quoted(tables[part - 1].title)} is defined, so there is no chart.")
    return chart


def reliability_chart(bins: Sequence[Bin], name: str) -> Chart:
    """The reliability diagram of a model: a bar for each bin that has an item, as high as its accuracy."""
    points = [
        Point(
            row=f"{each.low:.1f}–{each.high:.1f}",
            column=name,
            value=each.accuracy.value,
            low=each.low,
            high=each.high,
            text=f"accuracy {each.accuracy.value:.0%} of {each.n:,}" if each.accuracy.value is not None else "",
        )
        for each in bins
    ]
    return chart_of_points(
        points,
        kind=ChartKind.RELIABILITY,
        title=f"Reliability diagram of {name}: accuracy by confidence",
        row_title="Confidence",
        column_title="Model",
        value_title="Accuracy",
    )

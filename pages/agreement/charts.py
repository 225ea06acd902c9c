"""Charts of agreement: numbers on one scale, with their intervals, and each figure's errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.analysis.charts import Chart, ChartKind, Point, chart_of_points

MOST_DOTS = 24
"""Cells whose intervals can be distinguished; more of them are a heat map."""
SIZES = 2
"""Columns of table 21 that count what the reference has; the others are errors."""


def agreement_chart(
    title: str, titles: tuple[str, str], points: Sequence[Point], value_title: str = "Share or coefficient"
) -> Chart:
    """The chart of numbers on one scale. `titles`: of rows and of columns."""
    chart = chart_of_points(
        points,
        kind=ChartKind.DOTS,
        title=title,
        row_title=titles[0],
        column_title=titles[1],
        value_title=value_title,
    )
    is_heat = len(chart.rows) * len(chart.columns) > MOST_DOTS
    return replace(chart, kind=ChartKind.HEAT) if is_heat else chart


def errors_chart(heads: Sequence[str], columns: Sequence[str], counts: Sequence[Sequence[int]]) -> Chart:
    """The chart of false positives and negatives. `counts`: lines of table 21, without the total."""
    points = [
        Point(row=head, column=column, value=count, text=f"{count:,}")
        for head, line in zip(heads, counts, strict=True)
        for column, count in list(zip(columns, line, strict=True))[SIZES:]
    ]
    return chart_of_points(
        points,
        kind=ChartKind.BARS,
        title="Errors by figure, worst first",
        row_title="Figure",
        column_title="Error",
        value_title="Nodes and edges",
    )

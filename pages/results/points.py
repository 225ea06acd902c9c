"""The rows of a table as points with intervals, for tables whose columns follow each other in time."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import shell, state
from components.widgets.points import MOST_SERIES, ChartPoint, Series, points_svg, words_of
from core.analysis.metrics import SHARE
from core.words import counted
from pages.results.parts import PAGE, Picked, label_of
from services.graphs.files import file_name
from services.results.files import is_percent, shown


def show(picked: Picked, in_time: Sequence[str]) -> None:
    """Draw a line for each row that has a value, over the columns that are `in_time`; the table shows the same numbers.
    Of more rows than can be distinguished, draw the first and that of the open cell; without any such row, nothing."""
    table = picked.table
    columns = [column for column in table.column_labels if column in in_time]
    if table.metric.unit != SHARE or not columns:
        return
    rows = [
        row
        for row in table.row_labels
        if any(table.cells[row, column].estimate.value is not None for column in columns)
    ]
    if not rows:
        return
    series = [_series(picked, row, columns) for row in _drawn(rows, picked.row)]
    title, in_percent = table.metric.title, is_percent(table.metric)
    dark = st.context.theme.type == "dark"
    heading = f"{title} by {table.column_title.lower()}"
    st.markdown(f"**{shell.escaped(heading)}**")
    drawing = points_svg(series, title, in_percent=in_percent, dark=dark)
    st.image(drawing, width=520, alt=words_of(series, heading))
    left = len(rows) - len(series)
    more = f" {counted(left, 'more row')} only in the table." if left else ""
    st.caption(f"Points with 95% intervals.{more}")
    st.download_button(
        "Download figure (SVG)",
        points_svg(series, title, in_percent=in_percent, dark=False),
        file_name(heading, ".svg"),
        "image/svg+xml",
        on_click="ignore",
        key=state.key(PAGE, "points"),
    )


def _drawn(rows: Sequence[str], chosen: str) -> list[str]:
    first = list(rows[:MOST_SERIES])
    return first if chosen in first or chosen not in rows else [*first[:-1], chosen]


def _series(picked: Picked, row: str, columns: Sequence[str]) -> Series:
    table = picked.table
    points = []
    for column in columns:
        found = table.cells[row, column].estimate
        points.append(ChartPoint(label_of(column), found.value, found.low, found.high, shown(found, table.metric)))
    return Series(label_of(row), points)

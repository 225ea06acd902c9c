"""A row of a table as points with intervals, for tables whose columns follow each other in time."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets.points import Point, points_svg, words_of
from core.results.metrics import SHARE
from pages.results.parts import PAGE, Picked, label_of
from services.graphs.files import file_name
from services.runs.exports.result_files import is_percent, shown


def show(picked: Picked) -> None:
    """The row of the open cell; the table says the same in numbers."""
    table, row = picked.table, label_of(picked.row)
    if table.metric.unit != SHARE:
        return
    points = []
    for column in table.column_labels:
        found = table.cells[picked.row, column].estimate
        points.append(Point(label_of(column), found.value, found.low, found.high, shown(found, table.metric)))
    title, in_percent = table.metric.title, is_percent(table.metric)
    dark = st.context.theme.type == "dark"
    st.markdown(f"**{shell.escaped(f'{title} by {table.column_title.lower()}: {row}')}**")
    drawing = points_svg(points, title, in_percent=in_percent, dark=dark)
    st.image(drawing, width=520, alt=words_of(points, f"{title} by {table.column_title.lower()}, {row}"))
    st.caption("Points with 95% intervals, of the row of the open cell.")
    st.download_button(
        "Download figure (SVG)",
        points_svg(points, title, in_percent=in_percent, dark=False),
        file_name(f"{title} {row}", ".svg"),
        "image/svg+xml",
        on_click="ignore",
        key=state.key(PAGE, "points"),
    )

"""A chart as a file: of its form, with its words, and with the same bytes each time."""

from __future__ import annotations

import pytest

from core.analysis.charts import Chart, ChartKind, Point
from exchange.chart_file import PictureForm, write_chart

CHART = Chart(
    kind=ChartKind.DOTS,
    title="Accuracy, task 1",
    row_title="Model",
    column_title="Task",
    value_title="Accuracy",
    rows=("reader", "talker"),
    columns=("Task 1",),
    points=(
        Point(row="reader", column="Task 1", value=0.5, low=0.4, high=0.6, text="50.0%", interval="40–60%"),
        Point(row="talker", column="Task 1", value=0.25, text="25.0%"),
    ),
    in_percent=True,
)


@pytest.mark.parametrize(
    ("form", "begin"), [(PictureForm.SVG, b"<svg"), (PictureForm.PNG, b"\x89PNG"), (PictureForm.PDF, b"%PDF")]
)
def test_a_chart_has_the_same_bytes_twice(form: PictureForm, begin: bytes) -> None:
    first = write_chart(CHART, form)
    assert first.startswith(begin)
    assert write_chart(CHART, form) == first


def test_the_names_of_a_chart_are_texts_of_its_svg() -> None:
    svg = write_chart(CHART, PictureForm.SVG).decode()
    assert all(f">{name}</text>" in svg for name in ("reader", "talker", "Accuracy"))

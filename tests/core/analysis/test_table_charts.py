"""Charts of tables: every defined value is a point, series differ in colour and form, and words say the same."""

from __future__ import annotations

from typing import Any

import pytest

from core.analysis.charts import MOST_SERIES, SHAPES, ChartKind
from core.analysis.charts import drawn as draw
from core.analysis.comparisons import comparisons
from core.analysis.groupings import Grouping
from core.analysis.metrics import ACCURACY, ITEMS, is_right
from core.analysis.presets import MODELS
from core.analysis.sides import Compared
from core.analysis.table_charts import chart_at, chart_of, reliability_chart
from core.analysis.tables import ResultTable, build_table
from core.errors import BadInput
from core.estimate import Estimate
from core.scoring.calibration import Bin
from core.scoring.interval import Resampling
from tests.core.analysis.items import PlantedItem, columns_of, item
from tests.core.analysis.test_charts import layers_of

SIGN = Grouping("sign", "True sign", lambda each: [str(each.answer)])
HOW = Resampling(seed=1, draws=200)


def items(models: str = "ab", signs: tuple[str, ...] = ("+", "-"), n: int = 12) -> list[PlantedItem]:
    """Each model answers the same questions; the later it comes, the more of them are wrong."""
    planted: list[PlantedItem] = []
    for place, model in enumerate(models):
        for sign in signs:
            for at in range(n):
                answer = sign if at % (2 + place) else "mixed"
                about: dict[str, Any] = {"sample": f"{sign}{at}", "cluster": str(at), "item_id": f"{model}{sign}{at}"}
                planted.append(item(model=model, answer=sign, predicted=answer, **about))
    return planted


def table(**wanted: Any) -> ResultTable:
    return build_table(columns_of(items(**wanted)), MODELS, SIGN, ACCURACY, HOW)


def test_every_defined_cell_is_a_point_with_its_interval_and_the_words_say_all_of_them() -> None:
    accuracies = table()
    chart = chart_of(accuracies)
    assert chart.kind is ChartKind.DOTS
    assert {(point.row, point.column) for point in chart.points} == {("a", "+"), ("a", "−"), ("b", "+"), ("b", "−")}
    for point in chart.points:
        cell = accuracies.cells[point.row, point.column.replace("−", "-")].estimate
        assert (point.value, point.low, point.high) == (cell.value, cell.low, cell.high)
        assert f"{point.row}, {point.column}: {point.text}" in chart.words


def test_an_undefined_value_is_no_point_and_a_row_without_a_value_no_line() -> None:
    failed = [item(at, model="c", status="failed", predicted=None) for at in range(3)]
    chart = chart_of(build_table(columns_of([*items(), *failed]), MODELS, SIGN, ACCURACY, HOW))
    assert chart.rows == ("a", "b")
    with pytest.raises(BadInput, match="no chart"):
        chart_at([build_table(columns_of(failed), MODELS, SIGN, ACCURACY)], 1)
    with pytest.raises(BadInput, match="no table 3"):
        chart_at([table(), table()], 3)


def test_series_differ_in_colour_and_in_form_and_more_than_fit_are_counted() -> None:
    many = chart_of(table(models="abcdefghij"), in_time=("+", "-"))
    assert many.left_out == 10 - MOST_SERIES
    (points,) = (layer for layer in layers_of(many) if layer["mark"]["type"] == "point")
    for channel in ("color", "shape"):
        scale = points["encoding"][channel]["scale"]
        assert len(set(scale["range"])) == len(scale["domain"]) == MOST_SERIES
    assert len(set(SHAPES)) == MOST_SERIES


def test_pairs_are_differences_around_a_line_at_0_and_ranks_are_a_heat_map() -> None:
    pairs, ranks = comparisons(columns_of(items(models="abc")), Compared(metric=ACCURACY, value=is_right))
    chart = chart_of(pairs)
    assert (chart.kind, chart.reference, chart.columns) == (ChartKind.DOTS, 0.0, ("Difference",))
    assert any(layer["mark"].get("strokeDash") for layer in layers_of(chart))
    assert chart_of(ranks).kind is ChartKind.HEAT
    axes = [layer["encoding"]["y"].get("axis", {}) for layer in layers_of(chart)[1:]]
    assert all('split(datum.label, " − ")' in axis["labelExpr"] for axis in axes), "a line for each of the two names"
    numbers = layers_of(chart_of(ranks))[1]["encoding"]["text"]["condition"]["test"]
    assert numbers == f"bandwidth('x') >= {6 * len('undecided')}", "they do not run into each other"
    counts = build_table(columns_of(items()), MODELS, SIGN, ITEMS)
    assert chart_of(counts, ChartKind.HEAT).kind is ChartKind.HEAT


def test_columns_in_time_are_an_axis_with_a_line_for_each_row() -> None:
    chart = chart_of(table(), in_time=("+", "-"))
    assert chart.series == chart.rows
    assert [layer["mark"]["type"] for layer in layers_of(chart)] == ["rule", "line", "point"]


def test_a_point_selects_its_row_and_its_column() -> None:
    params = draw(chart_of(table())).to_dict()["params"]
    assert params[0]["select"]["fields"] == ["row", "column"]


def test_empty_bins_have_no_bar() -> None:
    full, empty = Estimate(0.5, n=4), Estimate(None, reason="empty")
    chart = reliability_chart([Bin(0.0, 0.1, 0, empty, empty), Bin(0.1, 0.2, 4, full, full)], "m")
    assert [(point.low, point.high, point.value) for point in chart.points] == [(0.1, 0.2, 0.5)]
    assert "50% of 4" in chart.words

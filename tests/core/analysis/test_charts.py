"""Charts of tables: every defined value is a point, series differ in colour and form, and words say the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.analysis.charts import (
    DARK,
    LIGHT,
    MOST_BARS,
    MOST_SERIES,
    SHAPES,
    Chart,
    ChartKind,
    Point,
    Theme,
    chart_at,
    chart_of,
    chart_of_points,
    reliability_chart,
)
from core.analysis.charts import drawn as draw
from core.analysis.comparisons import Compared, comparisons
from core.analysis.groupings import Grouping
from core.analysis.metrics import ACCURACY, ITEMS, is_right
from core.analysis.presets import MODELS
from core.analysis.tables import ResultTable, build_table
from core.errors import BadInput
from core.estimate import Estimate
from core.scoring.calibration import Bin
from core.scoring.interval import Resampling
from tests.core.analysis.items import PlantedItem, columns_of, item

SIGN = Grouping("sign", "True sign", lambda each: [str(each.answer)])
HOW = Resampling(seed=1, draws=200)


def items(models: str = "ab", signs: tuple[str, ...] = ("+", "-"), n: int = 12) -> list[PlantedItem]:
    """Each model answers the same questions; the later it comes, the more of them are wrong."""
    planted: list[PlantedItem] = []
    for place, model in enumerate(models):
        for sign in signs:
            for at in range(n):
                said = sign if at % (2 + place) else "mixed"
                about: dict[str, Any] = {"sample": f"{sign}{at}", "cluster": str(at), "item_id": f"{model}{sign}{at}"}
                planted.append(item(model=model, answer=sign, predicted=said, **about))
    return planted


def table(**wanted: Any) -> ResultTable:
    return build_table(columns_of(items(**wanted)), MODELS, SIGN, ACCURACY, HOW)


def layers_of(chart: Chart, *, dark: bool = False) -> list[dict[str, Any]]:
    spec = draw(chart, dark=dark).to_dict()
    layers: list[dict[str, Any]] = spec.get("layer", [spec])
    return layers


def test_every_defined_cell_is_a_point_with_its_interval_and_the_words_say_all_of_them() -> None:
    made = table()
    chart = chart_of(made)
    assert chart.kind is ChartKind.DOTS
    assert {(point.row, point.column) for point in chart.points} == {("a", "+"), ("a", "−"), ("b", "+"), ("b", "−")}
    for point in chart.points:
        cell = made.cells[point.row, point.column.replace("−", "-")].estimate
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
    assert all("split(datum.label, ' − ')" in axis["labelExpr"] for axis in axes), "a line for each of the two names"
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


@pytest.mark.parametrize("kind", list(ChartKind))
@pytest.mark.parametrize("dark", [False, True])
def test_every_kind_is_drawn_in_both_themes(kind: ChartKind, dark: bool) -> None:
    points = tuple(
        Point(row=str(at), column="value", value=at / 5, low=at / 5, high=(at + 1) / 5, text=f"{at}", x=float(at))
        for at in range(5)
    )
    names = tuple(point.row for point in points)
    titles: dict[str, Any] = {"title": "T", "row_title": "R", "column_title": "C", "value_title": "V", "x_title": "X"}
    chart = Chart(kind=kind, rows=names, columns=("value",), points=points, **titles)
    assert draw(chart, dark=dark).to_dict()["background"] == (DARK if dark else LIGHT).ground


def shares(*rows: str) -> Chart:
    """Bars of 10 right and 1 wrong a row; the number of wrong ones is unknown for the last."""
    known = [
        Point(row=row, column=column, value=value, text=f"{value:.0f}")
        for row in rows
        for column, value in (("right", 10.0), ("wrong", 1.0))
    ]
    unknown = replace(known[-1], value=None, text="–")
    titles = dict.fromkeys(("title", "row_title", "column_title", "value_title"), "T")
    return chart_of_points([*known[:-1], unknown], kind=ChartKind.BARS, **titles)


def test_parts_of_a_bar_follow_each_other_with_colours_of_their_own_and_numbers_where_they_fit() -> None:
    chart = shares("a", "b")
    assert chart.words == "T. a, right: 10; a, wrong: 1; b, right: 10"
    parts, texts = layers_of(chart)
    assert parts["encoding"]["color"]["scale"]["domain"] == ["right", "wrong"]
    assert len(set(parts["encoding"]["color"]["scale"]["range"])) == 2
    assert parts["encoding"]["x"]["stack"] == "zero"
    assert texts["encoding"]["text"]["condition"]["test"] == "datum.value >= 0.88", "8% of 11"
    assert draw(chart).to_dict()["layer"][0]["encoding"]["order"]["field"] == "place"


def test_bars_of_one_column_have_no_legend_and_more_rows_than_fit_are_counted() -> None:
    many = shares(*map(str, range(MOST_BARS + 3)))
    only = replace(many, columns=("right",), points=tuple(each for each in many.points if each.column == "right"))
    assert only.left_out == 3
    parts, texts = layers_of(only)
    assert "color" not in parts["encoding"] and texts["encoding"]["text"]["field"] == "text"
    assert len(parts["transform"][0]["filter"]["oneOf"]) == MOST_BARS


def test_empty_bins_have_no_bar() -> None:
    full, empty = Estimate(0.5, n=4), Estimate(None, reason="empty")
    chart = reliability_chart([Bin(0.0, 0.1, 0, empty, empty), Bin(0.1, 0.2, 4, full, full)], "m")
    assert [(point.low, point.high, point.value) for point in chart.points] == [(0.1, 0.2, 0.5)]
    assert "50% of 4" in chart.words


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_can_be_seen_on_the_ground_of_their_theme(theme: Theme) -> None:
    assert all(_contrast(colour, theme.ground) >= 4.5 for colour in theme.series), "numbers are printed on them"
    assert _contrast(theme.line, theme.ground) >= 3
    assert _contrast(theme.text, theme.ground) >= 4.5

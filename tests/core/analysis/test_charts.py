"""Charts: every kind is drawn in both themes, and bars and series differ in colours that can be seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.analysis.charts import (
    DARK,
    FAINT,
    LIGHT,
    MOST_BARS,
    Chart,
    ChartKind,
    Point,
    Theme,
    _legend,
    chart_of_points,
    doubling,
)
from core.analysis.charts import drawn as draw


def layers_of(chart: Chart, *, dark: bool = False) -> list[dict[str, Any]]:
    spec = draw(chart, dark=dark).to_dict()
    layers: list[dict[str, Any]] = spec.get("layer", [spec])
    return layers


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


def test_parts_of_a_bar_have_colours_and_letters_of_their_own_and_numbers_where_they_fit() -> None:
    chart = shares("a", "b")
    assert chart.words == "T. a, right: 10; a, wrong: 1; b, right: 10"
    parts, texts = layers_of(chart)
    assert parts["encoding"]["color"]["scale"]["domain"] == ["right", "wrong"]
    assert len(set(parts["encoding"]["color"]["scale"]["range"])) == 2
    assert parts["encoding"]["x"]["stack"] == "zero"
    assert parts["encoding"]["color"]["legend"]["labelExpr"].startswith('"ABCDEFGH"[indexof(["right", "wrong"]')
    (fits,) = (each["calculate"] for each in texts["transform"] if each.get("as") == "fits")
    assert "datum.value >= 0.88 ? \"ABCDEFGH\"[datum.place] + ' ' + datum.text" in fits, "8% of 11"
    assert draw(chart).to_dict()["layer"][0]["encoding"]["order"]["field"] == "place"


def test_bars_of_one_column_have_no_legend_and_more_rows_than_fit_are_counted() -> None:
    many = shares(*map(str, range(MOST_BARS + 3)))
    only = replace(many, columns=("right",), points=tuple(each for each in many.points if each.column == "right"))
    assert only.left_out == 3
    parts, texts = layers_of(only)
    assert "color" not in parts["encoding"] and texts["encoding"]["text"]["field"] == "text"
    assert len(parts["transform"][0]["filter"]["oneOf"]) == MOST_BARS


def test_a_histogram_on_a_log_axis_doubles_its_groups_and_keeps_0_apart() -> None:
    points = doubling("Cycles", "Mean", [0, 0, 1, 3, 2, 20_000], "graph", "cycles")
    assert [(point.low, point.high, point.value) for point in points[:4]] == [
        (0, 1, 2),
        (1, 2, 1),
        (2, 4, 2),
        (4, 8, 0),
    ]
    assert (points[2].text, points[-1].text) == ("2 graphs with 2–3 cycles", "1 graph with 16,384–32,767 cycles")
    titles = dict.fromkeys(("title", "row_title", "column_title", "value_title"), "T")
    x = layers_of(chart_of_points(points, kind=ChartKind.HISTOGRAM, is_log=True, **titles))[0]["encoding"]["x"]
    assert x["scale"] == {"type": "symlog", "domain": [0, 32_768], "nice": False}
    assert x["axis"]["values"] == [0, 1, 10, 100, 1_000, 10_000]
    assert doubling("Cycles", "Mean", [], "graph", "cycles") == []


def test_dots_of_too_few_are_faint() -> None:
    points = [Point(row=row, column="value", value=0.5, text="0.5", is_faint=row == "b") for row in "ab"]
    titles = dict.fromkeys(("title", "row_title", "column_title", "value_title"), "T")
    dots = layers_of(chart_of_points(points, kind=ChartKind.DOTS, **titles))[-1]
    assert dots["encoding"]["opacity"]["condition"] == {"test": "datum.is_faint", "value": FAINT}
    assert dots["encoding"]["opacity"]["value"] == 1


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


def test_a_scatter_joins_the_points_that_none_beats_and_names_all() -> None:
    places = {"cheap": (1.0, 0.3), "dear": (9.0, 0.6), "beaten": (9.5, 0.5), "same": (2.0, 0.3), "middle": (4.0, 0.4)}
    points = [Point(row=row, column="F1", value=value, x=x) for row, (x, value) in places.items()]
    titles = dict.fromkeys(("title", "row_title", "column_title", "value_title"), "T")
    chart = chart_of_points(points, kind=ChartKind.SCATTER, has_front=True, **titles)
    assert [point.row for point in chart.front] == ["cheap", "middle", "dear"]
    _, line, names = layers_of(chart)
    joined = draw(chart).to_dict()["datasets"][line["data"]["name"]]
    assert [each["row"] for each in joined] == ["cheap", "middle", "dear"]
    assert names["encoding"]["text"]["field"] == "row"
    _, straight = layers_of(replace(chart, has_front=False))
    assert straight["transform"][0]["regression"] == "value"


def test_rows_of_a_scatter_with_several_points_have_a_colour_a_form_and_a_line_each() -> None:
    points = [Point(row=row, column="R²", value=at + n, x=float(n)) for at, row in enumerate("ab") for n in range(3)]
    titles = dict.fromkeys(("title", "row_title", "column_title", "value_title"), "T")
    dots, line = layers_of(chart_of_points(points, kind=ChartKind.SCATTER, **titles))
    assert dots["encoding"]["color"]["scale"]["domain"] == dots["encoding"]["shape"]["scale"]["domain"] == ["a", "b"]
    assert line["transform"][0]["groupby"] == ["row"]


def test_the_numbers_of_an_axis_of_bars_end_with_the_longest_bar() -> None:
    points = [Point(row="a", column="Items", value=44.0, text="44")]
    titles = dict.fromkeys(("title", "row_title", "column_title", "value_title"), "T")
    bars, _texts = layers_of(chart_of_points(points, kind=ChartKind.BARS, **titles))
    assert bars["encoding"]["x"]["axis"]["values"] == [0, 5, 10, 15, 20, 25, 30, 35, 40]


def test_a_legend_is_above_the_chart_in_columns_that_fit_on_a_phone() -> None:
    assert [_legend("Model", [name])["columns"] for name in ("a" * 9, "a" * 10)] == [2, 1]
    parts, _texts = layers_of(shares("a", "b"))
    assert parts["encoding"]["color"]["legend"]["orient"] == "top"

"""Points with intervals: each at its height, its bar from end to end, a line a series, gaps where no value is."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from components.widgets.points import (
    BOTTOM,
    DARK_SERIES,
    FORMS,
    HEIGHT,
    LIGHT_SERIES,
    MOST_SERIES,
    TOP,
    ChartPoint,
    Series,
    points_svg,
    words_of,
)
from components.widgets.reliability import DARK, LIGHT

SVG = "{http://www.w3.org/2000/svg}"
POINTS = (
    ChartPoint("2000–2004", 0.5, 0.25, 0.75, "50.0%"),
    ChartPoint("2005–2009", None, None, None, "–"),
    ChartPoint("<2020", 1.0, None, None, "100.0%"),
)
ABLE = Series("able", POINTS)
OTHERS = (
    ChartPoint("2000–2004", 0.2, 0.1, 0.3, "20.0%"),
    ChartPoint("2005–2009", 0.4, 0.3, 0.5, "40.0%"),
    ChartPoint("<2020", 0.6, 0.5, 0.7, "60.0%"),
)


def height(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def test_a_point_stands_at_its_value_and_its_bar_spans_the_interval() -> None:
    drawn = ET.fromstring(points_svg([ABLE], "Accuracy", in_percent=True, dark=False))
    circles = [(float(each.attrib["cx"]), float(each.attrib["cy"])) for each in drawn.iter(f"{SVG}circle")]
    assert [y for _, y in circles] == [pytest.approx(height(0.5), abs=0.1), pytest.approx(height(1), abs=0.1)]
    (bar,) = [
        each for each in drawn.iter(f"{SVG}line") if each.attrib["x1"] == each.attrib["x2"] == f"{circles[0][0]:.1f}"
    ]
    assert float(bar.attrib["y1"]) == pytest.approx(height(0.25), abs=0.1)
    assert float(bar.attrib["y2"]) == pytest.approx(height(0.75), abs=0.1)
    texts = [each.text for each in drawn.iter(f"{SVG}text")]
    # A gap keeps its place; a single series has its values beside its points.
    assert {"2000–2004", "2005–2009", "<2020", "0%", "100%", "Accuracy", "50.0%"} <= set(texts)


def slopes(drawn: ET.Element, colour: str) -> list[tuple[float, float]]:
    """Heights that lines of a colour join, from point to point."""
    lines = [each.attrib for each in drawn.iter(f"{SVG}line") if each.attrib["stroke"] == colour]
    return [(float(each["y1"]), float(each["y2"])) for each in lines if "stroke-opacity" in each]


def test_several_series_have_lines_of_their_own_apart_from_each_other_and_a_legend() -> None:
    drawn = ET.fromstring(points_svg([ABLE, Series("<other>", OTHERS)], "Accuracy", in_percent=True, dark=False))
    assert slopes(drawn, LIGHT_SERIES[0]) == []  # its middle point has no value
    assert slopes(drawn, LIGHT_SERIES[1]) == [
        (pytest.approx(height(one), abs=0.1), pytest.approx(height(two), abs=0.1))
        for one, two in ((0.2, 0.4), (0.4, 0.6))
    ]
    texts = [each.text for each in drawn.iter(f"{SVG}text")]
    assert {"able", "<other>"} <= set(texts)
    assert "50.0%" not in texts
    (circle, *_) = drawn.iter(f"{SVG}circle")
    uprights = {each.attrib["x1"] for each in drawn.iter(f"{SVG}line") if each.attrib["x1"] == each.attrib["x2"]}
    assert f"{float(circle.attrib['cx']):.1f}" in uprights
    assert len(uprights) == 4  # one bar of the first series, three of the second, none over another


def test_a_series_too_many_is_left_to_the_table() -> None:
    many = [Series(f"model {number}", OTHERS) for number in range(MOST_SERIES + 1)]
    drawn = ET.fromstring(points_svg(many, "Accuracy", in_percent=True, dark=True))
    texts = [each.text for each in drawn.iter(f"{SVG}text")]
    assert [name for name in texts if name and name.startswith("model")] == [f"model {n}" for n in range(MOST_SERIES)]
    assert len(set(FORMS)) == len(set(DARK_SERIES)) == MOST_SERIES


def luminance(colour: str) -> float:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * share for weight, share in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_every_colour_is_told_from_its_ground() -> None:
    for ground, colours in ((LIGHT.ground, LIGHT_SERIES), (DARK.ground, DARK_SERIES)):
        for colour in colours:
            high, low = sorted((luminance(ground), luminance(colour)), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= 3, colour


def test_the_words_say_what_the_picture_shows() -> None:
    both = [ABLE, Series("weak", POINTS[1:2])]
    said = "Accuracy by period. able: 2000–2004: 50.0%; <2020: 100.0%. weak: no value"
    assert words_of(both, "Accuracy by period") == said
    assert words_of([], "Accuracy") == "Accuracy. No value"


def test_scores_that_are_no_shares_have_an_axis_in_decimals() -> None:
    drawn = ET.fromstring(points_svg([ABLE], "Macro-F1", in_percent=False, dark=True))
    assert {"0.0", "0.2", "1.0"} <= {each.text for each in drawn.iter(f"{SVG}text")}

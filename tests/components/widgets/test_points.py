"""Points with intervals: each at its height, its line from end to end, and none where there is no value."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from components.widgets.points import BOTTOM, HEIGHT, TOP, Point, points_svg, words_of

SVG = "{http://www.w3.org/2000/svg}"
POINTS = (
    Point("2000–2004", 0.5, 0.25, 0.75, "50.0%"),
    Point("2005–2009", None, None, None, "–"),
    Point("<2020", 1.0, None, None, "100.0%"),
)


def height(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def test_a_point_stands_at_its_value_and_its_line_spans_the_interval() -> None:
    drawn = ET.fromstring(points_svg(POINTS, "Accuracy", in_percent=True, dark=False))
    circles = [(float(each.attrib["cx"]), float(each.attrib["cy"])) for each in drawn.iter(f"{SVG}circle")]
    assert [y for _, y in circles] == [pytest.approx(height(0.5), abs=0.1), pytest.approx(height(1), abs=0.1)]
    (line,) = [
        each for each in drawn.iter(f"{SVG}line") if each.attrib["x1"] == each.attrib["x2"] == f"{circles[0][0]:.1f}"
    ]
    assert float(line.attrib["y1"]) == pytest.approx(height(0.25), abs=0.1)
    assert float(line.attrib["y2"]) == pytest.approx(height(0.75), abs=0.1)
    texts = [each.text for each in drawn.iter(f"{SVG}text")]
    assert {"2000–2004", "2005–2009", "<2020", "0%", "100%", "Accuracy"} <= set(texts)  # a gap keeps its place


def test_the_words_say_what_the_picture_shows() -> None:
    assert words_of(POINTS, "Accuracy by period, able") == ("Accuracy by period, able. 2000–2004: 50.0%; <2020: 100.0%")
    assert words_of(POINTS[1:2], "Accuracy") == "Accuracy. No value"


def test_scores_that_are_no_shares_have_an_axis_in_decimals() -> None:
    drawn = ET.fromstring(points_svg(POINTS, "Macro-F1", in_percent=False, dark=True))
    assert {"0.0", "0.2", "1.0"} <= {each.text for each in drawn.iter(f"{SVG}text")}

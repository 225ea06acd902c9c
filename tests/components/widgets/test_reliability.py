"""The reliability diagram: a bar where there are answers, as high as the share right; legible in both themes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from components.widgets.reliability import BOTTOM, DARK, HEIGHT, LIGHT, TOP, Colours, reliability_svg, words_of
from core.labels import SIGN
from core.scoring.calibration import RatedAnswer, calibrate

SVG = "{http://www.w3.org/2000/svg}"


def bins_of(*sure: tuple[float, bool]) -> Any:
    """Answers with this confidence in +, right or not."""
    rows = [RatedAnswer("+" if right else "-", {"+": p, "None": 1 - p}) for p, right in sure]
    return calibrate(rows, SIGN).bins


def bars(svg: str) -> list[dict[str, str]]:
    """Every rectangle but the ground."""
    return [dict(each.attrib) for each in ET.fromstring(svg).iter(f"{SVG}rect")][1:]


def test_a_bin_with_answers_has_a_bar_as_high_as_its_share_right() -> None:
    svg = reliability_svg(bins_of((0.95, True), (0.95, True), (0.95, False), (0.95, True), (0.65, False)), dark=False)
    drawn = bars(svg)
    assert len(drawn) == 2
    whole = HEIGHT - TOP - BOTTOM
    assert [float(bar["height"]) for bar in drawn] == [0.0, pytest.approx(0.75 * whole, abs=0.1)]
    texts = [each.text for each in ET.fromstring(svg).iter(f"{SVG}text")]
    assert texts[-2:] == ["1", "4"], "how many answers stand behind each bar"


def test_without_an_answer_there_are_axes_and_no_bar() -> None:
    assert bars(reliability_svg(bins_of(), dark=True)) == []
    assert words_of(bins_of()) == "Reliability diagram. Accuracy per confidence bin: no item"


def test_the_words_say_what_the_picture_shows() -> None:
    assert words_of(bins_of((0.95, True), (0.95, False))).endswith(": 0.9–1.0: accuracy 50% of 2")


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_text_and_shapes_stand_out_from_the_ground(colours: Colours) -> None:
    assert contrast(colours.text, colours.ground) >= 4.5
    assert contrast(colours.bar, colours.ground) >= 3
    assert contrast(colours.line, colours.ground) >= 3


def contrast(one: str, other: str) -> float:
    """WCAG 2.1: (L1 + 0.05) / (L2 + 0.05) of relative luminances."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

"""What the browser says about a click is checked before it is believed."""

import math

import pytest

from components.figure.crop import Crop
from components.figure.figure_view import FigureClick, figure_view, is_count, read_click
from core.errors import BadInput


def test_no_click_yet_is_none():
    assert read_click(None, {"a"}) is None


def test_a_click_on_a_mark_is_returned_with_its_number():
    assert read_click({"id": "a", "n": 7}, {"a", "b"}) == FigureClick(id="a", n=7)


def test_a_whole_number_sent_as_float_is_taken_as_int():
    click = read_click({"id": "a", "n": 7.0}, {"a"})
    assert click is not None
    assert isinstance(click.n, int)


def test_a_click_on_a_mark_that_is_gone_is_none():
    assert read_click({"id": "gone", "n": 7}, {"a"}) is None


@pytest.mark.parametrize(
    "forged",
    [
        "a",
        3,
        [],
        {},
        {"id": "a"},
        {"id": 1, "n": 1},
        {"id": "a", "n": -1},
        {"id": "a", "n": 1.5},
        {"id": "a", "n": True},
        {"id": "a", "n": math.nan},
        {"id": "a", "n": math.inf},
        {"id": "a", "n": 2**60},
    ],
)
def test_forged_clicks_are_refused_with_what_to_do(forged: object):
    with pytest.raises(BadInput, match="Reload"):
        read_click(forged, {"a"})


def test_counts_are_whole_and_not_negative():
    assert is_count(0)
    assert is_count(2**53)
    assert not is_count("1")
    assert not is_count(None)


@pytest.mark.parametrize("size", [(0, 10), (10, -1), (math.nan, 10), (10, math.inf)])
def test_a_figure_without_area_is_refused(size: tuple[float, float]):
    with pytest.raises(BadInput, match="above 0"):
        figure_view(Crop("/x.png", *size, "x"), key="k")

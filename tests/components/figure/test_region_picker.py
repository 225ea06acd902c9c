"""What the browser says about a chosen rectangle is checked before it is believed."""

import math

import pytest

from components.figure.region_picker import PickedRegion, read_picked
from core.errors import BadInput
from core.papers.pages import Box


def picked(box: object, region_id: object = None, n: object = 1) -> dict[str, object]:
    return {"box": box, "region_id": region_id, "n": n}


def test_nothing_chosen_is_none():
    assert read_picked(None, 600, 800) is None


def test_a_rectangle_inside_the_page_comes_back_unchanged():
    value = picked([10, 20.5, 110, 220.25], "f6", 3)
    assert read_picked(value, 600, 800) == PickedRegion(Box(10, 20.5, 110, 220.25), "f6", 3)


def test_a_rectangle_over_the_edge_is_cut_to_the_page():
    result = read_picked(picked([-30, -5, 900, 1000]), 600, 800)
    assert result is not None
    assert result.box == Box(0, 0, 600, 800)


def test_exactly_twelve_points_are_enough():
    assert read_picked(picked([10, 10, 22, 22]), 600, 800) is not None


def test_rounding_of_the_browser_is_not_a_smaller_rectangle():
    assert read_picked(picked([10.1, 10, 22.0999999999, 22]), 600, 800) is not None


@pytest.mark.parametrize("box", [[10, 10, 21, 100], [10, 10, 100, 21], [10, 10, 10, 10]])
def test_less_than_twelve_points_is_refused_with_the_measures(box: list[float]):
    with pytest.raises(BadInput, match="at least 12 by 12"):
        read_picked(picked(box), 600, 800)


def test_the_message_names_what_was_drawn():
    with pytest.raises(BadInput, match="8 by 5 points"):
        read_picked(picked([10, 10, 18, 15]), 600, 800)


def test_a_rectangle_beside_the_page_has_no_area_left():
    with pytest.raises(BadInput, match="at least 12 by 12"):
        read_picked(picked([700, 10, 900, 100]), 600, 800)


@pytest.mark.parametrize(
    "forged",
    [
        "box",
        7,
        [],
        {},
        picked(None),
        picked("0,0,9,9"),
        picked([0, 0, 50]),
        picked([0, 0, 50, 50, 50]),
        picked([0, 0, "50", 50]),
        picked([0, 0, True, 50]),
        picked([0, 0, math.nan, 50]),
        picked([0, 0, math.inf, 50]),
        picked([50, 0, 0, 50]),
        picked([0, 50, 50, 0]),
        picked([0, 0, 50, 50], 5),
        picked([0, 0, 50, 50], "x" * 201),
        picked([0, 0, 50, 50], None, -1),
        picked([0, 0, 50, 50], None, 1.5),
        picked([0, 0, 50, 50], None, None),
        picked([0, 0, 50, 50], None, True),
    ],
)
def test_forged_values_are_refused_with_what_to_do(forged: object):
    with pytest.raises(BadInput, match="Reload"):
        read_picked(forged, 600, 800)

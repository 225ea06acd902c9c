"""Glyphs without a name inside."""

from __future__ import annotations

import math

import pytest

from documents.proposals.glyphs import dots
from documents.proposals.shapes import Outline, Point
from tests.documents.figure_parts import arrow, box, edges, head, line, proposed, words

LETTER = 10.0


def disc(x: float, y: float, radius: float = 4, order: int = 50, points: int = 40) -> Outline:
    angles = [2 * math.pi * number / points for number in range(points)]
    around = tuple((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)
    return Outline(points=around, closed=True, filled=True, curved=True, order=order)


def places(found: list[Outline]) -> list[Point]:
    return sorted((round(one.points[0][0]), round(one.points[0][1])) for one in found)


def test_a_disc_without_a_word_is_a_dot_and_is_one_if_painted_and_outlined() -> None:
    assert len(dots([disc(50, 50), disc(50, 50, 4.3)], [], LETTER)) == 1


def test_a_disc_keeps_few_of_its_points() -> None:
    [dot] = dots([disc(50, 50, points=900)], [], LETTER)
    assert len(dot.points) < 40


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(box(50, 50, 30, 10), id="a bar"),
        pytest.param(head((50, 50), (20, 50)), id="an arrowhead"),
        pytest.param(disc(50, 50, 1), id="a speck"),
        pytest.param(disc(50, 50, 45), id="a frame"),
        pytest.param(line((40, 40), (60, 40), (60, 60)), id="an open line"),
    ],
)
def test_other_shapes_are_no_dots(shape: Outline) -> None:
    assert dots([shape], [], LETTER) == []


def test_a_shape_that_holds_a_word_is_no_dot_but_one_under_a_much_wider_word_is() -> None:
    assert dots([disc(50, 50, 20)], words("Rain", 50, 50), LETTER) == []
    assert len(dots([disc(50, 50, 6)], words("Precipitation", 50, 50), LETTER)) == 1


def test_large_circles_side_by_side_are_nodes() -> None:
    assert len(dots([disc(50 + 45 * number, 50, 15) for number in range(5)], [], LETTER)) == 5


def test_a_name_wider_than_its_circle_belongs_to_it() -> None:
    names = [*words("Precipitation", 100, 100), *words("Harvest", 300, 100)]
    strokes = [*arrow((108, 106), (292, 106)), disc(100, 100, 10), disc(300, 100, 10)]
    found = proposed(names, strokes)
    assert edges(found) == ["Precipitation -> Harvest"] and found.kind == "boxes"


def test_a_circle_around_a_sign_is_no_dot_but_one_around_a_number_is() -> None:
    assert dots([disc(50, 50, 8)], words("+", 50, 50), LETTER) == []
    assert len(dots([disc(50, 50, 8)], words("7", 50, 50), LETTER)) == 1


def test_dots_in_a_row_are_a_dotted_line() -> None:
    row = [disc(50 + 9 * number, 50, 2) for number in range(8)]
    assert len(dots([*row, disc(50, 90), disc(130, 90)], [], LETTER)) == 4  # its ends look like dots


def test_an_arrow_to_a_dot_without_a_name_is_not_given_to_the_next_name() -> None:
    names = [*words("Rain", 70, 100), *words("Soil", 70, 200), *words("Harvest", 340, 100), *words("Income", 340, 200)]
    dotted = [disc(100, 100), disc(100, 200), disc(300, 100), disc(300, 200), disc(300, 125)]
    strokes = [*arrow((104, 100), (296, 100)), *arrow((104, 200), (296, 127), 2)]
    assert edges(proposed(names, [*strokes, *dotted])) == ["Rain -> Harvest"]


def test_a_name_wider_than_the_disc_it_is_printed_over_is_one_name() -> None:
    """NetworkX prints names over its discs; the second word may lie outside altogether, under the next arrow."""
    discs = [disc(100, 100, 20), disc(300, 100, 20)]
    names = [*words("Prison population", 100, 100), *words("Crime", 300, 100)]
    found = proposed(names, [*arrow((120, 100), (280, 100)), *discs])
    assert edges(found) == ["Prison population -> Crime"]

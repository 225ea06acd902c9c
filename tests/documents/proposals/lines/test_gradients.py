"""Boxes whose paint runs from one colour to another are printed as bands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from documents.proposals.lines.gradients import without_bands
from documents.proposals.shapes import Outline
from tests.documents.figure_parts import arrow, box, edges, label, proposed

STEPS = 20


def paint(x0: float, y0: float, x1: float, y1: float, shade: float, order: int) -> Outline:
    corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    colour = (shade, shade, 1.0)
    return Outline(points=corners, closed=True, filled=True, stroked=False, colour=colour, order=order)


def shrinking(x: float, y: float, first: int) -> list[Outline]:
    """Each band covers the upper part of the one before, as an office program paints them."""
    return [paint(x - 50, y - 20, x + 50, y + 20 - 2 * k, 0.2 + 0.02 * k, first + k) for k in range(STEPS)]


def strips(x: float, y: float, first: int) -> list[Outline]:
    """One beside the other."""
    return [paint(x - 50 + 5 * k, y - 20, x - 45 + 5 * k, y + 20, 0.2 + 0.02 * k, first + k) for k in range(STEPS)]


@pytest.mark.parametrize("bands", [shrinking, strips])
def test_bands_of_one_gradient_are_one_shape(bands) -> None:  # type: ignore[no-untyped-def]
    (whole,) = without_bands(bands(100, 100, 0))
    assert whole.box == (50, 80, 150, 120)


@pytest.mark.parametrize("bands", [shrinking, strips])
def test_names_of_two_lines_on_a_gradient_are_read_and_bands_are_no_lines(bands) -> None:  # type: ignore[no-untyped-def]
    rims = [replace(box(x, 100, 50, 20), order=90) for x in (100, 400)]
    shapes = [*bands(100, 100, 0), *bands(400, 100, 40), *rims]
    found = proposed(
        [*label("Health/literacy", 100, 100), *label("Sleep", 400, 100)], [*shapes, *arrow((150, 100), (350, 100), 100)]
    )
    assert edges(found) == ["Health literacy -> Sleep"]


def test_boxes_of_one_colour_beside_each_other_stay_several() -> None:
    boxes = [paint(50 * k, 0, 50 * k + 50, 20, 0.5, k) for k in range(8)]
    assert without_bands(boxes) == boxes

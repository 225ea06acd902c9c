"""Discs and rings at whose rims lines end, and what is no disc."""

from __future__ import annotations

import cv2
import numpy as np

from documents.proposals.shapes import Outline
from documents.raster.discs import discs

BLACK, BLUE = (0, 0, 0), (180, 120, 40)
MIDDLES = [60, 200, 340]


def paper() -> np.ndarray:
    return np.full((300, 600, 3), 255, np.uint8)


def middles(shapes: list[Outline]) -> list[int]:
    return sorted(round((one.box[0] + one.box[2]) / 2) for one in shapes)


def test_discs_are_shapes_and_heads_are_not() -> None:
    picture = paper()
    for x in MIDDLES:
        cv2.circle(picture, (x, 100), 18, BLUE, cv2.FILLED, cv2.LINE_AA)
    cv2.fillPoly(picture, [np.array([(500, 100), (470, 86), (470, 114)])], BLACK, cv2.LINE_AA)
    assert middles(discs(picture)) == MIDDLES
    assert picture[100, 485].max() < 50
    assert picture[100, 200].min() == 255


def test_flat_discs_with_a_rim_at_which_lines_end_are_shapes() -> None:
    picture = paper()
    for x in MIDDLES:
        cv2.line(picture, (x, 100), (x + 90, 220), BLACK, 2, cv2.LINE_AA)
        cv2.ellipse(picture, (x, 100), (26, 19), 0, 0, 360, BLUE, cv2.FILLED, cv2.LINE_AA)
        cv2.ellipse(picture, (x, 100), (26, 19), 0, 0, 360, BLACK, 2, cv2.LINE_AA)
    shapes = discs(picture)
    assert middles(shapes) == MIDDLES
    assert all(abs(one.box[2] - one.box[0] - 54) < 4 and abs(one.box[3] - one.box[1] - 40) < 4 for one in shapes)
    assert (picture[75:118, 30:70] == 255).all()


def test_rings_are_shapes_with_their_rims_and_a_triangle_of_lines_is_none() -> None:
    picture = paper()
    for x in MIDDLES:
        cv2.circle(picture, (x, 100), 20, BLACK, 3, cv2.LINE_AA)
        cv2.line(picture, (x + 20, 100), (x + 90, 100), BLACK, 3, cv2.LINE_AA)
    cv2.polylines(picture, [np.array([(450, 200), (500, 200), (475, 250)])], True, BLACK, 3, cv2.LINE_AA)
    shapes = discs(picture)
    assert middles(shapes) == MIDDLES
    assert all(abs(one.box[2] - one.box[0] - 43) < 4 for one in shapes)
    assert (picture[100, 35:80] == 255).all()


def heads_like_discs(*, discs_too: bool) -> np.ndarray:
    picture = paper()
    for x in (80, 240, 400):
        cv2.line(picture, (x - 60, 60), (x, 60), BLACK, 3, cv2.LINE_AA)
        cv2.fillPoly(picture, [np.array([(x + 24, 60), (x - 6, 46), (x - 6, 74)])], BLACK, cv2.LINE_AA)
        if discs_too:
            cv2.circle(picture, (x, 200), 9, BLACK, cv2.FILLED, cv2.LINE_AA)
            cv2.line(picture, (x, 200), (x + 70, 230), BLACK, 3, cv2.LINE_AA)
    return picture


def test_small_full_arrowheads_are_no_discs_while_small_discs_at_lines_are() -> None:
    assert discs(heads_like_discs(discs_too=False)) == []
    shapes = discs(heads_like_discs(discs_too=True))
    assert middles(shapes) == [80, 240, 400]
    assert all(one.box[1] > 150 for one in shapes)

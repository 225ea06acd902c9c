"""Delay marks across a line of a picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from documents.proposals.shapes import Outline
from documents.raster.figure import trace
from documents.raster.ink import EM, depth_of, ink_of


def read(picture: np.ndarray) -> tuple[list[Outline], list[Outline]]:
    """Heads, and strokes from the longest to the shortest."""
    outlines, _ = trace(ink_of(depth_of(picture)), picture, ())
    heads = [one for one in outlines if one.closed or (len(one.points) == 3 and not one.curved)]
    return heads, sorted((one for one in outlines if one not in heads), key=lambda one: -one.length)


def marked(*places: int, lean: int = 0) -> np.ndarray:
    """A level line of 400 pixels with a stroke across it at each place."""
    picture = np.full((200, 500, 3), 255, np.uint8)
    cv2.line(picture, (50, 100), (450, 100), (0, 0, 0), 3, cv2.LINE_AA)
    for x in places:
        cv2.line(picture, (x - lean, 100 + 20), (x + lean, 100 - 20), (0, 0, 0), 3, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("lean", [0, 5])
def test_two_strokes_across_a_line_are_a_delay_mark_and_no_head(lean: int) -> None:
    heads, (line, *strokes) = read(marked(240, 254, lean=lean))
    assert heads == []
    assert line.length > 380
    assert len(strokes) == 2
    for stroke in strokes:
        (x0, y0), (x1, y1) = stroke.points
        assert abs(x1 - x0) < 0.5 * EM
        assert 30 < abs(y1 - y0) < 45


@pytest.mark.parametrize("places", [(240,), (160, 340)])
def test_strokes_that_stand_alone_are_no_delay_mark(places: tuple[int, ...]) -> None:
    _, (line, *rest) = read(marked(*places))
    assert line.length > 380
    assert all(len(stroke.points) == 2 and stroke.curved for stroke in rest)

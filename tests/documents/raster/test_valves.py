"""Valves of pipes in pictures, and triangles that are none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from documents.raster.valves import without_valves


def drawn(*, turned: bool = False) -> np.ndarray:
    """A pipe of two lines from x 40 to 360 and a valve at 200 that hides them within it; ink is True."""
    paper = np.full((200, 400), 255, np.uint8)
    for y in (94, 106):
        cv2.line(paper, (40, y), (360, y), 0, 2, cv2.LINE_AA)
    valve = np.array([(182, 76), (218, 124), (182, 124), (218, 76)])
    for half in (valve[[0, 3]], valve[[1, 2]]):
        cv2.fillPoly(paper, [np.array([*half, (200, 100)])], 255)
    cv2.polylines(paper, [valve], True, 0, 2, cv2.LINE_AA)
    return (paper.T if turned else paper) < 128


@pytest.mark.parametrize("turned", [False, True])
def test_a_valve_is_a_crossed_shape_and_its_pipe_ends_at_it(turned: bool) -> None:
    (valve,), ink = without_valves(drawn(turned=turned))
    x0, y0, x1, y1 = valve.box
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    assert np.allclose(middle, (100, 200) if turned else (200, 100), atol=3)
    rest = ink.T if turned else ink
    assert not rest[80:120, 185:215].any()
    assert rest[94, 60:170].all() and rest[94, 230:340].all()


def test_two_triangles_with_their_bases_together_are_no_valve() -> None:
    paper = np.full((200, 400), 255, np.uint8)
    for corners in ([(182, 90), (218, 90), (200, 60)], [(182, 110), (218, 110), (200, 140)]):
        cv2.polylines(paper, [np.array(corners)], True, 0, 2, cv2.LINE_AA)
    shapes, ink = without_valves(paper < 128)
    assert shapes == [] and (ink == (paper < 128)).all()

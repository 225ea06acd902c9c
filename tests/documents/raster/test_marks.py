"""Signs told from other small ink."""

from __future__ import annotations

import cv2
import numpy as np

from documents.raster.ink import EM
from documents.raster.marks import bars_of, is_dash, is_plus, is_ring, lone_signs, pieces_of, touching_signs
from documents.raster.words import InkWord


def drawn(high: int = 24, wide: int = 24) -> np.ndarray:
    return np.zeros((high, wide), np.uint8)


def test_two_bars_that_cross_are_a_plus_and_a_slanted_cross_is_none() -> None:
    plus, slanted = drawn(), drawn()
    plus[10:14, :] = plus[:, 10:14] = 1
    cv2.line(slanted, (0, 0), (23, 23), 1, 4)
    cv2.line(slanted, (23, 0), (0, 23), 1, 4)
    assert is_plus(plus > 0)
    assert not is_plus(slanted > 0)
    assert not is_plus(np.ones((24, 24), bool))


def test_a_circle_is_a_ring_and_a_disc_is_none() -> None:
    ring, disc = drawn(), drawn()
    cv2.circle(ring, (12, 12), 10, 1, 3)
    cv2.circle(disc, (12, 12), 10, 1, cv2.FILLED)
    assert is_ring(ring[1:24, 1:24] > 0)
    assert not is_ring(disc > 0)


def test_a_bar_between_bars_is_a_dash_and_one_alone_is_none() -> None:
    ink = np.zeros((200, 400), bool)
    for x in range(20, 200, 26):
        ink[50:54, x : x + 16] = True
    ink[150:154, 300:316] = True
    bars = bars_of(pieces_of(ink))
    assert is_dash((72, 50, 88, 54), bars)
    assert not is_dash((300, 150, 316, 154), bars)


def test_a_plus_that_touches_a_line_is_found_by_the_figures_other_one() -> None:
    whole = np.zeros((200, 400), bool)
    for x in (60, 250):
        whole[88:92, x : x + 20] = whole[80:100, x + 8 : x + 12] = True
    whole[101:104, 200:400] = True  # a line under the second one, which touches it
    whole[99:102, 258:262] = True
    lines = whole.copy()
    lines[78:102, 58:84] = False
    (found,) = touching_signs(lines, whole, [InkWord("+", (60, 80, 80, 100), EM)])
    assert found.text == "+"
    assert abs(found.box[0] - 250) < 6


def test_pluses_larger_than_letters_are_signs_with_minuses_of_their_width() -> None:
    ink = np.zeros((300, 600), bool)
    for x in (60, 250):
        ink[86:94, x : x + 60] = ink[60:120, x + 26 : x + 34] = True
    ink[86:94, 450:510] = True
    ink[200:208, 60:500] = True  # a line
    signs = lone_signs(ink, np.where(ink[:, :, None], 0, 255).astype(np.uint8).repeat(3, axis=2))
    assert sorted((sign.text, sign.box[0]) for sign in signs) == [("+", 60.0), ("+", 250.0), ("-", 450.0)]

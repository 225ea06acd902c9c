"""Shapes of nodes in a picture, and what is left of it without them."""

from __future__ import annotations

import cv2
import numpy as np

from documents.raster.glyphs import enclosing, without_shades
from documents.raster.ink import EM, depth_of, ink_of, paper_of
from documents.raster.words import InkWord

WHITE, SHADE, GROUP = (255, 255, 255), (250, 220, 190), (235, 245, 250)


def paper() -> np.ndarray:
    return np.full((300, 600, 3), 255, np.uint8)


def word(x: float, y: float, text: str = "Rainfall") -> InkWord:
    return InkWord(text, (x, y, x + 120, y + 26), EM)


def test_a_shaded_box_without_a_rim_is_a_shape_and_is_painted_over() -> None:
    picture = paper()
    picture[100:170, 50:230] = SHADE
    picture[125:135, 80:180] = 0  # letters
    (shape,) = without_shades(picture, [word(78, 118)])
    x0, y0, x1, y1 = shape.box
    assert max(abs(x0 - 50), abs(y0 - 100), abs(x1 - 230), abs(y1 - 170)) < 4
    assert (picture == 255).all()


def test_the_shade_of_a_group_becomes_paper_and_its_nodes_stay_shapes() -> None:
    picture = paper()
    picture[20:190, 20:560] = GROUP
    for x in (60, 350):
        picture[100:170, x : x + 180] = SHADE
    shapes = without_shades(picture, [word(88, 118), word(378, 118), word(240, 25, "Climate")])
    assert len(shapes) == 2
    assert not ink_of(depth_of(picture)).any()


def test_a_box_drawn_around_words_is_a_shape_and_its_line_no_ink() -> None:
    picture = paper()
    cv2.rectangle(picture, (50, 100), (230, 170), (0, 0, 0), 3)
    cv2.line(picture, (230, 135), (500, 135), (0, 0, 0), 3)
    ink = ink_of(depth_of(picture))
    (shape,), gone = enclosing(ink, [word(78, 118)])
    assert shape.closed
    assert not (ink & ~gone)[90:180, 40:233].any()
    assert (ink & ~gone)[135, 300]


def test_a_frame_much_larger_than_its_words_is_no_shape() -> None:
    picture = paper()
    cv2.rectangle(picture, (50, 20), (550, 280), (0, 0, 0), 3)
    ink = ink_of(depth_of(picture))
    shapes, gone = enclosing(ink, [InkWord("Farm", (60, 30, 110, 50), EM)])
    assert (shapes, gone.any()) == ([], False)


def test_the_paper_is_the_colour_of_most_of_the_picture() -> None:
    picture = np.full((100, 100, 3), (240, 244, 246), np.uint8)
    picture[:30] = 0
    assert paper_of(picture).tolist() == [240, 244, 246]

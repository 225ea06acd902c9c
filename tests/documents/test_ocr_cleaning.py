"""Lines, frames and arrows leave a picture; letters stay, also those that touch each other."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from documents.ocr_cleaning import without_lines

FONT = ImageFont.load_default(size=24)


def drawn(*words: tuple[int, int, str]) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    picture = Image.new("L", (600, 300), 255)
    pen = ImageDraw.Draw(picture)
    for x, y, word in words:
        pen.text((x, y), word, fill=0, font=FONT)
    return picture, pen


def test_letters_stay_and_everything_drawn_goes() -> None:
    words = ((60, 60, "Rainfall"), (380, 60, "Harvest"), (60, 200, "Price"))
    letters, _pen = drawn(*words)
    picture, pen = drawn(*words)
    pen.rounded_rectangle((40, 40, 190, 110), 20, outline=0, width=2)
    pen.line((195, 75, 370, 75), fill=0, width=2)
    pen.arc((180, 60, 360, 280), 20, 160, fill=0, width=2)
    pen.polygon([(380, 150), (560, 150), (560, 290), (380, 290)], fill=0)
    cleaned = np.array(without_lines(picture))
    assert np.array_equal(cleaned < 150, np.array(letters) < 150)


def test_a_word_whose_letters_touch_stays() -> None:
    picture, pen = drawn((60, 60, "Rainfall"), (60, 130, "Harvest"))
    pen.line((60, 72, 150, 72), fill=0, width=3)  # through the first word: one piece as long as the word
    assert (np.array(without_lines(picture))[60:90, 60:150] < 150).sum() > 200


def test_an_empty_picture_and_one_of_noise_come_back_as_they_are() -> None:
    empty = Image.new("L", (50, 40), 255)
    assert np.array_equal(np.array(without_lines(empty)), np.array(empty))
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 2, (1000, 1000), np.uint8) * 255)
    assert without_lines(noise).size == (1000, 1000)

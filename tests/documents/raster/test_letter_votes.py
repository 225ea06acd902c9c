"""What the printings of one outline say of each other: misread letters and spaces."""

from __future__ import annotations

import pytest

from documents.proposals.shapes import Outline
from documents.raster.letter_votes import ReadLetters, corrected_lines, shapes_of, space_width
from documents.raster.letters import Glyph, LetterLine

STEP, SPACE = 6.0, 3.0


def glyph(number: int, x: float) -> Glyph:
    """An outline that differs by its number."""
    wide = 2 + 0.35 * number
    points = ((x, 0.0), (x + wide, 0.0), (x + wide, 7.0), (x, 7.0))
    return Glyph((Outline(points=points, closed=True, filled=True, stroked=False),))


def printed(text: str) -> LetterLine:
    """A line of outlines of unlike letters, with even gaps and wider ones at spaces; l and I are one outline."""
    letters, x = [], 0.0
    for letter in text.replace("I", "l"):
        if letter == " ":
            x += SPACE
            continue
        one = glyph(ord(letter) - ord("A"), x)
        letters.append((one,))
        x = one.box[2] + 0.5
    return LetterLine(tuple(letters))


def read(*pairs: tuple[str, str]) -> list[str]:
    """The mended texts of lines printed and read as given."""
    return corrected_lines([ReadLetters(printed(true), text) for true, text in pairs])


PAPER = [(name, name) for name in ("Contact rate", "Car crash", "Patrol cost", "Total cost", "Coral reef")] * 3


def test_equal_outlines_have_one_number_and_mirrored_ones_two() -> None:
    assert shapes_of([printed("aba")]) == [(0, 1, 0)]
    whole = ((0.0, 0.0), (1.0, 0.0), (1.0, 3.0), (4.0, 3.0), (4.0, 7.0), (0.0, 7.0))
    mirrored = tuple((4.0 - x, y) for x, y in whole)
    b, d = (Glyph((Outline(points=points, closed=True, filled=True, stroked=False),)) for points in (whole, mirrored))
    assert shapes_of([LetterLine(((b,), (d,)))]) == [(0, 1)]


def test_a_letter_that_others_outvote_is_mended() -> None:
    assert read(*PAPER, ("Carrot coat", "Carrqt coat"))[-1] == "Carrot coat"


def test_a_letter_left_out_is_added_where_all_outlines_are_known() -> None:
    assert read(*PAPER, ("Contact", "Contat"))[-1] == "Contact"


def test_an_outline_that_is_read_as_two_letters_stays_as_it_was_read() -> None:
    names = [(name, name) for name in ("Ill", "All", "Illo", "Idol", "Ideal", "Inland")]
    assert read(*names) == [name for name, _ in names]


def test_few_readings_mend_nothing_nor_does_a_line_that_is_all_unlike() -> None:
    assert read(("rat", "rat"), ("rot", "rqt")) == ["rat", "rqt"]
    assert read(*PAPER, ("Total", "Zwxyq"))[-1] == "Zwxyq"


def test_spaces_are_told_by_the_gaps_of_the_figure() -> None:
    found = read(*PAPER, ("Car cost", "Carcost"), ("Coral", "Co ral"))
    assert found[-2:] == ["Car cost", "Coral"]


def test_gaps_that_do_not_tell_spaces_have_no_width() -> None:
    clear = [(0.05, False)] * 9 + [(0.4, True)] * 3
    assert space_width(clear) == pytest.approx(0.225)
    assert space_width(clear[:6]) is None
    assert space_width([(0.1 + 0.02 * k, k % 2 == 0) for k in range(20)]) is None

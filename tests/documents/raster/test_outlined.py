"""Letters drawn as outlines, taken from a figure's lines where they lie under read words."""

from __future__ import annotations

from documents.proposals.shapes import Outline, Point
from documents.proposals.words import PrintedWord
from documents.raster.outlined import letter_like, without_letters

WORD = PrintedWord("Rain", (100, 100, 130, 113), 10)


def painted(*points: Point) -> Outline:
    return Outline(points=points, closed=True, filled=True, stroked=False)


def letter(x: float, y: float) -> Outline:
    """An outline of twelve corners and 6 x 8 points."""
    zigzag = [(x + (6 if k % 2 else 4), y + 1.3 * k) for k in range(6)]
    return painted(*zigzag, *((2 * x + 6 - px, py) for px, py in reversed(zigzag)))


SHAFT = Outline(points=((140, 106), (200, 106)))
HEAD = painted((210, 106), (200, 102), (200, 110))


def test_letters_under_a_read_word_are_no_lines_and_arrows_are() -> None:
    kept, signs = without_letters([letter(102, 102), letter(112, 102), SHAFT, HEAD], [WORD])
    assert (kept, signs) == ([SHAFT, HEAD], [])


def test_a_plus_and_a_minus_that_were_not_read_are_signs() -> None:
    a, b = 1.0, 6.0
    plus = painted(
        *((300 + x, 100 + y) for x, y in ((2.5, a), (3.5, a), (3.5, 3), (b, 3), (b, 4), (3.5, 4))),
        *((300 + x, 100 + y) for x, y in ((3.5, b), (2.5, b), (2.5, 4), (a, 4), (a, 3), (2.5, 3))),
    )
    minus = painted((400, 100), (405, 100), (405, 101), (400, 101))
    kept, signs = without_letters([plus, minus, HEAD], [WORD])
    assert kept == [HEAD]
    assert [(sign.text, sign.box[0]) for sign in signs] == [("+", 301), ("-", 400)]


def test_bars_in_a_row_are_dashes() -> None:
    dashes = [painted((x, 50), (x + 5, 50), (x + 5, 51), (x, 51)) for x in (10, 18, 26)]
    assert without_letters(dashes, [WORD]) == (dashes, [])


def test_letters_are_counted_away_from_printed_words_only() -> None:
    assert letter_like([letter(102, 102), letter(300, 102), HEAD, SHAFT], [WORD]) == 1


def test_where_letters_are_known_a_head_under_a_word_is_a_head() -> None:
    known = [letter(102, 102), letter(112, 102)]
    head = painted((128, 106), (120, 103), (120, 109))
    assert without_letters([*known, head, SHAFT], [WORD], known) == ([head, SHAFT], [])
    assert without_letters([*known, head, SHAFT], [WORD])[0] == [SHAFT]


def test_two_upright_bars_side_by_side_are_a_delay_mark() -> None:
    bars = [painted((x, 50), (x + 1, 50), (x + 1, 60), (x, 60)) for x in (300, 304)]
    lone = painted((400, 50), (401, 50), (401, 60), (400, 60))
    kept, (mark,) = without_letters([*bars, lone], [WORD])
    assert kept == [lone]
    assert (mark.text, mark.box) == ("||", (300, 50, 305, 60))

"""Signs and delay marks printed on lines, as graph libraries and layout programs print them."""

from __future__ import annotations

import pytest

from documents.proposals.matching import ReadArrow
from documents.proposals.shapes import Point, midpoint
from documents.proposals.signs import assign_signs
from documents.proposals.words import PrintedMark, PrintedWord, without_twins
from tests.documents.figure_parts import arrow, edges, proposed, words

NAMES = [*words("Rain", 100, 100), *words("Harvest", 300, 100)]
ARROW = arrow((118, 100), (278, 100))


def printed(text: str, x: float, y: float, turn: int | None = 0) -> PrintedWord:
    wide = 2.5 * len(text)
    return PrintedWord(text, (x - wide, y - 6, x + wide, y + 6), 10, turn)


@pytest.mark.parametrize(
    ("tokens", "read"),
    [
        pytest.param([printed("∥", 198, 100)], "Rain -> Harvest ||", id="one glyph"),
        pytest.param([printed("||", 198, 90)], "Rain -> Harvest ||", id="two bars beside the line"),
        pytest.param([printed("//", 198, 100)], "Rain -> Harvest ||", id="slashes"),
        pytest.param([printed("‖", 198, 100, None)], "Rain -> Harvest ||", id="slanted"),
        pytest.param(
            [printed("|", 196, 101, None), printed("|", 200, 99, None)], "Rain -> Harvest ||", id="slanted, two words"
        ),
        pytest.param(
            [printed("−", 195, 100), printed("||", 205, 100)], "Rain ->- Harvest ||", id="beside a sign on the line"
        ),
        pytest.param([printed("+||", 198, 92)], "Rain ->+ Harvest ||", id="a sign and a mark in one word"),
        pytest.param([printed("||", 198, 140)], "Rain -> Harvest", id="far from any line"),
        pytest.param([printed("|", 198, 100)], "Rain -> Harvest", id="one bar"),
    ],
)
def test_a_delay_mark_printed_as_letters_is_the_lines(tokens: list[PrintedWord], read: str) -> None:
    found = proposed([*NAMES, *tokens], ARROW)
    assert edges(found) == [read]
    assert [name.text for name in found.names] == ["Rain", "Harvest"]


def test_bars_between_the_words_of_a_name_belong_to_it() -> None:
    found = proposed([*words("Rain || Snow", 100, 100), *words("Harvest", 300, 100)], arrow((138, 100), (278, 100)))
    assert edges(found) == ["Rain || Snow -> Harvest"]


def test_delay_marks_of_close_lines_are_given_one_to_one() -> None:
    tokens = [*NAMES, *words("Sun", 100, 120), *words("Cost", 300, 120)]
    strokes = [*ARROW, *arrow((112, 120), (286, 120), 2)]
    found = proposed([*tokens, printed("||", 190, 108), printed("||", 210, 112)], strokes)
    assert edges(found) == ["Rain -> Harvest ||", "Sun -> Cost ||"]


def test_signs_printed_upon_the_lines_are_theirs_though_another_head_is_near() -> None:
    paths = [((118, 100), (278, 100)), ((198, 300), (198, 110)), ((300, 110), (300, 290)), ((280, 310), (118, 310))]
    arrows = [read(path) for path in paths]
    signs = [PrintedMark(sign, midpoint(*path)) for sign, path in zip("+-+-", paths, strict=True)]
    assert assign_signs(signs, arrows, 10) == {0: ("+", False), 1: ("-", False), 2: ("+", False), 3: ("-", False)}


def test_signs_beside_the_middles_of_lines_keep_the_distance_that_all_have() -> None:
    """The third one lies upon the fourth line, too."""
    paths = [((0, 0), (200, 0)), ((0, 100), (200, 100)), ((0, 200), (200, 200)), ((40, 172), (160, 222))]
    arrows = [read(path) for path in paths]
    places = [(100, 8), (100, 108), (92, 192), (103, 208)]
    signs = [PrintedMark(sign, place) for sign, place in zip("+-+-", places, strict=True)]
    assert assign_signs(signs, arrows, 10) == {place: (sign, False) for place, sign in enumerate("+-+-")}


def read(path: tuple[Point, Point]) -> ReadArrow:
    return ReadArrow(source=0, sink=1, path=path, head=0, confidence=1, is_doubtful=False, reasons=())


def test_signs_at_the_ends_of_lines_are_told_by_heads_not_by_lines() -> None:
    """Each sign lies on the line of one arrow, at its tail, and beside the head of another that returns."""
    there = [read(((100, y), (300, y))) for y in (100, 200, 300)]
    back = [read(((300, y + 10), (100, y + 10))) for y in (100, 200, 300)]
    signs = [PrintedMark("+", (106, y + 4)) for y in (100, 200, 300)]
    found = assign_signs(signs, [*there, *back], 10)
    assert {place: sign for place, (sign, _) in found.items()} == {3: "+", 4: "+", 5: "+"}


def test_signs_of_two_arrows_nearly_upon_each_other_are_two_and_a_halo_is_none() -> None:
    signs = [printed("+", 100, 100), printed("+", 100, 100), printed("+", 101, 100)]
    assert without_twins(signs) == signs[1:]
    twins = [printed("Rain", 100, 100), printed("Rain", 101, 100)]
    assert without_twins(twins) == twins[:1]


def test_signs_at_one_place_from_the_lines_middles_are_theirs_where_others_are_nearer() -> None:
    """Text boxes that a program puts up and right of each connector's middle, as lines run close by."""
    lines = [
        ((0, 0), (100, 120)),
        ((60, 0), (20, 120)),
        ((200, 0), (200, 120)),
        ((300, 60), (400, 60)),
        ((420, 0), (520, 90)),
    ]
    arrows = [
        ReadArrow(
            source=0, sink=1, path=(start, tip), head=0, confidence=1.0, is_doubtful=False, reasons=(), is_fitting=True
        )
        for start, tip in lines
    ]
    printed_signs = ("-", "+", "-", "+", "+")
    marks = []
    for sign, (start, tip) in zip(printed_signs, lines, strict=True):
        x, y = midpoint(start, tip)
        marks.append(PrintedMark(sign, (x + 18, y - 8)))
    found = assign_signs(marks, arrows, 10)
    assert found == {place: (sign, False) for place, sign in enumerate(printed_signs)}


def test_a_delay_mark_printed_right_beside_a_name_is_no_part_of_it() -> None:
    beside = printed("||", 118, 100)
    found = proposed([*NAMES, beside], arrow((126, 100), (278, 100)))
    assert edges(found) == ["Rain -> Harvest ||"]

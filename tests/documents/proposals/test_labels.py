"""Which words of a figure are names, as what they are put together, and which are signs, marks or running text."""

from __future__ import annotations

import pytest

from documents.proposals.labels import read_labels
from documents.proposals.propose import SLANTED
from documents.proposals.shapes import Outline
from documents.proposals.words import PrintedWord
from tests.documents.figure_parts import arrow, box, edges, label, line, proposed, words


def names(
    tokens: list[PrintedWord], shapes: list[Outline] | None = None, vocabulary: frozenset[str] = frozenset()
) -> list[str]:
    return [one.text for one in read_labels(tokens, shapes or [], vocabulary).labels]


def test_lines_of_a_label_are_one_name_and_labels_side_by_side_are_two() -> None:
    tokens = [*label("Number of/fishing/boats", 100, 100), *label("Price", 190, 100)]
    assert names(tokens) == ["Number of fishing boats", "Price"]


def test_labels_one_above_the_other_stay_apart_unless_they_stand_as_lines_do() -> None:
    assert names([*words("Price", 100, 100), *words("Demand", 100, 125)]) == ["Price", "Demand"]
    assert names([*words("Price", 100, 100), *words("Demand", 100, 112)]) == ["Price Demand"]


def test_a_word_below_another_that_is_aligned_with_it_on_no_side_is_a_name_of_its_own() -> None:
    assert names([*words("Target inventory", 100, 100), *words("Inventory", 110, 112)]) == [
        "Target inventory",
        "Inventory",
    ]


def test_a_shape_parts_what_stands_close_and_joins_what_stands_wide() -> None:
    near = [*words("Price", 100, 100), *words("Demand", 100, 114)]
    assert names(near, [box(100, 100, 30, 6.9), box(100, 114, 30, 6.9)]) == ["Price", "Demand"]
    wide = [*words("Price", 100, 100), *words("Demand", 100, 120)]
    assert names(wide) == ["Price", "Demand"]
    assert names(wide, [box(100, 110, 40, 30)]) == ["Price Demand"]


def test_an_arrowhead_over_a_word_is_no_home_for_it() -> None:
    small = Outline(points=((96, 96), (104, 100), (96, 104)), closed=True, filled=True)
    assert names(label("Physical/activity", 100, 106), [small]) == ["Physical activity"]


@pytest.mark.parametrize(
    ("lines", "vocabulary", "name"),
    [
        ("Unem-/ployment", set(), "Unemployment"),
        ("Cost-/benefit ratio", {"cost-benefit"}, "Cost-benefit ratio"),
        ("Non-/OECD trade", set(), "Non-OECD trade"),
    ],
)
def test_a_hyphen_at_a_lines_end_goes_unless_it_is_printed_for_good(
    lines: str, vocabulary: set[str], name: str
) -> None:
    assert names(label(lines, 100, 100), vocabulary=frozenset(vocabulary)) == [name]


def test_words_that_stand_on_their_side_are_read() -> None:
    upwards = [PrintedWord("Rain", (94, 100, 106, 120), 10, 3), PrintedWord("fall", (94, 75, 106, 95), 10, 3)]
    assert names(upwards) == ["Rain fall"]


def test_numbers_captions_and_running_text_are_no_names() -> None:
    sentence = label("This is a long line of running text here/and it goes on for quite a while", 250, 300)
    assert names([*words("0.42", 100, 100), *words("Figure 3. A loop", 100, 150), *sentence]) == []


def test_dashes_and_letters_within_a_name_are_no_signs() -> None:
    tokens = [*words("Supply - demand", 100, 100), *words("Vitamin S intake", 300, 100), *words("+", 200, 90)]
    reading = read_labels(tokens, [], frozenset())
    assert [one.text for one in reading.labels] == ["Supply - demand", "Vitamin S intake"]
    assert [mark.sign for mark in reading.signs] == ["+"]


def test_s_and_o_are_signs_where_a_figure_uses_them_so() -> None:
    named = [*words("Rain", 100, 100), *words("Harvest", 300, 100), *words("Hunger", 500, 100)]
    letters = [*words("s", 268, 90), *words("o", 468, 90)]
    strokes = [*arrow((118, 100), (278, 100)), *arrow((322, 100), (480, 100), 2)]
    assert edges(proposed([*named, *letters], strokes)) == ["Harvest ->- Hunger", "Rain ->+ Harvest"]


def test_a_figure_of_single_letters_keeps_them_as_names() -> None:
    tokens = [*words("S", 100, 100), *words("R", 300, 100), *words("Z", 300, 200)]
    shapes = [box(100, 100, 12, 12), box(300, 100, 12, 12), box(300, 200, 12, 12)]
    strokes = [*shapes, *arrow((112, 100), (288, 100)), *arrow((300, 112), (300, 188), 2)]
    assert edges(proposed(tokens, strokes)) == ["R -> Z", "S -> R"]


def test_a_sign_that_joined_a_word_in_print_is_read_apart() -> None:
    found = proposed([*words("Rain", 100, 100), *words("+Harvest", 300, 100)], arrow((118, 100), (278, 100)))
    assert edges(found) == ["Rain ->+ Harvest"]


def test_loop_marks_are_no_names_nor_are_their_titles_lost() -> None:
    tokens = [*label("R1/Word of mouth", 200, 100), *words("B", 300, 200), *words("Adopters", 100, 200)]
    assert names(tokens) == ["Word of mouth", "Adopters"]


def test_a_loop_mark_and_its_title_in_one_shape_are_a_badge_and_no_name() -> None:
    badge = [*words("R1", 100, 100), *words("Growth", 100, 112), *words("Price", 300, 100)]
    assert names(badge, [box(100, 106, 40, 30)]) == ["Price"]


def test_one_variable_printed_twice_is_two_names_of_one_text() -> None:
    assert names([*words("Price", 100, 100), *words("Price", 300, 200)]) == ["Price", "Price"]


def test_slanted_words_are_left_out_and_named() -> None:
    found = proposed([*words("Rain", 100, 100), *words("Harvest", 300, 100, turn=None)], [])
    assert [name.text for name in found.names] == ["Rain"]
    assert found.notice == f"{SLANTED}: Harvest."


def test_a_frame_around_several_labels_is_no_node() -> None:
    tokens = [*words("Rain", 100, 100), *words("Harvest", 300, 100)]
    found = proposed(tokens, [box(200, 100, 160, 40), *arrow((118, 100), (278, 100))])
    assert edges(found) == ["Rain -> Harvest"]


def test_boxes_of_names_enclose_all_their_lines() -> None:
    found = proposed(label("Soil/moisture", 100, 100), [line((0, 0), (1, 1))])
    (name,) = found.names
    assert name.lines == ("Soil", "moisture")
    assert (name.box.x0, name.box.x1) == (80, 120)
    assert name.box.y0 < 90 < 110 < name.box.y1

"""Names printed in a figure, from words and their boxes alone."""

from __future__ import annotations

from core.documents import Box, PageFacts, Word, printed_names, words_in

CHAR, HIGH = 5.0, 10.0  # a letter is 5 points wide, a word 10 high, a space 3


def label(*lines: str, x: float, y: float, pitch: float = 12.0, block: int = 0) -> list[Word]:
    """Lines of words, centred on `x`, the first with its top at `y`."""
    words = []
    for row, line in enumerate(lines):
        parts = line.split()
        left = x - (sum(len(part) for part in parts) * CHAR + (len(parts) - 1) * 3) / 2
        for part in parts:
            box = Box(left, y + row * pitch, left + len(part) * CHAR, y + row * pitch + HIGH)
            words.append(Word(part, part, box, block, row))
            left = box.x1 + 3
    return words


def test_a_label_of_several_lines_is_one_name_with_one_space_a_break() -> None:
    words = label("Water stored", "in the", "reservoir", x=100, y=100)
    assert printed_names(words) == ("Water stored in the reservoir",)


def test_lines_that_touch_or_overlap_a_little_still_belong_together() -> None:
    assert printed_names(label("Area under", "irrigation", x=100, y=100, pitch=9)) == ("Area under irrigation",)


def test_two_labels_on_one_baseline_stay_two_whatever_the_text_layer_says() -> None:
    words = label("Patients", "waiting", x=100, y=100) + label("Waiting time", x=250, y=112)
    assert set(printed_names(words)) == {"Patients waiting", "Waiting time"}


def test_labels_one_line_apart_and_labels_aside_stay_apart() -> None:
    words = label("Experts", x=100, y=100) + label("Rookies", x=100, y=115) + label("Dam", x=150, y=112)
    assert set(printed_names(words)) == {"Experts", "Rookies", "Dam"}


def test_a_heading_in_another_size_is_no_part_of_the_label_below() -> None:
    heading = Word("SUPPLY", "SUPPLY", Box(80, 82, 120, 98), 0, 0)
    assert set(printed_names([heading, *label("Price", x=100, y=100)])) == {"SUPPLY", "Price"}


def test_signs_beside_a_label_and_numbers_alone_are_no_names() -> None:
    words = label("+ Price −", x=100, y=100) + label("12", x=300, y=300) + label("Need - for food", x=100, y=200)
    assert set(printed_names(words)) == {"Price", "Need - for food"}


def test_words_of_one_line_may_stand_a_little_uneven_and_come_in_any_order() -> None:
    first, second = label("Total grain", x=100, y=100)
    raised = Word("grain", "grain", Box(second.box.x0, 99, second.box.x1, 109), 9, 9)
    assert printed_names([raised, first]) == ("Total grain",)


def test_a_name_printed_twice_is_offered_once() -> None:
    assert printed_names(label("Tree", x=100, y=100) + label("Tree", x=300, y=300)) == ("Tree",)
    assert printed_names([]) == ()


def test_words_belong_to_a_rectangle_by_their_middle() -> None:
    inside, outside = label("in out", x=100, y=100)
    facts = PageFacts(1, 200, 200, (inside, outside), ())
    edge = (outside.box.x0 + outside.box.x1) / 2
    assert words_in(facts, Box(0, 0, edge - 0.1, 200)) == (inside,)
    assert words_in(facts, Box(0, 0, edge, 200)) == (inside, outside)

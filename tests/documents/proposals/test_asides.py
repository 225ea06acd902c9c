"""Texts of a figure that are asked about before submitting, and those that are no variables."""

from __future__ import annotations

import pytest

from documents.proposals.shapes import Outline
from documents.proposals.words import PrintedWord
from tests.documents.figure_parts import arrow, box, edges, label, proposed, words

NAMES = [*words("Rain", 100, 100), *words("Harvest", 300, 100), *words("Income", 300, 250)]
LINES = [*arrow((118, 100), (278, 100)), *arrow((300, 110), (300, 240), 2)]


def asides(tokens: list[PrintedWord], lines: list[Outline] | None = None) -> list[str]:
    return [name.text for name in proposed([*NAMES, *tokens], lines or LINES).names if name.is_aside]


@pytest.mark.parametrize(
    "text",
    [
        words("Farms of the north", 250, 30, size=16),  # a title
        words("Source: own survey", 120, 380, size=7),  # a note
        words("Growth loop", 450, 180),
        words("Balancing feedback", 450, 180),
        words("Delay", 450, 180),
        label("R1/Word of mouth", 450, 180),
    ],
)
def test_a_different_print_or_the_name_of_a_loop_is_not_asked_about(text: list[PrintedWord]) -> None:
    (aside,) = asides(text)
    assert aside in " ".join(word.text for word in text)


def test_a_name_without_an_arrow_is_asked_about_and_one_at_an_arrow_whatever_its_letters() -> None:
    assert asides(words("Labour", 450, 180)) == []
    small = words("Price", 100, 250, size=6)
    assert asides(small, [*LINES, *arrow((118, 250), (278, 250), 4)]) == []


def test_words_outside_the_boxes_of_a_figure_of_boxes_are_no_names() -> None:
    boxes = [box(x, y, 30, 14) for x, y in ((100, 100), (300, 100), (300, 250))]
    lines = [*boxes, *arrow((130, 100), (270, 100), 3), *arrow((300, 114), (300, 236), 5)]
    assert asides(words("Labour", 450, 180), lines) == ["Labour"]
    assert asides(words("Labour", 450, 180), [*lines, box(450, 180, 30, 14)]) == []


def test_a_legend_outside_the_figure_is_no_name_and_its_sample_no_edge() -> None:
    legend = [*words("Legend", 480, 330), *words("Same", 440, 350), *words("Opposite", 440, 370)]
    assert asides(legend) == ["Legend", "Same", "Opposite"]
    assert asides(legend[1:]) == []  # without its heading they may be names whose arrows were not read
    sample = [*LINES, *arrow((485, 350), (505, 350), 4)]
    reading = proposed([*NAMES, *legend, *words("more", 530, 350)], sample)
    assert edges(reading) == ["Harvest -> Income", "Rain -> Harvest"]


def test_loops_have_their_names_and_titles_at_their_places() -> None:
    reading = proposed([*NAMES, *label("R1/Word of mouth", 200, 180), *words("B2: Crowding", 450, 300)], LINES)
    assert [(loop.text, round(loop.place[0])) for loop in reading.loops] == [
        ("R1 Word of mouth", 200),
        ("B2: Crowding", 450),
    ]
    assert "B2: Crowding" not in [name.text for name in reading.names]

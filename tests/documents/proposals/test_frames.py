"""Boxes of text without a rim, at whose unseen sides lines end."""

from __future__ import annotations

import pytest

from documents.proposals.shapes import Outline
from documents.proposals.words import PrintedWord
from tests.documents.figure_parts import arrow, edges, proposed, words

PLACES = [(100, 80), (300, 70), (500, 85), (95, 280), (305, 290), (500, 280)]
TEXTS = ("Rain", "Yield of maize", "Income", "Soil", "Prices", "Debt")
PAIRS = [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4)]
HALF = (62.0, 32.0)


def names() -> list[PrintedWord]:
    return [word for text, (x, y) in zip(TEXTS, PLACES, strict=True) for word in words(text, x, y)]


def glued() -> list[Outline]:
    """Arrows from the middle of one side of a frame to that of another."""
    strokes: list[Outline] = []
    for number, (one, other) in enumerate(PAIRS):
        (x0, y0), (x1, y1) = PLACES[one], PLACES[other]
        dx, dy = (HALF[0], 0) if x1 - x0 > 100 else (0, HALF[1])
        strokes += arrow((x0 + dx, y0 + dy), (x1 - dx, y1 - dy), 2 * number)
    return strokes


EVERY = sorted(f"{TEXTS[one]} -> {TEXTS[other]}" for one, other in PAIRS)


def test_lines_that_end_at_unseen_frames_of_one_size_join_the_names_in_these() -> None:
    found = proposed(names(), glued())
    assert edges(found) == EVERY and not found.notice
    assert found.kind == "bare names"


def test_two_lines_from_one_side_of_an_unseen_frame_are_two() -> None:
    """Without the frame nothing stops them there, and they would be read as one line with two heads."""
    (x, y), (x1, y1) = PLACES[4], PLACES[2]
    second = arrow((x + HALF[0], y), (x1 - HALF[0], y1), 30)
    assert edges(proposed(names(), [*glued(), *second])) == sorted([*EVERY, "Prices -> Income"])


def test_words_at_a_line_have_no_frame() -> None:
    found = proposed([*names(), *words("strong", 305, 180)], glued())
    assert edges(found) == EVERY and "strong" not in {name.text for name in found.names}


@pytest.mark.parametrize("shift", [(50, 20), (20, 40)])
def test_names_that_all_stand_aside_of_the_ends_have_no_frames(shift: tuple[int, int]) -> None:
    aside = [
        word for text, (x, y) in zip(TEXTS, PLACES, strict=True) for word in words(text, x + shift[0], y + shift[1])
    ]
    straight = [stroke for one, other in PAIRS for stroke in arrow(PLACES[one], PLACES[other])]
    assert edges(proposed(aside, straight)) == []


def test_a_bare_name_some_way_ahead_of_its_arrow_fits_if_no_other_is_meant() -> None:
    """Names of several sizes with wide gaps, so that no frame of one size explains them."""
    strokes: list[Outline] = []
    for number, (one, other) in enumerate(PAIRS):
        (x0, y0), (x1, y1) = PLACES[one], PLACES[other]
        across = x1 - x0 > 100
        halves = [2.5 * len(TEXTS[end]) + 21 if across else 0 for end in (one, other)]
        down = 0 if across else 26
        strokes += arrow((x0 + halves[0], y0 + down), (x1 - halves[1], y1 - down), 2 * number)
    found = proposed(names(), strokes)
    assert edges(found) == EVERY and found.fit is not None and found.fit.ends == 1.0

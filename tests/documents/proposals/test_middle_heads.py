"""Heads in the middle of lines, as SVG's marker-mid draws them."""

from __future__ import annotations

import pytest

from documents.proposals.shapes import Outline, midpoint
from tests.documents.figure_parts import edges, head, line, proposed, words
from tests.documents.proposals.test_glyphs import disc

PLACES = [(100, 80), (300, 80), (500, 80), (100, 280), (300, 280), (500, 280)]
TEXTS = ("Rain", "Harvest", "Income", "Soil", "Prices", "Debt")


def drawn(pairs: list[tuple[int, int]]) -> list[Outline]:
    strokes = []
    for number, (one, other) in enumerate(pairs):
        start, end = PLACES[one], PLACES[other]
        x, y = midpoint(start, end)
        ahead = (
            x + 3 * (end[0] > start[0]) - 3 * (end[0] < start[0]),
            y + 3 * (end[1] > start[1]) - 3 * (end[1] < start[1]),
        )
        strokes += [line(start, (x, y), end, order=2 * number), head(ahead, start, 2 * number + 1)]
    return strokes


@pytest.mark.parametrize("pairs", [[(0, 1), (1, 2), (4, 3), (5, 4), (3, 0)], [(1, 0), (2, 1), (0, 3), (4, 1)]])
def test_a_head_in_the_middle_points_to_one_end_of_its_line(pairs: list[tuple[int, int]]) -> None:
    names = [word for text, (x, y) in zip(TEXTS, PLACES, strict=True) for word in words(text, x, y + 16)]
    found = proposed(names, [*drawn(pairs), *(disc(x, y) for x, y in PLACES)])
    assert edges(found) == sorted(f"{TEXTS[one]} -> {TEXTS[other]}" for one, other in pairs)
    assert not found.notice


def test_one_head_in_the_middle_of_a_line_is_no_way_of_drawing() -> None:
    names = [word for text, (x, y) in zip(TEXTS, PLACES, strict=True) for word in words(text, x, y + 16)]
    assert edges(proposed(names, [*drawn([(0, 1)]), *(disc(x, y) for x, y in PLACES)])) == []

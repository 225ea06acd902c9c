"""Signs told by colours, offered with a doubt."""

from __future__ import annotations

import pytest

from documents.proposals.colours import signs_by_colour
from documents.proposals.propose import BY_COLOUR
from tests.documents.figure_parts import arrow, edges, proposed, words

RED, GREEN, BLUE, GREY, ORANGE = (0.7, 0.1, 0.2), (0.1, 0.5, 0.2), (0.1, 0.2, 0.8), (0.5, 0.5, 0.5), (1.0, 0.6, 0.1)
NAMES = [*words("Rain", 100, 100), *words("Harvest", 300, 100), *words("Soil", 100, 200), *words("Income", 300, 200)]
ARROWS = [*arrow((118, 100), (278, 100), 0, GREEN), *arrow((118, 200), (278, 200), 2, RED)]


@pytest.mark.parametrize(
    ("colours", "signs"),
    [
        ([RED, GREEN, GREY], ["-", "+", ""]),
        ([BLUE, RED, BLUE], ["+", "-", "+"]),
        ([RED, RED], ["", ""]),
        ([GREEN, BLUE], ["", ""]),
        ([RED, GREEN, BLUE], ["", "", ""]),
        ([RED, GREEN, ORANGE], ["", "", ""]),
        ([(0.0,), (1.0, 0.0, 0.0, 0.0)], ["", ""]),
    ],
)
def test_red_among_green_or_blue_tells_the_sign(colours: list[tuple[float, ...]], signs: list[str]) -> None:
    assert signs_by_colour(colours) == signs


def test_a_sign_told_by_colour_is_offered_and_not_certain() -> None:
    found = proposed(NAMES, ARROWS)
    assert edges(found) == ["Rain ->+ Harvest", "Soil ->- Income"]
    assert [(edge.reasons, edge.is_certain) for edge in found.edges] == [((BY_COLOUR,), False)] * 2


def test_colours_tell_nothing_where_signs_are_printed() -> None:
    assert edges(proposed([*NAMES, *words("+", 268, 92)], ARROWS)) == ["Rain ->+ Harvest", "Soil -> Income"]

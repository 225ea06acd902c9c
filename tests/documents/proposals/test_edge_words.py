"""Words printed at lines are no names; names that no line meets stay names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from documents.proposals.shapes import Outline
from documents.proposals.words import PrintedWord
from tests.documents.figure_parts import arrow, box, edges, head, line, proposed, words

PLACES = {"Rain": (100, 100), "Harvest": (300, 100), "Income": (300, 300), "Debt": (100, 300)}
NAMES = [token for text, (x, y) in PLACES.items() for token in words(text, x, y)]
BOXES = [box(x, y, 25, 10) for x, y in PLACES.values()]
ARROWS = [*arrow((126, 100), (274, 100)), *arrow((300, 111), (300, 289), 2), *arrow((274, 300), (126, 300), 4)]
PAINT = replace(box(200, 100, 30, 8), filled=True, stroked=False, order=6)


@pytest.mark.parametrize(
    ("tokens", "outlines"),
    [
        pytest.param(words("in dry years", 200, 100), BOXES, id="upon the line, names in boxes"),
        pytest.param(words("in dry years", 200, 90), BOXES, id="beside the line"),
        pytest.param(words("in dry years", 200, 100), [*BOXES, PAINT], id="on paint that hides the line"),
        pytest.param(words("In dry years", 200, 90, 8), [], id="smaller letters than those of bare names"),
        pytest.param(words("in dry years", 200, 90), [], id="small where bare names begin with capitals"),
        pytest.param(words("in dry years", 245, 102, 8), [], id="just before the head"),
    ],
)
def test_words_at_a_line_are_no_name(tokens: list[PrintedWord], outlines: list[Outline]) -> None:
    found = proposed([*NAMES, *tokens], [*ARROWS, *outlines])
    assert sorted(name.text for name in found.names) == sorted(PLACES)
    assert edges(found) == ["Harvest -> Income", "Income -> Debt", "Rain -> Harvest"]
    assert all(edge.is_certain for edge in found.edges)


@pytest.mark.parametrize("word", ["delay", "Delayed", "(time lag)"])
def test_a_word_for_delay_at_a_line_is_its_delay(word: str) -> None:
    found = proposed([*NAMES, *words(word, 200, 92)], [*ARROWS, *BOXES])
    assert edges(found) == ["Harvest -> Income", "Income -> Debt", "Rain -> Harvest ||"]
    assert word not in {name.text for name in found.names}


@pytest.mark.parametrize(
    ("tokens", "outlines"),
    [
        pytest.param(words("Delay", 200, 90), [box(200, 90, 20, 8)], id="in a box with a rim"),
        pytest.param(words("Delay", 200, 200), [], id="with an arrow of its own"),
        pytest.param(words("Soil", 200, 88), [], id="printed as the bare names are"),
        pytest.param(words("soil", 200, 200), BOXES, id="far from any line"),
    ],
)
def test_a_name_stays_a_name(tokens: list[PrintedWord], outlines: list[Outline]) -> None:
    own = [line((280, 290), (220, 206), order=9), head((220, 206), (280, 290), 10)] if not outlines else []
    found = proposed([*NAMES, *tokens], [*ARROWS, *outlines, *own])
    assert tokens[0].text in {name.text for name in found.names}


def test_a_word_for_delay_may_reach_far_from_its_line() -> None:
    found = proposed([*NAMES, *words("(time delay)", 336, 200)], [*ARROWS, *BOXES])
    assert edges(found) == ["Harvest -> Income ||", "Income -> Debt", "Rain -> Harvest"]


def test_a_line_that_ends_beside_a_name_and_smaller_words_means_the_name() -> None:
    found = proposed([*NAMES, *words("in dry years", 262, 106, 7)], ARROWS)
    assert edges(found) == ["Harvest -> Income", "Income -> Debt", "Rain -> Harvest"]
    assert sorted(name.text for name in found.names) == sorted(PLACES)

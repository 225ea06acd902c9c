"""Phrases of a relation in an abstract: every place by whole words, and nothing that is only like them."""

from __future__ import annotations

import pytest

from core.triplets.passages import Match
from core.triplets.phrases import highlight_phrases


def places(text: str, *phrases: str) -> list[tuple[str, tuple[int, ...]]]:
    found = highlight_phrases(text, phrases)
    assert "".join(part.text for part in found.parts) == text
    return [(part.text, part.phrases) for part in found.parts if part.phrases]


def test_every_place_is_lit_whatever_its_capitals_and_blanks() -> None:
    text = "Minimum wages\nraise hourly  earnings. We study minimum wages."
    assert places(text, "minimum wages", "Hourly earnings") == [
        ("Minimum wages", (0,)),
        ("hourly  earnings", (1,)),
        ("minimum wages", (0,)),
    ]
    assert highlight_phrases(text, ["minimum wages"]).matches == (Match.VERBATIM,)


def test_a_part_of_a_word_is_no_place() -> None:
    for phrase in ("wage", "age", "tax rate"):
        highlighted = highlight_phrases("Wages and the tax rates", [phrase])
        assert highlighted.matches == (Match.NOT_FOUND,)


def test_a_phrase_within_the_other_is_lit_for_both() -> None:
    assert places("The minimum wage binds.", "minimum wage", "wage") == [("minimum ", (0,)), ("wage", (0, 1))]


def test_hyphens_ligatures_and_quotes_are_typography() -> None:
    text = "A low-in\u00adcome family’s e\ufb03ciency"
    found = highlight_phrases(text, ["low income", "family's efficiency", "family’s"])
    assert found.matches == (Match.TYPOGRAPHY, Match.TYPOGRAPHY, Match.VERBATIM)
    assert places(text, "low income") == [("low-in\u00adcome", (0,))]


@pytest.mark.parametrize("phrase", ["", " ", "-", "→", "GDP"])
def test_what_is_not_there_lights_nothing(phrase: str) -> None:
    assert places("Growth - of output", phrase) == []
    assert highlight_phrases("", [phrase]).matches == (Match.NOT_FOUND,)


def test_letters_that_fold_to_several_keep_their_place() -> None:
    assert places("In İstanbul, die Straße wuchs", "strasse", "wuchs") == [("Straße", (0,)), ("wuchs", (1,))]

"""Levels of several raters: the median, and explicitness over texts by hand."""

from __future__ import annotations

import pytest

from core.texts.explicitness import ExplicitnessLevel
from core.texts.levels import agreed, estimates


def levels(**given: int) -> dict[str, ExplicitnessLevel]:
    return {node: ExplicitnessLevel(level) for node, level in given.items()}


def test_a_median_of_an_even_number_says_less() -> None:
    two = agreed([levels(a=1, b=1), levels(a=2, b=3)])
    assert two == levels(a=2, b=3)
    assert agreed([*(levels(a=1) for _ in range(2)), levels(a=3)]) == levels(a=1)
    assert agreed([levels(a=1), levels(b=2)]) == levels(a=1, b=2)
    assert agreed([]) == {}


def test_the_mean_of_texts_and_their_nodes_pooled_are_two_figures() -> None:
    """Text 1: 1 of 1 node explicit. Text 2: 1 explicit, 1 implicit, 2 absent of 4. Pooled: 3 of 5, strict 2 of 5."""
    found = estimates([levels(a=1), levels(a=1, b=2, c=3, d=3)])
    assert (found.texts, found.nodes) == (2, 5)
    assert found.mean.value == pytest.approx((1 + 0.5) / 2)
    assert found.mean_strict.value == pytest.approx((1 + 0.25) / 2)
    assert (found.pooled.value, found.pooled_strict.value) == (0.6, 0.4)


def test_nothing_labelled_has_a_reason() -> None:
    found = estimates([])
    why = "no text is labelled"
    assert (found.mean.value, found.mean.reason, found.pooled.reason) == (None, why, why)

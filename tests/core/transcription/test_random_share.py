"""Lots: the same for everyone who draws again, and each share as large as it says."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.transcription.random_share import is_drawn

FIGURES = [f"0198c0de-0000-7000-8000-{number:012x}" for number in range(400)]


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_of_400_figures_about_the_share_is_drawn(share: float, seed: int) -> None:
    drawn = sum(is_drawn(seed, figure, share) for figure in FIGURES)
    deviation = math.sqrt(400 * share * (1 - share))  # of a binomial count
    assert abs(drawn - 400 * share) < 3.3 * deviation  # one draw in a thousand lies further out


def test_over_many_seeds_the_count_is_binomial() -> None:
    """Mean and variance of the number drawn, over 300 seeds: np = 100 and np(1-p) = 75 for 400 figures and p = 1/4."""
    counts = [sum(is_drawn(seed, figure, 0.25) for figure in FIGURES) for seed in range(300)]
    mean = sum(counts) / 300
    variance = sum((count - mean) ** 2 for count in counts) / 299
    assert abs(mean - 100) < 4 * math.sqrt(75 / 300)
    assert 75 * (1 - 4 * math.sqrt(2 / 299)) < variance < 75 * (1 + 4 * math.sqrt(2 / 299))


def test_another_seed_draws_others() -> None:
    first, second = ([is_drawn(seed, figure, 0.5) for figure in FIGURES] for seed in (1, 2))
    assert first != second
    assert first == [is_drawn(1, figure, 0.5) for figure in FIGURES]


@given(st.integers(0, 2**31 - 1), st.text(max_size=40), st.floats(0, 1), st.floats(0, 1))
def test_a_larger_share_holds_every_smaller_one_and_the_ends_are_exact(
    seed: int, thing: str, one: float, other: float
) -> None:
    small, large = sorted((one, other))
    assert is_drawn(seed, thing, large) or not is_drawn(seed, thing, small)
    assert is_drawn(seed, thing, 1.0)
    assert not is_drawn(seed, thing, 0.0)

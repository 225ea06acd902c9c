"""Rows and columns one to one at the least sum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from documents.proposals.assignment import least_assignment

ALONE = 5.0
COST = st.one_of(st.integers(0, 9).map(float), st.just(math.inf))


@st.composite
def matrices(draw: st.DrawFn) -> list[list[float]]:
    width = draw(st.integers(0, 4))
    return draw(st.lists(st.lists(COST, min_size=width, max_size=width), max_size=4))


def price(costs: Sequence[Sequence[float]], chosen: dict[int, int]) -> float:
    return sum(costs[row][chosen[row]] if row in chosen else ALONE for row in range(len(costs)))


def least(costs: Sequence[Sequence[float]]) -> float:
    """The least price over all ways."""
    width = len(costs[0]) if costs else 0
    places: list[int | None] = [*range(width), *[None] * len(costs)]
    ways = (zip(range(len(costs)), way, strict=True) for way in permutations(places, len(costs)))
    return min(price(costs, {row: column for row, column in way if column is not None}) for way in ways)


@given(matrices())
def test_the_sum_is_the_least_of_all_ways_and_no_column_is_taken_twice(costs: list[list[float]]) -> None:
    chosen = least_assignment(costs, ALONE)
    assert len(set(chosen.values())) == len(chosen)
    assert price(costs, chosen) == least(costs)


def test_a_row_gives_its_nearest_column_to_one_that_has_no_other() -> None:
    assert least_assignment([[1.0, 2.0], [1.5, math.inf]], ALONE) == {0: 1, 1: 0}


def test_a_row_stays_alone_rather_than_take_a_dearer_column() -> None:
    assert least_assignment([[6.0]], ALONE) == {}

"""Agreement of scores: errors, biases, shares and tables by hand; what coefficients say when scores pile up."""

from __future__ import annotations

from fractions import Fraction

import pytest

from core.agreement.icc import Icc
from core.agreement.scored import (
    ScorePair,
    bias,
    ceiling,
    coefficients,
    mean_absolute_error,
    pair_table,
    score_table,
    share_agreeing,
    share_at,
    spread,
)
from core.estimate import Estimate
from core.scoring.interval import Resampling

HOW = Resampling(seed=1, draws=200)


def pair(unit: str, first: Fraction | int, second: int, paper: str = "p") -> ScorePair:
    return ScorePair(unit, paper, Fraction(first), Fraction(second))


def test_the_error_is_the_mean_of_distances_and_the_bias_of_differences() -> None:
    # Means of three critics 7/3, 2, 1 against 3, 1, 1: distances 2/3, 1, 0; differences -2/3, 1, 0.
    pairs = [pair("a", Fraction(7, 3), 3), pair("b", 2, 1), pair("c", 1, 1)]
    assert mean_absolute_error(pairs).value == pytest.approx(5 / 9, abs=1e-15)
    assert bias(pairs).value == pytest.approx(1 / 9, abs=1e-15)
    assert share_agreeing(pairs).value == pytest.approx(1 / 3, abs=1e-15)


def test_three_thirds_are_exactly_one() -> None:
    assert mean_absolute_error([pair("a", Fraction(1, 3), 0)] * 3).value == 1 / 3
    assert bias([pair("a", Fraction(10, 3), 3), pair("b", Fraction(8, 3), 3)]).value == 0


def test_nothing_scored_is_undefined_everywhere_and_never_nothing() -> None:
    for found in (mean_absolute_error([]), bias([], HOW), share_agreeing([]), share_at([], 3, [], HOW)):
        assert (found.value, found.n) == (None, 0)
        assert found.reason
    empty = coefficients(pair_table([], 3, 3), HOW)
    assert {empty.alpha.value, empty.kappa.value, *(each.value for each in empty.icc.values())} == {None}
    nobody = coefficients(score_table({}, {}, 3), HOW)
    assert nobody.alpha.value is None and nobody.kappas == ()


def test_an_interval_draws_whole_papers() -> None:
    # One paper holds all differences: drawn papers are all or nothing, so the interval is as wide as it can be.
    pairs = [pair(f"a{n}", 3, 2, "one") for n in range(5)] + [pair(f"b{n}", 2, 2, "other") for n in range(5)]
    found = mean_absolute_error(pairs, HOW)
    assert (found.value, found.low, found.high) == (0.5, 0.0, 1.0)
    alone = mean_absolute_error(pairs[:5], HOW)
    assert alone.low is None
    assert "one paper" in alone.reason


def test_columns_are_people_where_the_same_ones_scored_everything() -> None:
    clusters = {"a": "p", "b": "q"}
    table = score_table({"a": {"E1": 3, "E2": 2}, "b": {"E2": 1, "E1": 1}}, clusters, 3)
    assert table.are_people and table.raters == ("E1", "E2")
    assert table.ratings.codes.tolist() == [[3, 2], [1, 1]]
    assert spread(table) == {"a": 1, "b": 0}


def test_columns_are_turns_where_people_differ() -> None:
    table = score_table({"a": {"E2": 3, "E1": 2}, "b": {"E3": 1, "E1": 0}}, {"a": "p", "b": "q"}, 3)
    assert not table.are_people
    assert table.ratings.codes.tolist() == [[3, 2], [1, 0]]
    assert coefficients(table, None).kappas == ()


def test_the_scale_of_means_has_equal_steps() -> None:
    table = pair_table([pair("a", Fraction(7, 3), 3), pair("b", 0, 1)], 3, 3)
    assert table.ratings.codes.tolist() == [[7, 9], [0, 3]]
    assert len(table.ratings.domain) == 10


def test_equal_scores_are_perfect_and_reversed_ones_are_worse_than_chance() -> None:
    same = coefficients(pair_table([pair(str(n), n % 4, n % 4, str(n)) for n in range(20)], 1, 3), None)
    assert (same.alpha.value, same.kappa.value, same.icc[Icc.ABSOLUTE].value) == (1, 1, 1)
    turned = coefficients(pair_table([pair(str(n), n % 4, 3 - n % 4, str(n)) for n in range(20)], 1, 3), None)
    assert all(found.value is not None and found.value < 0 for found in (turned.alpha, turned.kappa))


def test_a_constant_bias_costs_absolute_agreement_and_no_consistency() -> None:
    shifted = coefficients(pair_table([pair(str(n), n % 3 + 1, n % 3, str(n)) for n in range(30)], 1, 3), None)
    assert shifted.icc[Icc.CONSISTENT].value == 1
    absolute = shifted.icc[Icc.ABSOLUTE].value
    assert absolute is not None and absolute < 0.7


def test_kappa_of_three_raters_points_to_every_two_of_them() -> None:
    table = score_table(
        {str(n): {"E1": n % 4, "E2": n % 4, "E3": n % 3} for n in range(12)}, {str(n): str(n) for n in range(12)}, 3
    )
    found = coefficients(table, None)
    assert found.kappa.value is None and "there are 3" in found.kappa.reason
    assert [(each.first, each.second) for each in found.kappas] == [(0, 1), (0, 2), (1, 2)]
    assert found.kappas[0].kappa.value == 1


@pytest.mark.parametrize(("share", "warns"), [(0.49, False), (0.5, True), (1.0, True)])
def test_a_ceiling_is_warned_of_from_half_on(share: float, warns: bool) -> None:
    assert bool(ceiling(Estimate(share), "scores")) is warns


def test_one_value_leaves_coefficients_undefined_with_a_reason() -> None:
    found = coefficients(pair_table([pair(str(n), 3, 3, str(n)) for n in range(9)], 1, 3), HOW)
    assert found.alpha.value is None and "3" in found.alpha.reason
    assert found.kappa.value is None and all(each.value is None and each.reason for each in found.icc.values())

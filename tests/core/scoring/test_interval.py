"""Resampling: the draws are what a seed says, sums are sums over them, and an interval owns up to what it lacks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from core.estimate import Estimate, undefined
from core.scoring import interval
from core.scoring.interval import (
    Array,
    Numbers,
    Resampling,
    Statistic,
    bounded,
    drawn_units,
    drawn_within_strata,
    resampled_sums,
    with_interval,
)

VALUES = np.array([[1.0], [2.0], [4.0], [8.0], [16.0]])


def mean(sums: Array) -> Array:
    return sums[:, 0] / sums[:, 1]


def within_strata(
    estimate: Estimate, columns: Array, statistic: Statistic, how: Resampling, units: Numbers, strata: Numbers
) -> Estimate:
    return bounded([estimate], [drawn_within_strata(columns, statistic, how, units, strata)], how)[0]


def table_of(values: list[float]) -> np.ndarray:
    return np.array([(value, 1.0) for value in values])


def test_sums_are_sums_over_the_drawn_units() -> None:
    how = Resampling(5, draws=50)
    drawn = np.concatenate(list(drawn_units(5, how)))
    assert drawn.shape == (50, 5)
    assert set(np.unique(drawn)) == {0, 1, 2, 3, 4}
    assert np.array_equal(resampled_sums([VALUES], how)[0][:, 0], VALUES[drawn, 0].sum(axis=1))


@pytest.mark.parametrize("n", [1, 2, 37, 300, 70_000])
def test_every_draw_has_as_many_units_as_there_are_in_blocks_of_any_size(n: int) -> None:
    how = Resampling(0, draws=7 if n > 1_000 else 1_000)
    blocks = list(drawn_units(n, how))
    assert sum(len(block) for block in blocks) == how.draws
    assert all(block.shape[1] == n and block.max() < n for block in blocks)
    assert np.array_equal(resampled_sums([np.ones((n, 1))], how)[0], np.full((how.draws, 1), n))


def test_clusters_are_numbered_in_the_order_of_their_first_units_whatever_names_them() -> None:
    names = [7, 3, 7, 9, 3, 1]
    assert interval.cluster_numbers(np.array(names)).tolist() == [0, 1, 0, 2, 1, 3]
    assert interval.cluster_numbers([str(name) for name in names]).tolist() == [0, 1, 0, 2, 1, 3]


def test_an_interval_is_of_percentiles_of_the_draws() -> None:
    how, table = Resampling(11, draws=400, share=0.9), table_of([1, 2, 3, 4, 5, 6])
    estimate = with_interval(Estimate(3.5, n=6), table, mean, how)
    drawn = np.concatenate(list(drawn_units(6, how)))
    means = (drawn + 1).mean(axis=1)
    assert (estimate.low, estimate.high) == pytest.approx(tuple(np.percentile(means, [5, 95])))
    assert (estimate.value, estimate.n, estimate.reason) == (3.5, 6, "")


def test_draws_without_a_value_are_counted_and_many_of_them_leave_no_interval() -> None:
    def often_undefined(share: float) -> Estimate:
        def statistic(sums: np.ndarray) -> np.ndarray:
            values = mean(sums)
            return np.where(np.arange(len(values)) < share * len(values), np.nan, values)

        return with_interval(Estimate(2.0), table_of([1, 2, 3]), statistic, Resampling(1))

    few, many = often_undefined(0.02), often_undefined(0.03)
    assert (
        few.low is not None and few.reason == "20 of 1,000 draws are left out because the measure is undefined in them"
    )
    assert many == Estimate(2.0, reason="no interval: the measure is undefined in 30 of 1,000 draws")


def test_nothing_is_drawn_for_an_undefined_measure_or_from_one_unit() -> None:
    nothing = undefined("there is only one rater")
    assert with_interval(nothing, table_of([1, 2]), mean, Resampling(1)) is nothing
    assert with_interval(Estimate(1.0), table_of([1]), mean, Resampling(1)).reason == (
        "no interval: there is only one unit, and a bootstrap needs two"
    )
    assert with_interval(Estimate(1.5), table_of([1, 2]), mean, None) == Estimate(1.5)


def test_a_cluster_is_drawn_whole() -> None:
    # Two clusters with means 1 and 5: a draw takes one twice or both, so its mean is 1, 3 or 5.
    table, clusters = table_of([1, 1, 5, 5]), ["A", "A", "B", "B"]
    estimate = with_interval(Estimate(3.0), table, mean, Resampling(2), clusters)
    assert (estimate.low, estimate.high) == (1.0, 5.0)
    one = with_interval(Estimate(3.0), table, mean, Resampling(2), ["A"] * 4)
    assert (one.low, one.reason) == (None, "no interval: all values are from one paper, and a bootstrap needs two")
    with pytest.raises(ValueError, match="4 units and 3 names"):
        with_interval(Estimate(3.0), table, mean, Resampling(2), clusters[:3])


def test_clusters_of_one_are_units() -> None:
    table = table_of([1, 2, 3, 4])
    alone = with_interval(Estimate(2.5), table, mean, Resampling(9), clusters=range(4))
    assert alone == with_interval(Estimate(2.5), table, mean, Resampling(9))


@pytest.mark.parametrize(("share", "draws"), [(0.0, 10), (1.0, 10), (0.95, 0)])
def test_an_impossible_resampling_is_refused(share: float, draws: int) -> None:
    with pytest.raises(ValueError, match=f"not {share}, {draws}"):
        Resampling(1, draws, share)


def test_19_of_20_intervals_of_a_mean_hold_the_truth() -> None:
    rng = np.random.default_rng(17)
    held = 0
    for seed in range(200):
        sample = rng.normal(size=60)
        estimate = with_interval(Estimate(float(sample.mean())), table_of(list(sample)), mean, Resampling(seed, 400))
        assert estimate.low is not None and estimate.high is not None
        held += estimate.low < 0 < estimate.high
    assert 178 <= held <= 199  # 95 % nominal; the percentile interval is a little short at n = 60


def test_units_are_drawn_within_their_strata() -> None:
    """Of two strata, one all right and one all wrong, every draw has as many right as there are."""
    columns = np.array([[1.0, 1.0]] * 30 + [[0.0, 1.0]] * 10)
    share = Estimate(0.75)

    def shares(sums: Array) -> Array:
        return np.asarray(sums[:, 0] / sums[:, 1])

    units, strata = np.arange(40), np.array([1] * 30 + [0] * 10)
    estimate = within_strata(share, columns, shares, Resampling(seed=1, draws=200), units, strata)
    assert (estimate.low, estimate.high) == (0.75, 0.75)
    mixed = within_strata(share, columns, shares, Resampling(seed=1, draws=2_000), units, np.zeros(40, dtype=int))
    # of 40 draws with share 0.75 the standard deviation is 0.0685
    assert mixed.low == pytest.approx(0.75 - 1.96 * 0.0685, abs=0.03)
    assert mixed.high == pytest.approx(0.75 + 1.96 * 0.0685, abs=0.03)


def test_rows_of_a_unit_are_drawn_together() -> None:
    columns = np.array([[1.0, 1.0], [0.0, 1.0]] * 20)
    estimate = within_strata(
        Estimate(0.5),
        columns,
        lambda sums: np.asarray(sums[:, 0] / sums[:, 1]),
        Resampling(seed=1, draws=200),
        np.arange(40) // 2,
        np.zeros(40, dtype=int),
    )
    assert (estimate.low, estimate.high) == (0.5, 0.5)
    none = np.zeros(2, dtype=int)
    alone = within_strata(Estimate(1.0), columns[:2], lambda sums: sums[:, 0], Resampling(seed=1), none, none)
    assert alone.low is None
    assert "one query" in alone.reason


@pytest.mark.parametrize("most", [1 << 62, 20], ids=["in one number", "in numbers made smaller"])
def test_kinds_of_units_are_those_that_sorted_rows_have(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(interval, "_MOST_CODES", most)
    rng, how = np.random.default_rng(4), Resampling(seed=2, draws=100)
    units = rng.permutation(np.repeat(np.arange(0, 600, 2), 2))
    strata = 3 - units % 7 // 2
    columns = rng.integers(0, 3, (600, 4)) / 7
    drawn = np.zeros((how.draws, 4))  # a row a kind, sorted by numpy
    sums = np.array([sum(columns[units == unit]) for unit in range(0, 600, 2)])
    of_unit, again = 3 - np.arange(0, 600, 2) % 7 // 2, np.random.default_rng(how.seed)
    for stratum in dict.fromkeys(of_unit.tolist()):
        kinds, counts = np.unique(sums[of_unit == stratum], axis=0, return_counts=True)
        drawn += again.multinomial(counts.sum(), counts / counts.sum(), size=how.draws) @ kinds

    def column(at: int) -> Callable[[Array], Array]:
        return lambda sums: sums[:, at]

    for figure in range(4):
        estimate = within_strata(Estimate(0.0), columns, column(figure), how, units, strata)
        low, high = np.quantile(drawn[:, figure], [0.025, 0.975])
        assert (estimate.low, estimate.high) == pytest.approx((low, high), rel=1e-12)

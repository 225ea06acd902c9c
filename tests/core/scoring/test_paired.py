"""Two sides on the same items: equal to statsmodels and SciPy, by hand, and how often the interval holds the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from core.errors import BadInput
from core.scoring.paired import holm, paired
from tests.everything import EVERYTHING, usual

SEEDS = range(1_000 if EVERYTHING else 100)
ROUNDS = 2_000 if EVERYTHING else 400


def drawn(seed: int) -> tuple[list[float], list[float], list[int]]:
    """Scores of two sides on 5 to 60 items in 2 to 12 clusters; of every third seed, scores of 0 and 1."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(5, 60))
    clusters = draw.integers(0, draw.integers(2, 12), n)
    clusters[:2] = 0, 1
    a, b = draw.random((2, n))
    if seed % 3 == 0:
        a, b = np.round(a), np.round(b)
    return a.tolist(), b.tolist(), clusters.tolist()


def test_se_mcnemar_sign_test_and_holm_are_those_of_other_packages() -> None:
    every = []
    for seed in SEEDS:
        a, b, clusters = drawn(seed)
        found = paired(a, b, clusters)
        apart = np.array(a) - np.array(b)
        fit = OLS(apart, np.ones(len(apart))).fit(
            cov_type="cluster", cov_kwds={"groups": np.array(clusters), "use_correction": False}
        )
        assert found.se.value == pytest.approx(fit.bse[0], abs=1e-12)
        wins, losses = int((apart > 0).sum()), int((apart < 0).sum())
        assert (found.wins, found.losses, found.ties) == (wins, losses, len(apart) - wins - losses)
        if wins + losses:
            assert found.sign_p.value == pytest.approx(binomtest(wins, wins + losses).pvalue, abs=1e-12)
        if seed % 3 == 0:
            table = [[0, wins], [losses, 0]]
            assert found.mcnemar_p.value == pytest.approx(mcnemar(table, exact=True).pvalue, abs=1e-12)
        else:
            assert found.mcnemar_p.value is None and found.mcnemar_p.reason == "a score is neither 0 nor 1"
        if found.p.value is not None:
            every.append(found.p.value)
    for start in range(0, len(every) - 7, 7):
        some = every[start : start + 7]
        assert holm(some) == pytest.approx(multipletests(some, method="holm")[1].tolist(), abs=1e-12)


def test_391_against_263_discordant_answers_are_a_difference() -> None:
    a = [1.0] * 391 + [0.0] * 263 + [1.0] * 500
    b = [0.0] * 391 + [1.0] * 263 + [1.0] * 500
    found = paired(a, b, range(len(a)))
    assert (found.wins, found.ties, found.losses) == (391, 500, 263)
    assert found.mcnemar_p.value == pytest.approx(6.3e-7, abs=0.05e-7)


def test_a_difference_by_hand() -> None:
    # Differences 1, 0, 0.5 in one cluster and −0.5 in the other: mean 0.25, deviations .75, −.25, .25 | −.75.
    found = paired([1, 0.5, 1, 0], [0, 0.5, 0.5, 0.5], ["p", "p", "p", "q"])
    se = math.sqrt(0.75**2 + 0.75**2) / 4
    assert (found.n, found.clusters, found.difference.value) == (4, 2, 0.25)
    assert found.se.value == pytest.approx(se)
    assert found.difference.high == pytest.approx(0.25 + 12.706204736 * se * math.sqrt(2))
    assert found.detectable.value == pytest.approx(2.8015852 * se)
    assert found.n_needed.value == math.ceil(4 * (2.8015852 * se / 0.25) ** 2)
    wanted = paired([1, 0.5, 1, 0], [0, 0.5, 0.5, 0.5], ["p", "p", "p", "q"], difference=0.5)
    assert wanted.n_needed.value == math.ceil(4 * (2.8015852 * se / 0.5) ** 2)


def test_what_is_undefined_says_why() -> None:
    one = paired([1, 0], [0, 0], ["p", "p"])
    assert one.difference.value == 0.5 and one.difference.low is None
    assert {each.reason for each in (one.se, one.p, one.detectable, one.n_needed)} == {"all items are of one cluster"}
    equal = paired([1, 0], [1, 0], ["p", "q"])
    assert (equal.p.value, equal.n_needed.value, equal.sign_p.value) == (None, None, 1.0)
    with pytest.raises(BadInput, match="Both have a score on 0 items; nothing can be compared"):
        paired([], [], [])


@pytest.mark.parametrize(
    ("groups", "is_even"),
    usual([(5, True), (12, True), (50, True), (12, False), (50, False)], (12, True), (50, True), (12, False)),
)
def test_a_95_percent_interval_holds_the_difference_in_95_percent_of_samples(groups: int, is_even: bool) -> None:
    draw = np.random.default_rng(groups)
    sizes = np.full(groups, 6) if is_even else 1 + draw.geometric(0.2, groups)
    clusters = np.repeat(np.arange(groups), sizes)
    held = 0
    for _ in range(ROUNDS):
        apart = 0.1 + draw.normal(0, 0.2, groups)[clusters] + draw.normal(0, 0.3, len(clusters))
        low_high = paired(apart.tolist(), [0.0] * len(apart), clusters.tolist()).difference
        assert low_high.low is not None and low_high.high is not None
        held += low_high.low <= 0.1 <= low_high.high
    chance = 0 if EVERYTHING else 0.02  # of fewer rounds
    assert (0.93 if is_even else 0.92) - chance <= held / ROUNDS <= 0.97 + chance


def test_the_items_needed_show_the_planted_difference_in_80_percent_of_samples() -> None:
    draw = np.random.default_rng(3)
    each, spread, planted = 4, 0.4, 0.05
    pilot = draw.normal(planted, spread, 40_000)
    needed = paired(pilot.tolist(), [0.0] * len(pilot), range(len(pilot)), difference=planted).n_needed.value
    assert needed is not None
    groups = math.ceil(needed / each)  # well above 50 clusters: items of a cluster are independent here
    clusters = np.repeat(np.arange(groups), each)
    found = 0
    for _ in range(ROUNDS):
        apart = draw.normal(planted, spread, len(clusters))
        p = paired(apart.tolist(), [0.0] * len(apart), clusters.tolist()).p.value
        found += p is not None and p < 0.05
    assert 0.77 <= found / ROUNDS <= 0.83, found

"""Bias of a judge for its own family: what is planted is found, and nothing else."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from core.scoring.interval import Resampling
from core.verdicts.families import MOST_ASSIGNMENTS, OwnFamily, family_bias
from core.verdicts.judged import F1
from tests.everything import EVERYTHING

SEEDS = range(100) if EVERYTHING else range(5)
MOST_MISSED = 10 if EVERYTHING else 1
HOW = Resampling(seed=3, draws=400)


def compared(differences: dict[str, list[float]], own: str, scores: dict[str, float] | None = None) -> OwnFamily:
    """Models whose name begins with a letter of `own` are of the judge's family. `scores`: of a model by both."""
    rows = [
        (model, str(n), apart, (scores or {}).get(model, 0.5) + apart / 2)
        for model, values in differences.items()
        for n, apart in enumerate(values)
    ]
    both = pd.DataFrame(rows, columns=["model", "cluster", "apart", F1])
    return family_bias("j", "k", "F", both, {model: "F" if model[0] in own else "G" for model in differences}, HOW)


def test_a_planted_bias_for_ones_own_family_is_inside_its_interval_and_so_is_none() -> None:
    missed, false_alarms = 0, 0
    for seed in SEEDS:
        draw = random.Random(seed)
        for planted in (0.05, 0.0):
            result = []
            for sample in range(80):
                shared = draw.gauss(0, 0.03)  # what the sample itself gives to all its answers
                result += [
                    (str(sample), shared + draw.gauss(planted * is_own, 0.06), "own" if is_own else "other")
                    for is_own in (True, False, False)
                ]
            both = pd.DataFrame(result, columns=["cluster", "apart", "model"]).assign(**{F1: 0.5})
            bias = family_bias("j", "k", "F", both, {"own": "F", "other": "G"}, HOW).bias
            assert bias.low is not None and bias.high is not None
            if planted:
                missed += not bias.low <= planted <= bias.high
            else:
                false_alarms += not bias.low <= 0 <= bias.high
    assert missed <= MOST_MISSED
    assert false_alarms <= MOST_MISSED


def test_judges_that_ignore_families_rarely_differ_by_family_although_one_is_generous() -> None:
    """Eight models, four of the judge's family: a generous judge differs by model, not by family."""
    alarms = 0
    for seed in range(100):
        draw = np.random.default_rng(seed)
        differences = {
            f"{family}{number}": (0.1 + draw.normal(0, 0.05) + draw.normal(0, 0.05, 30)).tolist()
            for family in "ab"
            for number in range(4)
        }
        p = compared(differences, "a").p.value
        assert p is not None
        alarms += p < 0.05
    assert alarms <= 7


def test_p_is_the_share_of_assignments_of_families_with_as_large_a_bias() -> None:
    means = dict(zip("abcdefgh", (0.9, 0.8, 0.7, 0.3, 0.4, 0.2, 0.1, 0.0), strict=True))
    result = compared({model: [mean, mean] for model, mean in means.items()}, "abcd")
    values = list(means.values())
    every = [abs(sum(some) - (sum(values) - sum(some))) for some in combinations(values, 4)]
    assert result.p.value == pytest.approx(np.mean([each >= 2.0 - 1e-9 for each in every]))
    assert result.p.n == 8
    assert result.bias.value == pytest.approx(0.5)


def test_of_many_models_assignments_are_drawn_with_the_seed() -> None:
    draw = np.random.default_rng(1)
    differences = {f"{'a' if n < 10 else 'b'}{n}": draw.normal(0.1 * (n < 10), 0.1, 5).tolist() for n in range(20)}
    result = compared(differences, "a")
    assert result.p.value is not None and result.p == compared(differences, "a").p
    assert result.p.value * (MOST_ASSIGNMENTS + 1) == pytest.approx(round(result.p.value * (MOST_ASSIGNMENTS + 1)))
    assert 0 < result.p.value < 0.05


@pytest.mark.parametrize(("own", "models"), [("a", 6), ("abc", 8), ("abcde", 8)])
def test_fewer_than_four_models_on_a_side_are_too_few_for_a_test(own: str, models: int) -> None:
    result = compared({letter: [0.1, 0.2] for letter in "abcdefgh"[:models]}, own)
    assert result.bias.value == pytest.approx(0)
    assert result.p.value is None
    assert result.p.reason == f"{models} models, {len(own)} of this family: too few for a test"


def test_a_judge_that_is_harsher_on_weak_models_has_no_bias_without_the_line() -> None:
    """The difference is a straight line on the mean score, and the own family's models are the better ones."""
    scores = {letter: 0.3 + 0.05 * n for n, letter in enumerate("abcdefgh")}
    differences = {model: [0.4 * score - 0.1] * 3 for model, score in scores.items()}
    result = compared(differences, "efgh", scores)
    assert result.bias.value == pytest.approx(0.08)
    assert result.adjusted.value == pytest.approx(0)
    planted = {model: [each + 0.1 * (model in "aceg") for each in values] for model, values in differences.items()}
    # x is −3.5 … 3.5, of own models −3.5, −1.5, 0.5, 2.5: slope 0.1 · (−2) ÷ 42, and own models have 1 less on average.
    again = compared(planted, "aceg", scores).adjusted
    assert again.value == pytest.approx(0.1 - 0.1 * 2 / 42)
    assert again.low is not None and again.value is not None and again.low <= again.value


def test_a_line_needs_six_models_that_differ() -> None:
    assert compared({letter: [0.1] for letter in "abcde"}, "ab").adjusted.reason == "5 models; a line needs 6"
    equal = compared({letter: [0.1] for letter in "abcdef"}, "ab").adjusted
    assert (equal.value, equal.reason) == (None, "all models have the same mean score")

"""A judge's mean corrected by people's labels: equal to ppi-python, by hand, and how often the interval holds the
truth."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import t

from core.errors import BadInput
from core.scoring.corrected import DIFFERENCES_NEEDED, LABELS_NEEDED, SAMPLES_NEEDED, corrected, corrected_means
from tests.core.scoring.ppi.make import INPUTS, RESULTS, drawn
from tests.everything import EVERYTHING, usual

ROUNDS = 2_000 if EVERYTHING else 400
CHANCE = 0.0 if EVERYTHING else 0.02  # of fewer rounds


def rows(y: list[float], f: list[float], others: list[float]) -> tuple[list[float], list[float | None], range]:
    return [*f, *others], [*y, *[None] * len(others)], range(len(f) + len(others))


def test_value_and_standard_error_are_those_of_ppi_python() -> None:
    expected = json.loads(RESULTS.read_text())
    assert len(expected) == INPUTS == 200
    weights = set()
    for seed, each in enumerate(expected):
        result = corrected(*rows(*drawn(seed)))
        assert result.value.value == pytest.approx(each["value"], abs=1e-9)
        assert result.se.value == pytest.approx(each["se"], abs=1e-9)
        weights.add("0" if result.judge_weight == 0 else "1" if result.judge_weight == 1 else "between")
    assert {"0", "between"} <= weights


def test_a_correction_by_hand() -> None:
    # cov(y, f) = (1·1 + 0·0.5 + 0·0) ÷ 3 − 1/3 · 0.5 = 1/6. f over all: 1, .5, 0, 1, 0: mean .5, variance 1 ÷ 4.
    # λ = (1/6) ÷ ((1 + 3/2) · 1/4) = 4/15. Value: 4/15 · 0.5 + (1/3 − 4/15 · 0.5) = 1/3.
    result = corrected([1, 0.5, 0, 1, 0], [1, 0, 0, None, None], range(5))
    assert (result.n, result.labelled, result.judge_mean) == (5, 3, 0.5)
    assert result.judge_weight == pytest.approx(4 / 15)
    assert result.value.value == pytest.approx(1 / 3)
    rest = np.array([1 - 4 / 15, -4 / 15 * 0.5, 0])
    assert result.se.value == pytest.approx((rest.var() / 3 + (4 / 15) ** 2 * 0.25 / 2) ** 0.5)


def test_with_all_rows_labelled_the_judge_does_not_count() -> None:
    y = [number / 29 for number in range(30)]
    result = corrected([1.0] * 29 + [0.0], y, range(30))
    half = t.ppf(0.975, 29) * np.std(y, ddof=1) / 30**0.5
    assert result.judge_weight == 0
    assert result.value.value == pytest.approx(0.5)
    assert (result.value.low, result.value.high) == pytest.approx((0.5 - half, 0.5 + half))


def test_rows_of_a_cluster_count_once_in_the_error_and_each_in_the_value() -> None:
    draw = np.random.default_rng(1)
    y, noise = draw.random(40), draw.normal(0, 0.1, 40)
    once = corrected((y + noise).tolist(), [*y[:30].tolist(), *[None] * 10], range(40))
    # Four copies of each row, in a cluster: the same estimate from the same number of samples.
    copies = np.repeat(np.arange(40), 4)
    four = corrected((y + noise)[copies].tolist(), [y[n] if n < 30 else None for n in copies], copies.tolist())
    assert (four.n, four.labelled) == (160, 120)
    assert four.value.value == pytest.approx(once.value.value, abs=1e-3)  # λ alone differs, by 1 ÷ (n + N − 1)
    assert four.se.value == pytest.approx(once.se.value, rel=0.01)
    assert four.value.high == pytest.approx(once.value.high, abs=3e-3)  # times √(30 ÷ 29)
    alone = corrected((y + noise)[copies].tolist(), [y[n] if n < 30 else None for n in copies], range(160))
    assert alone.value.value == four.value.value
    assert four.se.value is not None
    assert alone.se.value == pytest.approx(four.se.value / 2, rel=0.01)


def graded(draw: np.random.Generator, shape: tuple[int, int], is_skewed: bool) -> tuple[NDArray[np.float64], ...]:
    """Scores by people, and by a judge that is too generous and errs."""
    y = draw.beta(5, 2, shape) if is_skewed else draw.beta(2, 2, shape)
    return y, np.clip(y + 0.1 + draw.normal(0, 0.15, shape), 0, 1)


ALL_GRADED = [*product((20, 60), (20, 300), (False, True))]


@pytest.mark.parametrize(
    ("labelled", "others", "is_skewed"),
    usual(ALL_GRADED, *(each for each in ALL_GRADED if each not in ((20, 300, True), (60, 20, False)))),
)
def test_the_interval_of_graded_scores_holds_the_truth(labelled: int, others: int, is_skewed: bool) -> None:
    y, f = graded(np.random.default_rng(labelled + others), (ROUNDS, labelled + others), is_skewed)
    covered = 0
    for person, judge in zip(y.tolist(), f.tolist(), strict=True):
        value = corrected(judge, [*person[:labelled], *[None] * others], range(len(judge))).value
        assert value.low is not None and value.high is not None
        covered += value.low <= (5 / 7 if is_skewed else 0.5) <= value.high
    assert 0.92 - CHANCE <= covered / ROUNDS <= 0.97 + CHANCE


ALL_CLUSTERED = [*product((20, 50), (True, False), (True, False))]


@pytest.mark.parametrize(
    ("samples", "is_even", "is_in_part"),
    usual(ALL_CLUSTERED, *(each for each in ALL_CLUSTERED if each not in ((20, False, True), (50, True, False)))),
)
def test_the_interval_of_clustered_scores_holds_the_truth(samples: int, is_even: bool, is_in_part: bool) -> None:
    """The samples are 150 with their own level and their own error of the judge, some are labelled, all or half their
    items."""
    draw = np.random.default_rng(samples)
    covered = 0
    for _ in range(ROUNDS):
        sizes = np.full(150, 8) if is_even else draw.integers(2, 17, 150)
        of = np.repeat(np.arange(150), sizes)
        y = draw.beta(4, 2, 150)[of] * draw.beta(8, 2, len(of))
        f = y + draw.normal(0.05, 0.08, 150)[of] + draw.normal(0, 0.1, len(of))
        is_labelled = (of < samples) & ((draw.random(len(of)) < 0.5) | (not is_in_part))
        person = [float(each) if known else None for each, known in zip(y, is_labelled, strict=True)]
        value = corrected(f.tolist(), person, of.tolist()).value
        if value.low is None or value.high is None:  # no item of a sample happens to be labelled
            assert is_in_part and samples == SAMPLES_NEEDED
            covered += 1
        else:
            covered += value.low <= 4 / 6 * 0.8 <= value.high
    assert 0.92 - CHANCE <= covered / ROUNDS <= 0.97 + CHANCE


def misses(
    draw: np.random.Generator, base: float, errors: tuple[float, float], n: int, others: int
) -> tuple[float, float]:
    """Return, of simulated studies with scores of 0 and 1, the share whose interval misses the base rate: of those that
    the rule gives one, out of all, and without the rule. `errors`: the judge's of zeros and of ones."""
    kinds = [base * (1 - errors[1]), base * errors[1], (1 - base) * errors[0], (1 - base) * (1 - errors[0])]
    both, person, judge, _none = draw.multinomial(n, kinds, 1_500).T.astype(np.float64)
    g = draw.binomial(others, kinds[0] + kinds[2], 1_500).astype(np.float64)
    ones, f, all_n, all_others = both + person, both + judge, np.full(1_500, n), np.full(1_500, others)
    value, weight = corrected_means(np.column_stack([all_n, ones, f, ones, both, f, all_others, g, g]))
    squares = (both * (1 - weight) ** 2 + person + judge * weight**2) / n - ((ones - weight * f) / n) ** 2
    share = g / max(1, others)
    error = np.sqrt(weight**2 * share * (1 - share) / max(1, others) + np.maximum(0, squares) / n)
    is_missed = np.abs(value - base) > t.ppf(0.975, n - 1) * np.sqrt(n / (n - 1)) * error + 1e-12
    differ = person + judge
    is_given = (np.minimum(ones, n - ones) >= LABELS_NEEDED) & ((differ >= DIFFERENCES_NEEDED) | (others == 0))
    return float(np.mean(is_missed & is_given)), float(np.mean(is_missed))


def test_an_interval_of_binary_scores_misses_the_truth_in_at_most_8_percent_of_studies() -> None:
    draw = np.random.default_rng(7)
    judges = [(0.0, 0.0), (0.01, 0.01), (0.05, 0.05), (0.2, 0.2), (0.5, 0.5), (0.0, 0.2), (0.5, 0.05), (0.9, 0.0)]
    shares = np.array(
        [
            misses(draw, base, judge, n, others * n)
            for base in (0.02, 0.05, 0.2, 0.5, 0.8, 0.95)
            for judge in judges
            for n in (20, 30, 50, 100, 200, 400)
            for others in (0, 1, 10)
        ]
    )
    assert shares[:, 0].max() <= 0.08 + 2.5 * (0.08 * 0.92 / 1_500) ** 0.5  # chance of 1,500 rounds
    assert shares[:, 1].max() > 0.8, "without the rule"


def binary(ones: int, zeros: int, wrong: int, others: int = 40) -> tuple[list[float], list[float | None], range]:
    y = [1.0] * ones + [0.0] * zeros
    f = [1 - each if number < wrong else each for number, each in enumerate(y)]
    return rows(y, f, [1.0, 0.0] * (others // 2))


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (binary(10, 6, 5), "label 4 more samples to correct this score"),
        (binary(10, 9, 5), "label 1 more sample to correct this score"),
        (binary(28, 2, 5), "2 of the labelled samples have a label of 0; an interval needs 8"),
        (binary(7, 30, 5), "7 of the labelled samples have a label of 1; an interval needs 8"),
        (binary(15, 15, 4), "judge and people differ on 4 labelled samples; an interval needs 5"),
        (binary(15, 15, 5), ""),
        (binary(15, 15, 0, others=0), ""),
    ],
)
def test_few_labels_have_a_value_and_its_error_and_a_reason_for_no_interval(
    scores: tuple[list[float], list[float | None], range], reason: str
) -> None:
    result = corrected(*scores)
    assert result.se.value and result.value.value is not None
    assert (result.value.reason, result.value.low is None) == (reason, bool(reason))
    assert (result.labels_missing.reason == reason) or not reason


def test_samples_are_counted_not_rows() -> None:
    y, f, others = [1.0, 0.0] * 20, [1.0, 1.0, 0.0, 0.0] * 10, [1.0, 0.0]
    judge, person, _ = rows(y, f, others)
    assert not corrected(judge, person, range(42)).value.reason
    of_16 = [*(number % 16 for number in range(40)), 40, 41]
    assert corrected(judge, person, of_16).value.reason == "label 4 more samples to correct this score"


def test_the_missing_labels_make_the_interval_as_narrow_as_named() -> None:
    draw = np.random.default_rng(5)
    y, f = (each[0] for each in graded(draw, (1, 4_000), is_skewed=False))

    def half(labelled: int) -> tuple[float, float | None, str]:
        result = corrected(f.tolist(), [*y[:labelled].tolist(), *[None] * (4_000 - labelled)], range(4_000))
        assert result.value.value is not None and result.value.high is not None
        return result.value.high - result.value.value, result.labels_missing.value, result.labels_missing.reason

    now, missing, _ = half(60)
    assert now > 0.03 and missing is not None
    assert half(60 + int(missing))[0] == pytest.approx(0.02, abs=0.002)
    enough, none, _ = half(60 + int(missing) + 80)
    assert (enough < 0.02, none) == (True, 0)
    few = corrected(f[:300].tolist(), [*y[:60].tolist(), *[None] * 240], range(300)).labels_missing
    every = corrected(f[:300].tolist(), y[:300].tolist(), range(300)).value
    assert few.value is None and every.value is not None and every.high is not None
    named = float(few.reason.removeprefix("even all 300 labels give ±"))
    assert named == pytest.approx(every.high - every.value, abs=0.003)


def test_what_is_undefined_says_why() -> None:
    with pytest.raises(BadInput, match="No row has a person's label"):
        corrected([1, 0], [None, None], range(2))
    one = corrected([1, 0, 1], [1, None, 0], ["p", "p", "p"])
    assert (one.value.value is not None, one.value.reason) == (True, "all rows are of one cluster: no interval")
    assert one.se.reason == "all rows are of one cluster"
    labelled = corrected([1, 0, 1], [1, None, 0], ["p", "q", "p"])
    assert labelled.se.reason == "all labelled rows are of one cluster"
    constant = corrected([0.3] * 50, [0.1 * (n % 7) for n in range(30)] + [None] * 20, range(50))
    assert constant.judge_weight == 0

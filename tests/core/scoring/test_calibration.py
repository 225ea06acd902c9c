"""Calibration error beside a slow one in fractions, on edges that floats miss, and with options left out."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.labels import SIGN, SIGN_OR_UNKNOWN
from core.scoring.calibration import FIRST_TOKENS, RatedAnswer, bin_of, calibrate, option_probabilities

Parts = dict[str, int]


def slowly(rows: list[tuple[str, Parts]]) -> Fraction:
    """Over rows of (answer, whole parts of a probability), one bin after another."""
    judged = []
    for answer, parts in rows:
        best = next(label for label in ("+", "-", "None", "mixed") if parts.get(label, 0) == max(parts.values()))
        judged.append((best, Fraction(parts[best], sum(parts.values())), best == answer))
    error = Fraction(0)
    for number in range(10):
        low, high = Fraction(number, 10), Fraction(number + 1, 10)
        inside = [(sure, hit) for _, sure, hit in judged if low < sure <= high or (number == 0 and sure == 0)]
        if inside:
            mean = sum((sure for sure, _ in inside), Fraction(0)) / len(inside)
            error += Fraction(len(inside), len(rows)) * abs(Fraction(sum(h for _, h in inside), len(inside)) - mean)
    return error


def test_random_rows_have_the_error_of_slow_fractions() -> None:
    chance = random.Random(4)
    on_edge = 0
    for case in range(150):
        rows: list[tuple[str, Parts]] = []
        for _ in range(1 + case % 40):
            labels = chance.sample(SIGN.classes, chance.choice([2, 3, 4, 4]))
            cuts = sorted(chance.randint(0, 20) for _ in labels[1:])
            parts = dict(zip(labels, (b - a for a, b in zip([0, *cuts], [*cuts, 20], strict=True)), strict=True))
            rows.append((chance.choice(SIGN.classes), parts))
        found = calibrate([RatedAnswer(answer, {k: n / 20 for k, n in parts.items()}) for answer, parts in rows], SIGN)
        assert found.ece.value == pytest.approx(float(slowly(rows)), abs=1e-12)
        assert sum(each.n for each in found.bins) == found.ece.n == len(rows)
        assert found.outside_top == sum(len(parts) < 4 for _, parts in rows)
        on_edge += sum(max(parts.values()) % 2 == 0 for _, parts in rows)
        for label in SIGN.classes:
            gold = [row for row in rows if row[0] == label]
            estimate = found.per_gold[label]
            assert (estimate.value is None) is not bool(gold)
            if gold:
                assert estimate.value == pytest.approx(float(slowly(gold)), abs=1e-12)
        assert sum(each.n or 0 for each in found.per_predicted.values()) == len(rows)
    assert on_edge > 500


@pytest.mark.parametrize("tenths", range(3, 11))
def test_a_confidence_on_an_edge_lies_in_the_bin_below(tenths: int) -> None:
    rest = {3: (0.3, 0.2, 0.2), 4: (0.2, 0.2, 0.2)}.get(tenths, (round(1 - tenths / 10, 1), 0.0, 0.0))
    found = calibrate([RatedAnswer("+", dict(zip(SIGN.classes, (tenths / 10, *rest), strict=True)))], SIGN)
    assert [number for number, each in enumerate(found.bins) if each.n] == [tenths - 1]
    assert found.bins[tenths - 1].high == tenths / 10


def test_dividing_by_the_sum_moves_nothing_off_an_edge() -> None:
    # 0.7 + 0.2 + 0.1 is 0.9999999999999999 as a float, and 0.7 divided by it is above 0.7.
    assert 0.7 / (0.7 + 0.2 + 0.1) > 0.7
    found = calibrate([RatedAnswer("+", {"+": 0.7, "-": 0.2, "None": 0.1, "mixed": 0})], SIGN)
    assert [each.n for each in found.bins].index(1) == 6
    # 0.21 of 0.3 is seven tenths, too.
    found = calibrate([RatedAnswer("+", {"+": 0.21, "-": 0.09})], SIGN)
    assert [each.n for each in found.bins].index(1) == 6


def test_by_true_and_by_predicted_label_by_hand() -> None:
    rows = [
        RatedAnswer("+", {"+": 0.9, "-": 0.1}),
        RatedAnswer("-", {"+": 0.8, "-": 0.2}),
        RatedAnswer("-", {"+": 0.4, "-": 0.6}),
    ]
    found = calibrate(rows, SIGN)
    # Bins (0.8, 0.9]: right, 0.9; (0.7, 0.8]: wrong, 0.8; (0.5, 0.6]: right, 0.6.
    assert found.ece.value == pytest.approx((0.1 + 0.8 + 0.4) / 3)
    assert found.per_gold["+"].value == pytest.approx(0.1)
    assert found.per_gold["-"].value == pytest.approx((0.8 + 0.4) / 2)
    assert found.per_predicted["+"].value == pytest.approx((0.1 + 0.8) / 2)
    assert found.per_predicted["-"].value == pytest.approx(0.4)
    assert (found.per_gold["None"].value, found.per_gold["None"].reason) == (None, "no true label is None")
    assert found.per_predicted["mixed"].reason == "no answer is mixed"
    assert [(each.n, each.accuracy.value) for each in found.bins if each.n] == [(1, 1), (1, 0), (1, 1)]


def test_rows_without_probabilities_are_left_out_and_listed() -> None:
    rows = [
        RatedAnswer("+", None, "first"),
        RatedAnswer("+", {"+": 1.0}),
        RatedAnswer("-", {}),
        RatedAnswer("-", {"+": 0, "-": 0.0}, "z"),
    ]
    found = calibrate(rows, SIGN)
    assert (found.ece.value, found.ece.n, found.excluded) == (0.0, 1, ("first", 3, "z"))
    nothing = calibrate([RatedAnswer("+", None)], SIGN)
    assert (nothing.ece.value, nothing.ece.reason) == (None, "no answer comes with probabilities")
    assert all(each.accuracy.value is None for each in nothing.bins)


def test_options_outside_the_top_count_nothing_and_are_counted() -> None:
    found = calibrate(
        [RatedAnswer("mixed", {"+": 0.3, "-": 0.1}), RatedAnswer("+", dict.fromkeys(SIGN.classes, 0.25))], SIGN
    )
    assert (found.outside_top, found.ece.n) == (1, 2)
    # 0.3 of 0.4 and a tie of four, which the first label takes: sure by 3/4 and wrong, by 1/4 and right.
    assert found.ece.value == pytest.approx((0.75 + 0.75) / 2)


def test_spellings_of_one_option_are_added_and_sums_above_one_are_counted() -> None:
    found = calibrate(
        [RatedAnswer("+", {"+": 0.3, "positive": 0.3, "-": 0.4}), RatedAnswer("+", {"+": 0.9, "-": 0.6})], SIGN
    )
    assert [each.confidence.value for each in found.bins if each.n] == [pytest.approx(0.6)]
    assert (found.bins[5].n, found.over_one) == (2, 1)
    assert calibrate([RatedAnswer("+", {"+": 0.1 + 0.2, "-": 0.7})], SIGN).over_one == 0


@pytest.mark.parametrize("probability", [-0.1, 1.1, math.nan, math.inf, True, "0.5"])
def test_what_is_no_probability_is_refused(probability: float) -> None:
    with pytest.raises(BadInput, match=f"Row 2, -: found {probability!r};"):
        calibrate([RatedAnswer("+", {"+": 1}), RatedAnswer("+", {"-": probability})], SIGN)


def test_labels_outside_the_options_are_refused() -> None:
    with pytest.raises(BadInput, match="Row 1: “The”"):
        calibrate([RatedAnswer("+", {"The": 0.5})], SIGN)
    with pytest.raises(BadInput, match="Row 1: “unknown”"):
        calibrate([RatedAnswer("+", {"unknown": 0.5})], SIGN_OR_UNKNOWN)
    with pytest.raises(BadInput, match=r"Row 1: .* answer “up”"):
        calibrate([RatedAnswer("up", {"+": 0.5})], SIGN)


def test_first_tokens_are_added_by_option_and_others_ignored() -> None:
    tokens = [(' "+', math.log(0.4)), ("Positive", math.log(0.1)), ("−", math.log(0.2)), ("no", math.log(0.05))]
    found = option_probabilities([*tokens, ("n", -1.0), ("{", -2.0)], FIRST_TOKENS)
    assert found == {"+": pytest.approx(0.5), "-": pytest.approx(0.2), "None": pytest.approx(0.05)}
    with pytest.raises(BadInput, match="“M ” is given for a and for b"):
        option_probabilities([], {"a": ["m"], "b": ["M "]})
    for impossible in (0.1, math.nan):
        with pytest.raises(BadInput, match="a log-probability is at most 0"):
            option_probabilities([("+", impossible)], FIRST_TOKENS)


@given(st.fractions(0, 1))
def test_every_confidence_has_one_bin_closed_on_the_right(confidence: Fraction) -> None:
    number = bin_of(confidence)
    assert 0 <= number <= 9
    assert confidence <= Fraction(number + 1, 10)
    assert confidence > Fraction(number, 10) or number == 0


WHOLE = st.fixed_dictionaries({label: st.integers(0, 8) for label in SIGN.classes}).filter(lambda p: any(p.values()))


@given(st.lists(st.tuples(st.sampled_from(SIGN.classes), WHOLE), min_size=1, max_size=8), st.integers(1, 7))
def test_only_proportions_matter_and_the_error_is_a_share(rows: list[tuple[str, Parts]], factor: int) -> None:
    def with_parts_of(whole: int) -> float | None:
        return calibrate(
            [RatedAnswer(answer, {k: Fraction(n, whole) for k, n in parts.items()}) for answer, parts in rows], SIGN
        ).ece.value

    found = with_parts_of(8)
    assert found == with_parts_of(8 * factor)
    assert found is not None
    assert 0 <= found <= 1

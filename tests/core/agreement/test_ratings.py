"""The table of ratings: what it takes, what it refuses, and why a coefficient has nothing to work on."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from core.agreement.alpha import krippendorff_alpha
from core.agreement.kappa import Weights, cohen_kappa
from core.agreement.level import MeasurementLevel
from core.agreement.ratings import GAP, Ratings, obstacle, only_value, raw_agreement
from core.errors import BadInput
from core.estimate import Estimate
from tests.core.agreement.tables import DEGENERATE


def test_a_scale_is_what_was_found_in_order_unless_it_is_given() -> None:
    found = Ratings.of([["b", 2], [None, 1.5], ["a", 10]])
    assert found.domain == (1.5, 2, 10, "a", "b")
    assert found.codes.tolist() == [[4, 1], [GAP, 0], [3, 2]]
    assert Ratings.of([[1, 0]], domain=(3, 2, 1, 0)).codes.tolist() == [[2, 3]]


def test_value_counts_leave_gaps_out_and_keep_unused_values() -> None:
    found = Ratings.of([[0, 2, 2], [None, None, 0], [None, None, None]], domain=(0, 1, 2))
    assert found.counts().tolist() == [[1, 0, 2], [1, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("table", "domain", "message"),
    [
        ([[1, 2], [1]], (), "Unit 2 has 1 ratings, the first one 2"),
        ([[1, math.nan]], (), "Unit 1 has a rating that is not a number"),
        ([[1, 4]], (0, 1, 2, 3), r"Unit 1 is rated 4, which is not on the scale \[0, 1, 2, 3\]"),
        ([[1]], (1, 2, 1), "lists a value twice"),
    ],
)
def test_a_faulty_table_says_where(table: list[list[float | None]], domain: tuple[int, ...], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Ratings.of(table, domain)


def test_words_have_no_distances() -> None:
    with pytest.raises(BadInput, match=r"“mixed” .* number"):
        Ratings.of([[1, "mixed"]]).scale()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("one rater", "there is only one rater"),
        ("second column empty", "there is only one rater"),
        ("empty", "there are no ratings"),
        ("all missing", "there are no ratings"),
        ("one item", "only one unit was rated by two raters, and 3 are needed"),
        ("two items", "only 2 units were rated by two raters, and 3 are needed"),
        ("nothing rated twice", "no unit was rated by two raters"),
    ],
)
def test_too_little_to_agree_on_has_its_reason(name: str, reason: str) -> None:
    found = obstacle(Ratings.of(DEGENERATE[name]))
    assert found is not None
    assert (found.value, found.reason) == (None, reason)


def test_enough_has_no_reason() -> None:
    assert obstacle(Ratings.of([[1, 2], [1, 1], [None, 2], [2, 2]])) is None


def test_raw_agreement_is_the_mean_share_of_agreeing_pairs() -> None:
    # Unit 1: one of three pairs; unit 2: one of one; unit 3 has no pair. (1/3 + 1) / 2
    found = raw_agreement(Ratings.of([["a", "a", "b"], ["a", "a", None], ["b", None, None]]))
    assert (found.value, found.n) == pytest.approx((2 / 3, 2))
    # It is defined where coefficients are not: one unit, or every rating the same.
    assert raw_agreement(Ratings.of([[1, 2, 2]])).value == pytest.approx(1 / 3)
    assert raw_agreement(Ratings.of(DEGENERATE["all equal"])).value == 1
    assert raw_agreement(Ratings.of([])).reason == "there are no ratings"


def test_the_only_value_is_sought_where_raters_meet() -> None:
    assert only_value(Ratings.of([["x", "x"], ["y", None]])) == "x"
    assert only_value(Ratings.of([["x", "x"], ["y", "x"]])) is None


def test_words_have_an_order_only_if_someone_gave_it() -> None:
    table = [["low", "mid"], ["high", "high"], ["mid", "mid"], ["low", "high"]]
    unordered, ordered = Ratings.of(table), Ratings.of(table, domain=("low", "mid", "high"))
    need_order: list[Callable[[Ratings], Estimate]] = [
        lambda ratings: krippendorff_alpha(ratings, MeasurementLevel.ORDINAL),
        lambda ratings: cohen_kappa(ratings, Weights.LINEAR),
    ]
    for needs_order in need_order:
        assert needs_order(ordered).value is not None
        for ratings in (unordered, unordered.pair(1, 0)):
            with pytest.raises(BadInput, match=r"The order of \['high', 'low', 'mid'\] is not known"):
                needs_order(ratings)
    for needs_none in (lambda ratings: krippendorff_alpha(ratings, MeasurementLevel.NOMINAL), cohen_kappa):
        assert needs_none(unordered).value == pytest.approx(needs_none(ordered).value)

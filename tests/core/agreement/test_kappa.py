"""Cohen's kappa beside scikit-learn's, by hand, and undefined where one of the raters said nothing but one thing."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from core.agreement.kappa import Weights, cohen_kappa, pairwise_kappas, table_ratings
from core.agreement.ratings import Ratings
from core.errors import BadInput
from core.scoring.interval import Resampling
from tests.core.agreement.tables import DEGENERATE, ENOUGH, Table, tables

SKLEARN = {Weights.NONE: None, Weights.LINEAR: "linear", Weights.QUADRATIC: "quadratic"}
SCALE = (0, 1, 2, 3, 4)
LABELS = st.sampled_from(SCALE)
PAIRS = st.lists(st.tuples(LABELS, LABELS), min_size=3, max_size=20)


@pytest.mark.parametrize("weights", Weights)
def test_random_tables_equal_scikit_learn_or_say_why_not(weights: Weights) -> None:
    compared = undefined = 0
    for table in tables():
        for first, second in combinations(range(len(table[0]) if table else 0), 2):
            both = [(row[first], row[second]) for row in table if row[first] is not None and row[second] is not None]
            found = cohen_kappa(Ratings.of(table, SCALE).pair(first, second), weights)
            ours, theirs = zip(*both, strict=True) if both else ((), ())
            if len(both) < 3 or len(set(ours)) == 1 or len(set(theirs)) == 1:
                assert (found.value, bool(found.reason)) == (None, True)
                undefined += 1
                continue
            # A label of the scale that nobody used changes no step here: scikit-learn is given the whole scale too.
            expected = cohen_kappa_score(ours, theirs, labels=SCALE, weights=SKLEARN[weights])
            assert found.value == pytest.approx(expected, abs=1e-9)
            assert found.n == len(both)
            compared += 1
    assert compared >= ENOUGH and undefined >= ENOUGH // 2


def test_a_known_table() -> None:
    # Cohen 1960, table 1, of 200: observed agreement .70 (88 + 40 + 12), by chance .41, so kappa .49153.
    found = cohen_kappa(table_ratings([[88, 10, 2], [14, 40, 6], [18, 10, 12]], ("schizophrenia", "neurosis", "other")))
    assert found.value == pytest.approx((0.70 - 0.41) / (1 - 0.41))
    assert found.n == 200


def test_weights_count_steps_of_the_scale() -> None:
    # Cells (0,0) 1, (0,2) 1, (2,2) 2. Rows 2, 0, 2; columns 1, 0, 3. By chance (in 1/4): (0,2) 6, (2,0) 2.
    table: Table = [[0, 0], [0, 2], [2, 2], [2, 2]]
    given = Ratings.of(table, domain=(0, 1, 2))
    # Linear: observed 2, expected (6·2 + 2·2)/4 = 4. Quadratic: observed 4, expected (6·4 + 2·4)/4 = 8. Both 1/2.
    assert cohen_kappa(given, Weights.LINEAR).value == pytest.approx(1 / 2)
    assert cohen_kappa(given, Weights.QUADRATIC).value == pytest.approx(1 / 2)
    near: Table = [[0, 0], [0, 1], [2, 2], [2, 2]]
    # Rows 2, 0, 2; columns 1, 1, 2. Plain: observed 1, expected (2·3 + 2·2)/4 = 5/2: kappa 3/5.
    # Linear: observed 1, expected (2·1 + 2·2·2 + 2·2 + 2·1)/4 = 4: kappa 3/4.
    assert cohen_kappa(Ratings.of(near, (0, 1, 2))).value == pytest.approx(3 / 5)
    assert cohen_kappa(Ratings.of(near, (0, 1, 2)), Weights.LINEAR).value == pytest.approx(3 / 4)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (DEGENERATE["all equal"], None),
        (DEGENERATE["second column empty"], "there is only one rater"),
        (DEGENERATE["empty"], "there are no ratings"),
        (DEGENERATE["all missing"], "there are no ratings"),
        (DEGENERATE["two items"], "only 2 units were rated by two raters, and 3 are needed"),
        ([[1, 2], [2, 2], [1, 2]], "the second rater gave every unit 2, so κ has no variance to work on"),
        ([[1, 2], [1, 2], [1, 2]], "the first rater gave every unit 1, so κ has no variance to work on"),
    ],
)
def test_nothing_to_agree_on_is_undefined_not_zero(table: Table, reason: str | None) -> None:
    ratings = Ratings.of(table)
    if reason is None:
        ratings, reason = ratings.pair(0, 1), "the first rater gave every unit 1, so κ has no variance to work on"
    found = cohen_kappa(ratings)
    assert (found.value, found.reason) == (None, reason)


def test_three_raters_have_a_kappa_each_two_with_its_own_units() -> None:
    table: Table = [[1, 1, None], [2, 2, None], [1, 2, 1], [2, 2, 2], [1, None, 2], [2, None, 2]]
    found = pairwise_kappas(Ratings.of(table))
    assert [(pair.first, pair.second, pair.kappa.n) for pair in found] == [(0, 1, 4), (0, 2, 4), (1, 2, 2)]
    assert found[0].kappa.value == pytest.approx(1 / 2)
    assert found[2].kappa.value is None
    with pytest.raises(BadInput, match="needs two raters, not 3"):
        cohen_kappa(Ratings.of(table))


def test_an_interval_is_asked_for_with_a_seed() -> None:
    ratings = table_ratings([[20, 3], [4, 15]], ("+", "-"))
    found = cohen_kappa(ratings, how=Resampling(3))
    assert found.low is not None and found.high is not None and found.value is not None
    assert found.low < found.value < found.high
    # Half the draws of five units leave one rater constant: no interval can be given.
    few = cohen_kappa(Ratings.of([[1, 1], [1, 2], [1, 1], [2, 2], [1, 1]]), how=Resampling(3))
    assert few.low is None
    assert few.reason.startswith("no interval:")


@given(PAIRS, st.sampled_from(Weights), st.permutations(SCALE))
def test_laws_of_kappa(pairs: list[tuple[int, int]], weights: Weights, other: list[int]) -> None:
    found = cohen_kappa(Ratings.of(pairs, SCALE), weights)
    swapped = cohen_kappa(Ratings.of([pair[::-1] for pair in pairs], SCALE), weights)
    assert swapped.value == pytest.approx(found.value)
    assert cohen_kappa(Ratings.of(sorted(pairs), SCALE), weights) == found
    reversed_scale = cohen_kappa(Ratings.of(pairs, SCALE[::-1]), weights)
    assert reversed_scale.value == pytest.approx(found.value)
    if found.value is None:
        return
    assert found.value <= 1
    assert (found.value == 1) == all(first == second for first, second in pairs)
    renamed = [(other[first], other[second]) for first, second in pairs]
    assert cohen_kappa(Ratings.of(renamed, SCALE)).value == pytest.approx(cohen_kappa(Ratings.of(pairs, SCALE)).value)

"""The critics' filter on every boundary, beside a slow reading in fractions, and where floats would flip it."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.triplets.criteria import RUBRIC, Criterion
from core.triplets.rubric import Boundary, FilterRule, Floor, decide, expert_decision, on_boundary

NAMES = ("first", "second", "third")
SCORES = st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=3, max_size=3)
Table = list[list[int]]
"""Critics x criteria."""


def critics(table: Table) -> dict[str, dict[str, int | None]]:
    return {NAMES[n] if n < 3 else f"critic {n}": dict(zip(Criterion, row, strict=True)) for n, row in enumerate(table)}


def columns(*sums: int) -> Table:
    """Three critics' scores whose criteria add up to `sums`, spread as evenly as they go."""
    return [[(total + critic) // 3 for total in sums] for critic in range(3)]


def slowly(table: Table, boundary: Boundary, floor: Floor) -> bool:
    """Straight from the paper, in fractions."""
    means = [Fraction(sum(column), len(table)) for column in zip(*table, strict=True)]
    if floor is Floor.ANY_CRITIC:
        enough = all(score >= 2 for row in table for score in row)
    else:
        enough = all(mean >= 2 for mean in means)
    total = sum(means, Fraction(0))
    return enough and (total > 15 if boundary is Boundary.GT else total >= 15)


@pytest.mark.parametrize(
    ("sums", "kept_ge", "kept_gt"),
    [
        ((8, 8, 8, 8, 6, 6), False, False),  # 44
        ((9, 8, 8, 8, 6, 6), True, False),  # 45: exactly 15
        ((9, 9, 8, 8, 6, 6), True, True),  # 46
        ((9, 9, 9, 9, 9, 5), False, False),  # 50, one criterion at 5/3
        ((9, 9, 9, 9, 9, 6), True, True),  # 51, that criterion exactly at 2
        ((9, 9, 9, 7, 6, 5), False, False),  # 45 and 5
        ((9, 9, 9, 9, 5, 4), False, False),  # 45, two criteria below
        ((6, 6, 6, 6, 6, 6), False, False),  # 36
        ((9, 9, 9, 9, 9, 9), True, True),  # 54
    ],
)
def test_the_boundaries_of_total_and_criterion(sums: tuple[int, ...], kept_ge: bool, kept_gt: bool) -> None:
    assert [sum(column) for column in zip(*columns(*sums), strict=True)] == list(sums)
    ge = decide(critics(columns(*sums)))
    gt = decide(critics(columns(*sums)), FilterRule(Boundary.GT))
    assert (ge.retained, gt.retained) == (kept_ge, kept_gt)
    assert ge.total == Fraction(sum(sums), 3)
    assert ge.is_on_boundary is (sum(sums) == 45)
    below = [criterion for criterion, total in zip(Criterion, sums, strict=True) if total < 6]
    assert list(ge.failing) == below
    for criterion in below:
        assert f"{criterion.words} has a mean of " in ge.reason
    assert ge.reason.startswith("accepted" if kept_ge else "rejected")


def test_floats_would_flip_verdicts_that_whole_numbers_do_not() -> None:
    # Every way in which six criteria of 6 to 9 points add up to 45 is on the boundary; summed as floats some are not.
    on_it = [sums for sums in product(range(6, 10), repeat=6) if sum(sums) == 45]
    trapped = {sums for sums in on_it if sum(total / 3 for total in sums) != 15}
    assert trapped
    for sums in on_it:
        found = decide(critics(columns(*sums)))
        assert (found.retained, found.total, found.is_on_boundary) == (True, Fraction(15), True)
        assert decide(critics(columns(*sums)), FilterRule(Boundary.GT)).retained is False


@pytest.mark.parametrize("boundary", Boundary)
@pytest.mark.parametrize("floor", Floor)
def test_random_scores_are_decided_as_slowly_in_fractions(boundary: Boundary, floor: Floor) -> None:
    chance = random.Random(f"{boundary}{floor}")
    kept = 0
    for case in range(300):
        low = 2 if floor is Floor.ANY_CRITIC or case % 2 else 1
        table = [[chance.choice([low, 2, 3, 3, 3]) for _ in range(6)] for _ in range(chance.choice([3, 3, 4, 5]))]
        found = decide(critics(table), FilterRule(boundary, floor))
        assert found.retained is slowly(table, boundary, floor), table
        kept += bool(found.retained)
    assert 30 < kept < 270  # both verdicts are met


def test_any_critic_drops_what_the_mean_keeps() -> None:
    table = [[3] * 6, [3] * 6, [3, 3, 1, 3, 3, 3]]
    assert decide(critics(table)).retained is True
    strict = decide(critics(table), FilterRule(floor=Floor.ANY_CRITIC))
    assert (strict.retained, strict.failing) == (False, (Criterion.SIGN,))
    assert strict.reason == "rejected: sign has 1 of 3 scores below 2"


def test_a_missing_score_leaves_it_undecided_and_unaveraged() -> None:
    given: dict[str, dict[str, int | None]] = critics([[3] * 6] * 3)
    given["second"]["causality"] = None
    del given["third"]["sign"]
    found = decide(given)
    assert (found.retained, found.total, found.is_on_boundary) == (None, None, False)
    assert [(gap.critic, gap.criterion) for gap in found.missing] == [
        ("second", Criterion.CAUSALITY),
        ("third", Criterion.SIGN),
    ]
    assert found.means[Criterion.CAUSALITY] is found.means[Criterion.SIGN] is None
    assert found.means[Criterion.DIRECTION] == 3
    assert found.reason == "incomplete: second did not score causality; third did not score sign"


@pytest.mark.parametrize("absent", [1, 2, 3])
def test_fewer_critics_than_configured_decide_nothing(absent: int) -> None:
    found = decide(critics([[3] * 6] * (3 - absent)))
    assert (found.retained, found.total, len(found.missing)) == (None, None, absent)
    assert set(found.means.values()) == {None}
    assert f"{absent} of 3 critics" in found.reason


def test_a_critic_who_answered_nothing_is_missing_everything() -> None:
    found = decide({**critics([[3] * 6] * 2), "third": None})
    assert (found.retained, len(found.missing)) == (None, 6)
    assert found.reason == "incomplete: third did not score any criterion"


def test_an_expert_decides_by_the_same_rule_alone() -> None:
    # Five times 3 and once 2 are 17; three times 3 and three times 2 are exactly 15.
    assert expert_decision(dict.fromkeys(Criterion, 3)).retained is True
    edge: dict[str, int | None] = dict(zip(Criterion, [3, 3, 3, 2, 2, 2], strict=True))
    assert (expert_decision(edge).retained, expert_decision(edge, Boundary.GT).retained) == (True, False)
    assert expert_decision({**dict.fromkeys(Criterion, 3), Criterion.SIGN: 1}).failing == (Criterion.SIGN,)
    assert expert_decision({Criterion.SIGN: 3}).retained is None


def test_triplets_on_the_boundary_are_counted() -> None:
    cases = [columns(9, 8, 8, 8, 6, 6), columns(9, 9, 9, 9, 5, 4), columns(9, 9, 8, 8, 6, 6)]
    assert on_boundary(decide(critics(table)) for table in cases) == 2


@pytest.mark.parametrize("score", [4, -1, 2.0, True, "3"])
def test_a_score_outside_the_rubric_is_refused_with_its_place(score: object) -> None:
    given = critics([[3] * 6] * 3)
    given["second"]["sign"] = score  # type: ignore[assignment]  # no whole number, or out of range
    with pytest.raises(BadInput, match=f"second, sign: found {score!r};"):
        decide(given)


def test_an_unknown_criterion_is_refused() -> None:
    with pytest.raises(BadInput, match=r" x: “Sign” .* variable_extraction"):
        decide({"x": {"Sign": 3}})


def test_a_total_just_below_fifteen_never_reads_fifteen() -> None:
    # 44/3 = 14.666…, and 449 of 450 points of thirty critics = 14.966…
    assert "total 14.67 " in decide(critics(columns(8, 8, 8, 8, 6, 6))).reason
    thirty = [[3, 3, 3, 2, 2, 2] for _ in range(29)] + [[3, 3, 2, 2, 2, 2]]
    assert "total 14.97 " in decide(critics(thirty)).reason


@given(SCORES, st.permutations(range(3)), st.integers(0, 2), st.integers(0, 5))
def test_order_does_not_matter_and_a_better_score_never_drops(
    table: Table, order: list[int], row: int, column: int
) -> None:
    found = decide(critics(table))
    assert decide(critics([table[n] for n in order])).retained is found.retained
    better = [list(each) for each in table]
    better[row][column] = min(3, better[row][column] + 1)
    assert not (found.retained and decide(critics(better)).retained is False)


def test_every_criterion_has_a_question_and_a_sentence_for_every_score() -> None:
    assert list(RUBRIC) == list(Criterion)
    assert list(Criterion) == [
        "variable_extraction",
        "direction",
        "sign",
        "causality",
        "main_claim",
        "context_appropriateness",
    ]
    sentences = [sentence for wording in RUBRIC.values() for sentence in wording.scores]
    assert len(set(sentences)) == 24

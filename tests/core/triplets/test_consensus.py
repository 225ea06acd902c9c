"""Consensus of several extractions beside a slow one in whole numbers, at thresholds that vectors meet exactly."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import chain
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.triplets.consensus import (
    ECONCAUSAL,
    LEE,
    ConsensusRule,
    Extracted,
    Method,
    RunMember,
    TripletGroup,
    consensus,
)
from core.triplets.similarity import at_least, components, cosines
from tests.everything import EVERYTHING

Vector = list[int]
Run = list[Extracted]
Node = TypeVar("Node")
X, Y = [1.0, 0.0], [0.0, 1.0]


def triplet(sign: str, treatment: list[float] = X, outcome: list[float] = X) -> Extracted:
    return Extracted("t", "o", sign, treatment, outcome)


# --- a slow implementation in whole numbers --------------------------------------------------------------------


def are_same(a: Vector, b: Vector, threshold: Fraction) -> bool:
    dot, squares = sum(x * y for x, y in zip(a, b, strict=True)), sum(x * x for x in a) * sum(x * x for x in b)
    return dot >= 0 and Fraction(dot * dot, squares) >= threshold**2


def cosine(a: Vector, b: Vector) -> Decimal:
    with localcontext() as context:
        context.prec = 50
        squares = sum(x * x for x in a) * sum(x * x for x in b)
        return Decimal(sum(x * y for x, y in zip(a, b, strict=True))) / Decimal(squares).sqrt()


def chained(nodes: list[Node], same: Callable[[Node, Node], bool]) -> list[list[Node]]:
    groups: list[list[Node]] = []
    for node in nodes:
        linked = [group for group in groups if any(same(node, other) for other in group)]
        groups = [group for group in groups if group not in linked]
        groups.append([*chain.from_iterable(linked), node])
    return groups


def winner(counts: Counter[str]) -> str | None:
    most = max(counts.values(), default=0)
    best = [label for label, count in counts.items() if count == most]
    return best[0] if len(best) == 1 else None


def slowly(
    runs: list[list[tuple[Vector, Vector, str]]], rule: ConsensusRule
) -> dict[tuple[int, ...], tuple[int, dict[str, int], str | None]]:
    """First member and the rest → runs, votes, sign; for groups that are kept."""
    least = Fraction(str(rule.similarity))
    flat = [(r, s) for r, run in enumerate(runs) for _treatment, _outcome, s in run]
    vectors = [(treatment, outcome) for run in runs for treatment, outcome, _sign in run]
    numbers = list(range(len(flat)))
    if rule.method is Method.LEE:
        phrases = [(n, side) for side in (0, 1) for n in numbers]
        phrase_groups = chained(phrases, lambda a, b: are_same(vectors[a[0]][a[1]], vectors[b[0]][b[1]], least))
        entity = {phrase: number for number, group in enumerate(phrase_groups) for phrase in group}
        keys = {n: (entity[n, 0], entity[n, 1], flat[n][1]) for n in numbers}
        groups = [[n for n in numbers if keys[n] == key] for key in dict.fromkeys(keys.values())]
    else:
        groups = chained(numbers, lambda a, b: all(are_same(vectors[a][f], vectors[b][f], least) for f in (0, 1)))
    found = {}
    for group in map(sorted, groups):
        per_run = {flat[n][0]: Counter(flat[m][1] for m in group if flat[m][0] == flat[n][0]) for n in group}
        if len(per_run) < rule.threshold:
            continue
        votes = Counter(label for counts in per_run.values() if (label := winner(counts)))
        mean = {
            n: sum((cosine(vectors[n][f], vectors[m][f]) for m in group if m != n for f in (0, 1)), Decimal(0))
            for n in group
        }
        best = next(n for n in group if mean[n] > max(mean.values()) - Decimal("1e-20"))
        members = (best, *(n for n in group if n != best))
        found[members] = (len(per_run), dict(votes), winner(votes))
    return found


def numbered(found: TripletGroup, runs: list[Run]) -> tuple[int, ...]:
    before = [sum(map(len, runs[:r])) for r in range(len(runs))]
    return tuple(before[member.run - 1] + member.item - 1 for member in found.members)


@pytest.mark.parametrize(
    ("rule", "labels"),
    [
        (ECONCAUSAL, ("+", "+", "-", "None", "mixed")),
        (ConsensusRule(Method.ECONCAUSAL, 5, 3, 0.8), ("+", "-")),
        (ConsensusRule(Method.ECONCAUSAL, 3, 1, 0.6), ("+", "-", "None")),
        (LEE, ("increase", "increase", "decrease")),
        (ConsensusRule(Method.LEE, 5, 2, 0.8), ("increase", "decrease", "none")),
    ],
    ids=lambda value: (
        f"{value.method}-{value.threshold}-{value.similarity}" if isinstance(value, ConsensusRule) else ""
    ),
)
def test_random_runs_agree_as_slowly_in_whole_numbers(rule: ConsensusRule, labels: tuple[str, ...]) -> None:
    chance = random.Random(f"{rule}")
    kept = ties = on_edge = 0
    least = Fraction(str(rule.similarity))
    # Sides of right triangles, so that 0.6 and 0.8 are met exactly; a second drawing has three dimensions.
    plane = [[4, 3], [3, 4], [1, 0], [0, 1], [-1, 0], [24, 7], [7, 24], [5, 1]]
    for case in range(120 if EVERYTHING else 20):
        draw = [[chance.randint(-3, 3) for _ in range(3)] for _ in range(6)]
        pool = plane if case % 2 else [vector for vector in draw if any(vector)]
        runs = [
            [(chance.choice(pool), chance.choice(pool), chance.choice(labels)) for _ in range(chance.randint(0, 5))]
            for _ in range(rule.runs)
        ]
        given_runs = [[triplet(s, list(map(float, t)), list(map(float, o))) for t, o, s in run] for run in runs]
        found = consensus(given_runs, rule)
        expected = slowly(runs, rule)
        ours = {numbered(each, given_runs): (each.runs, each.votes, each.sign) for each in found.kept}
        assert ours == expected, runs
        every = [numbered(each, given_runs) for each in (*found.kept, *found.dropped)]
        assert sorted(sum(every, ())) == list(range(sum(map(len, runs))))
        assert all(each.is_tie is (each.sign is None) for each in found.kept)
        kept, ties = kept + len(found.kept), ties + sum(each.is_tie for each in found.kept)
        vectors = [vector for run in runs for t, o, _ in run for vector in (t, o)]
        on_edge += any(
            sum(map(lambda x, y: x * y, a, b)) ** 2 == least**2 * sum(x * x for x in a) * sum(x * x for x in b)
            for a in vectors
            for b in vectors
        )
    assert kept > 2
    assert ties > 0 or rule.method is Method.LEE
    assert on_edge > 2 or rule.similarity == 0.9


# --- the papers' rules, one by one -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("second", "kept"),
    [([4.0, 3.0], 1), ([0.8, 0.6], 1), ([0.08, 0.06], 1), ([8e150, 6e150], 1), ([4.0, 3.000001], 0), ([0.6, 0.8], 0)],
)
def test_a_cosine_exactly_at_the_threshold_is_the_same(second: list[float], kept: int) -> None:
    runs = [[triplet("+", X)], [triplet("+", second)], []]
    assert len(consensus(runs).kept) == kept


def test_decimals_that_floats_miss_are_compared_as_written() -> None:
    # (0.9, 0.1, 0.3, 0.3) has length 1 and so a cosine of 9/10, at any scale. As floats some of these fall short.
    short = 0
    for scale in range(1, 200):
        vector = [round(part * scale / 10, 10) for part in (9, 1, 3, 3)]
        pair = np.array([[1.0, 0.0, 0.0, 0.0], vector])
        found = cosines(pair)
        short += bool(found[0, 1] < 0.9)
        assert at_least(pair, found, 0.9)[0, 1]
        vector[1] += 1e-9 * scale
        pair = np.array([[1.0, 0.0, 0.0, 0.0], vector])
        assert not at_least(pair, cosines(pair), 0.9)[0, 1]
    assert short


def test_both_variables_must_be_alike() -> None:
    near, far = [4.0, 3.0], [3.0, 4.0]
    assert not consensus([[triplet("+", near, X)], [triplet("+", X, far)], []]).kept
    assert consensus([[triplet("+", near, X)], [triplet("+", X, near)], []]).kept


def test_a_chain_is_one_group_though_its_ends_differ() -> None:
    # 1.0 – 0.8 – 0.28: the first and the last are not alike, both are like the second.
    runs = [[triplet("+", [1, 0])], [triplet("-", [4, 3])], [triplet("+", [7, 24])]]
    (found,) = consensus(runs).kept
    assert found.members == (RunMember(2, 1), RunMember(1, 1), RunMember(3, 1))  # the one in the middle is shown
    assert (found.runs, found.votes, found.sign, found.is_tie) == (3, {"+": 2, "-": 1}, "+", False)


def test_a_run_has_one_vote_however_often_it_repeats_itself() -> None:
    minus = [triplet("-")] * 5
    found = consensus([minus, [triplet("+")], [triplet("+")]]).kept[0]
    assert (found.sign, found.votes) == ("+", {"+": 2, "-": 1})
    assert not consensus([minus, [], []]).kept  # one run, five times
    assert consensus([minus, [], []]).dropped[0].runs == 1


def test_a_run_split_evenly_gives_no_vote_and_a_tie_is_kept() -> None:
    both = [triplet("+"), triplet("-")]
    assert consensus([both, [triplet("-")], []]).kept[0].sign == "-"
    tie = consensus([[triplet("+")], [triplet("-")], [triplet("None")]]).kept[0]
    assert (tie.sign, tie.is_tie, tie.runs) == (None, True, 3)
    nobody = consensus([both, both, []]).kept[0]
    assert (nobody.sign, nobody.is_tie, nobody.votes) == (None, True, {})


def test_the_sign_none_wins_as_any_other() -> None:
    found = consensus([[triplet("None")], [triplet("None")], [triplet("+")]]).kept[0]
    assert (found.sign, found.is_tie) == ("None", False)


def test_lee_counts_runs_per_direction() -> None:
    up, down = triplet("increase"), triplet("decrease")
    found = consensus([[up], [up, down], [up], [up], [down]], LEE)
    assert [(each.sign, each.runs) for each in found.kept] == [("increase", 4)]
    assert [(each.sign, each.runs) for each in found.dropped] == [("decrease", 2)]
    both = consensus([[up, down]] * 5, LEE)
    assert [each.sign for each in both.kept] == ["increase", "decrease"]


def test_lee_takes_a_cause_and_an_effect_for_one_entity() -> None:
    # The two causes are 0.8 apart; an effect elsewhere stands between them and makes them one.
    rule = ConsensusRule(Method.LEE, 2, 2, 0.9)
    first, second, between = [1.0, 0.0], [4.0, 3.0], [3.0, 1.0]
    effect = [0.0, -1.0]
    assert not consensus([[triplet("none", first, effect)], [triplet("none", second, effect)]], rule).kept
    runs = [[triplet("none", first, effect), triplet("none", effect, between)], [triplet("none", second, effect)]]
    (found,) = consensus(runs, rule).kept
    assert found.members == (RunMember(1, 1), RunMember(2, 1))


def test_runs_without_triplets_have_nothing_in_common() -> None:
    assert consensus([[], [], []]).kept == consensus([[], [], []]).dropped == ()


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (triplet("+", [0.0, 0.0]), "Run 2, triplet 1, treatment_vector: all its numbers are 0"),
        (triplet("+", X, [1.0]), "Run 2, triplet 1, outcome_vector: it has 1 numbers, the first vector has 2"),
        (triplet("+", X, []), "Run 2, triplet 1, outcome_vector: it is empty"),
        (
            triplet("+", [1.0, float("nan")]),
            "Run 2, triplet 1, treatment_vector: it contains a number that is not finite",
        ),
        (triplet(" "), "Run 2, triplet 1: sign is empty"),
    ],
)
def test_faulty_triplets_are_refused_with_their_place(second: Extracted, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        consensus([[triplet("+")], [second], []])


def test_a_run_that_is_missing_is_refused() -> None:
    with pytest.raises(BadInput, match=r"2 runs, .* needs 3"):
        consensus([[triplet("+")], [triplet("+")]])


@pytest.mark.parametrize("rule", [(3, 4, 0.8), (3, 0, 0.8), (3, 2, 1.1), (3, 2, -0.1)])
def test_rules_that_make_no_sense_are_refused(rule: tuple[int, int, float]) -> None:
    with pytest.raises(BadInput):
        ConsensusRule(Method.ECONCAUSAL, *rule)


@given(st.data(), st.sampled_from([ECONCAUSAL, LEE]))
def test_neither_the_order_of_runs_nor_the_length_of_vectors_matters(data: st.DataObject, rule: ConsensusRule) -> None:
    vectors = st.sampled_from([[4.0, 3.0], [3.0, 4.0], [1.0, 0.0], [0.0, 1.0], [24.0, 7.0]])
    run = st.lists(st.builds(triplet, st.sampled_from(["+", "-"]), vectors, vectors), max_size=3)
    runs = data.draw(st.lists(run, min_size=rule.runs, max_size=rule.runs))
    order = data.draw(st.permutations(range(rule.runs)))
    factor = data.draw(st.sampled_from([0.25, 3.0, 1000.0]))

    def outcome(runs: list[Run]) -> list[tuple[int, list[tuple[str, int]], str]]:
        return sorted((each.runs, sorted(each.votes.items()), str(each.sign)) for each in consensus(runs, rule).kept)

    changed = [
        [
            Extracted("t", "o", each.sign, [n * factor for n in each.treatment_vector], each.outcome_vector)
            for each in runs[n]
        ]
        for n in order
    ]
    assert outcome(changed) == outcome(runs)


def test_components_of_a_matrix() -> None:
    same = np.eye(5, dtype=bool)
    same[0, 3] = same[3, 0] = same[3, 4] = same[4, 3] = True
    assert components(same) == [[0, 3, 4], [1], [2]]
    assert components(np.zeros((0, 0), dtype=bool)) == []

"""Questions of five types: pairs beside closed forms and a slow builder, negatives, seeds, and real relations."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadInput
from core.questions.pairs import Scope, pair_counts, pairs_of_type
from core.questions.questions import FALSE, TRUE, QuestionRule, Statement, questions_of
from core.questions.relation import DIRECTIONS, Fact, Relation, facts_of, period_of


def relation(treatment: str, direction: str, outcome: str, paper: str = "p", **more: Any) -> Relation:
    return Relation(
        treatment=treatment,
        direction=direction,
        outcome=outcome,
        paper=paper,
        treatment_entity=treatment,
        outcome_entity=outcome,
        **more,
    )


UP, DOWN, NONE = DIRECTIONS
SMALL = [
    relation("tax", DOWN, "smoking", "p1"),
    relation("tax", UP, "revenue", "p1"),
    relation("tax", DOWN, "smoking", "p2"),
    relation("ban", DOWN, "smoking", "p2"),
    relation("rain", UP, "harvest", "p2"),
]
relations = st.lists(
    st.builds(
        relation,
        st.sampled_from("abcd"),
        st.sampled_from(DIRECTIONS),
        st.sampled_from("cdef"),
        st.sampled_from(["p1", "p2", "p3"]),
    ),
    max_size=25,
    unique=True,
)


# --- pairs ------------------------------------------------------------------------------------------------------


def test_pairs_of_a_small_corpus_are_those_counted_by_hand() -> None:
    # Type 2: tax–smoking (twice) with tax–revenue, both ways: 4. Type 3: tax (twice) with ban on smoking: 4.
    # Type 4, p2: rain–harvest with tax–smoking and with ban–smoking, both ways: 4; p1: one treatment, so none.
    assert pair_counts(SMALL, Scope.ANYWHERE) == {2: 4, 3: 4, 4: 4}
    assert pair_counts(SMALL, Scope.ACROSS_PAPERS) == {2: 2, 3: 2, 4: 4}


@given(relations, st.sampled_from(Scope))
def test_closed_forms_count_the_pairs_and_no_pair_is_of_two_types(found: list[Relation], scope: Scope) -> None:
    listed = {kind: list(pairs_of_type(kind, found, scope)) for kind in (2, 3, 4)}
    assert {kind: len(pairs) for kind, pairs in listed.items()} == pair_counts(found, scope)
    assert max(Counter(pair for pairs in listed.values() for pair in pairs).values(), default=1) == 1


@given(relations, st.sampled_from(Scope))
def test_pairs_are_those_of_a_slow_walk_over_all(found: list[Relation], scope: Scope) -> None:
    slow: dict[int, list[tuple[Relation, Relation]]] = {2: [], 3: [], 4: []}
    for one, other in permutations(found, 2):
        apart = one.paper != other.paper
        same_x, same_y = one.treatment == other.treatment, one.outcome == other.outcome
        if same_x and not same_y and (apart or scope is Scope.ANYWHERE):
            slow[2].append((one, other))
        if same_y and not same_x and (apart or scope is Scope.ANYWHERE):
            slow[3].append((one, other))
        if not apart and not same_x and not same_y:
            slow[4].append((one, other))
    for kind, pairs in slow.items():
        assert Counter(pairs_of_type(kind, found, scope)) == Counter(pairs)


def planted() -> list[Relation]:
    """240 relations in groups that can be counted by hand; papers are numbered as they come, one each unless said."""
    found: list[Relation] = []

    def add(treatment: str, direction: str, outcome: str, paper: str = "") -> None:
        found.append(relation(treatment, direction, outcome, paper or f"own {len(found)}"))

    for n in range(10):
        for m in range(4):  # 40 each
            add(f"across x{n}", DIRECTIONS[m % 3], f"across x{n} y{m}")
            add(f"within x{n}", DIRECTIONS[m % 3], f"within x{n} y{m}", f"within {n}")
            add(f"shared y{n} x{m}", DIRECTIONS[m % 3], f"shared y{n}")
            add(f"apart x{n} {m}", DIRECTIONS[m % 3], f"apart y{n} {m}", f"apart {n}")
        for direction in (UP, DOWN):  # 30: a pair with two directions, and one with one
            add(f"contradicted x{n}", direction, f"contradicted y{n}")
        add(f"contradicted x{n}", UP, f"other y{n}")
        for direction in DIRECTIONS:  # 40: a pair with all three, and one with one
            add(f"all x{n}", direction, f"all y{n}")
        add(f"all x{n}", UP, f"all other y{n}")
        add(f"repeated x{n // 2}", UP, f"repeated y{n // 2}")  # 10: five facts of two papers each
    return found


def test_240_planted_relations_give_the_pairs_and_questions_counted_by_hand() -> None:
    found = planted()
    assert len(found) == len(set(found)) == 240
    # Each of ten: 4 × 3 with one X, and the same with one Y, and in one paper; 3² − (2² + 1²); 4² − (3² + 1²).
    assert pair_counts(found, Scope.ANYWHERE) == {2: 120 + 120 + 40 + 60, 3: 120, 4: 120}
    assert pair_counts(found, Scope.ACROSS_PAPERS) == {2: 120 + 40 + 60, 3: 120, 4: 120}
    for scope in Scope:
        assert {kind: sum(1 for _ in pairs_of_type(kind, found, scope)) for kind in (2, 3, 4)} == pair_counts(
            found, scope
        )
    claimed = {(each.treatment, each.direction, each.outcome) for each in found}
    for share, scope in ((Fraction(0), Scope.ANYWHERE), (Fraction(1, 2), Scope.ACROSS_PAPERS)):
        made = questions_of(found, QuestionRule(share_true=share, scope=scope))
        assert not any(each.answer == FALSE and each.asked.cells in claimed for each in made.questions)
        assert made.counts[1] == {TRUE: 235}  # five of the repeated are one with another
        assert sum(made.counts[5].values()) == 235 - 20 - 30
        assert len(made.contradicted) == 20
    # Of each pair with all three directions, none of the three can be made false.
    made = questions_of(found, QuestionRule(share_true=Fraction(0)))
    assert made.without_false == 30
    assert sum(each.answer == TRUE for each in made.questions if each.type in (2, 3, 4)) == 30


# --- questions --------------------------------------------------------------------------------------------------


def test_types_1_and_5_ask_once_for_a_fact_of_several_papers() -> None:
    found = questions_of(SMALL, QuestionRule())
    once = [each for each in found.questions if each.type in (1, 5) and each.asked.treatment == "tax"]
    assert {(each.type, each.asked.outcome, each.answer, each.papers) for each in once} == {
        (1, "revenue", TRUE, ("p1",)),
        (1, "smoking", TRUE, ("p1", "p2")),
        (5, "revenue", UP, ("p1",)),
        (5, "smoking", DOWN, ("p1", "p2")),
    }
    assert found.counts[1] == {TRUE: 4}
    assert found.counts[5] == {UP: 2, DOWN: 2, NONE: 0}


def test_pairs_that_ask_the_same_are_one_question_with_all_their_papers() -> None:
    found = questions_of(SMALL, QuestionRule(share_true=Fraction(1)))
    second = [each for each in found.questions if each.type == 2]
    assert {(each.given, each.asked) for each in second} == {
        (Statement("tax", DOWN, "smoking"), Statement("tax", UP, "revenue")),
        (Statement("tax", UP, "revenue"), Statement("tax", DOWN, "smoking")),
    }
    assert all(each.papers == ("p1", "p2") for each in second)
    assert found.pairs[2] == 4


def test_an_id_is_the_hash_of_type_given_and_asked() -> None:
    found = questions_of([relation("tax", UP, "revenue")], QuestionRule()).questions
    whole = json.dumps([1, None, ["tax", UP, "revenue"]], separators=(",", ":"))
    assert found[0].id == hashlib.sha256(whole.encode()).hexdigest()[:16]
    unasked = json.dumps([5, None, ["tax", None, "revenue"]], separators=(",", ":"))
    assert found[1].id == hashlib.sha256(unasked.encode()).hexdigest()[:16]


def test_a_false_statement_has_the_one_direction_that_nobody_claims() -> None:
    listed = [relation("tax", UP, "jobs"), relation("tax", DOWN, "jobs", "q"), relation("tax", UP, "rent")]
    found = questions_of(listed, QuestionRule(share_true=Fraction(0)))
    about_jobs = [each for each in found.questions if each.type == 2 and each.asked.outcome == "jobs"]
    # Both directions of jobs are turned into the third: one question, not two.
    assert [(each.asked.direction, each.answer, each.papers) for each in about_jobs] == [(NONE, FALSE, ("p", "q"))]
    assert found.contradicted == (("tax", "jobs"),)
    assert found.counts[5] == {UP: 1, DOWN: 0, NONE: 0}


def test_where_all_directions_are_claimed_the_statement_stays_true_and_is_counted() -> None:
    listed = [relation("tax", each, "jobs", each) for each in DIRECTIONS] + [relation("tax", UP, "rent")]
    found = questions_of(listed, QuestionRule(share_true=Fraction(0)))
    about_jobs = [each.answer for each in found.questions if each.type == 2 and each.asked.outcome == "jobs"]
    assert about_jobs == [TRUE] * 3
    assert found.without_false == 3
    assert questions_of(listed, QuestionRule(share_true=Fraction(1))).without_false == 0


@settings(max_examples=50)
@given(relations, st.integers(0, 5), st.sampled_from(Scope))
def test_true_statements_are_claimed_false_ones_are_not_and_ids_are_unique(
    found: list[Relation], seed: int, scope: Scope
) -> None:
    claimed = {(each.treatment, each.direction, each.outcome) for each in found}
    made = questions_of(found, QuestionRule(seed=seed, scope=scope))
    for each in made.questions:
        if each.type != 5:
            assert (each.asked.cells in claimed) == (each.answer == TRUE)
        if each.given is not None:
            assert each.given.cells in claimed
    assert len({each.id for each in made.questions}) == len(made.questions)


def _slow_facts(found: list[Relation], kind: int, scope: Scope) -> set[tuple[Fact, Fact]]:
    facts = set()
    for one, other in permutations(found, 2):
        if kind == 2:
            fits = one.treatment == other.treatment and one.outcome != other.outcome
        elif kind == 3:
            fits = one.treatment != other.treatment and one.outcome == other.outcome
        else:
            fits = one.paper == other.paper and one.treatment != other.treatment and one.outcome != other.outcome
        if fits and (kind == 4 or scope is Scope.ANYWHERE or one.paper != other.paper):
            facts.add((one.fact, other.fact))
    return facts


def test_questions_equal_those_of_an_independent_builder_on_100_corpora() -> None:
    for seed in range(100):
        lots = random.Random(seed)
        corpus = list(
            dict.fromkeys(
                relation(lots.choice("abcd"), lots.choice(DIRECTIONS), lots.choice("cdef"), lots.choice("pqr"))
                for _ in range(lots.randrange(1, 16))
            )
        )
        scope = lots.choice(list(Scope))
        made = questions_of(corpus, QuestionRule(seed=seed, scope=scope, share_true=Fraction(1)))
        for kind in (2, 3, 4):
            asked = {
                (each.given.cells, each.asked.cells) for each in made.questions if each.type == kind and each.given
            }
            slow = _slow_facts(corpus, kind, scope)
            assert asked == {
                ((one.treatment, one.direction, one.outcome), (other.treatment, other.direction, other.outcome))
                for one, other in slow
            }


def test_the_order_of_a_file_plays_no_part_and_a_seed_gives_the_same_again() -> None:
    rule = QuestionRule(seed=4)
    assert questions_of(SMALL, rule) == questions_of(reversed(SMALL), rule) == questions_of([*SMALL, *SMALL], rule)


def test_a_further_paper_changes_only_questions_that_name_its_entities() -> None:
    added = [relation("tax", NONE, "smoking", "a new paper"), relation("snow", UP, "sledges", "a new paper")]
    before, after = questions_of(SMALL, QuestionRule(seed=2)), questions_of([*SMALL, *added], QuestionRule(seed=2))
    changed = set(before.questions) ^ set(after.questions)
    assert changed
    assert all({"tax", "smoking", "snow", "sledges"} & set(each.entities) for each in changed)
    assert any(each.entities == ("harvest", "rain") for each in after.questions)


def test_a_bound_draws_a_sample_that_a_larger_bound_contains() -> None:
    few, more = (set(questions_of(SMALL, QuestionRule(most=most)).questions) for most in (1, 2))
    assert Counter(each.type for each in few) == dict.fromkeys((1, 2, 3, 4, 5), 1)
    assert few < more


def test_letters_and_period_are_of_what_is_asked_about() -> None:
    listed = [
        relation("tax", DOWN, "smoking", "p1", letters=("H", "I"), year=2004),
        relation("tax", UP, "revenue", "p2", letters=("H",), year=2021),
    ]
    found = {each.asked.outcome: each for each in questions_of(listed, QuestionRule()).questions if each.type == 2}
    assert (found["smoking"].letters, found["smoking"].period) == (("H", "I"), "2000–2004")
    assert (found["revenue"].letters, found["revenue"].period) == (("H",), "2020–2025")


@pytest.mark.parametrize("wrong", [{"share_true": Fraction(3, 2)}, {"most": 0}])
def test_a_rule_out_of_its_bounds_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        QuestionRule(**wrong)


def test_every_year_of_the_paper_has_a_period() -> None:
    assert Counter(period_of(year) for year in range(2000, 2026)) == {
        "2000–2004": 5,
        "2005–2009": 5,
        "2010–2014": 5,
        "2015–2019": 5,
        "2020–2025": 6,
    }


def test_facts_know_which_directions_nobody_claims() -> None:
    facts = facts_of(SMALL)
    fact = next(each for each in facts.relations if each.pair == ("tax", "smoking"))
    assert facts.other_directions(fact) == [UP, NONE]

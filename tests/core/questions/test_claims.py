"""Why a question is true or false: what its papers claim of what it asks about."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from core.questions.claims import RULES, Claims
from core.questions.questions import FALSE, TYPES, QuestionRule, Statement, questions_of
from core.questions.relation import Relation
from tests.core.questions.test_questions import DOWN, UP, relation

SMOKING = Statement("tax", DOWN, "smoking")


def taxes() -> list[Relation]:
    worded = replace(relation("taxes", DOWN, "smoking", "p2"), treatment_entity="tax")
    return [relation("tax", DOWN, "smoking", "p1"), relation("tax", UP, "revenue", "p1"), worded]


def test_a_false_statement_has_what_is_claimed_instead_in_the_words_of_each_paper() -> None:
    claims = Claims(taxes())
    made = questions_of(taxes(), QuestionRule(share_true=Fraction(0))).questions
    false = next(each for each in made if each.type == 2 and each.asked.outcome == "smoking")
    assert false.answer == FALSE
    assert false.asked.direction != DOWN
    assert claims.of(false) == {SMOKING: ("p1",), Statement("taxes", DOWN, "smoking"): ("p2",)}
    direction = next(each for each in made if each.type == 5 and each.asked.outcome == "revenue")
    assert claims.of(direction) == {Statement("tax", UP, "revenue"): ("p1",)}
    assert set(RULES) == set(TYPES)


def test_what_papers_outside_the_question_claim_is_not_its_reason() -> None:
    claims = Claims([*taxes(), relation("tax", UP, "smoking", "p9")])
    (asked,) = [each for each in questions_of(taxes(), QuestionRule()).questions if each.type == 5][:1]
    assert all("p9" not in papers for papers in claims.of(asked).values())

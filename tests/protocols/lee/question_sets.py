"""Invented relations and their questions, for tests of the protocol and of what is around it."""

from __future__ import annotations

import random
from typing import Any

from core.questions.plain import plain_question
from core.questions.questions import Question, QuestionRule, questions_of
from core.questions.relation import DIRECTIONS, Relation
from protocols.step_values import Inputs, Value

LETTERS = ("D", "G", "J", "Q")
JOURNALS = ("Econometrica", "Journal of Finance")


def relations(papers: int = 12, seed: int = 1) -> list[Relation]:
    """Three relations a paper, of few variables, so that each type has questions."""
    chance = random.Random(seed)
    found = []
    for paper in range(papers):
        for _ in range(3):
            treatment, outcome = f"cause {chance.randrange(8)}", f"effect {chance.randrange(8)}"
            found.append(
                Relation(
                    treatment=treatment,
                    direction=chance.choice(DIRECTIONS),
                    outcome=outcome,
                    paper=f"w{paper}",
                    treatment_entity=treatment,
                    outcome_entity=outcome,
                    letters=tuple(sorted(chance.sample(LETTERS, chance.randint(0, 2)))),
                    year=2000 + 2 * paper,
                    journal=chance.choice(JOURNALS),
                )
            )
    return found


def questions(papers: int = 12, seed: int = 1) -> tuple[Question, ...]:
    return questions_of(relations(papers, seed), QuestionRule(seed=seed)).questions


def inputs(of: tuple[Question, ...], name: str = "set") -> Inputs:
    value = {"number": 1, "title": "Question set 1", "questions": [plain_question(each) for each in of]}
    return Inputs("", {"questions": (Value(key=name, value=value, hash=name),)})


def settings(**given: Any) -> dict[str, Any]:
    types = [f"type{kind}" for kind in range(1, 6)]
    return {"tasks": types, "variants": ["closed"], "seed": 1, "most_samples": None, "easy": "", "share": None} | given

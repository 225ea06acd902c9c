"""Published relations of real papers: their questions in little time, the same again, and stable when papers come."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time

import pytest

from core.questions.plain import plain_question
from core.questions.questions import QuestionRule, questions_of
from core.questions.relation import Relation
from tests.core.questions.real_relations import real_relations

MOST_SECONDS = 5


@pytest.fixture(scope="module")
def real(shared_data: Path) -> list[Relation]:
    return real_relations(shared_data)


def test_they_are_built_in_time_and_a_paper_more_changes_only_questions_of_its_entities(real: list[Relation]) -> None:
    assert len(real) == 1_241
    began = process_time()
    found = questions_of(real, QuestionRule())
    assert process_time() - began < MOST_SECONDS  # 0.1 s where this was written
    assert found.pairs == {2: 434, 3: 280, 4: 646}
    lines = {each.id: json.dumps(plain_question(each)) for each in found.questions}
    assert lines == {
        each.id: json.dumps(plain_question(each)) for each in questions_of(real[::-1], QuestionRule()).questions
    }
    last = real[-1].paper
    without = questions_of([each for each in real if each.paper != last], QuestionRule()).questions
    fewer = {each.id: json.dumps(plain_question(each)) for each in without}
    entities = {name for each in real if each.paper == last for name in each.fact.pair}
    named = {each.id: set(each.entities) for each in (*found.questions, *without)}
    changed = {key for key in lines.keys() | fewer.keys() if lines.get(key) != fewer.get(key)}
    assert changed
    assert all(named[key] & entities for key in changed)

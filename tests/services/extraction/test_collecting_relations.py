"""Relations of abstracts collected as triplets: with their papers, their signs and the value that made each, once."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from sqlmodel import select

from core.errors import Refused
from core.questions.questions import QuestionRule, questions_of
from core.sign import Sign
from core.triplets.forms import Rubric
from exchange.question_set import write_question_set
from services.extraction import collecting
from services.extraction import collecting_relations as relations
from services.extraction import made_questions as made
from services.extraction.collecting_relations import RelationYear
from services.queue.work import waiting
from services.study import Study
from services.triplets import lists, reading, settings
from services.triplets.work_kind import TRIPLETS
from store.tables import PaperRow, TripletPaperRow, TripletRow
from store.triplets import triplets
from tests.services.extraction.invented_abstracts import bring_abstracts, rows
from tests.services.extraction.test_lee_pipeline import config
from tests.services.run_parts import act, finished, start
from tests.services.scoring_parts import take

SIGNS = {"increase": Sign.PLUS, "decrease": Sign.MINUS, "none": Sign.NONE}
ABSTRACT = {"abstract": "Rent rules had no effect on house prices. Rent rules raise credit.", "title": "Nothing moved"}


@pytest.mark.both(usually=False)
def test_relations_become_triplets_with_abstract_and_sign_and_are_handed_out(
    study: Study, people: SimpleNamespace
) -> None:
    listed = rows(6)
    listed[5] |= ABSTRACT
    own = PaperRow(title="In the study", doi=listed[2]["doi"].upper(), created_by="terminal", created_at=study.clock())
    with study.store.writing() as session:
        session.add(own)
    bring_abstracts(people.owner, listed)
    run_id = start(people.owner, config(options={"most_questions": 1}))  # of questions others tell
    with pytest.raises(Refused, match="Run 1 is still extracting relations or grouping entities"):
        relations.collect(people.owner, run_id, "Early", "", **act())
    finished(study, people.owner, run_id)
    found = made.made_questions(people.owner, run_id)
    assert {each.direction for each in found.relations} == set(SIGNS)
    # The same bytes on both databases: those that relations and seed alone come to.
    expected = questions_of(found.relations, QuestionRule(seed=1, most=1)).questions
    assert write_question_set([replace(each, is_easy=None) for each in found.questions]) == write_question_set(expected)
    plan = relations.plan(people.owner, run_id)
    assert (plan.relations, plan.papers, plan.left_out, plan.obstacle) == (len(found.relations), 6, 0, "")
    assert plan.collection is None

    key = relations.collect(people.owner, run_id, "Relations", "CC0-1.0", **act()).subject_id
    (kept,) = lists.collections(people.owner)
    assert (kept.id, kept.title, kept.run, kept.triplets, kept.papers) == (key, "Relations", 1, len(found.relations), 6)
    with study.store.reading() as session:
        records = list(triplets.records(session, key))
        stored = list(session.exec(select(TripletRow).where(TripletRow.collection == key)))
        held = {row.external_id: row.paper_id for row in session.exec(select(TripletPaperRow)) if row.paper_id}
    assert {(each.paper.external_id, each.treatment, each.sign, each.outcome) for each in records} == {
        (each.paper, each.treatment, SIGNS[each.direction], each.outcome) for each in found.relations
    }
    by_paper = {each["doi"]: each for each in listed}
    assert all(each.paper.abstract == by_paper[each.paper.external_id]["abstract"] for each in records)
    assert all(each.paper.url == f"https://doi.org/{each.paper.external_id}" for each in records)
    assert all(each.details["X_entity"] and each.details["runs"] == 5 for each in records)
    assert held == {listed[2]["doi"]: own.id}  # the study's own paper
    assert {each.made_id for each in stored} == set(found.made_ids.values())
    plan = relations.plan(people.owner, run_id)
    assert plan.collection == key
    with pytest.raises(Refused, match="These triplets are already in the study, as “Relations”"):
        relations.collect(people.owner, run_id, "Again", "", **act())

    # Years 2000, 2002 … 2010, two relations each: with 4 a year, what there is, and which years have fewer.
    there = {year: 2 * (year % 2 == 0 and year <= 2010) for year in range(2000, 2026)}
    assert relations.year_sample(people.owner, key) == RelationYear(12, 6, tuple(there.items()))
    sample = relations.year_sample(people.owner, key, 2)
    assert (sample.relations, sample.years) == (12, 6)
    assert sample.fewer == tuple((year, 0) for year in range(2000, 2026) if year % 2 or year > 2010)
    assert relations.year_sample(people.owner, key, 1) == RelationYear(
        6, 6, tuple((year, 0) for year in range(2000, 2026) if year % 2 or year > 2010)
    )
    collecting.assign_experts(people.owner, key, rubric=Rubric.VALIDATION, overlap=2, per_year=1, **act())
    now = settings.settings(people.owner)
    assert (now.rubric, now.overlap, now.per_year, now.collections) == (Rubric.VALIDATION, 2, 1, (key,))
    assert waiting(people.expert, TRIPLETS).free == 6
    view = reading.triplet(people.expert, take(people.expert))
    assert view.rubric is Rubric.VALIDATION
    assert view.paper.abstract in {each["abstract"] for each in listed}

"""Question sets in a study: seen, frozen under a number, listed, archived, and written as they were frozen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlmodel import func, select

from core.errors import BadRow, Conflict, Missing, Refused
from core.questions.plain import plain_question
from core.questions.questions import QuestionRule, counts_of, questions_of
from exchange.question_set import write_question_set
from services.questions import sets
from services.study import Study
from store.tables import FileRow, QuestionSetRow, new_id
from store.triplets import triplets
from tests.core.questions.real_relations import real_relations, relation_of
from tests.protocols.lee.question_sets import questions
from tests.services.acts import Act
from tests.services.run_parts import bring_files

EVERY = tuple(replace(each, is_easy=(None, True, False)[n % 3]) for n, each in enumerate(questions(6)))
LINES = write_question_set(EVERY)


def act() -> Act:
    return {"act_id": new_id()}


@pytest.mark.both
def test_a_set_is_seen_frozen_listed_and_written_again_byte_for_byte(study: Study, people: SimpleNamespace) -> None:
    shuffled = b"".join(reversed(LINES.splitlines(keepends=True)))
    look = sets.preview_questions(people.researcher, "mine.jsonl", shuffled)
    assert (look.rows, look.questions, look.faults, look.known) == (len(EVERY), len(EVERY), (), None)
    assert look.easy == sum(each.is_easy is True for each in EVERY)
    done = sets.import_questions(people.researcher, "mine.jsonl", shuffled, with_faulty=False, licence="CC0", **act())
    (line,) = sets.question_sets(people.reviewer)
    assert (line.number, line.title, line.licence, line.origin) == (1, "mine", "CC0", "mine.jsonl")
    assert line.sha256 == done.subject_id
    assert line.counts == counts_of(EVERY)
    assert line.kept == counts_of([each for each in EVERY if not each.is_easy])
    file = sets.export_questions(people.reviewer, 1)
    assert (file.name, file.content) == ("questions-1.jsonl", LINES)


@pytest.mark.both
def test_the_same_questions_are_frozen_once_and_others_get_the_next_number(
    study: Study, people: SimpleNamespace
) -> None:
    sets.import_questions(people.researcher, "a.jsonl", LINES, with_faulty=False, **act())
    as_list = json.dumps([plain_question(each) for each in EVERY]).encode()
    assert sets.preview_questions(people.researcher, "b.json", as_list).known == 1
    with pytest.raises(Refused, match="frozen already, as question set 1"):
        sets.import_questions(people.researcher, "b.json", as_list, with_faulty=False, **act())
    fewer = write_question_set(EVERY[1:])
    receipt = sets.import_questions(people.researcher, "c.jsonl", fewer, with_faulty=False, **act())
    assert sets.question_set(people.researcher, receipt.subject_id).number == 2
    assert [each.number for each in sets.question_sets(people.researcher)] == [2, 1]


@pytest.mark.both
def test_a_set_is_archived_and_restored_against_the_version_that_was_seen(
    study: Study, people: SimpleNamespace
) -> None:
    sets.import_questions(people.researcher, "a.jsonl", LINES, with_faulty=False, **act())
    sets.archive_questions(people.researcher, 1, True, seen=1, **act())
    assert sets.question_sets(people.researcher) == ()
    with pytest.raises(Conflict):
        sets.archive_questions(people.researcher, 1, False, seen=1, **act())
    sets.archive_questions(people.researcher, 1, False, seen=2, **act())
    assert len(sets.question_sets(people.researcher)) == 1


def test_faulty_rows_keep_a_set_out_until_it_is_said_otherwise(study: Study, people: SimpleNamespace) -> None:
    content = LINES + b'{"type": 9}\n'
    with pytest.raises(BadRow, match="type: found '9'"):
        sets.import_questions(people.researcher, "a.jsonl", content, with_faulty=False, **act())
    with study.store.reading() as session:
        assert session.exec(select(func.count()).select_from(QuestionSetRow)).one() == 0
        assert session.exec(select(func.count()).select_from(FileRow)).one() == 0
    sets.import_questions(people.researcher, "a.jsonl", content, with_faulty=True, **act())
    assert sets.export_questions(people.researcher, 1).content == LINES


def test_what_is_no_file_of_questions_says_why(study: Study, people: SimpleNamespace) -> None:
    assert sets.preview_questions(people.researcher, "x.parquet", b"PAR1 and nothing").error
    with pytest.raises(Missing, match="contains no readable question"):
        sets.import_questions(people.researcher, "x.json", b"[]", with_faulty=True, **act())
    with pytest.raises(Missing, match="no question set 3"):
        sets.export_questions(people.researcher, 3)


def test_a_large_set_is_read_by_the_child_to_the_same_bytes(study: Study, people: SimpleNamespace) -> None:
    lines = write_question_set(questions(40))
    assert len(lines) > 16_000
    sets.import_questions(people.researcher, "a.jsonl", lines, with_faulty=False, **act())
    assert sets.export_questions(people.researcher, 1).content == lines


@pytest.mark.both(usually=False)
def test_1241_real_relations_kept_by_the_study_come_to_the_same_bytes_and_stay_so(
    study: Study, people: SimpleNamespace, shared_data: Path
) -> None:
    """From the study's own rows on either database as from the files, and again from the frozen set."""
    kept = []
    for key in bring_files(people.owner, ("task1_econ", "task1_finance")):
        with study.store.reading() as session:
            kept += list(triplets.records(session, key))
    read = [
        relation_of(each.treatment, each.sign, each.outcome, each.paper.external_id, each.paper.year) for each in kept
    ]
    stored = [each for each in read if each is not None]
    assert len(stored) == 1_241
    lines = write_question_set(questions_of(stored, QuestionRule(seed=29)).questions)
    assert lines == write_question_set(questions_of(real_relations(shared_data), QuestionRule(seed=29)).questions)
    sets.import_questions(people.owner, "real.jsonl", lines, with_faulty=False, **act())
    assert sets.export_questions(people.owner, 1).content == lines

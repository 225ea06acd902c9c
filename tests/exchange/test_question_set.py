"""Files of questions: written and read again, what `triplets questions` prints, and every fault where it is."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from core.questions.plain import plain_question, question_of
from exchange.file_kinds import FileKind, kind_of
from exchange.file_reading import QuestionsRead, questions_in
from exchange.question_set import read_question_set, write_question_set
from exchange.wire import from_lines, to_lines
from tests.protocols.lee.question_sets import questions

EVERY = tuple(replace(each, is_easy=(None, True, False)[n % 3]) for n, each in enumerate(questions(4)))
LINES = write_question_set(EVERY)


def file_of(*rows: dict[str, Any]) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def row(kind: int, **given: Any) -> dict[str, Any]:
    return plain_question(next(each for each in EVERY if each.type == kind)) | given


def faults(*rows: dict[str, Any]) -> list[str]:
    return [str(each) for each in read_question_set(file_of(*rows), "q.jsonl").faults]


def test_what_is_written_is_read_again_in_whatever_order_it_was_given() -> None:
    read = read_question_set(LINES, "q.jsonl")
    assert (read.rows, read.faults) == (len(EVERY), ())
    assert set(read.questions) == set(EVERY)
    assert write_question_set(reversed(EVERY)) == LINES
    assert all(question_of(plain_question(each)) == each for each in EVERY)


def test_what_triplets_questions_prints_is_read() -> None:
    printed = json.dumps({"questions": [plain_question(each) for each in EVERY], "counts": {}}, indent=2).encode()
    assert set(read_question_set(printed, "q.json").questions) == set(EVERY)
    listed = json.dumps([plain_question(each) for each in EVERY]).encode()
    assert set(read_question_set(listed, "q.json").questions) == set(EVERY)
    for content in (printed, listed, LINES):
        assert kind_of("whatever", content) is FileKind.QUESTIONS


def test_it_comes_over_the_wire_as_it_was_read() -> None:
    read = questions_in("q.jsonl", LINES + b"{\n")
    assert read.file is not None
    assert len(read.file.faults) == 1
    again = from_lines(QuestionsRead, to_lines(QuestionsRead, read))
    assert again.file == read.file


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (row(1, type=6), "line 1, type: found '6'; one of 1, 2, 3, 4, 5"),
        (row(1, type=True), "type"),
        (row(1, answer="False"), "answer: found 'False'; one of True in type 1"),
        (row(5, answer="rises"), "answer: found 'rises'; one of increase, decrease, none in type 5"),
        (row(1, given={"X": "a", "d": "none", "Y": "b"}), "null: type 1 tells no relation"),
        (row(2, given=None), "given; an object"),
        (row(2, asked={"X": "a", "d": "up", "Y": "b"}), "asked.d: found 'up'; one of increase, decrease, none"),
        (row(5, asked={"X": "a", "d": "none", "Y": "b"}), "asked.d: found 'none'; null"),
        (row(3, asked={"X": "", "d": "none", "Y": "b"}), "asked.X"),
        (row(4, papers=[]), "the papers of the relations"),
        (row(4, papers="w1"), "papers: found 'w1'; a list of texts"),
        (row(1, letters=["J1"]), "letters: found 'J1'; primary JEL letters"),
        (row(1, period="2001–2004"), "period"),
        (row(1, is_easy="yes"), "is_easy: found 'yes'; true, false"),
        (row(1, id="0123"), "id: found '0123'"),
    ],
)
def test_a_fault_says_where_it_is_and_what_would_be_right(bad: dict[str, Any], said: str) -> None:
    (found,) = faults(bad)
    assert found.startswith("q.jsonl, line 1")
    assert said in found


def test_faulty_rows_are_told_together_and_the_others_are_read() -> None:
    read = read_question_set(file_of(row(1, type=0), row(2), row(2), row(5, answer=None)), "q.jsonl")
    assert (read.rows, len(read.questions)) == (4, 1)
    assert [fault.line for fault in read.faults] == [1, 3, 4]
    assert "an earlier row asks the same" in str(read.faults[1])

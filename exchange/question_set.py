"""Questions of Lee et al.'s five types as JSON lines, written and read; every fault with its line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from core.errors import BadRow
from core.questions.plain import plain_question
from core.questions.questions import ANSWERS, TYPES, Question, Statement
from core.questions.relation import DIRECTIONS, PERIODS
from core.triplets.jel import JEL_TITLES
from exchange.relations import rows_of
from exchange.triplet_rows import Row, shown

GIVEN_TYPES = (2, 3, 4)
"""Types that state one relation before they ask about another."""
DIRECTION_TYPE = 5
COLUMNS = ("type", "given", "asked", "answer", "papers")
"""Columns that a file of questions needs."""


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """The questions of a file, and every faulty row. `rows`: number of rows read."""

    rows: int
    questions: tuple[Question, ...]
    faults: tuple[BadRow, ...]


# --- writing ----------------------------------------------------------------------------------------------------


def write_question_set(questions: Iterable[Question]) -> bytes:
    """Return JSON lines sorted by type and id: the same questions give the same bytes in any order."""
    ordered = sorted(questions, key=lambda each: (each.type, each.id))
    lines = [json.dumps(plain_question(each), ensure_ascii=False, separators=(",", ":")) for each in ordered]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


# --- reading ----------------------------------------------------------------------------------------------------


def read_question_set(content: bytes, filename: str) -> QuestionFile:
    """Return the questions of a file in order: JSON lines, or the output of `triplets questions --json`. A question
    occurs once in a file; a row's `id` must match its words. Raises UnreadableFile for other files."""
    rows, faults = rows_of(_listed(content), filename)
    looked_at = len(rows) + len(faults)
    reader = _Reader(filename, faults)
    questions: dict[str, Question] = {}
    for line, row in rows:
        question = reader.read(line, row)
        if question is None:
            continue
        if question.id in questions:
            reader.fault(line, "id", question.id, "a question of its own; an earlier row asks the same")
        else:
            questions[question.id] = question
    return QuestionFile(looked_at, tuple(questions.values()), tuple(faults))


def _listed(content: bytes) -> bytes:
    if not content.lstrip().startswith(b"{"):
        return content
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return content
    questions = document.get("questions") if isinstance(document, dict) else None
    return json.dumps(questions).encode() if isinstance(questions, list) else content


class _Reader:
    def __init__(self, filename: str, faults: list[BadRow]) -> None:
        self._filename, self._faults = filename, faults

    def fault(self, line: int, key: str, value: object, expected: str) -> None:
        self._faults.append(BadRow(self._filename, line, key, shown(value), expected))

    def read(self, line: int, row: Row) -> Question | None:
        before = len(self._faults)
        kind = row.get("type")
        if not isinstance(kind, int) or isinstance(kind, bool) or kind not in TYPES:
            self.fault(line, "type", kind, "one of 1, 2, 3, 4, 5")
            return None
        first_statement = self._given(line, kind, row.get("given"))
        question_statement = self._statement(line, "asked", row.get("asked"), has_direction=kind != DIRECTION_TYPE)
        answer = row.get("answer")
        if answer not in ANSWERS[kind]:
            self.fault(line, "answer", answer, f"one of {', '.join(ANSWERS[kind])} in type {kind}")
        papers = self._words(line, row, "papers")
        if not papers and len(self._faults) == before:
            self.fault(line, "papers", row.get("papers"), "the papers of the relations, one at least")
        letters, journals = self._words(line, row, "letters"), self._words(line, row, "journals")
        for letter in letters:
            if letter not in JEL_TITLES:
                self.fault(line, "letters", letter, "primary JEL letters, such as J")
        period, is_easy = row.get("period"), row.get("is_easy")
        if period is not None and period not in PERIODS:
            self.fault(line, "period", period, f"one of {', '.join(PERIODS)}, or null")
        if is_easy is not None and not isinstance(is_easy, bool):
            self.fault(line, "is_easy", is_easy, "true, false, or null where no small model was asked")
        entities = self._words(line, row, "entities")
        if len(self._faults) > before:
            return None
        assert question_statement is not None, "what is wrong with it is a fault"
        question = Question(
            type=kind,
            given=first_statement,
            asked=question_statement,
            answer=str(answer),
            papers=papers,
            letters=letters,
            period=period,
            entities=entities,
            journals=journals,
            is_easy=is_easy,
        )
        if row.get("id") not in (None, question.id):
            self.fault(line, "id", row["id"], f"{question.id}, which type, given and asked make; or no id")
            return None
        return question

    def _given(self, line: int, kind: int, value: object) -> Statement | None:
        if kind in GIVEN_TYPES:
            return self._statement(line, "given", value, has_direction=True)
        if value is not None:
            self.fault(line, "given", value, f"null: type {kind} tells no relation")
        return None

    def _statement(self, line: int, key: str, value: object, *, has_direction: bool) -> Statement | None:
        if not isinstance(value, dict):
            self.fault(line, key, value, 'an object {"X": …, "d": …, "Y": …}')
            return None
        words = []
        for name in ("X", "Y"):
            phrase = value.get(name)
            if not isinstance(phrase, str) or not phrase.strip():
                self.fault(line, f"{key}.{name}", phrase, "the phrase of a variable")
                return None
            words.append(phrase)
        direction = value.get("d")
        if has_direction and direction not in DIRECTIONS:
            self.fault(line, f"{key}.d", direction, f"one of {', '.join(DIRECTIONS)}")
            return None
        if not has_direction and direction is not None:
            self.fault(line, f"{key}.d", direction, "null: the direction is what type 5 asks for")
            return None
        return Statement(words[0], direction, words[1])

    def _words(self, line: int, row: Row, key: str) -> tuple[str, ...]:
        texts: Any = row.get(key)
        if texts is None:
            return ()
        if not isinstance(texts, list) or not all(isinstance(each, str) and each for each in texts):
            self.fault(line, key, texts, "a list of texts")
            return ()
        return tuple(texts)

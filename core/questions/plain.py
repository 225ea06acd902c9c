"""A question as a JSON object, as in files and runs, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.questions.questions import Question, Statement


def plain_question(question: Question) -> dict[str, Any]:
    """Return the question as JSON, with `id`, a hash of its words; `journals` only if there are some."""
    plain = {
        "id": question.id,
        "type": question.type,
        "given": None if question.given is None else _plain(question.given),
        "asked": _plain(question.asked),
        "answer": question.answer,
        "papers": list(question.papers),
        "letters": list(question.letters),
        "period": question.period,
        "entities": list(question.entities),
        "is_easy": question.is_easy,
    }
    return plain | {"journals": list(question.journals)} if question.journals else plain


def question_of(plain: Mapping[str, Any]) -> Question:
    """Return a question from the JSON of `plain_question`; nothing is checked."""
    given_cells = plain["given"]
    return Question(
        type=plain["type"],
        given=None if given_cells is None else _statement(given_cells),
        asked=_statement(plain["asked"]),
        answer=plain["answer"],
        papers=tuple(plain["papers"]),
        letters=tuple(plain["letters"]),
        period=plain["period"],
        entities=tuple(plain["entities"]),
        journals=tuple(plain.get("journals", ())),
        is_easy=plain["is_easy"],
    )


def _plain(statement: Statement) -> dict[str, str | None]:
    return {"X": statement.treatment, "d": statement.direction, "Y": statement.outcome}


def _statement(cells: Mapping[str, Any]) -> Statement:
    return Statement(cells["X"], cells["d"], cells["Y"])

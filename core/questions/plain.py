"""A question as a JSON object, as its files and runs have it, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.questions.questions import Question, Statement


def plain_question(question: Question) -> dict[str, Any]:
    """With `id`, which follows from the words; `journals` only where some are known."""
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
    """A question that `plain_question` wrote; nothing is checked."""
    given = plain["given"]
    return Question(
        type=plain["type"],
        given=None if given is None else _statement(given),
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


def _statement(said: Mapping[str, Any]) -> Statement:
    return Statement(said["X"], said["d"], said["Y"])

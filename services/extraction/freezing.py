"""Freezing the questions that a run made: what would be frozen, and the act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.errors import Conflict, Refused
from core.people import May, Receipt, Viewer
from core.questions.questions import Question, counts_of
from core.words import counted
from exchange.question_set import write_question_set
from services.acting import Writing, consulting, perform
from services.extraction.made_questions import MadeQuestions, made_in, pipeline_run
from services.graphs.import_reading import clean_licence, clean_title
from services.questions.sets import Counts, keep
from store.files import sha256_of
from store.triplets import question_sets as stored


@dataclass(frozen=True, slots=True, kw_only=True)
class FreezePlan:
    """What freezing would make of a run's questions. `waiting`: not every small model has answered them; they are in
    no set unless the others are frozen without them. `seen` stands for exactly these questions; `known`: the number of
    a set that holds them already; `why_not`: why they cannot be frozen, empty if they can."""

    questions: int
    easy: int
    waiting: int
    counts: Counts
    kept: Counts
    seen: str
    known: int | None
    why_not: str


def plan(viewer: Viewer, run_id: str) -> FreezePlan:
    """Raises as `made_questions`."""
    with consulting(viewer, May.RUN) as r:
        found = made_in(r.session, pipeline_run(r.session, run_id))
        questions = _settled(found)
        seen = sha256_of(write_question_set(questions))
        known = stored.find_set(r.session, seen)
    return FreezePlan(
        questions=len(questions),
        easy=sum(each.is_easy is True for each in questions),
        waiting=len(found.waiting),
        counts=counts_of(questions),
        kept=counts_of([each for each in questions if not each.is_easy]),
        seen=seen,
        known=None if known is None else known.number,
        why_not=_why_not(found, questions),
    )


def freeze(
    viewer: Viewer, run_id: str, title: str, licence: str, *, seen: str, without_waiting: bool = False, act_id: str
) -> Receipt:
    """Freeze the questions of a run as the next set, easy ones with their mark; the receipt's subject is the set's
    hash. `seen`: what the plan said.

    Raises Refused for a run without questions or before its filter, for questions that wait unless they are to be left
    out, and for what is frozen already, Conflict if the questions are no longer those of the plan.
    """
    licence, named = clean_licence(licence), clean_title(title)

    def act(w: Writing) -> Receipt:
        row = pipeline_run(w.session, run_id)
        found = made_in(w.session, row)
        questions = _settled(found)
        if why_not := _why_not(found, questions):
            raise Refused(why_not)
        if found.waiting and not without_waiting:
            raise Refused(
                f"{counted(len(found.waiting), 'question')} waiting for an answer of every small model. Ask the failed "
                "items again, or freeze without them."
            )
        lines = write_question_set(questions)
        if sha256_of(lines) != seen:
            raise Conflict("The questions have changed since this preview. Check them again.", seen=0, found=1)
        kept = keep(
            w,
            questions,
            lines,
            title=named or row.title or f"Questions of run {row.number}",
            licence=licence,
            about={"run": f"run {row.number}", "run_id": row.id, "waiting": sorted(found.waiting)},
        )
        payload: dict[str, Any] = {
            "number": kept.number,
            "title": kept.title,
            "run": row.number,
            "questions": kept.question_count,
            "waiting": len(found.waiting),
            "sha256": kept.id,
        }
        return w.record("questions.freeze", "question_set", kept.id, version=kept.version, payload=payload)

    return perform(viewer, May.RUN, act_id, act)


def _settled(found: MadeQuestions) -> list[Question]:
    return [each for each in found.questions if each.id not in found.waiting]


def _why_not(found: MadeQuestions, questions: list[Question]) -> str:
    if not found.questions:
        return f"Run {found.run} has made no question yet."
    if not found.is_filtered:
        return f"The small models of run {found.run} have not answered every question yet."
    return "" if questions else f"Every question of run {found.run} is waiting for an answer."

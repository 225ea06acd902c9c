"""Freezing the questions that a run made: the preview, and the act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.errors import Conflict, Refused
from core.people import Permission, Receipt, Viewer
from core.questions.questions import Question, counts_of
from core.words import counted
from exchange.question_set import write_question_set
from services.acting import Writing, consulting, perform
from services.extraction.made_questions import QuestionsOfRun, made_in, pipeline_run
from services.graphs.import_reading import clean_licence, clean_title
from services.questions.sets import Counts, keep
from store.files import sha256_of
from store.triplets import question_sets as stored


@dataclass(frozen=True, slots=True, kw_only=True)
class FreezePlan:
    questions: int
    easy: int
    waiting: int  # not answered by every small model; in no set unless the others are frozen without them
    counts: Counts
    kept: Counts
    seen: str  # hash of exactly these questions
    known: int | None  # number of a set that has them already
    obstacle: str  # why they cannot be frozen, "" if they can


def plan(viewer: Viewer, run_id: str) -> FreezePlan:
    """Return the preview. Raises as `made_questions`."""
    with consulting(viewer, Permission.RUN) as r:
        results = made_in(r.session, pipeline_run(r.session, run_id))
        questions = _answered_questions(results)
        seen = sha256_of(write_question_set(questions))
        known = stored.find_set(r.session, seen)
    return FreezePlan(
        questions=len(questions),
        easy=sum(each.is_easy is True for each in questions),
        waiting=len(results.waiting),
        counts=counts_of(questions),
        kept=counts_of([each for each in questions if not each.is_easy]),
        seen=seen,
        known=None if known is None else known.number,
        obstacle=_obstacle(results, questions),
    )


def freeze(
    viewer: Viewer, run_id: str, title: str, licence: str, *, seen: str, without_waiting: bool = False, act_id: str
) -> Receipt:
    """Freeze the questions of a run as the next set, easy ones marked; the receipt's subject is the set's hash.

    `seen` is the plan's hash. Raises Refused for a run without questions or before its filter, for waiting questions
    (unless `without_waiting`), and for a set that exists; Conflict if the questions differ from the plan's.
    """
    licence, named = clean_licence(licence), clean_title(title)

    def act(w: Writing) -> Receipt:
        row = pipeline_run(w.session, run_id)
        results = made_in(w.session, row)
        questions = _answered_questions(results)
        if obstacle := _obstacle(results, questions):
            raise Refused(obstacle)
        if results.waiting and not without_waiting:
            raise Refused(
                f"{counted(len(results.waiting), 'question')} waiting for an answer of every small model. Ask the "
                "failed items again, or freeze without them."
            )
        lines = write_question_set(questions)
        if sha256_of(lines) != seen:
            raise Conflict("The questions have changed since this preview. Check them again.", seen=0, found=1)
        question_set = keep(
            w,
            questions,
            lines,
            title=named or row.title or f"Questions of run {row.number}",
            licence=licence,
            about={"run": f"run {row.number}", "run_id": row.id, "waiting": sorted(results.waiting)},
        )
        payload: dict[str, Any] = {
            "number": question_set.number,
            "title": question_set.title,
            "run": row.number,
            "questions": question_set.question_count,
            "waiting": len(results.waiting),
            "sha256": question_set.id,
        }
        return w.record(
            "questions.freeze", "question_set", question_set.id, version=question_set.version, payload=payload
        )

    return perform(viewer, Permission.RUN, act_id, act)


def _answered_questions(results: QuestionsOfRun) -> list[Question]:
    return [each for each in results.questions if each.id not in results.waiting]


def _obstacle(results: QuestionsOfRun, questions: list[Question]) -> str:
    if not results.questions:
        return f"Run {results.run} has made no question yet."
    if not results.is_filtered:
        return f"The small models of run {results.run} have not answered every question yet."
    return "" if questions else f"Every question of run {results.run} is waiting for an answer."

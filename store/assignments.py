"""Assignments: who works on what, and in which state. All queues are read from this one table."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, case, func
from sqlalchemy.orm.attributes import flag_modified
from sqlmodel import Session, col, select

from core.errors import Missing
from core.transcription.declining import FigureVerdict, Submission
from store.graphs.submitted_copies import FIRST, OF_WORK
from store.papers.papers import TRAINING_IDS, is_located
from store.tables import AssignmentRow, FigureRow, PaperRow

TRANSCRIPTION = "transcription"
TRAINING = "training"
"""Work on a training figure; it is not part of the study's data."""
ADJUDICATION = "adjudication"
"""Ruling on two transcriptions of a figure; the subject is the figure."""
SCORING, VALIDATION = "scoring", "validation"
"""Scoring a triplet on one of the two forms; the subject is the triplet."""
SCORED_KINDS = (SCORING, VALIDATION)
EXPLICITNESS = "explicitness"
"""Labelling how explicit each node of a figure's ground truth is in its text; the subject is the figure."""
READING = "reading"
"""Building the graph of a text without seeing its figure; the subject is the run's sample."""
VERDICT = "verdict"
"""Labelling items of a judge's verdict; the subject is a sheet of them."""
CODING = "coding"
"""Coding why answers fail; the subject is a list of answers of a run."""
TIMED_KINDS = (*SCORED_KINDS, EXPLICITNESS, VERDICT, CODING)
"""Kinds whose claim every act extends."""
EDITABLE = ("open", "returned")
"""States in which only the assignee sees and edits the work."""
HANDED_IN = ("submitted", "accepted")
DECLINED = "declined"
"""Ended by a verdict instead of a graph. The drawing remains visible to its annotator only."""
DONE = (*HANDED_IN, DECLINED)
"""States in which an independent result exists: a graph or a verdict."""


NO_FIGURE = "There is no such figure in this study."


class DoneWork(NamedTuple):
    """Finished work on a figure, with the columns that lists need."""

    id: str
    subject_id: str
    person_id: str
    state: str
    verdict: str | None
    late_opened_at: datetime | None
    late_closed_at: datetime | None


class UnfinishedWork(NamedTuple):
    id: str
    subject_id: str
    state: str


class SeenWork(NamedTuple):
    id: str
    seen_at: datetime | None


_DONE_IN_SHORT: Any = tuple(getattr(AssignmentRow, name) for name in DoneWork._fields)


class DrawnGraph(NamedTuple):
    graph_id: str
    person_id: str
    state: str
    label: str
    place: str
    paper_id: str
    paper_title: str


def assignment(session: Session, assignment_id: str) -> AssignmentRow:
    row = session.get(AssignmentRow, assignment_id)
    if row is None:
        raise Missing("There is no such transcription in this study.")
    return row


def locked(session: Session, assignment_id: str) -> AssignmentRow:
    """Return the assignment, read again and locked until the transaction ends, so that its acts are serialised."""
    query = select(AssignmentRow).where(AssignmentRow.id == assignment_id).with_for_update()
    return session.exec(query, execution_options={"populate_existing": True}).one()


def touch(session: Session, row: AssignmentRow) -> None:
    """Flush a locked or new assignment with the next version, even if no column changed."""
    flag_modified(row, "expires_at")
    session.add(row)
    session.flush()


def assignment_of(session: Session, kind: str, subject_id: str, person_id: str) -> AssignmentRow | None:
    query = select(AssignmentRow).where(
        AssignmentRow.kind == kind, AssignmentRow.subject_id == subject_id, AssignmentRow.person_id == person_id
    )
    return session.exec(query).first()


def assignments_of_person(session: Session, kind: str, person_id: str) -> list[AssignmentRow]:
    query = select(AssignmentRow).where(AssignmentRow.kind == kind, AssignmentRow.person_id == person_id)
    return list(session.exec(query.order_by(col(AssignmentRow.claimed_at))))


_SUBJECTS = (
    select(FigureRow, PaperRow)
    .join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id))
    .where(col(FigureRow.id).in_(bindparam("figure_ids", expanding=True)))
)


def subjects_of(session: Session, figure_ids: Iterable[str]) -> dict[str, tuple[FigureRow, PaperRow]]:
    """Return figure id → (figure, paper), archived and excluded ones included."""
    ids, subjects = list(dict.fromkeys(figure_ids)), dict[str, tuple[FigureRow, PaperRow]]()
    for start in range(0, len(ids), 500):
        rows = session.exec(_SUBJECTS, params={"figure_ids": ids[start : start + 500]})
        subjects.update((figure_row.id, (figure_row, paper_row)) for figure_row, paper_row in rows)
    return subjects


def subject_of(session: Session, figure_id: str) -> tuple[FigureRow, PaperRow]:
    """Return a figure and its paper. Raises Missing if there is none."""
    subject = subjects_of(session, [figure_id]).get(figure_id)
    if subject is None:
        raise Missing(NO_FIGURE)
    return subject


def subjects_of_person(session: Session, kind: str, person_id: str) -> set[str]:
    query = select(AssignmentRow.subject_id).where(AssignmentRow.kind == kind, AssignmentRow.person_id == person_id)
    return set(session.exec(query))


def unfinished_of_person(session: Session, kind: str, person_id: str) -> list[UnfinishedWork]:
    """Return this person's claimed work that is neither submitted nor declined, by claim time."""
    columns: Any = (AssignmentRow.id, AssignmentRow.subject_id, AssignmentRow.state)
    query = select(*columns).where(AssignmentRow.kind == kind, AssignmentRow.person_id == person_id)
    query = query.where(col(AssignmentRow.state).in_((*EDITABLE, "abandoned")))
    return [UnfinishedWork(*row) for row in session.execute(query.order_by(col(AssignmentRow.claimed_at)))]


def seen_by_subject(session: Session, kind: str, person_id: str) -> dict[str, SeenWork]:
    """Return subject → this person's work, and when they last saw the rulings on it."""
    columns: Any = (AssignmentRow.subject_id, AssignmentRow.id, AssignmentRow.seen_at)
    query = select(*columns).where(AssignmentRow.kind == kind, AssignmentRow.person_id == person_id)
    return {subject_id: SeenWork(work_id, seen_at) for subject_id, work_id, seen_at in session.execute(query)}


def assignments_of(session: Session, kind: str) -> list[AssignmentRow]:
    return list(session.exec(select(AssignmentRow).where(AssignmentRow.kind == kind)))


def assignments_in(session: Session, kind: str, states: tuple[str, ...]) -> list[AssignmentRow]:
    query = select(AssignmentRow).where(AssignmentRow.kind == kind, col(AssignmentRow.state).in_(states))
    return list(session.exec(query.order_by(col(AssignmentRow.claimed_at))))


def assignments_about(session: Session, kind: str, subject_id: str, states: tuple[str, ...]) -> list[AssignmentRow]:
    """Return all work on one subject in these states, by submission time."""
    query = select(AssignmentRow).where(
        AssignmentRow.kind == kind, AssignmentRow.subject_id == subject_id, col(AssignmentRow.state).in_(states)
    )
    return list(session.exec(query.order_by(col(AssignmentRow.submitted_at), col(AssignmentRow.id))))


def only_assignment(session: Session, kind: str, subject_id: str) -> AssignmentRow | None:
    """Return the only assignment of a kind that a subject has at most once: an adjudication."""
    query = select(AssignmentRow).where(AssignmentRow.kind == kind, AssignmentRow.subject_id == subject_id)
    return session.exec(query.order_by(col(AssignmentRow.claimed_at))).first()


def done_by_subject(session: Session, subject_id: str | None = None) -> dict[str, list[AssignmentRow]]:
    """Return figure → finished work on it (graphs and verdicts), by submission time."""
    query = select(AssignmentRow).where(AssignmentRow.kind == TRANSCRIPTION, col(AssignmentRow.state).in_(DONE))
    if subject_id is not None:
        query = query.where(AssignmentRow.subject_id == subject_id)
    done: dict[str, list[AssignmentRow]] = {}
    for row in session.exec(query.order_by(col(AssignmentRow.submitted_at), col(AssignmentRow.id))):
        done.setdefault(row.subject_id, []).append(row)
    return done


def done_in_short(session: Session) -> dict[str, list[DoneWork]]:
    """Return the columns that lists need of `done_by_subject`, for all figures."""
    query = select(*_DONE_IN_SHORT).where(AssignmentRow.kind == TRANSCRIPTION, col(AssignmentRow.state).in_(DONE))
    done: dict[str, list[DoneWork]] = {}
    for row in session.execute(query.order_by(col(AssignmentRow.submitted_at), col(AssignmentRow.id))):
        work = DoneWork(*row)
        done.setdefault(work.subject_id, []).append(work)
    return done


def verdict_of(row: AssignmentRow | DoneWork) -> Submission:
    """Return the verdict of finished work, None for a graph."""
    return FigureVerdict(row.verdict) if row.state == DECLINED and row.verdict else None


def drawn_in(session: Session, kind: str, states: tuple[str, ...]) -> list[DrawnGraph]:
    """Return the assignments in these states with figure and paper; of submitted work, the submitted copy."""
    is_done = col(AssignmentRow.state).in_(HANDED_IN)
    columns: Any = (
        case((is_done, func.coalesce(FIRST.id, AssignmentRow.graph_id)), else_=AssignmentRow.graph_id),
        AssignmentRow.person_id,
        AssignmentRow.state,
        FigureRow.label,
        FigureRow.place,
        PaperRow.id,
        PaperRow.title,
    )
    query = (
        select(*columns)
        .join(FigureRow, col(FigureRow.id) == col(AssignmentRow.subject_id))
        .join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id))
        .join(FIRST, OF_WORK, isouter=True)
        .where(AssignmentRow.kind == kind, col(AssignmentRow.state).in_(states))
        .order_by(col(AssignmentRow.claimed_at), col(AssignmentRow.id))
    )
    return [DrawnGraph(*row) for row in session.execute(query)]


def submitted_by_person(session: Session) -> dict[str, dict[str, int]]:
    """Return how many assignments of each kind each person has submitted, practice aside."""
    query = (
        select(AssignmentRow.person_id, AssignmentRow.kind, func.count())
        .where(col(AssignmentRow.state).in_(DONE), AssignmentRow.kind != TRAINING)
        .group_by(col(AssignmentRow.person_id), col(AssignmentRow.kind))
        .order_by(col(AssignmentRow.kind))
    )
    result: dict[str, dict[str, int]] = {}
    for person_id, kind, number in session.exec(query):
        result.setdefault(person_id, {})[kind] = number
    return result


def count_by_subject(session: Session, kind: str, states: tuple[str, ...]) -> dict[str, int]:
    query = (
        select(AssignmentRow.subject_id, func.count())
        .where(AssignmentRow.kind == kind, col(AssignmentRow.state).in_(states))
        .group_by(AssignmentRow.subject_id)
    )
    return dict(session.exec(query).all())


def is_taken_by_another(session: Session, kind: str, subject_id: str, person_id: str) -> bool:
    """Return True if someone else works or worked on it and has not abandoned it."""
    query = select(AssignmentRow.id).where(
        AssignmentRow.kind == kind,
        AssignmentRow.subject_id == subject_id,
        AssignmentRow.person_id != person_id,
        AssignmentRow.state != "abandoned",
    )
    return session.exec(query.limit(1)).first() is not None


def figure(session: Session, figure_id: str, *, for_update: bool = False) -> FigureRow:
    """Return the figure. Raises Missing. `for_update` locks the row until the transaction ends."""
    row = session.get(FigureRow, figure_id, with_for_update=True if for_update else None)
    if row is None:
        raise Missing(NO_FIGURE)
    return row


def study_figure(session: Session, figure_id: str) -> FigureRow:
    """Return a figure for curation. Training figures are not curated: they raise Missing."""
    if figure_id.startswith(TRAINING_IDS):
        raise Missing(NO_FIGURE)
    return figure(session, figure_id)


def located_figures(session: Session) -> list[tuple[FigureRow, PaperRow]]:
    """Return figures in use, of papers in use that are not excluded, oldest first."""
    query = select(FigureRow, PaperRow).join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id)).where(is_located())
    rows = session.exec(query.order_by(col(FigureRow.created_at), col(FigureRow.id)))
    return [(figure_row, paper_row) for figure_row, paper_row in rows]


def located_ids(session: Session) -> set[str]:
    query = select(FigureRow.id).join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id)).where(is_located())
    return set(session.exec(query))


def is_any_declined(session: Session) -> bool:
    query = select(AssignmentRow.id).where(AssignmentRow.kind == TRANSCRIPTION, AssignmentRow.state == DECLINED)
    return session.exec(query.limit(1)).first() is not None

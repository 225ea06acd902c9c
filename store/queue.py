"""Queues: entries of subjects, claims, and the locks under which claims are assigned. No function here commits. A
further kind of work needs one entry in `SUBJECTS`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import case
from sqlmodel import Session, col, select

from store import history
from store.assignments import (
    ADJUDICATION,
    CODING,
    EDITABLE,
    EXPLICITNESS,
    READING,
    SCORING,
    TRANSCRIPTION,
    VALIDATION,
    VERDICT,
)
from store.graphs import exposures
from store.papers.papers import is_located
from store.tables import (
    AssignmentRow,
    CodingListRow,
    EventRow,
    FigureRow,
    PaperRow,
    PersonRow,
    QueueEntryRow,
    RulingRow,
    TripletRow,
    VerdictSheetRow,
)
from store.tables.runs import RunSampleRow

SUBJECTS: dict[str, Any] = {
    TRANSCRIPTION: FigureRow,
    EXPLICITNESS: FigureRow,
    READING: RunSampleRow,
    SCORING: TripletRow,
    VALIDATION: TripletRow,
    VERDICT: VerdictSheetRow,
    CODING: CodingListRow,
}
"""Kind of work → the table of its subjects."""
REVIEWS = ("transcription.accept", "transcription.return")
ENDS = ("queue.lapse", "queue.free")
CHUNK = 500


class Claim(NamedTuple):
    """A person's claim of a subject; `edited_at` is read for unfinished work only."""

    id: str
    subject_id: str
    person_id: str
    state: str
    claimed_at: datetime
    expires_at: datetime | None
    submitted_at: datetime | None
    edited_at: datetime | None
    verdict: str | None


class Located(NamedTuple):
    id: str
    paper_id: str
    paper_title: str
    label: str
    place: str


# --- locks -------------------------------------------------------------------------------------------------------


def held_subject(session: Session, kind: str, subject_id: str, *, wait: bool = True) -> Any:
    """Return the subject's row, read again and locked until the transaction or savepoint ends, so that its claims
    are serialised. None if there is none, or if it is locked elsewhere and `wait` is False. SQLite needs no lock: it
    has one writer at a time."""
    table = SUBJECTS[kind]
    query = select(table).where(col(table.id) == subject_id).with_for_update(skip_locked=not wait)
    return session.exec(query, execution_options={"populate_existing": True}).first()


def hold_subjects(session: Session, kind: str, subject_ids: Iterable[str]) -> set[str]:
    """Lock several subjects in the order of their ids; return those that exist."""
    table, ids = SUBJECTS[kind], sorted(set(subject_ids))
    locked: set[str] = set()
    for start in range(0, len(ids), CHUNK):
        query = select(table.id).where(col(table.id).in_(ids[start : start + CHUNK])).order_by(col(table.id))
        locked.update(session.exec(query.with_for_update()))
    return locked


def hold_person(session: Session, person_id: str) -> None:
    """Lock a person's row, so that two tabs of one person query a queue one after the other. Rows that refer to it
    are not blocked."""
    session.exec(select(PersonRow.id).where(PersonRow.id == person_id).with_for_update(key_share=True)).first()


# --- who is at what ----------------------------------------------------------------------------------------------


def figures(session: Session) -> list[Located]:
    """Return figures in use, of papers in use that are not excluded, oldest first."""
    columns: Any = (FigureRow.id, PaperRow.id, PaperRow.title, FigureRow.label, FigureRow.place)
    query = (
        select(*columns)
        .join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id))
        .where(is_located())
        .order_by(col(FigureRow.created_at), col(FigureRow.id))
    )
    return [Located(*row) for row in session.execute(query)]


def claims(session: Session, kind: str) -> list[Claim]:
    """Return all work of this kind, by claim time, in one query."""
    edited = (
        select(EventRow.at)
        .where(EventRow.graph_id == AssignmentRow.graph_id)
        .order_by(col(EventRow.seq).desc())
        .limit(1)
        .correlate(AssignmentRow)
        .scalar_subquery()
    )
    columns: Any = (
        AssignmentRow.id,
        AssignmentRow.subject_id,
        AssignmentRow.person_id,
        AssignmentRow.state,
        AssignmentRow.claimed_at,
        AssignmentRow.expires_at,
        AssignmentRow.submitted_at,
        case((col(AssignmentRow.state).in_(EDITABLE), edited), else_=None),
        AssignmentRow.verdict,
    )
    query = select(*columns).where(AssignmentRow.kind == kind)
    rows = session.execute(query.order_by(col(AssignmentRow.claimed_at), col(AssignmentRow.id)))
    return [Claim(*row) for row in rows]


def work_on(session: Session, kind: str, subject_id: str) -> list[AssignmentRow]:
    """Return all work on one subject, read again, for callers that have locked it."""
    query = select(AssignmentRow).where(AssignmentRow.kind == kind, AssignmentRow.subject_id == subject_id)
    ordered = query.order_by(col(AssignmentRow.claimed_at), col(AssignmentRow.id))
    return list(session.exec(ordered, execution_options={"populate_existing": True}))


def work_of(session: Session, kinds: Iterable[str], person_id: str) -> list[AssignmentRow]:
    """Return a person's work of these kinds, by claim time."""
    query = select(AssignmentRow).where(AssignmentRow.person_id == person_id, col(AssignmentRow.kind).in_(list(kinds)))
    return list(session.exec(query.order_by(col(AssignmentRow.claimed_at), col(AssignmentRow.id))))


def is_at(session: Session, kind: str, subject_id: str, person_id: str) -> bool:
    query = select(AssignmentRow.id).where(
        AssignmentRow.kind == kind,
        AssignmentRow.subject_id == subject_id,
        AssignmentRow.person_id == person_id,
        col(AssignmentRow.state).in_(EDITABLE),
    )
    return session.exec(query.limit(1)).first() is not None


def judged(session: Session, kind: str, person_id: str) -> set[str]:
    """Return subjects on which this person saw or judged others' work of this kind, imported graphs included."""
    by_them = history.by_person(person_id)
    reviewed = (
        select(AssignmentRow.subject_id)
        .join(EventRow, col(EventRow.subject_id) == col(AssignmentRow.id))
        .where(AssignmentRow.kind == kind, col(EventRow.act).in_(REVIEWS), by_them)
    )
    adjudicates = select(AssignmentRow.subject_id).where(
        AssignmentRow.kind == ADJUDICATION, AssignmentRow.person_id == person_id
    )
    ruled = (
        select(AssignmentRow.subject_id)
        .join(RulingRow, col(RulingRow.assignment_id) == col(AssignmentRow.id))
        .where(RulingRow.ruled_by == person_id)
    )
    seen = exposures.figures_seen(session, person_id)
    return seen.union(session.exec(reviewed), session.exec(adjudicates), session.exec(ruled))


def built_from_text(session: Session, person_id: str) -> set[str]:
    """Return figures whose graph this person built, or started to build, from a text: they know its content."""
    query = (
        select(RunSampleRow.subject_id)
        .join(AssignmentRow, col(AssignmentRow.subject_id) == col(RunSampleRow.id))
        .where(AssignmentRow.kind == READING, AssignmentRow.person_id == person_id)
        .where(RunSampleRow.subject_kind == "figure")
    )
    return {figure_id for figure_id in session.exec(query) if figure_id is not None}


def adjudicated(session: Session) -> set[str]:
    """Return figures whose adjudication has started: a further transcription would be too late."""
    query = select(AssignmentRow.subject_id).where(AssignmentRow.kind == ADJUDICATION)
    return set(session.exec(query.where(AssignmentRow.state != "abandoned")))


def ends_of(session: Session, assignment_ids: Sequence[str]) -> dict[str, str]:
    """Return assignment → how its claim last ended, one of `ENDS`; others are missing."""
    ends: dict[str, str] = {}
    for start in range(0, len(assignment_ids), CHUNK):
        query = select(EventRow.subject_id, EventRow.act).where(
            col(EventRow.subject_id).in_(assignment_ids[start : start + CHUNK]), col(EventRow.act).in_(ENDS)
        )
        ends.update(session.exec(query.order_by(col(EventRow.seq))).all())
    return ends


# --- what is asked -----------------------------------------------------------------------------------------------


def entries(session: Session, kind: str) -> dict[str, tuple[int, int | None]]:
    """Return subject → (priority, number of people or None) of subjects with a queue entry."""
    query = select(QueueEntryRow.subject_id, QueueEntryRow.priority, QueueEntryRow.wanted)
    rows = session.execute(query.where(QueueEntryRow.kind == kind))
    return {subject_id: (priority, people) for subject_id, priority, people in rows}


def entry(session: Session, kind: str, subject_id: str) -> QueueEntryRow | None:
    query = select(QueueEntryRow).where(QueueEntryRow.kind == kind, QueueEntryRow.subject_id == subject_id)
    return session.exec(query, execution_options={"populate_existing": True}).first()


def keep_entry(session: Session, kind: str, subject_id: str, **values: int | None) -> QueueEntryRow:
    """Set `priority` or `wanted` of a locked subject."""
    row = entry(session, kind, subject_id) or QueueEntryRow(kind=kind, subject_id=subject_id)
    for name, value in values.items():
        setattr(row, name, value)
    session.add(row)
    session.flush()
    return row

"""Queues in the store: what is asked of each subject, who holds a place, and the locks under which places are given.

No function here commits. A kind of work names the table of its subjects, so that a further kind needs one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import case
from sqlmodel import Session, col, select

from store import history
from store.assignments import (
    ADJUDICATION,
    EDITABLE,
    EXPLICITNESS,
    READING,
    SCORING,
    TRANSCRIPTION,
    VALIDATION,
    VERDICT,
)
from store.graphs import looks
from store.papers.papers import is_located
from store.tables import (
    AssignmentRow,
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
}
"""Kind of work → the table whose rows it is done on."""
REVIEWS = ("transcription.accept", "transcription.return")
ENDS = ("queue.lapse", "queue.free")
CHUNK = 500


class Claim(NamedTuple):
    """One person's place in a queue; `edited_at` is asked for unfinished work only."""

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
    """A figure that can be worked on, with its paper."""

    id: str
    paper_id: str
    paper_title: str
    label: str
    place: str


# --- locks -------------------------------------------------------------------------------------------------------


def held_subject(session: Session, kind: str, subject_id: str, *, wait: bool = True) -> Any:
    """The subject's row, read anew and held until the transaction (or its savepoint) ends: places of one subject are
    given one after the other. None if there is none, or if it is held elsewhere and `wait` is False.

    SQLite needs no lock: its writers come one at a time.
    """
    table = SUBJECTS[kind]
    query = select(table).where(col(table.id) == subject_id).with_for_update(skip_locked=not wait)
    return session.exec(query, execution_options={"populate_existing": True}).first()


def hold_subjects(session: Session, kind: str, subject_ids: Iterable[str]) -> set[str]:
    """Hold several subjects, always in the order of their ids; returns those that are there."""
    table, ids = SUBJECTS[kind], sorted(set(subject_ids))
    found: set[str] = set()
    for start in range(0, len(ids), CHUNK):
        query = select(table.id).where(col(table.id).in_(ids[start : start + CHUNK])).order_by(col(table.id))
        found.update(session.exec(query.with_for_update()))
    return found


def hold_person(session: Session, person_id: str) -> None:
    """Hold one person's row against others who do, not against rows that refer to it: two tabs of one person then ask
    a queue one after the other."""
    session.exec(select(PersonRow.id).where(PersonRow.id == person_id).with_for_update(key_share=True)).first()


# --- who is at what ----------------------------------------------------------------------------------------------


def figures(session: Session) -> list[Located]:
    """Figures in use, of papers in use that were not excluded, oldest first."""
    columns: Any = (FigureRow.id, PaperRow.id, PaperRow.title, FigureRow.label, FigureRow.place)
    query = (
        select(*columns)
        .join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id))
        .where(is_located())
        .order_by(col(FigureRow.created_at), col(FigureRow.id))
    )
    return [Located(*row) for row in session.execute(query)]


def claims(session: Session, kind: str) -> list[Claim]:
    """Everyone's work of this kind, in the order it was taken, in one query."""
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
    """Everyone's work on one subject, read anew; for whoever holds the subject."""
    query = select(AssignmentRow).where(AssignmentRow.kind == kind, AssignmentRow.subject_id == subject_id)
    ordered = query.order_by(col(AssignmentRow.claimed_at), col(AssignmentRow.id))
    return list(session.exec(ordered, execution_options={"populate_existing": True}))


def work_of(session: Session, kinds: Iterable[str], person_id: str) -> list[AssignmentRow]:
    """One person's work of these kinds, in the order in which it was claimed."""
    query = select(AssignmentRow).where(AssignmentRow.person_id == person_id, col(AssignmentRow.kind).in_(list(kinds)))
    return list(session.exec(query.order_by(col(AssignmentRow.claimed_at), col(AssignmentRow.id))))


def is_at(session: Session, kind: str, subject_id: str, person_id: str) -> bool:
    """Whether this person has unfinished work on it."""
    query = select(AssignmentRow.id).where(
        AssignmentRow.kind == kind,
        AssignmentRow.subject_id == subject_id,
        AssignmentRow.person_id == person_id,
        col(AssignmentRow.state).in_(EDITABLE),
    )
    return session.exec(query.limit(1)).first() is not None


def judged(session: Session, kind: str, person_id: str) -> set[str]:
    """Subjects on which this person saw, accepted, returned, ruled on or adjudicated others' work of this kind; what
    was imported of a figure is others' work too."""
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
    seen = looks.figures_seen(session, person_id)
    return seen.union(session.exec(reviewed), session.exec(adjudicates), session.exec(ruled))


def built_from_text(session: Session, person_id: str) -> set[str]:
    """Figures whose graph this person built from a text, or began to: they know what it says."""
    query = (
        select(RunSampleRow.subject_id)
        .join(AssignmentRow, col(AssignmentRow.subject_id) == col(RunSampleRow.id))
        .where(AssignmentRow.kind == READING, AssignmentRow.person_id == person_id)
        .where(RunSampleRow.subject_kind == "figure")
    )
    return {figure_id for figure_id in session.exec(query) if figure_id is not None}


def adjudicated(session: Session) -> set[str]:
    """Figures whose adjudication has begun: one more transcription would come too late for it."""
    query = select(AssignmentRow.subject_id).where(AssignmentRow.kind == ADJUDICATION)
    return set(session.exec(query.where(AssignmentRow.state != "abandoned")))


def ends_of(session: Session, assignment_ids: Sequence[str]) -> dict[str, str]:
    """Assignment → how its claim last ended: one of `ENDS`. Those that never ended so are missing."""
    found: dict[str, str] = {}
    for start in range(0, len(assignment_ids), CHUNK):
        query = select(EventRow.subject_id, EventRow.act).where(
            col(EventRow.subject_id).in_(assignment_ids[start : start + CHUNK]), col(EventRow.act).in_(ENDS)
        )
        found.update(session.exec(query.order_by(col(EventRow.seq))).all())
    return found


# --- what is asked -----------------------------------------------------------------------------------------------


def entries(session: Session, kind: str) -> dict[str, tuple[int, int | None]]:
    """Subject → (priority, people wanted or None), for the subjects of which anything was said."""
    query = select(QueueEntryRow.subject_id, QueueEntryRow.priority, QueueEntryRow.wanted)
    rows = session.execute(query.where(QueueEntryRow.kind == kind))
    return {subject_id: (priority, wanted) for subject_id, priority, wanted in rows}


def entry(session: Session, kind: str, subject_id: str) -> QueueEntryRow | None:
    query = select(QueueEntryRow).where(QueueEntryRow.kind == kind, QueueEntryRow.subject_id == subject_id)
    return session.exec(query, execution_options={"populate_existing": True}).first()


def keep_entry(session: Session, kind: str, subject_id: str, **values: int | None) -> QueueEntryRow:
    """Set `priority` or `wanted` of a subject that is held."""
    row = entry(session, kind, subject_id) or QueueEntryRow(kind=kind, subject_id=subject_id)
    for name, value in values.items():
        setattr(row, name, value)
    session.add(row)
    session.flush()
    return row

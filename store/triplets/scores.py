"""Experts' scores per criterion, stored with their assignment. No function here commits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from store.assignments import EDITABLE, HANDED_IN
from store.graphs import exposures
from store.tables import AssignmentRow, ExpertiseRow, ExpertScoreRow, TripletPaperRow, TripletRow
from store.triplets.triplets import in_chunks


class SubmittedScores(NamedTuple):
    """Submitted scores; `paper` identifies the triplet's paper across collections."""

    assignment_id: str
    triplet_id: str
    person_id: str
    submitted_at: datetime
    comment: str
    paper: str


class ScoringAssignment(NamedTuple):
    """A person's assignment of a triplet, in any state."""

    id: str
    subject_id: str
    person_id: str
    state: str
    claimed_at: datetime
    expires_at: datetime | None


def keep_score(session: Session, assignment_id: str, criterion: str, score: int | None, now: datetime) -> int | None:
    """Set or delete one score of a locked assignment; return the previous one."""
    row = session.get(ExpertScoreRow, (assignment_id, criterion))
    before = row.score if row is not None else None
    if score is None:
        rows: Any = ExpertScoreRow
        session.execute(delete(rows).where(rows.assignment_id == assignment_id, rows.criterion == criterion))
        return before
    row = row or ExpertScoreRow(assignment_id=assignment_id, criterion=criterion, score=score, set_at=now)
    row.score, row.set_at = score, now
    session.add(row)
    session.flush()
    return before


def scores_of(session: Session, assignment_ids: Iterable[str]) -> dict[str, dict[str, int]]:
    """Return assignment → criterion → score; assignments without a score are missing."""
    scores: dict[str, dict[str, int]] = defaultdict(dict)
    columns: Any = (ExpertScoreRow.assignment_id, ExpertScoreRow.criterion, ExpertScoreRow.score)
    for some in in_chunks(assignment_ids):
        query = select(*columns).where(col(ExpertScoreRow.assignment_id).in_(some))
        for assignment_id, criterion, score in session.execute(query):
            scores[assignment_id][criterion] = score
    return dict(scores)


def submitted_scores(session: Session, kind: str) -> list[SubmittedScores]:
    """Return all submitted work of a kind, by submission time."""
    columns: Any = (
        AssignmentRow.id,
        AssignmentRow.subject_id,
        AssignmentRow.person_id,
        AssignmentRow.submitted_at,
        AssignmentRow.comment,
        TripletPaperRow.external_id,
    )
    query = (
        select(*columns)
        .join(TripletRow, col(TripletRow.id) == col(AssignmentRow.subject_id))
        .join(TripletPaperRow, col(TripletPaperRow.id) == col(TripletRow.triplet_paper_id))
        .where(AssignmentRow.kind == kind, col(AssignmentRow.state).in_(HANDED_IN))
        .order_by(col(AssignmentRow.submitted_at), col(AssignmentRow.id))
    )
    return [SubmittedScores(*row) for row in session.execute(query)]


def work(session: Session, kind: str) -> list[ScoringAssignment]:
    """Return all assignments of a kind of scoring."""
    columns: Any = (
        AssignmentRow.id,
        AssignmentRow.subject_id,
        AssignmentRow.person_id,
        AssignmentRow.state,
        AssignmentRow.claimed_at,
        AssignmentRow.expires_at,
    )
    query = select(*columns).where(AssignmentRow.kind == kind)
    rows = session.execute(query.order_by(col(AssignmentRow.claimed_at), col(AssignmentRow.id)))
    return [ScoringAssignment(*row) for row in rows]


def taken(session: Session, kind: str, now: datetime) -> dict[str, int]:
    """Return triplet → number of people who submitted it or hold a claim that has not expired."""
    state, end = col(AssignmentRow.state), col(AssignmentRow.expires_at)
    is_expired = state.in_(EDITABLE) & end.is_not(None) & (end <= now)
    query = select(AssignmentRow.subject_id, func.count()).where(
        AssignmentRow.kind == kind, state != "abandoned", ~is_expired
    )
    return dict(session.exec(query.group_by(AssignmentRow.subject_id)).all())


def skipped(session: Session, kind: str) -> list[tuple[str, str]]:
    """Return (triplet, reason) of skipped triplets that were not claimed again, the latest last. Expired and
    returned claims are not among them."""
    columns: Any = (AssignmentRow.subject_id, AssignmentRow.reason)
    query = select(*columns).where(
        AssignmentRow.kind == kind, AssignmentRow.state == "abandoned", col(AssignmentRow.expires_at).is_(None)
    )
    return [(row[0], row[1]) for row in session.execute(query.order_by(col(AssignmentRow.id)))]


def seen_by(session: Session, person_id: str) -> set[str]:
    """Return triplets whose scores this person saw, so that their own would not be blind."""
    return exposures.looked_at(session, person_id, "triplet")


def expertise(session: Session, person_id: str) -> tuple[list[str], int]:
    """Return a person's JEL letters and their version; none and 0 if they never entered any."""
    row = session.get(ExpertiseRow, person_id)
    return (list(row.letters), row.version) if row is not None else ([], 0)


def keep_expertise(session: Session, person_id: str, letters: list[str]) -> ExpertiseRow:
    row = session.get(ExpertiseRow, person_id) or ExpertiseRow(person_id=person_id)
    row.letters = letters
    session.add(row)
    session.flush()
    return row

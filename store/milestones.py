"""Milestones of people: the completed training and the guideline version they read. No function here commits."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from store.tables import MilestoneRow

TRAINING, GUIDELINES = "training", "guidelines"


def last_milestone(session: Session, person_id: str, what: str) -> MilestoneRow | None:
    """Return the milestone of the highest number, or None."""
    query = select(MilestoneRow).where(MilestoneRow.person_id == person_id, MilestoneRow.what == what)
    return session.exec(query.order_by(col(MilestoneRow.number).desc()).limit(1)).first()


def last_milestones(session: Session, what: str) -> dict[str, MilestoneRow]:
    """Return person → their milestone of the highest number."""
    query = select(MilestoneRow).where(MilestoneRow.what == what).order_by(col(MilestoneRow.number))
    return {row.person_id: row for row in session.exec(query)}


def keep_milestone(
    session: Session, person_id: str, what: str, number: int, by: str, at: datetime, details: dict[str, Any]
) -> MilestoneRow:
    """Insert or replace the milestone of this number."""
    row = session.get(MilestoneRow, (person_id, what, number))
    if row is None:
        row = MilestoneRow(person_id=person_id, what=what, number=number, set_by=by, set_at=at)
    row.set_by, row.set_at, row.details = by, at, details
    session.add(row)
    session.flush()
    return row

"""Expiry of claims, computed from a claim's end and the last edit of its graph, so that edits cost no extra write.

Time alone expires a claim. Its row says so (state "abandoned") only once someone needs the place or returns the claim.
"""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from core.errors import Refused
from core.transcription.queue import expiry_of
from services.queue.settings import settings_in
from store import history
from store.assignments import EDITABLE, READING, TIMED_KINDS, TRANSCRIPTION
from store.graphs import graphs
from store.tables import AssignmentRow, new_id

GONE = (
    "This claim expired without edits, and its place may go to someone else. Your edges are kept. Press Resume to "
    "continue while a place is free."
)
FREED = (
    "This claim was returned, and its place may go to someone else. Your edges are kept. Press Resume to continue "
    "while a place is free."
)


def has_expired(session: Session, row: AssignmentRow, now: datetime) -> bool:
    """Return whether unfinished work has expired. Before its end this costs no query."""
    # Scores and levels extend their claim's end themselves; the last edit of a graph is looked up below.
    if row.kind in TIMED_KINDS and row.state in EDITABLE:
        return row.expires_at is not None and now >= row.expires_at
    if row.kind not in (TRANSCRIPTION, READING) or row.state not in EDITABLE:
        return False
    if row.expires_at is not None and now < row.expires_at:
        return False
    edited_at = history.last_edit_at(session, row.graph_id) if row.graph_id else None
    return now >= expiry_of(row.claimed_at, row.expires_at, edited_at, settings_in(session).idle)


def state_now(session: Session, row: AssignmentRow, now: datetime) -> str:
    """Return the current state: "abandoned" also for a claim that has expired meanwhile."""
    return "abandoned" if has_expired(session, row, now) else row.state


def refuse_expired(session: Session, row: AssignmentRow, now: datetime) -> None:
    """Raise Refused for an expired claim, with the remedy."""
    if has_expired(session, row, now):
        raise Refused(GONE)


def expire(session: Session, row: AssignmentRow, now: datetime) -> bool:
    """End an expired claim on a locked subject; return whether it was expired.

    Its graph (for scores, the claim itself) is locked too, so that a concurrent act is either seen here or finds the
    claim ended.
    """
    if not has_expired(session, row, now):
        return False
    if row.graph_id is not None:
        graphs.graph_row(session, row.graph_id, for_update=True)
    session.refresh(row, with_for_update=True if row.graph_id is None else None)
    if not has_expired(session, row, now):
        return False
    row.state = "abandoned"
    session.add(row)
    session.flush()
    history.record(
        session,
        history.Actor("worker"),
        "queue.lapse",
        at=now,
        act_id=new_id(),
        subject_kind="assignment",
        subject_id=row.id,
        payload={"version": row.version},
    )
    return True

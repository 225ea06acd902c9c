"""When a claim has lapsed: worked out from its end and the last edit of its graph, so no edit costs a further write.

Time alone makes a claim lapse. The row says so (state "abandoned") only once somebody needs the place, or frees it.
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
    """Whether unfinished work lapsed. Until its end is reached this asks nothing of the store.

    Scores and levels prolong the claim they are given under; a drawing's last edit is looked up.
    """
    if row.kind in TIMED_KINDS and row.state in EDITABLE:
        return row.expires_at is not None and now >= row.expires_at
    if row.kind not in (TRANSCRIPTION, READING) or row.state not in EDITABLE:
        return False
    if row.expires_at is not None and now < row.expires_at:
        return False
    edited_at = history.last_edit_at(session, row.graph_id) if row.graph_id else None
    return now >= expiry_of(row.claimed_at, row.expires_at, edited_at, settings_in(session).idle)


def state_now(session: Session, row: AssignmentRow, now: datetime) -> str:
    """The assignment's state as it is at this moment: "abandoned" also for a claim that lapsed meanwhile."""
    return "abandoned" if has_expired(session, row, now) else row.state


def refuse_expired(session: Session, row: AssignmentRow, now: datetime) -> None:
    """Raises Refused for a claim that lapsed, with what to do."""
    if has_expired(session, row, now):
        raise Refused(GONE)


def expire(session: Session, row: AssignmentRow, now: datetime) -> bool:
    """End a dead claim on a subject that is held; True if it was one.

    Its graph (of scores, the claim itself) is held too, so that an act just being written is either seen here or finds
    the claim ended.
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

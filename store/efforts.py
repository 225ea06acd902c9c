"""Active time per task and day. No function here commits."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func
from sqlmodel import Session, col, select

from core.errors import Missing
from store.assignments import TRANSCRIPTION
from store.history import EDIT_ACTS
from store.tables import AssignmentRow, EffortRow, EventRow, FigureRow, PaperRow, PersonRow

REMEMBERED = 24
"""Number of report ids stored to detect repeats; more than a browser resends after a lost connection."""
CHUNK = 500


class Worked(NamedTuple):
    """A transcription with its person, figure and paper."""

    assignment_id: str
    person_id: str
    graph_id: str
    state: str
    proposals: str
    paper_title: str
    figure_label: str
    figure_place: str
    is_demo: bool


def held_assignment(session: Session, assignment_id: str) -> AssignmentRow:
    """Return the assignment, locked until the transaction ends, so that its reports are serialised."""
    query = select(AssignmentRow).where(AssignmentRow.id == assignment_id).with_for_update()
    row = session.exec(query).first()
    if row is None:
        raise Missing("There is no such transcription in this study.")
    return row


def last_effort(session: Session, assignment_id: str) -> EffortRow | None:
    """Return the row of the last day with a report."""
    query = select(EffortRow).where(EffortRow.assignment_id == assignment_id)
    return session.exec(query.order_by(col(EffortRow.day).desc()).limit(1)).first()


def count_up(session: Session, assignment_id: str, seconds: float, beat_id: str, now: datetime) -> None:
    """Add one report to today's row (UTC). Recent report ids are copied into a new day's row. After a clock is set
    back, reports are added to the later day until the clock catches up."""
    last, day = last_effort(session, assignment_id), f"{now:%Y-%m-%d}"
    known = [*(last.beats if last else ()), beat_id][-REMEMBERED:]
    row = last if last and last.day >= day else EffortRow(assignment_id=assignment_id, day=day, last_at=now)
    row.active_s, row.last_at, row.beats = row.active_s + seconds, now, known
    session.add(row)
    session.flush()


def active_seconds(session: Session, assignment_ids: Iterable[str]) -> dict[str, float]:
    """Return the total seconds per task; tasks without a report are missing."""
    return _by_key(session, assignment_ids, EffortRow.assignment_id, func.sum(EffortRow.active_s))


def edit_acts(session: Session, graph_ids: Iterable[str]) -> dict[str, int]:
    """Return the number of acts that changed each graph, undo and redo included."""
    edits = col(EventRow.act).in_(EDIT_ACTS)
    return _by_key(session, graph_ids, EventRow.graph_id, func.count(), edits)


def _by_key(session: Session, keys: Iterable[str], key: Any, value: Any, *where: Any) -> dict[str, Any]:
    listed, values = list(dict.fromkeys(keys)), dict[str, Any]()
    for start in range(0, len(listed), CHUNK):
        query = select(key, value).where(col(key).in_(listed[start : start + CHUNK]), *where).group_by(key)
        values.update((each, total) for each, total in session.execute(query))
    return values


def worked_on(session: Session, person_id: str | None = None) -> list[Worked]:
    """Return the transcriptions of one person, or of everyone, by claim time, without training."""
    columns: Any = (
        AssignmentRow.id,
        AssignmentRow.person_id,
        AssignmentRow.graph_id,
        AssignmentRow.state,
        AssignmentRow.proposals,
        PaperRow.title,
        FigureRow.label,
        FigureRow.place,
        PersonRow.is_demo,
    )
    query = (
        select(*columns)
        .join(FigureRow, col(FigureRow.id) == col(AssignmentRow.subject_id))
        .join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id))
        .join(PersonRow, col(PersonRow.id) == col(AssignmentRow.person_id))
        .where(AssignmentRow.kind == TRANSCRIPTION)
        .order_by(col(AssignmentRow.claimed_at), col(AssignmentRow.id))
    )
    rows = session.execute(query if person_id is None else query.where(AssignmentRow.person_id == person_id))
    return [Worked(*row) for row in rows]

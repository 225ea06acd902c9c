"""Runs without details, for lists and choices; items are counted only for the runs that are shown."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import defer
from sqlmodel import Session, col

from core.runs.states import AT_WORK, ItemStatus, RunState
from core.runs.windows import NUMBERED, NumberedWindow, read_numbered
from store.tables.runs import RunItemRow, RunRow

RUN = RunRow.metadata.tables["run"]
_MANIFEST: Any = RunRow.manifest
_SETTINGS: Any = RunRow.settings


def with_number(session: Session, number: int) -> RunRow | None:
    """Return the run of this number, archived or not."""
    return session.execute(select(RunRow).where(col(RunRow.number) == number)).scalar_one_or_none()


def in_use(session: Session) -> list[RunRow]:
    """Return every run in use, newest first; their hashes are loaded on access."""
    query = select(RunRow).options(defer(_MANIFEST)).order_by(col(RunRow.number).desc())
    return list(session.execute(query.where(col(RunRow.archived_at).is_(None))).scalars())


def runs_for_people(session: Session) -> list[RunRow]:
    """Return runs in use that may need attention, newest first: those not at their end, and done runs with failed
    items."""
    failed = (
        select(col(RunItemRow.run_id))
        .where(col(RunItemRow.status) == ItemStatus.FAILED.value)
        .where(col(RunItemRow.run_id) == col(RunRow.id))
        .correlate(RunRow)
    )
    asks = or_(
        col(RunRow.state).in_([RunState.STOPPED, RunState.WAITING, *AT_WORK]),
        and_(col(RunRow.state) == RunState.DONE, failed.exists()),
    )
    query = select(RunRow).options(defer(_MANIFEST), defer(_SETTINGS)).order_by(col(RunRow.number).desc())
    return list(session.execute(query.where(col(RunRow.archived_at).is_(None), asks)).scalars())


def some(session: Session, *, with_archived: bool, offset: int, limit: int) -> list[RunRow]:
    query = select(RunRow).order_by(col(RunRow.number).desc())
    if not with_archived:
        query = query.where(col(RunRow.archived_at).is_(None))
    return list(session.execute(query.offset(offset).limit(limit)).scalars())


def how_many(session: Session) -> tuple[int, int]:
    """Return (runs in use, archived runs)."""
    is_archived = col(RunRow.archived_at).is_not(None)
    counts = session.execute(select(func.count().filter(~is_archived), func.count().filter(is_archived))).one()
    return counts[0], counts[1]


def numbers_of(session: Session) -> dict[str, NumberedWindow]:
    """Return run → description of its numbered samples, for runs in use that have them."""
    numbered = RUN.c.manifest[NUMBERED]
    query = select(RUN.c.id, numbered).where(RUN.c.archived_at.is_(None))
    return {
        run_id: read_numbered(description) for run_id, description in session.execute(query) if description is not None
    }

"""Runs in short, for lists and for whoever chooses among them: items are counted only of those that are shown."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, and_, func, or_, select
from sqlalchemy.orm import defer
from sqlmodel import Session, col

from core.runs.states import AT_WORK, ItemStatus, RunState
from core.runs.windows import NUMBERED, Numbered, read_numbered
from store.tables.runs import RunItemRow, RunRow

RUN = RunRow.metadata.tables["run"]
_MANIFEST: Any = RunRow.manifest
_SETTINGS: Any = RunRow.settings


def with_number(session: Session, number: int) -> RunRow | None:
    """The run of this number, archived or not."""
    return session.execute(select(RunRow).where(col(RunRow.number) == number)).scalar_one_or_none()


def in_use(session: Session) -> list[RunRow]:
    """Every run that is not archived, the newest first; the hashes that made it are read when they are asked for."""
    query = select(RunRow).options(defer(_MANIFEST)).order_by(col(RunRow.number).desc())
    return list(session.execute(query.where(col(RunRow.archived_at).is_(None))).scalars())


def to_look_at(session: Session) -> list[RunRow]:
    """Runs in use that may ask something of people, the newest first: those that are not at their end, and those that
    are done with failed items."""
    failed = _with_failed_items().where(col(RunItemRow.run_id) == col(RunRow.id)).correlate(RunRow)
    asks = or_(
        col(RunRow.state).in_([RunState.STOPPED, RunState.WAITING, *AT_WORK]),
        and_(col(RunRow.state) == RunState.DONE, failed.exists()),
    )
    query = select(RunRow).options(defer(_MANIFEST), defer(_SETTINGS)).order_by(col(RunRow.number).desc())
    return list(session.execute(query.where(col(RunRow.archived_at).is_(None), asks)).scalars())


def some(session: Session, *, with_archived: bool, offset: int, limit: int) -> list[RunRow]:
    """Part of all runs, the newest first."""
    query = select(RunRow).order_by(col(RunRow.number).desc())
    if not with_archived:
        query = query.where(col(RunRow.archived_at).is_(None))
    return list(session.execute(query.offset(offset).limit(limit)).scalars())


def how_many(session: Session) -> tuple[int, int]:
    """How many runs are in use, and how many are archived."""
    is_archived = col(RunRow.archived_at).is_not(None)
    found = session.execute(select(func.count().filter(~is_archived), func.count().filter(is_archived))).one()
    return found[0], found[1]


def numbers_of(session: Session) -> dict[str, Numbered]:
    """Run → what it says of its samples' numbers, of runs in use whose samples are numbered."""
    said = RUN.c.manifest[NUMBERED]
    query = select(RUN.c.id, said).where(RUN.c.archived_at.is_(None))
    return {run_id: read_numbered(found) for run_id, found in session.execute(query) if found is not None}


def _with_failed_items() -> Select[str]:
    return select(col(RunItemRow.run_id)).where(col(RunItemRow.status) == ItemStatus.FAILED.value)

"""Windows of runs with numbered samples: what is still to be written, and what is pending."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, func, select
from sqlmodel import Session

from core.runs.states import ItemStatus
from store.runs.runs import ITEM, RUN


@dataclass(frozen=True, slots=True)
class Ahead:
    """The position of a run in its numbered samples."""

    next_place: int | None  # number of the next sample to write, None when all are written
    pending: Mapping[str, int]  # model → pending items
    stopped: frozenset[str]  # models without further requests


_NEXT = select(RUN.c.next_place, RUN.c.hindered).where(RUN.c.id == bindparam("run"))
_PENDING = ITEM.c.run_id == bindparam("run"), ITEM.c.status == ItemStatus.PENDING.value
_PENDING_IN_ALL = select(func.count()).select_from(ITEM).where(*_PENDING)
"""Answered from an index alone."""
_PENDING_BY_MODEL = select(ITEM.c.model, func.count()).where(*_PENDING).group_by(ITEM.c.model)


def ahead_of(session: Session, run_id: str, models: Sequence[str]) -> Ahead:
    """Return the position of a run with numbered samples. `models`: all of its models."""
    run_key = {"run": run_id}
    run = session.execute(_NEXT, run_key).one()
    pending: dict[str, int] = {}
    if run.next_place is not None and len(models) == 1:
        pending[models[0]] = session.execute(_PENDING_IN_ALL, run_key).scalar_one()
    elif run.next_place is not None:
        pending = {row[0]: row[1] for row in session.execute(_PENDING_BY_MODEL, run_key)}
    return Ahead(run.next_place, pending, frozenset(run.hindered.get("models", {})))


def has_more(session: Session, run_id: str) -> bool:
    """Return True if samples of the run are still to be written."""
    return session.execute(select(RUN.c.next_place).where(RUN.c.id == run_id)).scalar_one() is not None

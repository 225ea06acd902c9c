"""How far ahead of its answers a run is written whose samples are numbered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, func, select
from sqlmodel import Session

from core.runs.states import ItemStatus
from store.runs.runs import ITEM, RUN


@dataclass(frozen=True, slots=True)
class Ahead:
    """`next_place`: the number of the next sample to write, None where all are there; `pending`: model → items that
    wait to be asked; `stopped`: models that are asked no more."""

    next_place: int | None
    pending: Mapping[str, int]
    stopped: frozenset[str]


_NEXT = select(RUN.c.next_place, RUN.c.hindered).where(RUN.c.id == bindparam("run"))
_PENDING = ITEM.c.run_id == bindparam("run"), ITEM.c.status == ItemStatus.PENDING.value
_PENDING_IN_ALL = select(func.count()).select_from(ITEM).where(*_PENDING)
"""Told by an index alone, without a look at any item."""
_PENDING_BY_MODEL = select(ITEM.c.model, func.count()).where(*_PENDING).group_by(ITEM.c.model)


def ahead_of(session: Session, run_id: str, models: Sequence[str]) -> Ahead:
    """Of a run whose samples are numbered. `models`: all that it asks."""
    asked = {"run": run_id}
    run = session.execute(_NEXT, asked).one()
    pending: dict[str, int] = {}
    if run.next_place is not None and len(models) == 1:
        pending[models[0]] = session.execute(_PENDING_IN_ALL, asked).scalar_one()
    elif run.next_place is not None:
        pending = {row[0]: row[1] for row in session.execute(_PENDING_BY_MODEL, asked)}
    return Ahead(run.next_place, pending, frozenset(run.hindered.get("models", {})))


def has_more(session: Session, run_id: str) -> bool:
    """Whether samples of the run are still to be written."""
    return session.execute(select(RUN.c.next_place).where(RUN.c.id == run_id)).scalar_one() is not None

"""What tables are made of: the items of a run with what is true of their samples. No function here commits."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlmodel import Session

from store.tables import EventRow
from store.tables.runs import RunItemRow, RunSampleRow

SAMPLE, ITEM, EVENT = (kind.metadata.tables[str(kind.__tablename__)] for kind in (RunSampleRow, RunItemRow, EventRow))


class Item(NamedTuple):
    """One sample asked of one model, as tables count it."""

    item_id: str
    model: str
    repeat: int
    status: str
    predicted: str | None
    score: float | None
    is_right: bool | None
    parsed: Any
    probabilities: dict[str, float] | None
    task: str
    variant: str
    answer: str
    facts: dict[str, Any]
    sample_id: str


def items(session: Session, run_id: str) -> Iterator[Item]:
    """Every item of a run, in its order. What is said of a sample is read once, however many models were asked."""
    told = {
        row.id: (row.place, (*row[1:-1], row.id))
        for row in session.execute(
            select(SAMPLE.c.id, SAMPLE.c.task, SAMPLE.c.variant, SAMPLE.c.answer, SAMPLE.c.facts, SAMPLE.c.place).where(
                SAMPLE.c.run_id == run_id
            )
        )
    }
    columns = (
        ITEM.c.id,
        ITEM.c.model,
        ITEM.c.repeat,
        ITEM.c.status,
        ITEM.c.predicted,
        ITEM.c.score,
        ITEM.c.is_right,
        ITEM.c.parsed,
        ITEM.c.probabilities,
        ITEM.c.sample_id,
    )
    rows = session.execute(select(*columns).where(ITEM.c.run_id == run_id)).all()
    for row in sorted(rows, key=lambda each: (told[each.sample_id][0], each.model, each.repeat)):
        yield Item(*row[:-1], *told[row.sample_id][1])


def last_changes(session: Session, run_ids: Collection[str]) -> dict[str, str]:
    """Run → a word that changes when any of its items does: how many are in each status, when the last one ended, and
    the last act about the run (scoring it again is one)."""
    query = (
        select(ITEM.c.run_id, ITEM.c.status, func.count(), func.max(ITEM.c.done_at))
        .where(ITEM.c.run_id.in_(list(run_ids)))
        .group_by(ITEM.c.run_id, ITEM.c.status)
        .order_by(ITEM.c.run_id, ITEM.c.status)
    )
    acts = select(EVENT.c.subject_id, func.max(EVENT.c.seq)).where(EVENT.c.subject_id.in_(list(run_ids)))
    found = {run_id: str(seq) for run_id, seq in session.execute(acts.group_by(EVENT.c.subject_id))}
    for run_id, *said in session.execute(query):
        found[run_id] = hashlib.sha256(f"{found.get(run_id, '')}{said!r}".encode()).hexdigest()[:16]
    return found

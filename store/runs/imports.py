"""Items of runs imported with their replies: found by their ids in the file. No function here commits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlmodel import Session

from store.runs.runs import CHUNK, ITEM, REPLY, SAMPLE


def items_by_key(session: Session, run_ids: Sequence[str]) -> dict[str, str]:
    """Return id of a row in the file → its item."""
    items: dict[str, str] = {}
    query = select(REPLY.c.provider_id, ITEM.c.id).join(ITEM, ITEM.c.request_hash == REPLY.c.request_hash)
    for start in range(0, len(run_ids), CHUNK):
        some = run_ids[start : start + CHUNK]
        items |= {row[0]: row[1] for row in session.execute(query.where(ITEM.c.run_id.in_(some)))}
    return items


def item_ids(session: Session, run_id: str) -> dict[tuple[int, str, int], str]:
    """Return (place of its sample, model, repeat) → item."""
    query = select(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat, ITEM.c.id).join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
    return {(row[0], row[1], row[2]): row[3] for row in session.execute(query.where(ITEM.c.run_id == run_id))}


def bodies(session: Session, hashes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (request hash, body) of stored replies."""
    for start in range(0, len(hashes), CHUNK):
        some = hashes[start : start + CHUNK]
        query = select(REPLY.c.request_hash, REPLY.c.raw).where(REPLY.c.request_hash.in_(some))
        yield from ((row[0], row[1]) for row in session.execute(query))


class RepliedItem(NamedTuple):
    item_id: str
    place: int
    task: str
    variant: str
    key: str
    model: str
    repeat: int
    status: str
    request_hash: str
    provider_id: str
    text: str | None
    reasoning: str | None
    received_at: datetime


def replied_items(session: Session, run_id: str) -> Iterator[RepliedItem]:
    """Yield every item with a reply, ordered by sample, model and repeat."""
    sample = [SAMPLE.c[name] for name in ("place", "task", "variant", "key")]
    item = [ITEM.c[name] for name in ("model", "repeat", "status", "request_hash")]
    reply = [REPLY.c[name] for name in ("provider_id", "text", "reasoning", "received_at")]
    query = (
        select(ITEM.c.id, *sample, *item, *reply)
        .join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
        .join(REPLY, REPLY.c.request_hash == ITEM.c.request_hash)
        .where(ITEM.c.run_id == run_id)
        .order_by(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)
    )
    for row in session.execute(query, execution_options={"yield_per": CHUNK}):
        yield RepliedItem(*row)


class JudgedItem(NamedTuple):
    """A section of a verdict in a judge's run. `parsed`: its items, None if nothing was parsed."""

    item_id: str
    model: str
    repeat: int
    status: str
    facts: dict[str, Any]
    parts: Any
    parsed: Any
    done_at: datetime | None


def judged_items(session: Session, run_id: str) -> Iterator[JudgedItem]:
    """Yield every item of a judge's run, ordered by sample, model and repeat."""
    item = [ITEM.c[name] for name in ("id", "model", "repeat", "status")]
    query = (
        select(*item, SAMPLE.c.facts, ITEM.c.parts, ITEM.c.parsed, ITEM.c.done_at)
        .join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
        .where(ITEM.c.run_id == run_id)
        .order_by(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)
    )
    for row in session.execute(query, execution_options={"yield_per": CHUNK}):
        yield JudgedItem(*row)


def samples_of(session: Session, run_id: str) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Yield (key, facts, truth) of a run's samples, in order."""
    query = select(SAMPLE.c.key, SAMPLE.c.facts, SAMPLE.c.truth).where(SAMPLE.c.run_id == run_id)
    for row in session.execute(query.order_by(SAMPLE.c.place), execution_options={"yield_per": CHUNK}):
        yield row[0], row[1], row[2]

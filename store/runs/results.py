"""Items of a run with the truth of their samples, for tables. No function here commits."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from sqlalchemy import Text, case, cast, func, select, union_all
from sqlmodel import Session

from core.steps import EMBED_TASK
from store import json_values
from store.tables import EventRow
from store.tables.runs import ReplyRow, RunItemRow, RunRoundRow, RunSampleRow

SAMPLE, ITEM, ROUND, REPLY, EVENT = (
    kind.metadata.tables[str(kind.__tablename__)]
    for kind in (RunSampleRow, RunItemRow, RunRoundRow, ReplyRow, EventRow)
)


_IS_ASKED = (SAMPLE.c.task != EMBED_TASK) | (SAMPLE.c.variant != "")
"""Texts that were only embedded are in no table."""
AT_ONCE = 300
"""Rows in memory at once."""


class AskedSample(NamedTuple):
    place: int
    id: str
    hash: str
    key: str
    task: str
    variant: str
    answer: str | None
    cell_id: str | None
    facts: dict[str, Any]


def samples(session: Session, run_id: str, *, with_facts: bool) -> Iterator[AskedSample]:
    """Yield the samples of a run in their order, without `with_facts` with empty ones."""
    columns = [SAMPLE.c[name] for name in ("place", "id", "sample_hash", "key", "task", "variant", "answer", "cell_id")]
    facts = [cast(SAMPLE.c.facts, Text)] if with_facts else []
    query = select(*columns, *facts).where(SAMPLE.c.run_id == run_id, _IS_ASKED).order_by(SAMPLE.c.place)
    for rows in session.execute(query, execution_options={"yield_per": AT_ONCE}).partitions():
        of_rows = json_values.read_many([row[8] for row in rows]) if with_facts else [{}] * len(rows)
        for row, facts_of_row in zip(rows, of_rows, strict=True):
            yield AskedSample(*(*row[:8], facts_of_row))


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """Items of a run by column. `parsed`: fields of the replies; `parts`: of the scores."""

    place: list[int] = field(default_factory=list)  # of the sample
    item: list[str] = field(default_factory=list)
    model: list[str] = field(default_factory=list)
    repeat: list[int] = field(default_factory=list)
    status: list[str] = field(default_factory=list)
    predicted: list[str | None] = field(default_factory=list)
    score: list[float | None] = field(default_factory=list)
    right: list[bool | None] = field(default_factory=list)
    parsed: list[Any] = field(default_factory=list)
    probabilities: list[dict[str, float] | None] = field(default_factory=list)
    parts: list[Any] = field(default_factory=list)


def items(session: Session, run_id: str, *, with_answers: bool = False, with_parts: bool = False) -> Items:
    """Read every item of a run, ordered by sample, model and repeat; parsed fields, probabilities and parts on request,
    else None.

    JSON is parsed here, not by the database driver, which takes several times as long for 100,000 of them. Filtering by
    the samples' run gives the order from indexes.
    """
    columns = [ITEM.c[name] for name in ("id", "model", "repeat", "status", "predicted", "score", "is_right")]
    names = {"parsed": with_answers, "probabilities": with_answers, "parts": with_parts}
    texts = [cast(ITEM.c[name], Text) for name, is_read in names.items() if is_read]
    query = (
        select(SAMPLE.c.place, *columns, *texts)
        .select_from(SAMPLE)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(SAMPLE.c.run_id == run_id, _IS_ASKED)
        .order_by(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)
    )
    found = Items()
    plain = [getattr(found, each.name) for each in fields(Items)][: len(columns) + 1]
    for rows in session.execute(query, execution_options={"yield_per": AT_ONCE}).partitions():
        read = list(zip(*rows, strict=True))
        for into, values in zip(plain, read, strict=False):
            into.extend(values)
        further = iter(read[len(plain) :])
        for name, is_read in names.items():
            getattr(found, name).extend(json_values.read_many(next(further)) if is_read else [None] * len(rows))
    return found


def fact_names(session: Session, run_id: str) -> tuple[str, ...]:
    """Return the names of facts of which the first samples of a run have any."""
    query = select(cast(SAMPLE.c.facts, Text)).where(SAMPLE.c.run_id == run_id, _IS_ASKED).order_by(SAMPLE.c.place)
    read = json_values.read_many(list(session.execute(query.limit(AT_ONCE)).scalars()))
    return tuple(dict.fromkeys(name for facts in read for name, value in facts.items() if value is not None))


def truths(session: Session, run_id: str, statuses: Collection[str] | None = None) -> Iterator[tuple[str, Any]]:
    """Yield id and truth of the samples, or only of those with an item in one of these statuses."""
    query = select(SAMPLE.c.id, cast(SAMPLE.c.truth, Text)).where(SAMPLE.c.run_id == run_id, _IS_ASKED)
    if statuses is not None:
        with_status = select(ITEM.c.sample_id).where(ITEM.c.run_id == run_id, ITEM.c.status.in_(list(statuses)))
        query = query.where(SAMPLE.c.id.in_(with_status))
    for rows in session.execute(query, execution_options={"yield_per": AT_ONCE}).partitions():
        for row, truth in zip(rows, json_values.read_many([row[1] for row in rows]), strict=True):
            yield row[0], truth


def flags(session: Session, run_id: str) -> dict[str, tuple[str, ...]]:
    """Return item → its remarks, where it has any."""
    query = select(ITEM.c.id, cast(ITEM.c.flags, Text)).where(ITEM.c.run_id == run_id, ITEM.c.flags.is_not(None))
    found = session.execute(query).all()
    remarks = json_values.read_many([row[1] for row in found])
    return {row[0]: tuple(map(str, each)) for row, each in zip(found, remarks, strict=True) if each}


USE = (
    *("tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning", "reasoning_characters", "cost_usd"),
    "latency_s",
)


def use(session: Session, run_id: str) -> dict[str, tuple[float | None, ...]]:
    """Return item → `USE`, summed over its requests; None where one of its replies does not say it. Texts of reasoning
    are measured by the database."""
    first = select(ITEM.c.id.label("item"), ITEM.c.request_hash).where(ITEM.c.run_id == run_id)
    further = select(ROUND.c.item_id.label("item"), ROUND.c.request_hash).join(ITEM, ITEM.c.id == ROUND.c.item_id)
    asked = union_all(first, further.where(ITEM.c.run_id == run_id)).subquery()
    said: dict[str, Any] = {name: REPLY.c[name] for name in USE if name != "reasoning_characters"}
    said["reasoning_characters"] = func.length(REPLY.c.reasoning)
    sums = [case((func.count(said[name]) == func.count(), func.sum(said[name]))) for name in USE]
    query = select(asked.c.item, *sums).join(REPLY, REPLY.c.request_hash == asked.c.request_hash).group_by(asked.c.item)
    return {row[0]: tuple(row[1:]) for row in session.execute(query)}


def last_changes(session: Session, run_ids: Collection[str]) -> dict[str, str]:
    """Return run → a string that changes with any of its items: from the counts by status, the last end, and the
    last act on the run (such as scoring again)."""
    query = (
        select(ITEM.c.run_id, ITEM.c.status, func.count(), func.max(ITEM.c.done_at))
        .where(ITEM.c.run_id.in_(list(run_ids)))
        .group_by(ITEM.c.run_id, ITEM.c.status)
        .order_by(ITEM.c.run_id, ITEM.c.status)
    )
    acts = select(EVENT.c.subject_id, func.max(EVENT.c.seq)).where(EVENT.c.subject_id.in_(list(run_ids)))
    versions = {run_id: str(seq) for run_id, seq in session.execute(acts.group_by(EVENT.c.subject_id))}
    for run_id, *counts in session.execute(query):
        versions[run_id] = hashlib.sha256(f"{versions.get(run_id, '')}{counts!r}".encode()).hexdigest()[:16]
    return versions

"""Items of a run with the truth of their samples, for tables. No function here commits."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from sqlalchemy import Text, cast, func, select
from sqlmodel import Session

from core.steps import EMBED_TASK
from store import json_values
from store.tables import EventRow
from store.tables.runs import RunItemRow, RunSampleRow

SAMPLE, ITEM, EVENT = (kind.metadata.tables[str(kind.__tablename__)] for kind in (RunSampleRow, RunItemRow, EventRow))


_IS_ASKED = (SAMPLE.c.task != EMBED_TASK) | (SAMPLE.c.variant != "")
"""Texts that were only embedded are in no table."""
AT_ONCE = 300
"""Rows in memory at once."""


class AskedSample(NamedTuple):
    id: str
    key: str
    task: str
    variant: str
    answer: str | None
    facts: dict[str, Any]


def samples(session: Session, run_id: str) -> Iterator[AskedSample]:
    names = ("id", "key", "task", "variant", "answer")
    columns = (*(SAMPLE.c[name] for name in names), cast(SAMPLE.c.facts, Text))
    query = select(*columns).where(SAMPLE.c.run_id == run_id, _IS_ASKED).order_by(SAMPLE.c.place)
    for rows in session.execute(query, execution_options={"yield_per": AT_ONCE}).partitions():
        for row, facts in zip(rows, json_values.read_many([row[5] for row in rows]), strict=True):
            yield AskedSample(row[0], row[1], row[2], row[3], row[4], facts)


Outcome = tuple[str, str | None, float | None, bool | None]
"""An item's status, predicted label, score, and whether it is right."""


def items(
    session: Session, run_id: str, *, with_parts: bool = False
) -> Iterator[tuple[str, str, str, Outcome, Any, dict[str, float] | None, Any]]:
    """Yield of every item: its sample, model, id, outcome, parsed fields, probabilities, and on request the parts of
    its score (else None), ordered by sample, model and repeat.

    JSON is parsed here, not by the database driver, which takes several times as long for 100,000 of them. Filtering by
    the samples' run gives the order from indexes.
    """
    columns = [ITEM.c[name] for name in ("model", "id", "status", "predicted", "score", "is_right")]
    names = ("parsed", "probabilities", "parts") if with_parts else ("parsed", "probabilities")
    texts = [cast(ITEM.c[name], Text) for name in names]
    query = (
        select(SAMPLE.c.id, *columns, *texts)
        .select_from(SAMPLE)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(SAMPLE.c.run_id == run_id, _IS_ASKED)
        .order_by(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)
    )
    for rows in session.execute(query, execution_options={"yield_per": AT_ONCE}).partitions():
        parsed, probabilities = (json_values.read_many([row[place] for row in rows]) for place in (7, 8))
        parts = json_values.read_many([row[9] for row in rows]) if with_parts else [None] * len(rows)
        for row, fields, shares, each in zip(rows, parsed, probabilities, parts, strict=True):
            yield row[0], row[1], row[2], tuple(row[3:7]), fields, shares, each


def truths(session: Session, run_id: str, statuses: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Yield id and truth of the samples with an item in one of these statuses."""
    with_status = select(ITEM.c.sample_id).where(ITEM.c.run_id == run_id, ITEM.c.status.in_(list(statuses)))
    query = select(SAMPLE.c.id, cast(SAMPLE.c.truth, Text)).where(SAMPLE.c.id.in_(with_status), _IS_ASKED)
    for rows in session.execute(query, execution_options={"yield_per": AT_ONCE}).partitions():
        for row, truth in zip(rows, json_values.read_many([row[1] for row in rows]), strict=True):
            yield row[0], truth


class CellKind(NamedTuple):
    """The columns of an item that tables count, if its cell describes its sample."""

    model: str
    status: str
    predicted: str | None
    score: float | None
    is_right: bool | None
    cell_id: str | None
    task: str
    variant: str
    answer: str | None


class CellItems(NamedTuple):
    """Some items by column: their ids, their samples' ids and keys, and the values of a `CellKind` each."""

    ids: list[str]
    samples: list[str]
    keys: list[str]
    kinds: list[tuple[Any, ...]]


def items_in_cells(session: Session, run_id: str) -> Iterator[CellItems]:
    """Yield every item ordered by sample, model and repeat, without facts and parsed fields."""
    of_item = [ITEM.c[name] for name in CellKind._fields[:5]]
    of_sample = [SAMPLE.c[name] for name in CellKind._fields[5:]]
    query = (
        select(ITEM.c.id, SAMPLE.c.id, SAMPLE.c.key, *of_item, *of_sample)
        .select_from(SAMPLE)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .where(SAMPLE.c.run_id == run_id, _IS_ASKED)
        .order_by(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)
    )
    for rows in session.execute(query, execution_options={"yield_per": AT_ONCE}).partitions():
        yield CellItems(
            [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows], [row[3:] for row in rows]
        )


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

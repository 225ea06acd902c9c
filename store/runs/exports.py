"""A run as rows for an export: items with samples and replies, attempts, texts. Nothing here commits. A run may
exceed the memory, so rows are streamed a few at a time: a server buffers the rest, and SQLite reads them in index
order. An abandoned export leaves only the session open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Row, Select, exists, select
from sqlmodel import Session

from core.runs.states import IMPLAUSIBLE_USAGE
from store.runs import runs
from store.tables.runs import ReplyRow, RunGroupRow, RunItemRow, RunMadeRow, RunRoundRow, RunSampleRow, SendRow

SAMPLE, ITEM, ROUND, REPLY, ATTEMPT, GROUP, MADE = (
    kind.metadata.tables[str(kind.__tablename__)]
    for kind in (RunSampleRow, RunItemRow, RunRoundRow, ReplyRow, SendRow, RunGroupRow, RunMadeRow)
)
AT_ONCE = 8
"""Rows with replies in memory at once; a reply may have 2 MB, of which Python holds two copies."""
FEW_BYTES = 4 * 1024**2
"""Bytes of texts in memory at once, if there is more than one."""
OF_ITEM = (
    "id",
    "model",
    "repeat",
    "status",
    "fault",
    "predicted",
    "rung",
    "parsed",
    "repaired",
    "probabilities",
    "score",
    "is_right",
    "parts",
    "flags",
    "attempts",
    "was_cached",
    "request_hash",
    "done_at",
)
OF_ROUND = ("item_id", "number", "purpose", "model", "request_hash", "status", "fault")
OF_SAMPLE = (
    "place",
    "step",
    "task",
    "variant",
    "key",
    "sample_hash",
    "prompt",
    "prompt_hash",
    "messages",
    "answer",
    "truth",
    "facts",
)
OF_DERIVED = ("slots", "subject_kind", "subject_id")
OF_REPLY = (
    "endpoint",
    "provider_model",
    "provider_id",
    "finish_reason",
    "raw",
    "text",
    "reasoning",
    "refusal",
    "logprobs",
    "tokens_in",
    "tokens_out",
    "tokens_cached",
    "tokens_reasoning",
    "cost_usd",
    "latency_s",
    "received_at",
    "request",
)
OF_GROUP = ("step", "key", "state", "reason", "inputs_hash", "ended_at")
OF_MADE = ("key", "value", "hash", "flags", "rests_on", "ruling")
OF_ATTEMPT = (
    "id",
    "item_id",
    "request_hash",
    "number",
    "endpoint",
    "model",
    "state",
    "kind",
    "http_status",
    "message",
    "raw",
    "retry_after_s",
    "tokens_in",
    "tokens_out",
    "cost_usd",
    "most_tokens",
    "most_usd",
    "sent_at",
    "ended_at",
)
"""Without the worker: which process and machine sent it is private."""
_USAGE_FAULT = (
    select(ATTEMPT.c.message)
    .where(ATTEMPT.c.id == REPLY.c.attempt_id, ATTEMPT.c.kind == IMPLAUSIBLE_USAGE)
    .scalar_subquery()
    .label("r_usage_fault")
)


def items(session: Session, run_id: str) -> Iterator[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """Yield (item, sample, reply) by column name, in the order of the run; the reply is empty without one."""
    columns = [
        table.c[name].label(f"{prefix}_{name}")
        for table, prefix, names in ((ITEM, "i", OF_ITEM), (SAMPLE, "s", OF_SAMPLE), (REPLY, "r", OF_REPLY))
        for name in names
    ]
    # Filtering by the samples' run gives the export's order from indexes; filtering by the items' run would sort all
    # replies.
    query = (
        select(*columns, _USAGE_FAULT, REPLY.c.request_hash.label("has_reply"))
        .select_from(SAMPLE)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .outerjoin(REPLY, REPLY.c.request_hash == ITEM.c.request_hash)
        .where(SAMPLE.c.run_id == run_id)
    )
    for row in _rows(session, query.order_by(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)):
        item, sample, reply = (
            _part(row, prefix, names)
            for prefix, names in (
                ("i", OF_ITEM),
                ("s", OF_SAMPLE),
                ("r", (*OF_REPLY, "usage_fault")),
            )
        )
        yield item, sample, reply if row.has_reply is not None else {}


def has_rounds(session: Session, run_id: str) -> bool:
    query = select(ROUND.c.item_id).join(ITEM, ITEM.c.id == ROUND.c.item_id).where(ITEM.c.run_id == run_id)
    return session.execute(query.limit(1)).first() is not None


def rounds(session: Session, run_id: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield (further request, reply) by column name, in the order of the run and of items; the reply is empty
    without one."""
    columns = [
        table.c[name].label(f"{prefix}_{name}")
        for table, prefix, names in ((ROUND, "o", OF_ROUND), (REPLY, "r", OF_REPLY))
        for name in names
    ]
    query = (
        select(*columns, _USAGE_FAULT, REPLY.c.request_hash.label("has_reply"))
        .select_from(SAMPLE)
        .join(ITEM, ITEM.c.sample_id == SAMPLE.c.id)
        .join(ROUND, ROUND.c.item_id == ITEM.c.id)
        .outerjoin(REPLY, REPLY.c.request_hash == ROUND.c.request_hash)
        .where(SAMPLE.c.run_id == run_id)
        .order_by(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat, ROUND.c.number)
    )
    for row in _rows(session, query):
        reply = _part(row, "r", (*OF_REPLY, "usage_fault")) if row.has_reply is not None else {}
        yield _part(row, "o", OF_ROUND), reply


def samples(session: Session, run_id: str, *, with_slots: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the samples that have an item, in order. `with_slots`: also the columns from which messages are
    rendered."""
    names = (*OF_SAMPLE, *OF_DERIVED) if with_slots else OF_SAMPLE
    has_item = exists().where(ITEM.c.sample_id == SAMPLE.c.id)
    query = select(*(SAMPLE.c[name] for name in names)).select_from(SAMPLE).where(SAMPLE.c.run_id == run_id, has_item)
    for row in _rows(session, query.order_by(SAMPLE.c.place)):
        yield dict(row._mapping)


def texts(session: Session, sizes: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield (hash, text) of stored texts, by hash. `sizes`: hash → bytes, as `runs.text_sizes` returns."""
    for part in _parts(sizes):
        texts_by_hash = runs.texts(session, part)
        yield from ((key, texts_by_hash[key]) for key in part)


def groups_made(session: Session, run_id: str) -> Iterator[dict[str, Any]]:
    """Yield the groups of a run by step and key, with their values and the places of their samples."""
    query = select(*(GROUP.c[name] for name in ("id", *OF_GROUP))).where(GROUP.c.run_id == run_id)
    for row in session.execute(query.order_by(GROUP.c.step, GROUP.c.key)).all():
        values = select(*(MADE.c[name] for name in OF_MADE)).where(MADE.c.group_id == row.id).order_by(MADE.c.place)
        places = select(SAMPLE.c.place).where(SAMPLE.c.group_id == row.id).order_by(SAMPLE.c.place)
        yield {
            **{name: row._mapping[name] for name in OF_GROUP},
            "made": [dict(each._mapping) for each in session.execute(values)],
            "sample_places": list(session.execute(places).scalars()),
        }


def attempts(session: Session, run_id: str) -> Iterator[dict[str, Any]]:
    """Yield the attempts of a run in the order they were sent."""
    query = select(*(ATTEMPT.c[name] for name in OF_ATTEMPT)).where(ATTEMPT.c.run_id == run_id)
    for row in _rows(session, query.order_by(ATTEMPT.c.sent_at, ATTEMPT.c.id)):
        yield dict(row._mapping)


# --- the rows -----------------------------------------------------------------------------------------------------


def _rows(session: Session, query: Select[Any]) -> Iterator[Row[Any]]:
    with session.execute(query, execution_options={"yield_per": AT_ONCE}) as rows:
        yield from rows


def _part(row: Row[Any], prefix: str, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(row, f"{prefix}_{name}") for name in names}


def _parts(sizes: Mapping[str, int]) -> Iterator[list[str]]:
    """Yield the hashes in order, in lists of at most `FEW_BYTES` of text."""
    part: list[str] = []
    size = 0
    for key in sorted(sizes):
        if part and size + sizes[key] > FEW_BYTES:
            yield part
            part, size = [], 0
        part.append(key)
        size += sizes[key]
    if part:
        yield part

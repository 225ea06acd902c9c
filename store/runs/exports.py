"""A run as rows to take away: every item with its sample and reply, every attempt, every text. Nothing here commits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Row, select
from sqlmodel import Session

from store.tables.runs import ReplyRow, RunItemRow, RunSampleRow, SendRow

SAMPLE, ITEM, REPLY, ATTEMPT = (
    kind.metadata.tables[str(kind.__tablename__)] for kind in (RunSampleRow, RunItemRow, ReplyRow, SendRow)
)
CHUNK = 500
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
    "attempts",
    "was_cached",
    "request_hash",
    "done_at",
)
OF_SAMPLE = (
    "place",
    "task",
    "variant",
    "key",
    "sample_hash",
    "prompt",
    "prompt_hash",
    "messages",
    "answer",
    "facts",
)
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
"""Without the worker: which process of which machine sent it is nobody's business elsewhere."""


def items(session: Session, run_id: str) -> Iterator[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """(item, sample, reply) by the names of their columns, in the order of the run; the reply is empty without one."""
    columns = [
        table.c[name].label(f"{prefix}_{name}")
        for table, prefix, names in ((ITEM, "i", OF_ITEM), (SAMPLE, "s", OF_SAMPLE), (REPLY, "r", OF_REPLY))
        for name in names
    ]
    query = (
        select(*columns, REPLY.c.request_hash.label("has_reply"))
        .select_from(ITEM)
        .join(SAMPLE, SAMPLE.c.id == ITEM.c.sample_id)
        .outerjoin(REPLY, REPLY.c.request_hash == ITEM.c.request_hash)
        .where(ITEM.c.run_id == run_id)
        .order_by(SAMPLE.c.place, ITEM.c.model, ITEM.c.repeat)
    )
    for row in session.execute(query):
        item, sample, reply = (
            _part(row, prefix, names)
            for prefix, names in (
                ("i", OF_ITEM),
                ("s", OF_SAMPLE),
                ("r", OF_REPLY),
            )
        )
        yield item, sample, reply if row.has_reply is not None else {}


def _part(row: Row[Any], prefix: str, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(row, f"{prefix}_{name}") for name in names}


def attempts(session: Session, run_id: str) -> list[dict[str, Any]]:
    """The ledger of a run, in the order in which it was sent."""
    query = select(*(ATTEMPT.c[name] for name in OF_ATTEMPT)).where(ATTEMPT.c.run_id == run_id)
    return [dict(row._mapping) for row in session.execute(query.order_by(ATTEMPT.c.sent_at, ATTEMPT.c.id))]

"""Rows of the ledger. Each function names every column, since rows of one kind are written together."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from core.runs.states import IMPLAUSIBLE_USAGE, AttemptState
from runs.budget import Amount
from runs.endpoint.faults import FREE, SendError
from runs.endpoint.reply import ModelReply, storable
from store.runs.items import ItemOutcome

LEFT_OPEN = "The worker was stopped while it waited; the provider may have answered, and charged."

HALTED = "Not sent: the run, its model or the worker was stopped while the attempt was being stored."


def sent_row(
    *,
    attempt_id: str,
    run_id: str,
    item_id: str,
    request_hash: str,
    number: int,
    endpoint: str,
    model: str,
    worker_id: str,
    most: Amount,
    now: datetime,
) -> dict[str, Any]:
    """Return the row of an attempt that is about to leave. `model`: its name in the run; `most`: its maximum cost."""
    return {
        "id": attempt_id,
        "run_id": run_id,
        "item_id": item_id,
        "request_hash": request_hash,
        "number": number,
        "endpoint": endpoint,
        "model": model,
        "worker_id": worker_id,
        "state": AttemptState.SENT.value,
        "kind": "",
        "message": "",
        "most_tokens": most.tokens,
        "most_usd": most.usd,
        "sent_at": now,
    }


def _end(attempt_id: str, state: AttemptState, now: datetime, **said: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = {
        "kind": "",
        "http_status": None,
        "message": "",
        "raw": None,
        "retry_after_s": None,
        "tokens_in": None,
        "tokens_out": None,
        "cost_usd": None,
    }
    return {**nothing, **said, "attempt": attempt_id, "state": state.value, "ended_at": now}


def answered_row(
    attempt_id: str, reply: ModelReply, usd: float | None, now: datetime, usage_fault: str = ""
) -> dict[str, Any]:
    """Return the end of an attempt with a reply. `usage_fault`: why the reported usage cannot be true."""
    return _end(
        attempt_id,
        AttemptState.ANSWERED,
        now,
        kind=IMPLAUSIBLE_USAGE if usage_fault else "",
        message=storable(usage_fault),
        http_status=200,
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        cost_usd=usd,
    )


def error_row(attempt_id: str, error: SendError, now: datetime, usd: float | None = None) -> dict[str, Any]:
    """Return the end of an attempt without a reply. It costs 0 if no answer was made, and `usd` if the provider reports
    a usage nevertheless."""
    tokens_in, tokens_out, _cached = error.usage or (None, None, None)
    return _end(
        attempt_id,
        AttemptState.ERROR if error.has_left else AttemptState.UNSENT,
        now,
        kind=error.kind.value,
        http_status=error.http_status,
        message=storable(error.message),
        raw=None if error.raw is None else storable(error.raw),
        retry_after_s=error.retry_after_s,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost_usd=usd if error.usage else 0.0 if error.kind in FREE else None,
    )


def halted_row(attempt_id: str, now: datetime) -> dict[str, Any]:
    return _end(attempt_id, AttemptState.UNSENT, now, message=HALTED, cost_usd=0.0)


def uncertain_row(attempt_id: str, now: datetime) -> dict[str, Any]:
    return _end(attempt_id, AttemptState.UNCERTAIN, now, message=LEFT_OPEN)


def reply_row(
    *,
    request_hash: str,
    canonical: Mapping[str, Any],
    endpoint: str,
    model: str,
    attempt_id: str,
    reply: ModelReply,
    usd: float | None,
    now: datetime,
) -> dict[str, Any]:
    return {
        "request_hash": request_hash,
        "request": dict(canonical),
        "attempt_id": attempt_id,
        "endpoint": endpoint,
        "model": model,
        "raw": storable(reply.raw),
        "text": reply.text,
        "reasoning": reply.reasoning,
        "refusal": reply.refusal,
        "finish_reason": reply.finish_reason,
        "logprobs": reply.logprobs,
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "tokens_cached": reply.tokens_cached,
        "tokens_reasoning": reply.tokens_reasoning,
        "cost_usd": usd,
        "latency_s": reply.latency_s,
        "provider_model": reply.provider_model,
        "provider_id": reply.provider_id,
        "received_at": now,
    }


def outcome_row(
    item_id: str, request_hash: str | None, outcome: ItemOutcome, attempts: int, was_cached: bool, now: datetime
) -> dict[str, Any]:
    return {
        "item": item_id,
        "request_hash": request_hash,
        "attempts": attempts,
        "was_cached": was_cached,
        "done_at": now,
        **outcome.as_row(),
    }

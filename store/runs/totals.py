"""Usage and failures of runs: sums over the ledger, one query for many runs. Nothing here commits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Text, cast, func, select
from sqlmodel import Session

from core.runs.states import IMPLAUSIBLE_USAGE, AttemptState, ItemStatus
from core.steps import EMBED_TASK
from store import json_values
from store.runs.asked_again import replaced_replies
from store.runs.counts import IS_FAULT
from store.tables.runs import ReplyRow, RunItemRow, RunRow, RunSampleRow, SendRow, WorkerRow

RUN, SAMPLE, ITEM, REPLY, ATTEMPT, WORKER = (
    kind.metadata.tables[str(kind.__tablename__)]
    for kind in (RunRow, RunSampleRow, RunItemRow, ReplyRow, SendRow, WorkerRow)
)
IS_IMPLAUSIBLE = (ATTEMPT.c.state == AttemptState.ANSWERED.value) & (ATTEMPT.c.kind == IMPLAUSIBLE_USAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Usage of one model in one run."""

    requests: int = 0  # attempts that were sent
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None  # None if no attempt has a cost
    implausible: int = 0  # answers whose reported usage is impossible
    tokens_cached: int = 0  # of replies to this run's own attempts
    tokens_reasoning: int = 0
    unsent: int = 0  # attempts that were not


def totals(session: Session, run_ids: Collection[str]) -> dict[str, dict[str, Totals]]:
    """Return run → model → usage of its attempts; models without a request are missing."""
    replaced = replaced_replies()
    query = (
        select(
            ATTEMPT.c.run_id,
            ATTEMPT.c.model,
            func.count().filter(ATTEMPT.c.state != AttemptState.UNSENT.value),
            func.coalesce(func.sum(ATTEMPT.c.tokens_in), 0),
            func.coalesce(func.sum(ATTEMPT.c.tokens_out), 0),
            func.sum(ATTEMPT.c.cost_usd),
            func.count().filter(IS_IMPLAUSIBLE),
            *(
                func.coalesce(func.sum(func.coalesce(REPLY.c[name], replaced.c[name])), 0)
                for name in ("tokens_cached", "tokens_reasoning")
            ),
            func.count().filter(ATTEMPT.c.state == AttemptState.UNSENT.value),
        )
        .outerjoin(REPLY, (REPLY.c.request_hash == ATTEMPT.c.request_hash) & (REPLY.c.attempt_id == ATTEMPT.c.id))
        .outerjoin(replaced, replaced.c.attempt_id == ATTEMPT.c.id)
        .where(ATTEMPT.c.run_id.in_(list(run_ids)))
        .group_by(ATTEMPT.c.run_id, ATTEMPT.c.model)
    )
    by_run: dict[str, dict[str, Totals]] = defaultdict(dict)
    for run_id, model, requests, tokens_in, tokens_out, cost, implausible, cached, reasoning, unsent in session.execute(
        query
    ):
        by_run[run_id][model] = Totals(
            requests=requests,
            tokens_in=int(tokens_in),
            tokens_out=int(tokens_out),
            cost_usd=cost,
            implausible=implausible,
            tokens_cached=int(cached),
            tokens_reasoning=int(reasoning),
            unsent=unsent,
        )
    return dict(by_run)


def samples_of(session: Session, run_ids: Collection[str]) -> dict[str, tuple[int, tuple[tuple[str, str], ...]]]:
    """Return run → (number of samples, its tasks and variants); texts that are only embedded do not count."""
    query = (
        select(SAMPLE.c.run_id, SAMPLE.c.task, SAMPLE.c.variant, func.count(), func.min(SAMPLE.c.place).label("first"))
        .where(SAMPLE.c.run_id.in_(list(run_ids)), (SAMPLE.c.task != EMBED_TASK) | (SAMPLE.c.variant != ""))
        .group_by(SAMPLE.c.run_id, SAMPLE.c.task, SAMPLE.c.variant)
        .order_by("first")
    )
    by_run: dict[str, tuple[int, tuple[tuple[str, str], ...]]] = {}
    for run_id, task, variant, samples, _first in session.execute(query):
        before, kinds = by_run.get(run_id, (0, ()))
        by_run[run_id] = (before + samples, (*kinds, (task, variant)))
    return by_run


def cached_by_model(session: Session, run_id: str) -> dict[str, int]:
    """Return model → items answered by a stored reply."""
    query = select(ITEM.c.model, func.count()).where(ITEM.c.run_id == run_id, ITEM.c.was_cached)
    return {row[0]: row[1] for row in session.execute(query.group_by(ITEM.c.model))}


def flagged(session: Session, run_id: str, beginning: str) -> dict[tuple[str, str], int]:
    """Return (model, flag) → items with a flag that starts with `beginning`."""
    flags = cast(ITEM.c.flags, Text)
    query = select(ITEM.c.model, flags).where(ITEM.c.run_id == run_id, flags.contains(beginning, autoescape=True))
    rows = session.execute(query).all()
    parsed = zip(rows, json_values.read_many([row[1] for row in rows]), strict=True)
    return Counter((row[0], flag) for row, several in parsed for flag in several if flag.startswith(beginning))


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """Failed or unsent attempts of one kind, with the newest of them. `open_items`: items among them without an
    answer."""

    kind: str
    attempts: int
    open_items: int
    message: str
    http_status: int | None
    item_id: str
    model: str
    sent_at: datetime


def failed(session: Session, run_id: str) -> list[Failed]:
    """Return the failed attempts of a run by kind, the most frequent first."""
    is_error = (ATTEMPT.c.run_id == run_id) & IS_FAULT
    still_open = ITEM.c.status.in_([ItemStatus.PENDING.value, ItemStatus.FAILED.value])
    counted = session.execute(
        select(
            ATTEMPT.c.kind,
            func.count(),
            func.count(ATTEMPT.c.item_id.distinct()).filter(still_open),
            func.max(ATTEMPT.c.id),
        )
        .join(ITEM, ITEM.c.id == ATTEMPT.c.item_id)
        .where(is_error)
        .group_by(ATTEMPT.c.kind)
    ).all()
    newest: dict[str, Any] = {
        row.id: row
        for row in session.execute(
            select(
                ATTEMPT.c.id,
                ATTEMPT.c.message,
                ATTEMPT.c.http_status,
                ATTEMPT.c.item_id,
                ATTEMPT.c.model,
                ATTEMPT.c.sent_at,
            ).where(ATTEMPT.c.id.in_([last for *_, last in counted]))
        )
    }
    failures = [
        Failed(
            kind=kind,
            attempts=attempts,
            open_items=items,
            message=newest[last].message,
            http_status=newest[last].http_status,
            item_id=newest[last].item_id,
            model=newest[last].model,
            sent_at=newest[last].sent_at,
        )
        for kind, attempts, items, last in counted
    ]
    return sorted(failures, key=lambda each: (-each.attempts, each.kind))


def last_sign_of_life(session: Session) -> datetime | None:
    """Return the time of the last heartbeat of any worker."""
    query = select(WORKER.c.seen_at).order_by(WORKER.c.seen_at.desc()).limit(1)
    last_seen: datetime | None = session.execute(query).scalar_one_or_none()
    return last_seen


def uncertain_attempts(session: Session, run_id: str) -> set[str]:
    query = select(ATTEMPT.c.id).where(ATTEMPT.c.run_id == run_id, ATTEMPT.c.state == AttemptState.UNCERTAIN.value)
    return set(session.execute(query).scalars())


def implausible_attempts(session: Session, run_id: str, most: int) -> list[SendRow]:
    """Return at most `most` attempts whose reported usage is impossible, in the order they were sent."""
    query = select(SendRow).where(ATTEMPT.c.run_id == run_id, IS_IMPLAUSIBLE)
    return list(session.execute(query.order_by(ATTEMPT.c.sent_at, ATTEMPT.c.id).limit(most)).scalars())


def attempts_by_id(session: Session, attempt_ids: Collection[str]) -> list[SendRow]:
    query = select(SendRow).where(ATTEMPT.c.id.in_(list(attempt_ids))).order_by(ATTEMPT.c.sent_at, ATTEMPT.c.id)
    return list(session.execute(query).scalars())

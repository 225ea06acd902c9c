"""Replies, the ledger of attempts, and the workers that made them. No function here commits. A request's reply is
stored once by its hash and never changed: the body of a second reply is stored with its attempt, and the first
remains the answer until it is replaced (`asked_again.py`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, func, insert, select, update
from sqlmodel import Session, col

from core.runs.budget import Spending
from core.runs.states import IMPLAUSIBLE_USAGE, AttemptState
from store.bulk_rows import insert_or_leave, write_rows
from store.runs.items import ATTEMPT
from store.runs.runs import REPLY, RUN
from store.tables import metadata
from store.tables.runs import ReplyRow, SendRow, WorkerRow

WORKER, EVENT = metadata.tables["worker"], metadata.tables["event"]
_END = update(ATTEMPT).where(ATTEMPT.c.id == bindparam("attempt"))


# --- replies and attempts ----------------------------------------------------------------------------------------


def reply(session: Session, request_hash: str) -> ReplyRow | None:
    return session.get(ReplyRow, request_hash)


def usage_fault(session: Session, row: ReplyRow | None) -> str:
    """Return the reason why the usage reported with a reply is impossible; empty if it is not, and without a reply."""
    attempt = session.get(SendRow, row.attempt_id) if row is not None else None
    return attempt.message if attempt is not None and attempt.kind == IMPLAUSIBLE_USAGE else ""


def attempts(session: Session, item_id: str) -> list[SendRow]:
    """Return all attempts of an item, the oldest first."""
    query = select(SendRow).where(col(SendRow.item_id) == item_id).order_by(col(SendRow.id))
    return list(session.execute(query).scalars())


def insert_attempts(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert attempts as sent, before they are; an existing one (its commit was not acknowledged) stays."""
    write_rows(session, insert_or_leave(session, ATTEMPT), rows)


def end_attempts(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Set how attempts ended. Each row: `attempt` (its id) and the same columns in every row."""
    write_rows(session, _END, rows)


def insert_replies(session: Session, rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Insert replies; return the attempts whose request already had one, which stays."""
    if write_rows(session, insert_or_leave(session, REPLY), rows) == len(rows):
        return set()
    hashes = [row["request_hash"] for row in rows]
    stored = set(session.execute(select(REPLY.c.attempt_id).where(REPLY.c.request_hash.in_(hashes))).scalars())
    return {row["attempt_id"] for row in rows} - stored


def spent(session: Session, run_id: str, worker_id: str, free: Collection[str]) -> tuple[Spending, Spending]:
    """Return the spending of a run so far: (attempts of this worker, attempts of all others). `free`: kinds of error
    that are never charged."""
    tokens = func.coalesce(ATTEMPT.c.tokens_in, 0) + func.coalesce(ATTEMPT.c.tokens_out, 0)
    has_usage = ATTEMPT.c.tokens_in.is_not(None) & ATTEMPT.c.tokens_out.is_not(None)
    is_free = (ATTEMPT.c.state == AttemptState.ERROR.value) & ATTEMPT.c.kind.in_([str(kind) for kind in free])
    is_held = ~has_usage & ~is_free
    is_mine = ATTEMPT.c.worker_id == worker_id
    query = (
        select(
            is_mine,
            func.count(),
            func.sum(tokens),
            func.sum(func.coalesce(ATTEMPT.c.cost_usd, 0.0)),
            func.count().filter(is_held),
            func.coalesce(func.sum(ATTEMPT.c.most_tokens).filter(is_held), 0),
            func.coalesce(func.sum(ATTEMPT.c.most_usd).filter(is_held), 0.0),
        )
        .where(ATTEMPT.c.run_id == run_id, ATTEMPT.c.state != AttemptState.UNSENT.value)
        .group_by(is_mine)
    )
    # PostgreSQL sums integers to Decimal.
    sums = {
        bool(row[0]): [value if isinstance(value, int | float) else int(value) for value in row[1:]]
        for row in session.execute(query)
    }
    own, others = (Spending(*sums.get(which, ())) for which in (True, False))
    return own, others


def answering_models(session: Session, run_id: str) -> set[str]:
    """Return the models of a run that answered a request."""
    query = select(ATTEMPT.c.model).where(ATTEMPT.c.run_id == run_id, ATTEMPT.c.state == AttemptState.ANSWERED.value)
    return set(session.execute(query.distinct()).scalars())


def was_reached(session: Session, run_id: str, endpoint: str, base_url: str) -> bool:
    """Return True if this address ever responded: in this run, even with an error, in any run with a reply, under
    any endpoint name, or in a connection test."""
    answered = select(ATTEMPT.c.id).where(
        ATTEMPT.c.run_id == run_id, ATTEMPT.c.endpoint == endpoint, ATTEMPT.c.http_status.is_not(None)
    )
    if session.execute(answered.limit(1)).first() is not None:
        return True
    address = REPLY.c.request["base_url"].as_string()
    replied = select(REPLY.c.request_hash).where(address == base_url.rstrip("/"))
    if session.execute(replied.limit(1)).first() is not None:
        return True
    address = EVENT.c.payload["base_url"].as_string()
    tested = select(EVENT.c.seq).where(
        EVENT.c.subject_id == endpoint, EVENT.c.act == "endpoint.test", address == base_url.rstrip("/")
    )
    return session.execute(tested.limit(1)).first() is not None


# --- workers -----------------------------------------------------------------------------------------------------


def _now(session: Session, now: datetime) -> Any:
    """Return the server's own clock: the clocks of two workers may differ by more than the silence limit."""
    return now if session.get_bind().dialect.name == "sqlite" else func.now()


def begin_worker(session: Session, worker_id: str, host: str, pid: int, now: datetime) -> None:
    moment = _now(session, now)
    session.connection().execute(
        insert(WORKER).values(id=worker_id, host=host, pid=pid, started_at=moment, seen_at=moment)
    )


def see_worker(session: Session, worker_id: str, now: datetime) -> None:
    """Record a heartbeat; a worker that was considered lost becomes live again."""
    query = update(WORKER).where(WORKER.c.id == worker_id)
    session.connection().execute(query.values(seen_at=_now(session, now), stopped_at=None))


def end_workers(session: Session, worker_ids: Collection[str], now: datetime) -> None:
    """Mark workers as stopped."""
    query = update(WORKER).where(WORKER.c.id.in_(list(worker_ids)))
    session.connection().execute(query.values(stopped_at=_now(session, now)))


def lost_workers(session: Session, me: str, silence_s: float | None) -> list[str]:
    """Return other workers that have not stopped but were silent for this time, or all of them (None) if only one
    may work."""
    query = select(WORKER.c.id).where(WORKER.c.id != me, WORKER.c.stopped_at.is_(None))
    if silence_s is not None:
        query = query.where(WORKER.c.seen_at < func.now() - timedelta(seconds=silence_s))
    return list(session.execute(query).scalars())


def live_workers(session: Session, silence_s: float) -> int:
    """Return the number of workers on a server with a heartbeat within this time."""
    query = select(func.count()).where(
        WORKER.c.stopped_at.is_(None), WORKER.c.seen_at >= func.now() - timedelta(seconds=silence_s)
    )
    return int(session.execute(query).scalar_one())


def workers(session: Session, seen_after: datetime) -> list[WorkerRow]:
    """Return live workers with a heartbeat since then, the latest first."""
    query = select(WorkerRow).where(col(WorkerRow.seen_at) > seen_after, col(WorkerRow.stopped_at).is_(None))
    return list(session.execute(query.order_by(col(WorkerRow.seen_at).desc())).scalars())


def mark_uncertain(session: Session, now: datetime) -> int:
    """Mark open attempts of stopped workers as uncertain: they may have been answered. Return how many."""
    stopped = select(WORKER.c.id).where(WORKER.c.stopped_at.is_not(None))
    # The runs are named so that the index on run and state is used.
    return _mark(session, now, ATTEMPT.c.run_id.in_(select(RUN.c.id)), ATTEMPT.c.worker_id.in_(stopped))


def mark_left(session: Session, item_ids: Collection[str], me: str, now: datetime) -> int:
    """Mark attempts of items that this worker took over, as `mark_uncertain`: their previous worker has lost them,
    even if it was not silent long enough to count as stopped."""
    return _mark(session, now, ATTEMPT.c.item_id.in_(list(item_ids)), ATTEMPT.c.worker_id != me)


def _mark(session: Session, now: datetime, *those: Any) -> int:
    marked = session.connection().execute(
        update(ATTEMPT)
        .where(ATTEMPT.c.state == AttemptState.SENT.value, *those)
        .values(
            state=AttemptState.UNCERTAIN.value,
            ended_at=now,
            message="The worker ended before the answer was kept; the provider may have answered, and charged.",
        )
    )
    return marked.rowcount


# --- requests sent twice -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Resend:
    """A request that was sent again because the outcome of `first_attempt_id` is unknown."""

    item_id: str
    request_hash: str
    first_attempt_id: str
    attempt_id: str
    sent_at: datetime


def resends(session: Session, run_id: str) -> tuple[Resend, ...]:
    """Return the attempts of a run whose previous attempt of the same request, in any run, is uncertain."""
    return tuple(Resend(*row) for row in session.execute(_resends(run_id)))


def _resends(run_id: str) -> Any:
    uncertain = (
        select(ATTEMPT.c.request_hash)
        .where(ATTEMPT.c.run_id.in_(select(RUN.c.id)), ATTEMPT.c.state == AttemptState.UNCERTAIN.value)
        .distinct()
    )
    before: dict[str, Any] = {"partition_by": ATTEMPT.c.request_hash, "order_by": ATTEMPT.c.id}
    attempts = (
        select(
            ATTEMPT.c.item_id,
            ATTEMPT.c.request_hash,
            ATTEMPT.c.id,
            ATTEMPT.c.run_id,
            ATTEMPT.c.sent_at,
            func.lag(ATTEMPT.c.id).over(**before).label("first"),
            func.lag(ATTEMPT.c.state).over(**before).label("first_state"),
        )
        .where(ATTEMPT.c.request_hash.in_(uncertain), ATTEMPT.c.state != AttemptState.UNSENT.value)
        .subquery()
    )
    return (
        select(attempts.c.item_id, attempts.c.request_hash, attempts.c.first, attempts.c.id, attempts.c.sent_at)
        .where(attempts.c.run_id == run_id, attempts.c.first_state == AttemptState.UNCERTAIN.value)
        .order_by(attempts.c.id)
    )


def attempts_of(session: Session, run_id: str) -> list[Row[Any]]:
    """Return the whole ledger of a run, the oldest first."""
    return list(session.execute(select(ATTEMPT).where(ATTEMPT.c.run_id == run_id).order_by(ATTEMPT.c.id)))

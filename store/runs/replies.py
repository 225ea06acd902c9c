"""Replies, the ledger of attempts, and the workers that made them. No function here commits.

A reply is kept once for its request's hash and never changed: whoever comes second keeps his own body with his
attempt, and what was stored first stays the answer, until somebody asks for another one (`asked_again.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, func, insert, select, update
from sqlmodel import Session, col

from core.runs.budget import Spending
from core.runs.states import IMPLAUSIBLE_USAGE, AttemptState
from store.ready_rows import insert_or_leave, write_rows
from store.runs.items import ATTEMPT
from store.runs.runs import REPLY, RUN
from store.tables import metadata
from store.tables.runs import ReplyRow, SendRow, WorkerRow

WORKER, EVENT = metadata.tables["worker"], metadata.tables["event"]
_END = update(ATTEMPT).where(ATTEMPT.c.id == bindparam("attempt"))


# --- replies and attempts ----------------------------------------------------------------------------------------


def reply(session: Session, request_hash: str) -> ReplyRow | None:
    """The stored reply to a request, or None."""
    return session.get(ReplyRow, request_hash)


def usage_fault(session: Session, row: ReplyRow | None) -> str:
    """The reason why the usage reported with a reply cannot be true; empty if it can, and without a reply."""
    attempt = session.get(SendRow, row.attempt_id) if row is not None else None
    return attempt.message if attempt is not None and attempt.kind == IMPLAUSIBLE_USAGE else ""


def attempts(session: Session, item_id: str) -> list[SendRow]:
    """Every time an item's request was sent, the oldest first."""
    query = select(SendRow).where(col(SendRow.item_id) == item_id).order_by(col(SendRow.id))
    return list(session.execute(query).scalars())


def insert_attempts(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write attempts as sent, before they are; one that is there already (its commit was not acknowledged) stays."""
    write_rows(session, insert_or_leave(session, ATTEMPT), rows)


def end_attempts(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Say how attempts ended. Each row: `attempt` (its id) and the same columns in every row."""
    write_rows(session, _END, rows)


def insert_replies(session: Session, rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Keep replies; returns the attempts whose request had a reply already, which stays."""
    if write_rows(session, insert_or_leave(session, REPLY), rows) == len(rows):
        return set()
    hashes = [row["request_hash"] for row in rows]
    kept = set(session.execute(select(REPLY.c.attempt_id).where(REPLY.c.request_hash.in_(hashes))).scalars())
    return {row["attempt_id"] for row in rows} - kept


def spent(session: Session, run_id: str, worker_id: str, free: Collection[str]) -> tuple[Spending, Spending]:
    """What a run has cost so far: (attempts of this worker, attempts of all others). `free`: kinds of error after which
    nothing can have been charged."""
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
    found = {bool(row[0]): row[1:] for row in session.execute(query)}
    mine, others = (Spending(*map(_plain, found.get(which, ()))) for which in (True, False))
    return mine, others


def _plain(value: Any) -> Any:
    """PostgreSQL sums whole numbers to a Decimal."""
    return value if isinstance(value, int | float) else int(value)


def answering_models(session: Session, run_id: str) -> set[str]:
    """Models of a run that have answered one of its requests."""
    query = select(ATTEMPT.c.model).where(ATTEMPT.c.run_id == run_id, ATTEMPT.c.state == AttemptState.ANSWERED.value)
    return set(session.execute(query.distinct()).scalars())


def was_reached(session: Session, run_id: str, endpoint: str, base_url: str) -> bool:
    """Whether anybody has ever answered at this address: in this run, be it with an error, or with a reply in any run,
    whatever its endpoint was called, or when its connection was tested."""
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
    """On a server its own clock: the machines of two workers may differ by more than a worker's silence lasts."""
    return now if session.get_bind().dialect.name == "sqlite" else func.now()


def begin_worker(session: Session, worker_id: str, host: str, pid: int, now: datetime) -> None:
    moment = _now(session, now)
    session.connection().execute(
        insert(WORKER).values(id=worker_id, host=host, pid=pid, started_at=moment, seen_at=moment)
    )


def see_worker(session: Session, worker_id: str, now: datetime) -> None:
    """A sign of life; a worker that was taken for lost is back with it."""
    query = update(WORKER).where(WORKER.c.id == worker_id)
    session.connection().execute(query.values(seen_at=_now(session, now), stopped_at=None))


def end_workers(session: Session, worker_ids: Collection[str], now: datetime) -> None:
    """Say that workers have stopped, by themselves or not."""
    query = update(WORKER).where(WORKER.c.id.in_(list(worker_ids)))
    session.connection().execute(query.values(stopped_at=_now(session, now)))


def lost_workers(session: Session, me: str, silence_s: float | None) -> list[str]:
    """Others that have not said they stopped: silent for so long, or all of them (None) where only one may work."""
    query = select(WORKER.c.id).where(WORKER.c.id != me, WORKER.c.stopped_at.is_(None))
    if silence_s is not None:
        query = query.where(WORKER.c.seen_at < func.now() - timedelta(seconds=silence_s))
    return list(session.execute(query).scalars())


def live_workers(session: Session, silence_s: float) -> int:
    """How many workers of a server have been heard of within so many seconds."""
    query = select(func.count()).where(
        WORKER.c.stopped_at.is_(None), WORKER.c.seen_at >= func.now() - timedelta(seconds=silence_s)
    )
    return int(session.execute(query).scalar_one())


def workers(session: Session, seen_after: datetime) -> list[WorkerRow]:
    """Workers with a sign of life since then that have not stopped, the latest first."""
    query = select(WorkerRow).where(col(WorkerRow.seen_at) > seen_after, col(WorkerRow.stopped_at).is_(None))
    return list(session.execute(query.order_by(col(WorkerRow.seen_at).desc())).scalars())


def mark_uncertain(session: Session, now: datetime) -> int:
    """Attempts that stopped workers left open may or may not have been answered; returns how many there are new."""
    stopped = select(WORKER.c.id).where(WORKER.c.stopped_at.is_not(None))
    # The runs are named so that the index on run and state is used.
    return _mark(session, now, ATTEMPT.c.run_id.in_(select(RUN.c.id)), ATTEMPT.c.worker_id.in_(stopped))


def mark_left(session: Session, item_ids: Collection[str], me: str, now: datetime) -> int:
    """As `mark_uncertain`, of items that this worker has taken over: whoever had them before has lost them, although
    it may not have been silent for long enough to count as stopped."""
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
    """A request that was sent again because nobody knows what became of `first_attempt_id`."""

    item_id: str
    request_hash: str
    first_attempt_id: str
    attempt_id: str
    sent_at: datetime


def resends(session: Session, run_id: str) -> tuple[Resend, ...]:
    """Every attempt of a run whose forerunner, of the same request in whichever run, is uncertain."""
    return tuple(Resend(*row) for row in session.execute(_resends(run_id)))


def _resends(run_id: str) -> Any:
    uncertain = (
        select(ATTEMPT.c.request_hash)
        .where(ATTEMPT.c.run_id.in_(select(RUN.c.id)), ATTEMPT.c.state == AttemptState.UNCERTAIN.value)
        .distinct()
    )
    before: dict[str, Any] = {"partition_by": ATTEMPT.c.request_hash, "order_by": ATTEMPT.c.id}
    those = (
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
        select(those.c.item_id, those.c.request_hash, those.c.first, those.c.id, those.c.sent_at)
        .where(those.c.run_id == run_id, those.c.first_state == AttemptState.UNCERTAIN.value)
        .order_by(those.c.id)
    )


def attempts_of(session: Session, run_id: str) -> list[Row[Any]]:
    """The whole ledger of a run, the oldest first: every column of every attempt."""
    return list(session.execute(select(ATTEMPT).where(ATTEMPT.c.run_id == run_id).order_by(ATTEMPT.c.id)))

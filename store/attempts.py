"""Sign-in attempts, counted under keys that reveal neither a name nor an address."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from sqlalchemy import and_, delete, func, or_
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, select

from store.tables import AttemptRow

KNOWN = "k"
"""Prefix of keys that record a successful sign-in instead of counting attempts."""


def attempts(session: Session, keys: Iterable[str]) -> list[AttemptRow]:
    return list(session.exec(select(AttemptRow).where(col(AttemptRow.key).in_(list(keys)))))


def held_attempts(session: Session, keys: Collection[str], now: datetime) -> dict[str, AttemptRow]:
    """Return the row of each key, inserted if missing, and locked until the transaction ends. Keys are locked in
    sorted order, so that two transactions that need the same rows cannot deadlock."""
    insert = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    rows = [{"key": key, "failures": 0, "last_at": now} for key in sorted(keys)]
    # Two first attempts for one name can be concurrent: the upsert locks an existing row, so that both are counted.
    written = insert(AttemptRow).values(rows)
    session.execute(written.on_conflict_do_update(index_elements=["key"], set_={"key": written.excluded.key}))
    query = select(AttemptRow).where(col(AttemptRow.key).in_(keys))
    return {row.key: row for row in session.exec(query, execution_options={"populate_existing": True})}


def blocked_until(session: Session, now: datetime) -> dict[str, datetime]:
    """Return every blocked key with the end of its block."""
    query = select(AttemptRow).where(col(AttemptRow.blocked_until) > now)
    return {row.key: row.blocked_until for row in session.exec(query) if row.blocked_until is not None}


def forget(session: Session, key: str, *, below: str) -> int:
    """Delete the counts of a key and of every key that starts with `below`; return the number of rows."""
    is_meant = or_(col(AttemptRow.key) == key, func.substr(AttemptRow.key, 1, len(below)) == below)
    rows = session.exec(select(AttemptRow).where(is_meant).order_by(col(AttemptRow.key)).with_for_update()).all()
    for row in rows:
        session.delete(row)
    return len(rows)


def forget_old(session: Session, before: datetime, but: Collection[str], *, known_before: datetime) -> None:
    """Delete counts that have not changed since `before`, so that invented names cannot fill the store. Call it last
    in a transaction: it skips rows that others have locked, and so never waits."""
    is_known = func.substr(AttemptRow.key, 1, 1) == KNOWN
    is_old = or_(
        and_(~is_known, col(AttemptRow.last_at) < before), and_(is_known, col(AttemptRow.last_at) < known_before)
    )
    old = select(col(AttemptRow.key)).where(is_old, col(AttemptRow.key).not_in(but))
    session.execute(delete(AttemptRow).where(col(AttemptRow.key).in_(old.with_for_update(skip_locked=True))))

"""Tries to sign in, counted under keys that tell neither a name nor an address."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from sqlalchemy import and_, delete, func, or_
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, select

from store.tables import AttemptRow

KNOWN = "k"
"""How a key begins under which no try is counted, but a sign-in is remembered."""


def attempts(session: Session, keys: Iterable[str]) -> list[AttemptRow]:
    """What was counted under these keys."""
    return list(session.exec(select(AttemptRow).where(col(AttemptRow.key).in_(list(keys)))))


def held_attempts(session: Session, keys: Collection[str], now: datetime) -> dict[str, AttemptRow]:
    """The row of each key, made if need be, and held until the transaction ends.

    Two first tries of one name can meet on a server: an insert that gives way and locks what is there counts both.
    Keys are taken in one order, so that two who need the same rows never wait for each other.
    """
    made = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    rows = [{"key": key, "failures": 0, "last_at": now} for key in sorted(keys)]
    written = made(AttemptRow).values(rows)
    session.execute(written.on_conflict_do_update(index_elements=["key"], set_={"key": written.excluded.key}))
    query = select(AttemptRow).where(col(AttemptRow.key).in_(keys))
    return {row.key: row for row in session.exec(query, execution_options={"populate_existing": True})}


def blocked_until(session: Session, now: datetime) -> dict[str, datetime]:
    """Every key that has to wait, with the end of its wait."""
    query = select(AttemptRow).where(col(AttemptRow.blocked_until) > now)
    return {row.key: row.blocked_until for row in session.exec(query) if row.blocked_until is not None}


def forget(session: Session, key: str, *, below: str) -> int:
    """Remove what was counted under a key and under every key that begins with `below`; how many rows that were."""
    is_meant = or_(col(AttemptRow.key) == key, func.substr(AttemptRow.key, 1, len(below)) == below)
    rows = session.exec(select(AttemptRow).where(is_meant).order_by(col(AttemptRow.key)).with_for_update()).all()
    for row in rows:
        session.delete(row)
    return len(rows)


def forget_old(session: Session, before: datetime, but: Collection[str], *, known_before: datetime) -> None:
    """Remove what nobody added to since then: invented names must not fill the store.

    The last thing of a transaction: it passes over rows that others hold, and so waits for nobody.
    """
    is_known = func.substr(AttemptRow.key, 1, 1) == KNOWN
    is_old = or_(
        and_(~is_known, col(AttemptRow.last_at) < before), and_(is_known, col(AttemptRow.last_at) < known_before)
    )
    old = select(col(AttemptRow.key)).where(is_old, col(AttemptRow.key).not_in(but))
    session.execute(delete(AttemptRow).where(col(AttemptRow.key).in_(old.with_for_update(skip_locked=True))))

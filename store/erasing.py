"""Erasing identities: changing append-only rows and removing the old bytes. Only `sweep` commits; it runs after the
erasure is stored."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager

from sqlalchemy import Connection, delete, text, update
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

from core.errors import StoreUnavailable
from store.engine import BUSY_TIMEOUT_MS, Store, translated_errors
from store.tables import AttemptRow, DraftRow, ErasureRow, InvitationRow, PersonRow

GUARDED = ("event", "release", "release_item", "verdict_override")
STILL_IN_USE = (
    "Names are destroyed, but the old bytes could not be cleared: another program is reading the store. Close it and "
    "run this again; it continues where it stopped."
)


@contextmanager
def guards_lifted(session: Session) -> Iterator[None]:
    """Drop the triggers that guard append-only rows, for this transaction only; they are restored before it commits."""
    if session.get_bind().dialect.name == "sqlite":
        query = text(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('event', 'release', "
            "'release_item', 'verdict_override') ORDER BY name"
        )
        triggers = session.execute(query).all()
        for name, _sql in triggers:
            session.execute(text(f'DROP TRIGGER "{name}"'))
        yield
        connection = session.connection()
        for _name, sql in triggers:
            connection.exec_driver_sql(sql)
        return
    for table in GUARDED:
        session.execute(text(f'ALTER TABLE "{table}" DISABLE TRIGGER USER'))
    yield
    for table in GUARDED:
        session.execute(text(f'ALTER TABLE "{table}" ENABLE TRIGGER USER'))


def take_identity(session: Session, row: PersonRow, pseudonym: str, *, keeps_access: bool) -> None:
    """Replace a person's name by a pseudonym; without access, also remove password and drafts and deactivate them."""
    row.name = pseudonym
    if not keeps_access:
        row.password_hash, row.is_active = None, False
        session.execute(delete(DraftRow).where(col(DraftRow.person_id) == row.id))
    session.add(row)
    session.flush()


def spend_invitations(session: Session, person_ids: Iterable[str], now: object) -> None:
    """Close unused invitations of these people."""
    ids = list(person_ids)
    query = update(InvitationRow).where(col(InvitationRow.person_id).in_(ids), col(InvitationRow.used_at).is_(None))
    session.execute(query.values(used_at=now))


def forget_attempts(session: Session) -> None:
    """Delete failed sign-ins: they are counted by a keyed hash of the name, against which names could be tested."""
    session.execute(delete(AttemptRow))


def erasures(session: Session) -> list[ErasureRow]:
    return list(session.exec(select(ErasureRow).order_by(col(ErasureRow.at).desc(), col(ErasureRow.id).desc())))


def sweep(store: Store, tables: Iterable[str]) -> None:
    """Rewrite the store without its old bytes. May be repeated.

    SQLite: VACUUM, then the write-ahead log is emptied into the file and truncated. PostgreSQL: VACUUM FULL of `tables`
    and of the planner's statistics, and a checkpoint where the role may; WAL archives and server backups are the
    operator's task. Raises StoreUnavailable while another program uses the store.
    """
    if store.path is not None:
        try:
            _sweep_file(str(store.path))
        except sqlite3.OperationalError as error:
            raise StoreUnavailable(STILL_IN_USE) from error
        return
    engine = store.write_engine.execution_options(isolation_level="AUTOCOMMIT")
    with translated_errors(), engine.connect() as connection:
        _outlast_older(connection)
        connection.execute(text(f"SET lock_timeout = {BUSY_TIMEOUT_MS}"))
        try:
            for table in sorted(set(tables)):
                connection.execute(text(f'VACUUM (FULL, ANALYZE) "{table}"'))
            _outlast_older(connection)  # old rows of the statistics may be visible to newer transactions
            connection.execute(text("VACUUM (FULL) pg_catalog.pg_statistic"))
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) == "55P03":  # lock not available
                raise StoreUnavailable(STILL_IN_USE) from error
            raise
        finally:
            connection.execute(text("RESET lock_timeout"))
        may = "SELECT bool_or(pg_has_role(oid, 'USAGE')) FROM pg_roles WHERE rolname = 'pg_checkpoint'"
        if connection.execute(text(may)).scalar():
            connection.execute(text("CHECKPOINT"))


def _outlast_older(connection: Connection) -> None:
    """Wait for transactions older than this moment, since VACUUM FULL copies the rows that they may still see.
    Writers in any database of the server count: the snapshot reaches back to the oldest one. Raises StoreUnavailable on
    timeout."""
    now = text("SELECT clock_timestamp() AS began, CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS next")
    moment = connection.execute(now).mappings().one()
    older = text(
        "SELECT pg_snapshot_xmin(pg_current_snapshot()) < CAST(CAST(:next AS text) AS xid8) OR EXISTS (SELECT 1 FROM "
        "pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
        "AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL) AND xact_start < :began)"
    )
    patience = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while connection.execute(older, dict(moment)).scalar():
        if time.monotonic() > patience:
            raise StoreUnavailable(STILL_IN_USE)
        time.sleep(0.1)


def _sweep_file(path: str) -> None:
    with closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT_MS / 1000, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete=ON")
        connection.execute("PRAGMA temp_store=MEMORY")
        connection.execute("VACUUM")
        (is_busy, _pages, _moved) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if is_busy:
            raise sqlite3.OperationalError("the log is in use")

"""A SQLite study's rows in an empty store of the present revision, SQLite or PostgreSQL: no command copies them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from store.engine import Store
from store.migrate import VERSION_TABLE, migrate


def copy_to(file: Path, place: str) -> None:
    """Copy every row of the study in `file` into the empty store at `place`. Each column of the study must exist
    there."""
    store = Store(place)
    migrate(store)
    is_sqlite = store.path is not None
    try:
        with closing(sqlite3.connect(file)) as source, store.write_engine.begin() as target:
            for statement in BEFORE_SQLITE if is_sqlite else BEFORE_POSTGRESQL:
                target.execute(text(statement))
            for table in sorted({*inspect(target).get_table_names()} - {VERSION_TABLE}):
                names = [row[1] for row in source.execute(f'PRAGMA table_info("{table}")')]
                if not names:  # a later version added it
                    continue
                listed = ", ".join(f'"{name}"' for name in names)
                rows = source.execute(f'SELECT {listed} FROM "{table}"').fetchall()
                if is_sqlite:
                    _insert(target, table, listed, rows)
                else:
                    _copy(target, table, listed, rows)
            if not is_sqlite:
                target.execute(text(AFTER_POSTGRESQL))
    finally:
        store.close()


BEFORE_SQLITE = ("PRAGMA defer_foreign_keys = ON",)  # tables come in no order
BEFORE_POSTGRESQL = (
    "SET LOCAL session_replication_role = replica",  # as above
    "SET LOCAL TIME ZONE 'UTC'",  # as SQLite's moments are meant
)
AFTER_POSTGRESQL = "SELECT setval(pg_get_serial_sequence('event', 'seq'), (SELECT max(seq) FROM event))"


def _insert(target: Connection, table: str, listed: str, rows: list[tuple[object, ...]]) -> None:
    for row in rows:
        target.exec_driver_sql(f'INSERT INTO "{table}" ({listed}) VALUES ({", ".join("?" * len(row))})', row)


def _copy(target: Connection, table: str, listed: str, rows: list[tuple[object, ...]]) -> None:
    cursor = target.connection.cursor()
    with cursor.copy(f'COPY "{table}" ({listed}) FROM STDIN') as copy:  # as text: PostgreSQL reads 0 as false
        for row in rows:
            copy.write_row(row)

"""A SQLite study's rows in a PostgreSQL database, at the revision they were written in: there is no command for it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from alembic import command
from sqlalchemy import Connection, inspect, text

from store.engine import Store
from store.migrate import VERSION_TABLE, alembic_config


def copy_to(file: Path, url: str) -> None:
    """Copy every row into the bare database at `url`, which is left at the study's own revision."""
    store = Store(url)
    try:
        with closing(sqlite3.connect(file)) as source, store.write_engine.begin() as target:
            (revision,) = source.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()
            command.upgrade(alembic_config(target), revision)
            target.execute(text("SET LOCAL session_replication_role = replica"))  # tables come in no order
            target.execute(text("SET LOCAL TIME ZONE 'UTC'"))  # as SQLite's moments are meant
            for table in sorted({*inspect(target).get_table_names()} - {VERSION_TABLE}):
                _copy(source, target, table)
            target.execute(text("SELECT setval(pg_get_serial_sequence('event', 'seq'), (SELECT max(seq) FROM event))"))
    finally:
        store.close()


def _copy(source: sqlite3.Connection, target: Connection, table: str) -> None:
    names = [row[1] for row in source.execute(f'PRAGMA table_info("{table}")')]
    listed = ", ".join(f'"{name}"' for name in names)
    cursor = target.connection.cursor()
    with cursor.copy(f'COPY "{table}" ({listed}) FROM STDIN') as copy:  # as text: PostgreSQL reads 0 as false
        for row in source.execute(f'SELECT {listed} FROM "{table}"'):
            copy.write_row(row)

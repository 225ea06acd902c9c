"""Rows that are made ready for the database's driver before anything is locked: SQLAlchemy works out each value only
while it writes, which for thousands of rows is a third of the time that the lock is held."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Table, insert
from sqlmodel import Session


def make_ready(session: Session, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Turn the values of rows of one table, all with the same columns, into what the driver takes, in their places."""
    if not rows:
        return
    dialect = session.get_bind().dialect
    named = ((name, table.c[name].type.dialect_impl(dialect).bind_processor(dialect)) for name in rows[0])
    turned = [(name, turn) for name, turn in named if turn is not None]
    for row in rows:
        for name, turn in turned:
            row[name] = turn(row[name])


def insert_ready(session: Session, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Write rows that were made ready. A value that needs no turning, such as a text or a whole number, may have been
    changed or added since."""
    if not rows:
        return
    connection = session.connection()
    said: Any = insert(table).compile(dialect=connection.dialect, column_keys=list(rows[0]))
    values: Any = list(map(itemgetter(*said.positiontup), rows)) if said.positional else list(rows)
    connection.exec_driver_sql(said.string, values)

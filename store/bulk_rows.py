"""Rows pre-encoded for the driver. SQLAlchemy converts each value again for every row of every statement, which for
thousands of rows is a third of the time that the write lock is held."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import Dialect, Insert, Table, insert
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import UpdateBase
from sqlmodel import Session

Turn = Callable[[Any], Any]


def make_ready(dialect: Dialect, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Convert the values of rows of one table, all with the same columns, in place."""
    if not rows:
        return
    for name in rows[0]:
        turn = _turn(table.c[name].type, dialect)
        if turn is None:
            continue
        before, turned = rows[0][name], turn(rows[0][name])
        for row in rows:
            if row[name] is not before:  # consecutive rows often share a value
                before, turned = row[name], turn(row[name])
            row[name] = turned


def insert_ready(session: Session, table: Table, rows: Sequence[dict[str, Any]], *, or_leave: bool = False) -> None:
    """Insert pre-encoded rows. `or_leave`: an existing row with the same key stays. Values that need no conversion,
    such as texts and integers, may be changed after `make_ready`."""
    if rows:
        connection = session.connection()
        statement = insert_or_leave(session, table) if or_leave else _insert_into(table)
        how = _written(statement, connection.dialect, tuple(rows[0]))
        connection.exec_driver_sql(how.text, [how.placed(row) for row in rows])


def write_rows(session: Session, statement: UpdateBase, rows: Sequence[Mapping[str, Any]]) -> int:
    """Execute an INSERT or UPDATE for each row; return the number of rows written. Reuse the same statement object:
    it is compiled once."""
    if not rows:
        return 0
    connection = session.connection()
    how = _written(statement, connection.dialect, tuple(rows[0]))
    return connection.exec_driver_sql(how.text, [how.placed(how.turned(row)) for row in rows]).rowcount


def insert_or_leave(session: Session, table: Table) -> Insert:
    """Return an INSERT that skips rows whose key exists."""
    return _insert_or_leave(session.get_bind().dialect.name == "sqlite", table)


@dataclass(frozen=True, slots=True)
class _Written:
    """A statement as text."""

    text: str
    order: tuple[str, ...] | None  # of the values, None where the driver takes them by name
    constants: Mapping[str, Any]  # values in the statement itself
    turns: tuple[tuple[str, Turn], ...]  # converters by name

    def turned(self, row: Mapping[str, Any]) -> dict[str, Any]:
        values = {**self.constants, **row}
        for name, turn in self.turns:
            values[name] = turn(values[name])
        return values

    def placed(self, row: Mapping[str, Any]) -> Any:
        return row if self.order is None else tuple([row[name] for name in self.order])


@lru_cache(maxsize=128)
def _written(statement: UpdateBase, dialect: Dialect, names: tuple[str, ...]) -> _Written:
    compiled: Any = statement.compile(dialect=dialect, column_keys=list(names))
    turns = ((name, _turn(bind.type, dialect)) for name, bind in compiled.binds.items())
    return _Written(
        compiled.string,
        tuple(compiled.positiontup) if compiled.positional else None,
        {name: bind.value for name, bind in compiled.binds.items() if name not in names},
        tuple((name, turn) for name, turn in turns if turn is not None),
    )


@lru_cache(maxsize=32)
def _insert_into(table: Table) -> UpdateBase:
    return insert(table)


@lru_cache(maxsize=32)
def _insert_or_leave(is_sqlite: bool, table: Table) -> Insert:
    statement: Insert = (sqlite.insert if is_sqlite else postgresql.insert)(table).on_conflict_do_nothing()
    return statement


def _turn(type_: Any, dialect: Dialect) -> Turn | None:
    converter: Turn | None = type_.dialect_impl(dialect).bind_processor(dialect)
    return converter

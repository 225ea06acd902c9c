"""Rows as the database's driver takes them: SQLAlchemy works out each value and its place anew for every row of every
statement, which for thousands of rows is a third of the time that the lock is held."""

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
    """Turn the values of rows of one table, all with the same columns, into what the driver takes, in their places."""
    if not rows:
        return
    for name in rows[0]:
        turn = _turn(table.c[name].type, dialect)
        if turn is None:
            continue
        before, turned = rows[0][name], turn(rows[0][name])
        for row in rows:
            if row[name] is not before:  # rows that stand together often share a value
                before, turned = row[name], turn(row[name])
            row[name] = turned


def insert_ready(session: Session, table: Table, rows: Sequence[dict[str, Any]], *, or_leave: bool = False) -> None:
    """Write rows that were made ready. A value that needs no turning, such as a text or a whole number, may have been
    changed or added since. `or_leave`: a row whose key is there already stays as it is."""
    if rows:
        connection = session.connection()
        statement = insert_or_leave(session, table) if or_leave else _insert_into(table)
        how = _written(statement, connection.dialect, tuple(rows[0]))
        connection.exec_driver_sql(how.text, [how.placed(row) for row in rows])


def write_rows(session: Session, statement: UpdateBase, rows: Sequence[Mapping[str, Any]]) -> int:
    """Execute an INSERT or UPDATE for each row, all with the same names; returns how many rows it wrote. To be called
    with one and the same statement again and again: it is compiled once."""
    if not rows:
        return 0
    connection = session.connection()
    how = _written(statement, connection.dialect, tuple(rows[0]))
    return connection.exec_driver_sql(how.text, [how.placed(how.turned(row)) for row in rows]).rowcount


def insert_or_leave(session: Session, table: Table) -> Insert:
    """An INSERT that leaves a row alone whose key is there already; both databases say it alike."""
    return _insert_or_leave(session.get_bind().dialect.name == "sqlite", table)


@dataclass(frozen=True, slots=True)
class _Written:
    """A statement as text. `order`: the names of its values as the driver takes them, None where it takes them by name;
    `constants`: values that are the statement's own; `turns`: what makes a value what the driver takes, by name."""

    text: str
    order: tuple[str, ...] | None
    constants: Mapping[str, Any]
    turns: tuple[tuple[str, Turn], ...]

    def turned(self, row: Mapping[str, Any]) -> dict[str, Any]:
        found = {**self.constants, **row}
        for name, turn in self.turns:
            found[name] = turn(found[name])
        return found

    def placed(self, row: Mapping[str, Any]) -> Any:
        return row if self.order is None else tuple([row[name] for name in self.order])


@lru_cache(maxsize=128)
def _written(statement: UpdateBase, dialect: Dialect, names: tuple[str, ...]) -> _Written:
    said: Any = statement.compile(dialect=dialect, column_keys=list(names))
    turns = ((name, _turn(bind.type, dialect)) for name, bind in said.binds.items())
    return _Written(
        said.string,
        tuple(said.positiontup) if said.positional else None,
        {name: bind.value for name, bind in said.binds.items() if name not in names},
        tuple((name, turn) for name, turn in turns if turn is not None),
    )


@lru_cache(maxsize=32)
def _insert_into(table: Table) -> UpdateBase:
    return insert(table)


@lru_cache(maxsize=32)
def _insert_or_leave(is_sqlite: bool, table: Table) -> Insert:
    made: Insert = (sqlite.insert if is_sqlite else postgresql.insert)(table).on_conflict_do_nothing()
    return made


def _turn(type_: Any, dialect: Dialect) -> Turn | None:
    found: Turn | None = type_.dialect_impl(dialect).bind_processor(dialect)
    return found

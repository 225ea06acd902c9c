"""Damage in a SQLite study: pages, rows, and graphs that differ from their history. Damage to a text that stays
readable and is stored only once is not detected."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Column, ColumnElement, Integer, Select, Table, literal_column, select
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from core.errors import EdgewiseError
from store import history, json_values
from store.graphs import graphs
from store.sqlite import file as sqlite_file
from store.sqlite.deadline import Deadline, is_broken_off
from store.sqlite.disk import is_no_room
from store.tables import metadata

MOST = 1000
AT_ONCE = 500
"""Rows per query."""
UNREADABLE = (
    EdgewiseError,
    SQLAlchemyError,
    sqlite3.Error,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    RecursionError,
)
"""Errors that reading a damaged row may raise."""
DANGLING = "names a row of"
_OF_ROWS = (
    "missing from index",
    "wrong # of entries in index",
    "non-unique entry in index",
    "NULL value in ",
    "CHECK constraint failed in ",
    DANGLING,
)
"""Messages about single rows, or about an index that differs from its table; all others are about pages."""


def page_faults(faults: list[str]) -> list[str]:
    """Return the faults of pages, after which any number of rows may be unreadable."""
    return [fault for fault in faults if not any(words in fault for words in _OF_ROWS)]


def database_faults(path: Path, deadline: Deadline | None = None) -> list[str]:
    """Return SQLite's findings about the whole file. Raises sqlite3.OperationalError past the deadline."""
    try:
        with closing(sqlite_file.connected(path, deadline=deadline)) as connection:
            rows = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({MOST})")]
            findings = [
                line for row in rows for line in row.splitlines() if line not in ("ok", "*** in database main ***")
            ]
            for table, rowid, parent, _number in connection.execute("PRAGMA foreign_key_check"):
                findings.append(f"row {rowid} of {table} {DANGLING} {parent} that is not there")
    except sqlite_file.DATABASE_ERRORS as error:
        if is_broken_off(error):
            raise
        return [str(error)]
    return findings


def rebuild_indexes(path: Path) -> bool:
    """Rebuild every index from its table; return False if that failed."""
    try:
        with closing(sqlite_file.connected(path)) as connection:
            connection.execute("REINDEX")
    except sqlite_file.DATABASE_ERRORS:
        return False
    return True


def definition_faults(session: Session) -> list[str]:
    """Return tables that no longer have the columns they were created with."""
    faults = []
    for table in metadata.sorted_tables:
        columns = list(table.columns)
        if _read(session, select(*columns).limit(0), columns) is None:
            faults.append(f"the definition of {table.name} is damaged")
    return faults


def row_faults(session: Session) -> list[str]:
    """Return rows whose values do not match their columns."""
    return [
        f"row {rowid} of {table.name} cannot be read{_why(session, table, rowid)}"
        for table in metadata.sorted_tables
        for rowid, values in rows_of(session, table.columns)
        if values is None
    ]


def _why(session: Session, table: Table, rowid: int) -> str:
    bad = json_values.unreadable_column(session, table, rowid)
    return f": its {bad} is not readable JSON" if bad else ""


Values = Sequence[Any]


def rows_of(session: Session, columns: Iterable[Column[Any]]) -> Iterator[tuple[int, Values | None]]:
    """Yield every row of a table as (SQLite row id, values of `columns`), None for unreadable values."""
    selected = list(columns)
    rowid: ColumnElement[int] = literal_column("rowid", Integer)
    ids = session.execute(select(rowid).select_from(selected[0].table).order_by(rowid)).scalars().all()
    query = select(rowid, *selected)
    for start in range(0, len(ids), AT_ONCE):
        chunk = ids[start : start + AT_ONCE]
        values_by_id = _read(session, query.where(rowid.between(chunk[0], chunk[-1])), selected)
        if values_by_id is not None:
            yield from values_by_id.items()
            continue
        for each in chunk:
            one = _read(session, query.where(rowid == each), selected)
            yield each, one[each] if one else None


def _read(session: Session, query: Select[Any], columns: list[Column[Any]]) -> dict[int, Values | None] | None:
    """Return values by row id; None if any is unreadable or not of its column's type."""
    kinds = [(place, kind) for place, column in enumerate(columns, start=1) if (kind := _kind(column)) is not None]
    values_by_id: dict[int, Values | None] = {}
    try:
        for row in session.execute(query):
            if any(row[place] is not None and not isinstance(row[place], kind) for place, kind in kinds):
                return None
            values_by_id[row[0]] = row[1:]
    except UNREADABLE as error:
        if is_no_room(error) or is_broken_off(error):
            raise
        return None
    return values_by_id


def _kind(column: Column[Any]) -> type | tuple[type, ...] | None:
    """Return the type of a column's values; None where any type is valid."""
    if isinstance(column.type, JSON):
        return None
    kind = column.type.python_type
    return (int, float) if kind is float else kind


def graph_faults(session: Session) -> list[str]:
    """Return graphs whose rows differ from folding their history."""
    faults = []
    for _row, values in rows_of(session, [metadata.tables["graph"].c.id]):
        if values is None:
            continue  # reported as an unreadable row
        graph_id = values[0]
        try:
            is_same = history.rebuild(session, graph_id) == graphs.read_graph(session, graph_id)
        except UNREADABLE as error:
            if is_no_room(error) or is_broken_off(error):
                raise
            is_same = False
        if not is_same:
            faults.append(f"graph {graph_id} differs from its history")
        session.expunge_all()
    return faults

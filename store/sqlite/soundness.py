"""What is damaged in a SQLite study's database: its pages, its rows, and graphs that are not what their history says.

A row's text that nothing else repeats, whose damage leaves it readable, is noticed by nothing here.
"""

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
"""Faults that SQLite is asked for."""
AT_ONCE = 500
"""Rows read in one query."""
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
"""What reading a damaged row may raise."""
DANGLING = "names a row of"
_OF_ROWS = (
    "missing from index",
    "wrong # of entries in index",
    "non-unique entry in index",
    "NULL value in ",
    "CHECK constraint failed in ",
    DANGLING,
)
"""In faults of what single rows hold, or of an index that is not what its table holds; all others are of pages."""


def page_faults(faults: list[str]) -> list[str]:
    """Those of the database's pages, after which any number of rows may be out of reach."""
    return [fault for fault in faults if not any(words in fault for words in _OF_ROWS)]


def database_faults(path: Path, deadline: Deadline | None = None) -> list[str]:
    """What SQLite finds in the whole file, in its own words. Raises sqlite3.OperationalError if the time is over."""
    try:
        with closing(sqlite_file.connected(path, deadline=deadline)) as connection:
            rows = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({MOST})")]
            found = [
                line for row in rows for line in row.splitlines() if line not in ("ok", "*** in database main ***")
            ]
            for table, rowid, parent, _number in connection.execute("PRAGMA foreign_key_check"):
                found.append(f"row {rowid} of {table} {DANGLING} {parent} that is not there")
    except sqlite_file.DATABASE_ERRORS as error:
        if is_broken_off(error):
            raise
        return [str(error)]
    return found


def build_indexes_anew(path: Path) -> bool:
    """Write every index again from its table; whether that could be done."""
    try:
        with closing(sqlite_file.connected(path)) as connection:
            connection.execute("REINDEX")
    except sqlite_file.DATABASE_ERRORS:
        return False
    return True


def definition_faults(session: Session) -> list[str]:
    """Tables that no longer have the columns they were made with."""
    faults = []
    for table in metadata.sorted_tables:
        columns = list(table.columns)
        if _read(session, select(*columns).limit(0), columns) is None:
            faults.append(f"the definition of {table.name} is damaged")
    return faults


def row_faults(session: Session) -> list[str]:
    """Rows that cannot be read as what their columns hold."""
    return [
        f"row {rowid} of {table.name} cannot be read{_why(session, table, rowid)}"
        for table in metadata.sorted_tables
        for rowid, values in rows_of(session, table.columns)
        if values is None
    ]


def _why(session: Session, table: Table, rowid: int) -> str:
    """Which of the row's columns holds what is no JSON, if any."""
    bad = json_values.unreadable_column(session, table, rowid)
    return f": its {bad} is not readable JSON" if bad else ""


Values = Sequence[Any]


def rows_of(session: Session, columns: Iterable[Column[Any]]) -> Iterator[tuple[int, Values | None]]:
    """Every row of a table: its SQLite row id with the values of `columns`, None where they cannot be read."""
    wanted = list(columns)
    rowid: ColumnElement[int] = literal_column("rowid", Integer)
    ids = session.execute(select(rowid).select_from(wanted[0].table).order_by(rowid)).scalars().all()
    query = select(rowid, *wanted)
    for start in range(0, len(ids), AT_ONCE):
        chunk = ids[start : start + AT_ONCE]
        found = _read(session, query.where(rowid.between(chunk[0], chunk[-1])), wanted)
        if found is not None:
            yield from found.items()
            continue
        for each in chunk:
            one = _read(session, query.where(rowid == each), wanted)
            yield each, one[each] if one else None


def _read(session: Session, query: Select[Any], columns: list[Column[Any]]) -> dict[int, Values | None] | None:
    """Values by row id; None if any of them cannot be read or is not of its column's type."""
    kinds = [(place, kind) for place, column in enumerate(columns, start=1) if (kind := _kind(column)) is not None]
    found: dict[int, Values | None] = {}
    try:
        for row in session.execute(query):
            if any(row[place] is not None and not isinstance(row[place], kind) for place, kind in kinds):
                return None
            found[row[0]] = row[1:]
    except UNREADABLE as error:
        if is_no_room(error) or is_broken_off(error):
            raise
        return None
    return found


def _kind(column: Column[Any]) -> type | tuple[type, ...] | None:
    """Of what type a column's values are; None where any will do."""
    if isinstance(column.type, JSON):
        return None
    kind = column.type.python_type
    return (int, float) if kind is float else kind


def graph_faults(session: Session) -> list[str]:
    """Graphs whose rows are not what folding their history gives; every graph is looked at."""
    found = []
    for _row, values in rows_of(session, [metadata.tables["graph"].c.id]):
        if values is None:
            continue  # told as a row that cannot be read
        graph_id = values[0]
        try:
            is_same = history.rebuild(session, graph_id) == graphs.read_graph(session, graph_id)
        except UNREADABLE as error:
            if is_no_room(error) or is_broken_off(error):
                raise
            is_same = False
        if not is_same:
            found.append(f"graph {graph_id} differs from its history")
        session.expunge_all()
    return found

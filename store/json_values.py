"""Writing and reading the values of JSON columns, and locating a damaged one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import JSON, Integer, Table, Text, func, literal, literal_column, select, type_coerce
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from core.errors import StoreUnavailable
from store.tables.columns import metadata

DAMAGED = "The study is damaged: {what} is not readable JSON. Put your last backup in its place: {way}"
_WAY = "edgewise.py restore BACKUP.zip STUDY --replace"
_WAY_OF_SERVER = "pg_restore, from what pg_dump wrote."


class UnreadableJson(StoreUnavailable):
    """A JSON column holds invalid JSON; the column is not known where it is read."""


def written(value: Any) -> str:
    """Return the JSON text. Raises ValueError for NaN and infinities, TypeError for unsupported types."""
    return _WRITTEN(value)


_WRITTEN = json.JSONEncoder(allow_nan=False, ensure_ascii=False).encode
"""One shared encoder: json.dumps creates one per call."""


def read(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableJson(DAMAGED.format(what="a value in it", way=_WAY)) from error


def read_many(texts: Sequence[str | None]) -> list[Any]:
    """Parse many values, None for None; a thousand short ones in a third of the time. Raises UnreadableJson."""
    present = [text for text in texts if text is not None]
    try:
        values_read = json.loads(f"[{','.join(present)}]")
    except (ValueError, RecursionError):
        values_read = []
    if len(values_read) != len(present):  # one is invalid by itself: reading each one raises
        values_read = [read(text) for text in present]
    values = iter(values_read)
    return [None if text is None else next(values) for text in texts]


@contextmanager
def named_column(session: Session) -> Iterator[None]:
    """Name the column of an unreadable value in the error, if it is found, for everything read in the block."""
    try:
        yield
    except UnreadableJson as error:
        is_server = session.get_bind().dialect.name != "sqlite"
        where = ""
        with suppress(SQLAlchemyError), session.no_autoflush:
            where = "" if is_server else next(unreadable_columns(session), "")
        what = f"a value of {where}" if where else "a value in it"
        raise StoreUnavailable(DAMAGED.format(what=what, way=_WAY_OF_SERVER if is_server else _WAY)) from error


def unreadable_columns(session: Session) -> Iterator[str]:
    """Yield columns of a SQLite study with invalid JSON, as `table.column`; may read every row."""
    for table in metadata.sorted_tables:
        name = unreadable_column(session, table)
        if name:
            yield f"{table.name}.{name}"


def unreadable_column(session: Session, table: Table, rowid: int | None = None) -> str:
    """Return the first column of a SQLite table with invalid JSON, in this row or in any; "" if there is none."""
    for column in table.columns:
        if isinstance(column.type, JSON):
            query = select(literal(1)).select_from(table).where(func.json_valid(type_coerce(column, Text)) == 0)
            if rowid is not None:
                query = query.where(literal_column("rowid", Integer) == rowid)
            if session.execute(query.limit(1)).first() is not None:
                return column.name
    return ""

"""Values that JSON columns hold: how they are written and read, and which one cannot be read if a study is damaged."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import JSON, Integer, Table, Text, func, literal, literal_column, select, type_coerce
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from core.errors import StoreTrouble
from store.tables.columns import metadata

DAMAGED = "The study is damaged: {what} is not readable JSON. Put your last backup in its place: {way}"
_WAY = "edgewise.py restore BACKUP.zip STUDY --replace"
_WAY_OF_SERVER = "pg_restore, from what pg_dump wrote."


class UnreadableJson(StoreTrouble):
    """A value of a JSON column that is none; the column is not known where it is read."""


def written(value: Any) -> str:
    """A value as a column keeps it. Raises ValueError for NaN and the infinities, TypeError for what JSON has not."""
    return _WRITTEN(value)


_WRITTEN = json.JSONEncoder(allow_nan=False, ensure_ascii=False).encode
"""One encoder for all: json.dumps makes one a call."""


def read(text: str | bytes) -> Any:
    """The value again. Raises UnreadableJson."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableJson(DAMAGED.format(what="a value in it", way=_WAY)) from error


def read_many(texts: Sequence[str | None]) -> list[Any]:
    """Each value again, None for None: a thousand short ones in a third of the time. Raises UnreadableJson."""
    given = [text for text in texts if text is not None]
    try:
        found = json.loads(f"[{','.join(given)}]")
    except (ValueError, RecursionError):
        found = []
    if len(found) != len(given):  # one of them is no JSON by itself, and this says so
        found = [read(text) for text in given]
    values = iter(found)
    return [None if text is None else next(values) for text in texts]


@contextmanager
def named_column(session: Session) -> Iterator[None]:
    """Around what a session reads: say of a value that cannot be read in which column it stands, if that is found."""
    try:
        yield
    except UnreadableJson as error:
        is_server = session.get_bind().dialect.name != "sqlite"
        where = ""
        with suppress(SQLAlchemyError), session.no_autoflush:
            where = "" if is_server else next(unreadable_columns(session), "")
        what = f"a value of {where}" if where else "a value in it"
        raise StoreTrouble(DAMAGED.format(what=what, way=_WAY_OF_SERVER if is_server else _WAY)) from error


def unreadable_columns(session: Session) -> Iterator[str]:
    """Columns of a SQLite study that hold text that is no JSON, as `table.column`; every row may be looked at."""
    for table in metadata.sorted_tables:
        name = unreadable_column(session, table)
        if name:
            yield f"{table.name}.{name}"


def unreadable_column(session: Session, table: Table, rowid: int | None = None) -> str:
    """The first column of a SQLite table that holds text that is no JSON, in this row or in any; "" if none does."""
    for column in table.columns:
        if isinstance(column.type, JSON):
            query = select(literal(1)).select_from(table).where(func.json_valid(type_coerce(column, Text)) == 0)
            if rowid is not None:
                query = query.where(literal_column("rowid", Integer) == rowid)
            if session.execute(query.limit(1)).first() is not None:
                return column.name
    return ""

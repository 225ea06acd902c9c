"""Imported tables of samples in the store. No function here commits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, insert
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from core.errors import Missing
from store.runs import runs
from store.tables import SampleRow, SampleTableRow, metadata, new_id
from store.tables.runs import RunTextRow

SAMPLE = metadata.tables["sample_row"]
CHUNK = 500
NO_TABLE = "There is no such table of samples in this study."


class StoredSample(NamedTuple):
    """A row of a table: its cells without the text, the hash of that, None without one, and its length."""

    id: str
    external_id: str
    content: dict[str, Any]
    text_hash: str | None
    characters: int


def tables(session: Session) -> list[SampleTableRow]:
    """All of them, in the order they came."""
    return list(session.exec(select(SampleTableRow).order_by(col(SampleTableRow.created_at), col(SampleTableRow.id))))


def find_table(session: Session, table_id: str) -> SampleTableRow | None:
    return session.get(SampleTableRow, table_id)


def table(session: Session, table_id: str) -> SampleTableRow:
    """Raises Missing if there is none."""
    row = session.get(SampleTableRow, table_id)
    if row is None:
        raise Missing(NO_TABLE)
    return row


def insert_table(
    session: Session, row: SampleTableRow, samples: Iterable[dict[str, Any]], texts: Sequence[str]
) -> None:
    """Write a table with its rows, and their texts before. Each of `samples`: the columns of a row but ids. Raises
    sqlalchemy's IntegrityError for a table that is there already."""
    session.add(row)
    session.flush()
    runs.keep_texts(session, texts)
    kind: Any = SampleRow
    chunk: list[dict[str, Any]] = []
    for each in samples:
        chunk.append({"id": new_id(), "table_id": row.id, **each})
        if len(chunk) == CHUNK:
            session.execute(insert(kind), chunk)
            chunk = []
    if chunk:
        session.execute(insert(kind), chunk)


def samples(session: Session, table_id: str) -> Iterator[StoredSample]:
    """The rows of a table, in its order."""
    columns = [SAMPLE.c[name] for name in StoredSample._fields]
    query = select_columns(*columns).where(SAMPLE.c.table_id == table_id).order_by(SAMPLE.c.place)
    for row in session.execute(query, execution_options={"yield_per": CHUNK}):
        yield StoredSample(*row)


def texts_with_tag(session: Session, table_id: str, tag: str) -> dict[str, str]:
    """Hash → text of those of a table's texts that may hold a tag of this name: <, then the name, then >."""
    query = (
        select(RunTextRow.hash, RunTextRow.text)
        .join(SampleRow, col(SampleRow.text_hash) == col(RunTextRow.hash))
        .where(SampleRow.table_id == table_id, func.lower(RunTextRow.text).like(f"%<%{tag}%>%"))
    )
    return {row[0]: row[1] for row in session.execute(query)}

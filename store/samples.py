"""Imported tables of samples in the store. No function here commits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sqlalchemy import func
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from core.errors import Missing
from core.messages import text_hash
from store.tables import SampleRow, SampleTableRow, metadata, new_id
from store.tables.runs import RunTextRow
from store.unfinished_imports import ImportedRows, is_shown

SAMPLE, TEXT = metadata.tables["sample_row"], metadata.tables["run_text"]
CHUNK = 500
NO_TABLE = "There is no such table of samples in this study."


class StoredSample(NamedTuple):
    """A row of a table without its text."""

    id: str
    external_id: str
    content: dict[str, Any]
    text_hash: str | None  # None without a text
    characters: int  # length of the text


def tables(session: Session) -> list[SampleTableRow]:
    query = select(SampleTableRow).where(is_shown(SampleTableRow.id))
    return list(session.exec(query.order_by(col(SampleTableRow.created_at), col(SampleTableRow.id))))


def find_table(session: Session, table_id: str) -> SampleTableRow | None:
    query = select(SampleTableRow).where(SampleTableRow.id == table_id, is_shown(SampleTableRow.id))
    return session.exec(query).first()


def table(session: Session, table_id: str) -> SampleTableRow:
    row = find_table(session, table_id)
    if row is None:
        raise Missing(NO_TABLE)
    return row


def imported_rows(
    table_id: str, samples: Iterable[dict[str, Any]], texts: Iterable[str]
) -> tuple[ImportedRows, ImportedRows]:
    """Return the rows of a table and their texts, to be imported. samples: the columns of each row, except ids.
    texts: in the order of their hashes, as for `runs.keep_texts`."""
    return (
        ImportedRows(TEXT, ({"hash": text_hash(text), "text": text} for text in texts), may_exist=True),
        ImportedRows(SAMPLE, ({"id": new_id(), "table_id": table_id, **each} for each in samples)),
    )


def samples(session: Session, table_id: str) -> Iterator[StoredSample]:
    columns = [SAMPLE.c[name] for name in StoredSample._fields]
    query = select_columns(*columns).where(SAMPLE.c.table_id == table_id).order_by(SAMPLE.c.place)
    for row in session.execute(query, execution_options={"yield_per": CHUNK}):
        yield StoredSample(*row)


def texts_with_tag(session: Session, table_id: str, tag: str) -> dict[str, str]:
    """Return hash → text for texts of the table that may contain a tag of this name: <, then the name, then >."""
    query = (
        select(RunTextRow.hash, RunTextRow.text)
        .join(SampleRow, col(SampleRow.text_hash) == col(RunTextRow.hash))
        .where(SampleRow.table_id == table_id, func.lower(RunTextRow.text).like(f"%<%{tag}%>%"))
    )
    return {row[0]: row[1] for row in session.execute(query)}

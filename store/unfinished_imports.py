"""Imports of many rows in short transactions, published by a last one.

Imported rows belong to a parent (a table of samples, a collection, a corpus) that is marked until the import is
published; lists and counts skip marked parents (`is_shown`). If the process is killed, the mark remains, and the next
holder of `Store.importing` deletes the rows. Texts are stored by hash, belong to no import and stay.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Table, delete, select, update
from sqlmodel import Session, col

from core.errors import StoreUnavailable
from store.bulk_rows import insert_ready, make_ready
from store.engine import Store
from store.sql_in import among
from store.tables import UnfinishedImportRow, metadata, new_id

MARK: Any = UnfinishedImportRow
TRIPLET, SCORE = metadata.tables["triplet"], metadata.tables["critic_score"]
ROWS = {
    "samples": (("sample_row", "table_id"), ("sample_table", "id")),
    "triplets": (("triplet", "collection"), ("triplet_paper", "collection")),
}
"""Kind of import → its tables and the column that names the parent, referring rows first."""
MOST_ROWS, MOST_CHARACTERS = 1_000, 1_000_000
"""Limits of one transaction."""
FREE_S = 0.01
"""Pause between two transactions, so that another process finds the lock free (`store.engine.LOOK_MS`)."""
PREPARED = 250
"""Rows encoded for the driver at once."""
INTERRUPTED = "The import was interrupted. Nothing was imported. Try again."
log = logging.getLogger(__name__)


class ImportedRows(NamedTuple):
    """Rows of one table, all with the same columns. `may_exist`: skip rows whose key exists."""

    table: Table
    rows: Iterable[dict[str, Any]]
    may_exist: bool = False


class UnfinishedImport(NamedTuple):
    """A mark. `kind`: a key of `ROWS`."""

    id: str
    kind: str
    parent_id: str


def is_shown(column: Any) -> ColumnElement[bool]:
    """Condition that the parent named by this column has no mark."""
    return col(column).not_in(select(MARK.parent_id))


def mark(session: Session, kind: str, parent_id: str) -> UnfinishedImport:
    """Hide the rows of a new parent until `show`."""
    row = UnfinishedImportRow(kind=kind, parent_id=parent_id)
    session.add(row)
    session.flush()
    return UnfinishedImport(row.id, kind, parent_id)


def show(session: Session, unfinished: UnfinishedImport) -> None:
    """Delete the mark. Raises StoreUnavailable if another process has deleted the rows."""
    if session.connection().execute(delete(MARK).where(MARK.id == unfinished.id)).rowcount != 1:
        raise StoreUnavailable(INTERRUPTED)


def write(store: Store, unfinished: UnfinishedImport, parts: Iterable[ImportedRows]) -> None:
    """Write the rows table by table in short transactions; each batch is encoded before its transaction. Raises
    StoreUnavailable if another process deleted the rows as abandoned: on a server that lost the connection holding
    `Store.importing`."""
    ended = 0.0
    for part in parts:
        for batch in _batches(store, part):
            time.sleep(max(0.0, ended + FREE_S - time.monotonic()))
            with store.writing() as session:
                if session.scalar(select(MARK.id).where(MARK.id == unfinished.id).with_for_update()) is None:
                    raise StoreUnavailable(INTERRUPTED)
                insert_ready(session, part.table, batch, or_leave=part.may_exist)
            ended = time.monotonic()


def _batches(store: Store, part: ImportedRows) -> Iterator[list[dict[str, Any]]]:
    rows, batch, size = iter(part.rows), list[dict[str, Any]](), 0
    while some := list(islice(rows, PREPARED)):
        make_ready(store.write_engine.dialect, part.table, some)
        for row in some:
            batch.append(row)
            size += sum(len(value) for value in row.values() if isinstance(value, str))
            if len(batch) == MOST_ROWS or size >= MOST_CHARACTERS:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch


def remove(store: Store) -> None:
    """Delete the rows of every marked import in short transactions. Call it within `Store.importing`."""
    with store.reading() as session:
        marks = _marks(session)
    for unfinished in marks:
        _remove(store, unfinished)


def remove_left_behind(store: Store) -> None:
    """Delete the rows of interrupted imports when a study is opened, unless an import is running or the store is
    read-only."""
    with store.reading() as session:
        if not _marks(session):
            return
    try:
        with store.importing(patience_s=0):
            remove(store)
    except StoreUnavailable as error:
        log.warning("Rows of an import that was not finished could not be removed: %s", error)


def _marks(session: Session) -> list[UnfinishedImport]:
    rows = session.execute(select(MARK.id, MARK.kind, MARK.parent_id).order_by(MARK.id))
    return [UnfinishedImport(*row) for row in rows]


def _remove(store: Store, unfinished: UnfinishedImport) -> None:
    claimed_id = new_id()
    with store.writing() as session:  # from now on, its own process cannot write
        session.execute(update(MARK).where(MARK.id == unfinished.id).values(id=claimed_id))
    for name, column in ROWS[unfinished.kind]:
        table = metadata.tables[name]
        query = select(table.c.id).where(table.c[column] == unfinished.parent_id).limit(MOST_ROWS)
        ids: Sequence[str] = ("any",)
        while ids:
            time.sleep(FREE_S)
            with store.writing() as session:
                ids = session.scalars(query).all()
                if table is TRIPLET:
                    session.execute(delete(SCORE).where(among(session, SCORE.c.triplet_id, ids)))
                session.execute(delete(table).where(among(session, table.c.id, ids)))
    with store.writing() as session:
        session.execute(delete(MARK).where(MARK.id == claimed_id))

"""The table of imports under way."""

from __future__ import annotations

from sqlmodel import SQLModel

from store.tables.columns import key_column, one_of

IMPORT_KINDS = ("samples", "triplets")


class UnfinishedImportRow(SQLModel, table=True):
    """An import whose rows are being written, or were when its process ended: rows of `parent_id` are not shown.

    The act that shows them deletes this row. `kind` says in which tables they are; `id` is known to one process alone.
    """

    __tablename__ = "unfinished_import"
    __table_args__ = (one_of("kind", IMPORT_KINDS),)
    id: str = key_column()
    kind: str
    parent_id: str

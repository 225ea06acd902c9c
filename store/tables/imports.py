"""The table of imports under way."""

from __future__ import annotations

from sqlmodel import SQLModel

from store.tables.columns import key_column, one_of

IMPORT_KINDS = ("samples", "triplets")


class UnfinishedImportRow(SQLModel, table=True):
    """An import in progress or interrupted; rows of `parent_id` are hidden until this row is deleted."""

    __tablename__ = "unfinished_import"
    __table_args__ = (one_of("kind", IMPORT_KINDS),)
    id: str = key_column()  # known to the importing process only
    kind: str  # determines the tables
    parent_id: str

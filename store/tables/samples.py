"""Tables of imported samples: texts with their true graphs, as in the file."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Index, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from store.tables.columns import checked, json_column, key_column, moment_column, one_of, text_column, version_column

TABLE_KINDS = ("default",)
"""Tables of the released dataset that a study stores as samples."""


class SampleTableRow(SQLModel, table=True):
    """An imported table."""

    __tablename__ = "sample_table"
    __table_args__ = (one_of("kind", TABLE_KINDS),)
    id: str = Field(primary_key=True)  # SHA-256 (hex) of the file
    kind: str = "default"
    title: str = text_column()
    licence: str = text_column()
    file: str = text_column()
    row_count: int
    columns: list[Any] = json_column([])  # [name, form] of each, in the file's order
    about: dict[str, Any] = json_column({})  # counts of the import
    created_by: str
    created_at: datetime = moment_column()
    archived_at: datetime | None = moment_column(nullable=True)
    version: int = version_column()


class SampleRow(SQLModel, table=True):
    """A row of an imported table, never changed."""

    __tablename__ = "sample_row"
    __table_args__ = (UniqueConstraint("table_id", "external_id"), Index(None, "table_id", "place", unique=True))
    id: str = key_column()
    table_id: str = Field(foreign_key="sample_table.id")
    external_id: str = Field(sa_column=Column(Text, nullable=False))
    place: int
    content: dict[str, Any] = json_column({})  # its cells as released, without the text
    text_hash: str | None = Field(default=None, foreign_key="run_text.hash")
    characters: int = 0


checked(SampleTableRow)

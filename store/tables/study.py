"""Tables of the whole study: history, settings, and versioned documents."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Index, Integer, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from store.tables.columns import checked, json_column, key_column, moment_column, text_column, version_column


class DocumentVersionRow(SQLModel, table=True):
    """Guidelines, rubrics and prompts: each version is a row."""

    __tablename__ = "document_version"
    __table_args__ = (UniqueConstraint("kind", "name", "number"),)
    id: str = key_column()
    kind: str
    name: str
    number: int
    text: str = text_column()
    created_by: str
    created_at: datetime = moment_column()


class SettingRow(SQLModel, table=True):
    __tablename__ = "study_setting"
    key: str = Field(primary_key=True)
    value: Any = Field(sa_column=Column(JSON, nullable=False))
    version: int = version_column()


LOOKS = text("act LIKE '%.look'")
"""Events of exposure to others' work. They are rare, so they have an index of their own, which only conditions with
exactly this SQL text use."""


class EventRow(SQLModel, table=True):
    """The append-only history; triggers refuse update and delete. `id` is the act's own id, so that a repeated act
    is recognised and does nothing."""

    __tablename__ = "event"
    __table_args__ = (
        Index(None, "graph_id", "seq"),
        Index(None, "subject_id"),
        Index("ix_event_look", "subject_id", "act", sqlite_where=LOOKS, postgresql_where=LOOKS),
        {"sqlite_autoincrement": True},
    )
    seq: int | None = Field(
        default=None,
        sa_column=Column(BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True),
    )
    id: str = Field(unique=True)
    at: datetime = moment_column()
    actor: str = Field(index=True)
    on_behalf_of: str | None = None
    act: str
    subject_kind: str
    subject_id: str
    graph_id: str | None = Field(default=None, sa_column=Column(Text, ForeignKey("graph.id"), nullable=True))
    undoes: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    payload: dict[str, Any] = json_column({})


checked(SettingRow)

"""The tables of frozen question sets."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Field, SQLModel

from store.tables.columns import checked, json_column, moment_column, text_column, version_column


class QuestionSetRow(SQLModel, table=True):
    """A frozen, numbered set of questions."""

    __tablename__ = "question_set"
    id: str = Field(primary_key=True, foreign_key="file.sha256")  # of its JSON lines
    number: int = Field(unique=True)
    title: str = text_column()
    licence: str = text_column()
    question_count: int
    about: dict[str, Any] = json_column({})  # origin, and counts by type and answer
    created_by: str
    created_at: datetime = moment_column()
    archived_at: datetime | None = moment_column(nullable=True)
    version: int = version_column()


checked(QuestionSetRow)

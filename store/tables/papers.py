"""Tables of papers: files, figures, decisions on detected figures, and derived values."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, LargeBinary
from sqlmodel import Field, SQLModel

from store.tables.columns import checked, json_column, key_column, moment_column, one_of, text_column, version_column


class FileRow(SQLModel, table=True):
    """A file by the SHA-256 of its content; the bytes are in a folder or in `file_content`."""

    __tablename__ = "file"
    sha256: str = Field(primary_key=True)
    media_type: str
    size_bytes: int
    original_name: str = text_column()
    page_count: int = 1
    has_text: bool = True
    notices: list[str] = json_column([])
    created_at: datetime = moment_column()


class FileContentRow(SQLModel, table=True):
    __tablename__ = "file_content"
    sha256: str = Field(primary_key=True, foreign_key="file.sha256")
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class PaperRow(SQLModel, table=True):
    __tablename__ = "paper"
    __table_args__ = (one_of("screening", ("open", "included", "excluded")),)
    id: str = key_column()
    title: str = text_column()
    authors: list[str] = json_column([])
    source: str = text_column()
    url: str = text_column()
    doi: str = Field(default="", index=True)
    publication_date: str = ""
    abstract: str = text_column()
    domains: list[str] = json_column([])
    licence: str = text_column()
    file_sha256: str | None = Field(default=None, foreign_key="file.sha256", index=True)
    screening: str = "open"
    reasons: list[str] = json_column([])
    automatic: list[str] = json_column([])
    screening_note: str = text_column()
    screened_by: str | None = None
    created_by: str
    created_at: datetime = moment_column()
    archived_at: datetime | None = moment_column(nullable=True)
    version: int = version_column()


class FigureRow(SQLModel, table=True):
    """A located diagram: page (from 1), rectangle in PDF points of the displayed page, position in words."""

    __tablename__ = "figure"
    id: str = key_column()
    paper_id: str = Field(foreign_key="paper.id", index=True)
    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    place: str = text_column()
    label: str = text_column()
    caption: str = text_column()
    created_by: str
    created_at: datetime = moment_column()
    archived_at: datetime | None = moment_column(nullable=True)
    version: int = version_column()


class RegionDecisionRow(SQLModel, table=True):
    """The decision on a figure detected on a page, by file and region (`part`). "waiting": a decision was undone."""

    __tablename__ = "region_decision"
    __table_args__ = (one_of("decision", ("waiting", "located", "left out")),)
    file_sha256: str = Field(primary_key=True, foreign_key="file.sha256")
    part: str = Field(primary_key=True)
    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    decision: str
    figure_id: str | None = Field(default=None, foreign_key="figure.id")  # made of it
    decided_by: str
    decided_at: datetime = moment_column()
    version: int = version_column()


class DerivedRow(SQLModel, table=True):
    """A value that a producer derived from a source."""

    __tablename__ = "derived"
    source_hash: str = Field(primary_key=True)
    producer: str = Field(primary_key=True)
    producer_version: str = Field(primary_key=True)
    part: str = Field(primary_key=True)
    content: Any = Field(sa_column=Column(JSON, nullable=False))
    created_at: datetime = moment_column()


for _table in (PaperRow, FigureRow, RegionDecisionRow):
    checked(_table)

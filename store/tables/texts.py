"""Tables of papers' texts: stages, their changes, and how explicit each node is in a text."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, Column, Text
from sqlmodel import Field, SQLModel

from core.texts.states import Stage, TextState
from store.tables.columns import checked, json_column, key_column, moment_column, one_of, text_column, version_column


class PaperTextRow(SQLModel, table=True):
    """A stage of a figure's text. Each stage is made of the `content` of the previous one (`based_on`), the first of
    the paper. A figure's text is the chain that starts at its newest raw stage; that row is locked for writing, and
    its version counts the changes of all stages."""

    __tablename__ = "paper_text"
    __table_args__ = (one_of("stage", tuple(Stage)), one_of("state", tuple(TextState)))
    id: str = key_column()
    figure_id: str = Field(foreign_key="figure.id", index=True)
    stage: str
    round: int = 0
    based_on: str | None = Field(default=None, foreign_key="paper_text.id")
    content: str = text_column()  # with the changes that were not rejected
    sha256: str = Field(index=True)
    before_sha256: str = Field(index=True)  # of the text without the stage's changes
    producer: str
    file_sha256: str = Field(foreign_key="file.sha256")
    unseen: int = 0  # invisible characters of the paper that were dropped
    truth_sha256: str | None = None
    truth: dict[str, Any] = json_column({})  # the graph it was made, set ready or confirmed against, or {}
    guards: dict[str, Any] = json_column({})  # the checks' findings at that time
    state: str = TextState.DRAFT.value
    created_by: str
    created_at: datetime = moment_column()
    version: int = version_column()


class PaperTextChangeRow(SQLModel, table=True):
    """A replacement in a stage: `start` and `end` (exclusive) in the text before the stage (`core.texts.redline`)."""

    __tablename__ = "paper_text_change"
    text_id: str = Field(foreign_key="paper_text.id", primary_key=True)
    number: int = Field(primary_key=True)
    start: int
    end: int
    was: str = text_column()
    replacement: str = text_column()
    kind: str
    page: int | None = None
    flagged: list[str] = json_column([])
    is_rejected: bool = False
    reason: str = text_column()
    ruled_by: str = ""


class NodeLevelRow(SQLModel, table=True):
    """A person's or model's (`model:…`) label of how explicit a node of the ground truth is in a text."""

    __tablename__ = "node_level"
    __table_args__ = (CheckConstraint("level IN (1, 2, 3)", name="level"),)
    text_sha256: str = Field(primary_key=True)
    figure_id: str = Field(foreign_key="figure.id", primary_key=True)
    rater: str = Field(primary_key=True)
    node: str = Field(sa_column=Column(Text, primary_key=True))
    level: int
    set_at: datetime = moment_column()


checked(PaperTextRow)

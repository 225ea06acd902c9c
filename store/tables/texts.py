"""The tables of papers' texts: each stage of a text, its changes, and how explicit each node is in it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, Column, Text
from sqlmodel import Field, SQLModel

from core.texts.states import Stage, TextState
from store.tables.columns import checked, json_column, key_column, moment_column, one_of, text_column, version_column


class PaperTextRow(SQLModel, table=True):
    """One stage of a figure's text: `content` is the text with the changes that stand, and each stage is made of the
    `content` of the one before (`based_on`); the Markdown is made of the paper itself. `before_sha256`: of the text
    without the stage's changes. A figure's text is the chain that its newest raw stage begins; that row's version
    counts every change of any stage, and whoever writes one holds it.

    `truth` is the graph the stage was made, made ready or confirmed against ({} if none), with `truth_sha256`; `guards`
    what they said when that was decided. `unseen`: characters of the paper that nobody sees, left out."""

    __tablename__ = "paper_text"
    __table_args__ = (one_of("stage", tuple(Stage)), one_of("state", tuple(TextState)))
    id: str = key_column()
    figure_id: str = Field(foreign_key="figure.id", index=True)
    stage: str
    round: int = 0
    based_on: str | None = Field(default=None, foreign_key="paper_text.id")
    content: str = text_column()
    sha256: str = Field(index=True)
    before_sha256: str = Field(index=True)
    producer: str
    file_sha256: str = Field(foreign_key="file.sha256")
    unseen: int = 0
    truth_sha256: str | None = None
    truth: dict[str, Any] = json_column({})
    guards: dict[str, Any] = json_column({})
    state: str = TextState.DRAFT.value
    created_by: str
    created_at: datetime = moment_column()
    version: int = version_column()


class PaperTextChangeRow(SQLModel, table=True):
    """What a stage replaces: `start` and `end` (excluded) in the text before the stage; see `core.texts.redline`."""

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
    """How explicit a node of the ground truth is in a text, as a person or a model (`model:…`) labelled it."""

    __tablename__ = "node_level"
    __table_args__ = (CheckConstraint("level IN (1, 2, 3)", name="level"),)
    text_sha256: str = Field(primary_key=True)
    figure_id: str = Field(foreign_key="figure.id", primary_key=True)
    rater: str = Field(primary_key=True)
    node: str = Field(sa_column=Column(Text, primary_key=True))
    level: int
    set_at: datetime = moment_column()


checked(PaperTextRow)

"""Tables of codes that say why an answer fails: people's codes, and lists of answers that people code blind."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Float, UniqueConstraint
from sqlmodel import Field, SQLModel

from store.tables.columns import checked, json_column, key_column, moment_column, text_column, version_column


class AnswerCodesRow(SQLModel, table=True):
    """One person's codes of an answer. `is_ruling`: they settle a difference between others' codes. `list_id`: the list
    in which they coded it. `answered_at`: when the answer came; an item that is asked again has another answer."""

    __tablename__ = "answer_codes"
    __table_args__ = (UniqueConstraint("item_id", "coder"),)
    id: str = key_column()
    item_id: str = Field(foreign_key="run_item.id")
    coder: str
    is_ruling: bool = False
    codebook: int  # version whose codes these are
    codes: list[str] = json_column([])  # names, in the order of the codebook
    note: str = text_column()
    coded_at: datetime = moment_column()
    list_id: str | None = Field(default=None, foreign_key="coding_list.id")
    answered_at: datetime | None = moment_column(nullable=True)
    version: int = version_column()


class CodingListRow(SQLModel, table=True):
    """Answers of a run that a number of people code, each without seeing the others' codes. `filters`: those of the
    list of failures from which they were drawn; empty for the wrong answers of models. `share_without`: the share of
    them, 0–1, drawn at random with `seed`, that is coded without models' proposals; null if nothing is proposed."""

    __tablename__ = "coding_list"
    id: str = key_column()
    run_id: str = Field(foreign_key="run.id", index=True)
    items: list[str] = json_column([])
    codebook: int  # version that is coded by
    people: int
    seed: int
    filters: dict[str, Any] = json_column({})
    share_without: float | None = Field(default=None, sa_column=Column(Float, nullable=True))
    created_by: str
    created_at: datetime = moment_column()
    withdrawn_at: datetime | None = moment_column(nullable=True)
    version: int = version_column()


class CodeDecisionRow(SQLModel, table=True):
    """One person's decision on a code that a model proposed for an answer: `proposed_by` is the model's item. It does
    not change."""

    __tablename__ = "code_decision"
    __table_args__ = (UniqueConstraint("proposed_by", "coder", "code"),)
    id: str = key_column()
    item_id: str = Field(foreign_key="run_item.id")
    proposed_by: str = Field(foreign_key="run_item.id")
    coder: str
    code: str
    is_accepted: bool
    decided_at: datetime = moment_column()


for _table in (AnswerCodesRow, CodingListRow):
    checked(_table)

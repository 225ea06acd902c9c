"""The tables of reviewed verdicts: what is laid before people, what they labelled, and what they corrected.

A judge's own labels stay with its item (`run_item.parsed`) and are never changed; what stands after review is told by
the overrides, which are append-only, and kept as a tally beside the judge's own.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text
from sqlmodel import Field, SQLModel

from core.verdicts.labels import WORDING, Section
from core.verdicts.review import DrawnBy, Ruling
from store.tables.columns import checked, json_column, key_column, moment_column, one_of, text_column, version_column


class VerdictSheetRow(SQLModel, table=True):
    """Verdict items of one section of one answer that a person goes through in one go. `item_id`: the judge's item
    whose labels are shown and corrected; `answer`: the key of what was judged; `size`: the most items of a
    sheet of its draw, and `place` its place there; `weights`: number → how many items of
    the run this one stands for, of a stratified draw."""

    __tablename__ = "verdict_sheet"
    __table_args__ = (
        one_of("section", tuple(Section)),
        one_of("drawn_by", tuple(DrawnBy)),
        Index(None, "item_id", "drawn_by"),
    )
    id: str = key_column()
    run_id: str = Field(foreign_key="run.id", index=True)
    item_id: str = Field(foreign_key="run_item.id")
    answer: str = text_column()
    section: str
    numbers: list[int] = json_column([])
    weights: dict[str, float] = json_column({})
    drawn_by: str
    seed: int | None = None
    place: int = 0
    size: int = 1
    created_by: str
    created_at: datetime = moment_column()


class PersonLabelRow(SQLModel, table=True):
    """What a person says of one field of one verdict item. `saw_verdict`: whether a judge's label of that item had been
    shown to them by then; `compared_at`: when the judge's labels were shown beside their own; `wording`: version
    of the meaning of labels then, as in `core.verdicts.labels`."""

    __tablename__ = "person_label"
    __table_args__ = (one_of("block", ("graph", "text", "item")),)
    assignment_id: str = Field(foreign_key="assignment.id", primary_key=True)
    number: int = Field(primary_key=True)
    block: str = Field(primary_key=True)
    field: str = Field(primary_key=True)
    label: str
    saw_verdict: bool
    set_at: datetime = moment_column()
    compared_at: datetime | None = moment_column(nullable=True)
    wording: int = WORDING


class VerdictOverrideRow(SQLModel, table=True):
    """What a person ruled about a judge's item, never changed afterwards. `ruling`: an override of one field, or that
    the judge is right, both labels can be defended, or the item cannot be judged; these have no field. What was ruled
    is taken back by a further row. `before`, `after`: labels, empty where there is none."""

    __tablename__ = "verdict_override"
    __table_args__ = (one_of("ruling", tuple(Ruling)), Index(None, "item_id", "number"))
    id: str = key_column()
    item_id: str = Field(foreign_key="run_item.id")
    assignment_id: str | None = Field(default=None, foreign_key="assignment.id", index=True)
    number: int
    block: str = text_column()
    field: str = text_column()
    ruling: str
    before: str = text_column()
    after: str = text_column()
    reason: str = text_column()
    note: str = text_column()
    by: str
    at: datetime = moment_column()


class VerdictCounterpartRow(SQLModel, table=True):
    """Two nodes, one of an answer and one of its truth, that a person says are one. `answer`: the key of what was
    judged; the nodes by their names."""

    __tablename__ = "verdict_counterpart"
    answer: str = Field(primary_key=True, sa_type=Text)
    by: str = Field(primary_key=True)
    truth_node: str = Field(primary_key=True, sa_type=Text)
    answer_node: str = Field(primary_key=True, sa_type=Text)
    set_at: datetime = moment_column()


class VerdictReviewedRow(SQLModel, table=True):
    """The tally of a judge's item with the overrides in force; `score`: of its section in the form default."""

    __tablename__ = "verdict_reviewed"
    item_id: str = Field(foreign_key="run_item.id", primary_key=True)
    run_id: str = Field(foreign_key="run.id", index=True)
    tally: dict[str, Any] = json_column({})
    score: float | None = None
    version: int = version_column()


checked(VerdictReviewedRow)

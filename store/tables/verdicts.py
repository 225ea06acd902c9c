"""Tables of reviewed verdicts: sheets, people's labels, and overrides. A judge's labels stay with its item
(`run_item.parsed`) and never change. The reviewed labels follow from the append-only overrides, and are stored as a
tally next to the judge's own."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text
from sqlmodel import Field, SQLModel

from core.verdicts.labels import WORDING, Section
from core.verdicts.review import DrawnBy, VerdictRuling
from store.tables.columns import checked, json_column, key_column, moment_column, one_of, text_column, version_column


class VerdictSheetRow(SQLModel, table=True):
    """Items of one section of an answer's verdict that a person labels in one session."""

    __tablename__ = "verdict_sheet"
    __table_args__ = (
        one_of("section", tuple(Section)),
        one_of("drawn_by", tuple(DrawnBy)),
        Index(None, "item_id", "drawn_by"),
    )
    id: str = key_column()
    run_id: str = Field(foreign_key="run.id", index=True)
    item_id: str = Field(foreign_key="run_item.id")  # the judge's item whose labels are shown
    answer: str = text_column()  # key of the judged answer
    section: str
    numbers: list[int] = json_column([])
    weights: dict[str, float] = json_column({})  # number → items of the run it represents, if stratified
    drawn_by: str
    seed: int | None = None
    place: int = 0  # in its draw
    size: int = 1  # most items per sheet of its draw
    created_by: str
    created_at: datetime = moment_column()


class PersonLabelRow(SQLModel, table=True):
    """A person's label of one field of a verdict item. `saw_verdict`: a judge's label of the item had been shown to
    them before."""

    __tablename__ = "person_label"
    __table_args__ = (one_of("block", ("graph", "text", "item")),)
    assignment_id: str = Field(foreign_key="assignment.id", primary_key=True)
    number: int = Field(primary_key=True)
    block: str = Field(primary_key=True)
    field: str = Field(primary_key=True)
    label: str
    saw_verdict: bool
    set_at: datetime = moment_column()
    compared_at: datetime | None = moment_column(nullable=True)  # when the judge's labels were shown
    wording: int = WORDING  # version of the labels' meaning (`core.verdicts.labels`)


class VerdictOverrideRow(SQLModel, table=True):
    """A person's ruling on a judge's item, immutable: an override of one field, or that the judge is right, both
    labels can be defended, or the item cannot be judged (without a field). A further row undoes a ruling."""

    __tablename__ = "verdict_override"
    __table_args__ = (one_of("ruling", tuple(VerdictRuling)), Index(None, "item_id", "number"))
    id: str = key_column()
    item_id: str = Field(foreign_key="run_item.id")
    assignment_id: str | None = Field(default=None, foreign_key="assignment.id", index=True)
    number: int
    block: str = text_column()
    field: str = text_column()
    ruling: str
    before: str = text_column()  # label, or empty
    after: str = text_column()
    reason: str = text_column()
    note: str = text_column()
    by: str
    at: datetime = moment_column()


class VerdictCounterpartRow(SQLModel, table=True):
    """A node of an answer and one of its truth that a person considers equal. `answer`: key of the judged answer."""

    __tablename__ = "verdict_counterpart"
    answer: str = Field(primary_key=True, sa_type=Text)
    by: str = Field(primary_key=True)
    truth_node: str = Field(primary_key=True, sa_type=Text)
    answer_node: str = Field(primary_key=True, sa_type=Text)
    set_at: datetime = moment_column()


class VerdictReviewedRow(SQLModel, table=True):
    """The tally of a judge's item with current overrides."""

    __tablename__ = "verdict_reviewed"
    item_id: str = Field(foreign_key="run_item.id", primary_key=True)
    run_id: str = Field(foreign_key="run.id", index=True)
    tally: dict[str, Any] = json_column({})
    score: float | None = None  # of its section in the form default
    version: int = version_column()


checked(VerdictReviewedRow)

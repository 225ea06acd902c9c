"""Tables of triplets: their papers, the triplets, and the scores of critics and experts."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from core.sign import Sign
from store.tables.columns import checked, json_column, key_column, moment_column, one_of, text_column, version_column


class TripletPaperRow(SQLModel, table=True):
    """A paper of triplets, as described in their file; `paper_id` if the study holds the paper itself. Separate from
    `paper`: thousands that are known by title only would flood the screening of figures."""

    __tablename__ = "triplet_paper"
    __table_args__ = (UniqueConstraint("collection", "external_id"),)
    id: str = key_column()
    collection: str
    external_id: str
    title: str = text_column()
    author: str = text_column()
    year: int | None = Field(default=None, index=True)
    venue: str = text_column()
    domain: str = text_column()
    jel_codes: str | None = text_column(None)
    jel_letters: list[str] = json_column([])
    url: str = text_column()
    abstract: str = text_column()
    paper_id: str | None = Field(default=None, foreign_key="paper.id", index=True)


class TripletRow(SQLModel, table=True):
    """An extracted causal claim. The sign is never missing: "None" is one of four."""

    __tablename__ = "triplet"
    __table_args__ = (
        one_of("sign", tuple(sign.value for sign in Sign)),
        Index(None, "collection", "place"),
    )
    id: str = key_column()
    collection: str  # the file or run it came with
    place: int
    triplet_paper_id: str = Field(foreign_key="triplet_paper.id", index=True)
    treatment: str = text_column()
    outcome: str = text_column()
    sign: str
    context: str = text_column()
    methods: list[str] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    evidence: list[str] = json_column([])
    details: dict[str, Any] = json_column({})  # cells of the file without a column here, unchanged
    created_by: str
    created_at: datetime = moment_column()
    archived_at: datetime | None = moment_column(nullable=True)
    version: int = version_column()
    run_id: str | None = Field(default=None, foreign_key="run.id", index=True)
    made_id: str | None = Field(default=None, foreign_key="run_made.id")  # the value that critics accepted


class CriticScoreRow(SQLModel, table=True):
    """A model critic's score (0–3) of one criterion of a triplet, with its reason; imported, or from an item of a
    run."""

    __tablename__ = "critic_score"
    triplet_id: str = Field(foreign_key="triplet.id", primary_key=True)
    critic: str = Field(primary_key=True)
    criterion: str = Field(primary_key=True)
    score: int
    reason: str = text_column()
    is_synthetic: bool = False
    item_id: str | None = Field(default=None, foreign_key="run_item.id")


class ExpertScoreRow(SQLModel, table=True):
    """A person's score of one criterion of an assigned triplet; the criteria are those of its kind's rubric."""

    __tablename__ = "expert_score"
    assignment_id: str = Field(foreign_key="assignment.id", primary_key=True)
    criterion: str = Field(primary_key=True)
    score: int
    set_at: datetime = moment_column()


checked(TripletRow)

"""Tables of work: assignments, queue entries, rulings, drafts and active time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from core.transcription.declining import FigureVerdict
from store.tables.columns import checked, json_column, key_column, moment_column, one_of, text_column, version_column

ASSIGNMENT_STATES = ("open", "submitted", "returned", "accepted", "abandoned", "declined")


class AssignmentRow(SQLModel, table=True):
    """One person's work on one subject; every queue is read from this table."""

    __tablename__ = "assignment"
    __table_args__ = (
        one_of("state", ASSIGNMENT_STATES),
        one_of("verdict", tuple(FigureVerdict)),
        UniqueConstraint("kind", "subject_id", "person_id"),
    )
    id: str = key_column()
    kind: str
    subject_id: str = Field(index=True)
    person_id: str = Field(foreign_key="person.id", index=True)
    round: int = 1
    state: str = "open"
    graph_id: str | None = Field(default=None, foreign_key="graph.id", index=True)
    proposals: str = text_column()  # whether proposals are shown, or why not; set when claimed
    comment: str = text_column()
    verdict: str | None = None  # why no graph was drawn (state "declined"); the drawing is kept
    reason: str = text_column()
    claimed_at: datetime = moment_column()
    expires_at: datetime | None = moment_column(nullable=True)
    submitted_at: datetime | None = moment_column(nullable=True)
    seen_at: datetime | None = moment_column(nullable=True)
    late_opened_at: datetime | None = moment_column(nullable=True)  # start of the post-submission review
    late_closed_at: datetime | None = moment_column(nullable=True)  # null also after it expired
    version: int = version_column()


class QueueEntryRow(SQLModel, table=True):
    """A subject's priority and number of people, where they differ from the study's settings."""

    __tablename__ = "queue_entry"
    kind: str = Field(primary_key=True)
    subject_id: str = Field(primary_key=True)
    priority: int = 0
    wanted: int | None = None
    version: int = version_column()


class RulingRow(SQLModel, table=True):
    """An adjudicator's ruling on one difference between two transcriptions (`core.adjudication.differences`)."""

    __tablename__ = "ruling"
    assignment_id: str = Field(foreign_key="assignment.id", primary_key=True)
    round: int = Field(primary_key=True)
    key: str = Field(primary_key=True)
    kind: str
    choice: str
    reasons: list[str] = json_column([])
    is_gap: bool = False
    comment: str = text_column()
    value: dict[str, Any] = json_column({})  # another wording, the class of a name, an edge of their own
    ruled_by: str
    ruled_at: datetime = moment_column()


class WorkCommentRow(SQLModel, table=True):
    """A comment between an annotator and reviewers, on a transcription or one of its edges; never changed."""

    __tablename__ = "work_comment"
    id: str = key_column()
    assignment_id: str = Field(foreign_key="assignment.id", index=True)
    edge_id: str | None = None  # None: on the figure; the edge may be removed later
    edge: str = text_column()  # its names when the comment was written
    text: str = text_column()
    written_by: str
    written_at: datetime = moment_column()


class EffortRow(SQLModel, table=True):
    """Seconds of activity on one assignment and day (UTC), with the ids of its last reports. Reports come several
    times a minute and are not read one by one, so they are summed instead of stored as events."""

    __tablename__ = "effort"
    assignment_id: str = Field(foreign_key="assignment.id", primary_key=True)
    day: str = Field(primary_key=True)
    active_s: float = 0.0
    last_at: datetime = moment_column()
    beats: list[str] = json_column([])


class DraftRow(SQLModel, table=True):
    """Typed text that is not used yet; never counted as work."""

    __tablename__ = "draft"
    person_id: str = Field(foreign_key="person.id", primary_key=True)
    key: str = Field(primary_key=True)
    text: str = text_column()
    saved_at: datetime = moment_column()


for _table in (AssignmentRow, QueueEntryRow):
    checked(_table)

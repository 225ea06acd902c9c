"""The tables of work: who works on what, what was asked, ruled, typed and how long it took."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from core.transcription.declining import FigureVerdict
from store.tables.columns import checked, json_column, key_column, moment_column, one_of, text_column, version_column

ASSIGNMENT_STATES = ("open", "submitted", "returned", "accepted", "abandoned", "declined")


class AssignmentRow(SQLModel, table=True):
    """One person's work on one subject: every queue is a view of this table.

    `proposals` says whether proposals are shown for it and why not; it is written when the work is taken, for good.
    `verdict` and `reason` say why no graph was drawn (state "declined"); what was drawn until then is kept.
    `late_opened_at` and `late_closed_at`: when its annotator, having submitted, began and ended looking at what the
    figure's reading holds otherwise; it ends by time too, which no row says.
    """

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
    proposals: str = text_column()
    comment: str = text_column()
    verdict: str | None = None
    reason: str = text_column()
    claimed_at: datetime = moment_column()
    expires_at: datetime | None = moment_column(nullable=True)
    submitted_at: datetime | None = moment_column(nullable=True)
    seen_at: datetime | None = moment_column(nullable=True)
    late_opened_at: datetime | None = moment_column(nullable=True)
    late_closed_at: datetime | None = moment_column(nullable=True)
    version: int = version_column()


class QueueEntryRow(SQLModel, table=True):
    """What is asked of one subject of a queue beyond the study's settings: how soon, and by how many people."""

    __tablename__ = "queue_entry"
    kind: str = Field(primary_key=True)
    subject_id: str = Field(primary_key=True)
    priority: int = 0
    wanted: int | None = None
    version: int = version_column()


class RulingRow(SQLModel, table=True):
    """What an adjudicator ruled about one difference between two transcriptions; see `core.adjudication.differences`.

    `value` holds what a choice alone does not say: another wording, the class of a name, an edge of their own.
    """

    __tablename__ = "ruling"
    assignment_id: str = Field(foreign_key="assignment.id", primary_key=True)
    round: int = Field(primary_key=True)
    key: str = Field(primary_key=True)
    kind: str
    choice: str
    reasons: list[str] = json_column([])
    is_gap: bool = False
    comment: str = text_column()
    value: dict[str, Any] = json_column({})
    ruled_by: str
    ruled_at: datetime = moment_column()


class EffortRow(SQLModel, table=True):
    """Seconds of activity on one piece of work on one day (UTC), and the ids of the last reports of it.

    One row that is counted up, not an event each: reports come several times a minute and say nothing that anyone
    will want to read one by one, so they would only bury the acts.
    """

    __tablename__ = "effort"
    assignment_id: str = Field(foreign_key="assignment.id", primary_key=True)
    day: str = Field(primary_key=True)
    active_s: float = 0.0
    last_at: datetime = moment_column()
    beats: list[str] = json_column([])


class DraftRow(SQLModel, table=True):
    """Text a person has typed and not yet used; never counted as work."""

    __tablename__ = "draft"
    person_id: str = Field(foreign_key="person.id", primary_key=True)
    key: str = Field(primary_key=True)
    text: str = text_column()
    saved_at: datetime = moment_column()


for _table in (AssignmentRow, QueueEntryRow):
    checked(_table)

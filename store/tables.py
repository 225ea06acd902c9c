"""Every table of a study. Names of people stand in `person` only; everywhere else an actor is an id.

Rows that people change carry `version`, which SQLAlchemy checks on every update (StaleDataError becomes a
Conflict); rows that record what happened have none and are never updated.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Text,
    UniqueConstraint,
)
from sqlmodel import Field, SQLModel

from core.graphs.edge import EdgeFlag
from core.marks import MARK_KINDS
from core.sign import EDGE_SIGNS, Sign
from store import run_tables
from store.columns import (
    UtcDateTime,
    checked,
    json_column,
    key_column,
    metadata,
    moment_column,
    new_id,
    one_of,
    text_column,
    version_column,
)  # fmt: skip

__all__ = ["UtcDateTime", "metadata", "new_id", "run_tables"]
# Imported for its tables: whoever knows `metadata` from here knows all of them.

GRAPH_KINDS = ("transcription", "ground truth", "prediction", "import", "generated")
ASSIGNMENT_STATES = ("open", "submitted", "returned", "accepted", "abandoned")


class PersonRow(SQLModel, table=True):
    __tablename__ = "person"
    id: str = key_column()
    name: str = Field(sa_column=Column(Text, nullable=False, unique=True))
    password_hash: str | None = text_column(None)
    roles: list[str] = json_column([])
    is_active: bool = True
    is_demo: bool = False
    created_at: datetime = moment_column()
    version: int = version_column()


class SessionRow(SQLModel, table=True):
    """A signed-in browser. The cookie's token is never stored, only its SHA-256."""

    __tablename__ = "session"
    id: str = key_column()
    token_hash: str = Field(unique=True)
    csrf: str
    person_id: str = Field(foreign_key="person.id", index=True)
    acting_person_id: str | None = Field(default=None, foreign_key="person.id")
    is_local: bool = False
    created_at: datetime = moment_column()
    seen_at: datetime = moment_column()
    expires_at: datetime = moment_column()
    ended_at: datetime | None = moment_column(nullable=True)


class InvitationRow(SQLModel, table=True):
    """A link that works once: it makes a new person, or (kind reset) sets a new password."""

    __tablename__ = "invitation"
    __table_args__ = (one_of("kind", ("invite", "reset")),)
    id: str = key_column()
    token_hash: str = Field(unique=True)
    kind: str
    roles: list[str] = json_column([])
    person_id: str | None = Field(default=None, foreign_key="person.id")
    created_by: str
    created_at: datetime = moment_column()
    expires_at: datetime = moment_column()
    used_at: datetime | None = moment_column(nullable=True)


class AttemptRow(SQLModel, table=True):
    """Failed sign-ins per hashed name or address; kept apart from people so unknown names count alike."""

    __tablename__ = "sign_in_attempt"
    key: str = Field(primary_key=True)
    failures: int = 0
    last_at: datetime = moment_column()
    blocked_until: datetime | None = moment_column(nullable=True)


class FileRow(SQLModel, table=True):
    """A file by the SHA-256 of its content; the bytes lie in the shelf (folder or `file_content`)."""

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
    """The bytes of a file, used when the store is a server that several machines share."""

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
    """A located diagram: page (from 1), rectangle in PDF points of the displayed page, place in words."""

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


class GraphRow(SQLModel, table=True):
    """Any graph. `layout` keeps where the graph view drew each node, so it stays put between visits."""

    __tablename__ = "graph"
    __table_args__ = (one_of("kind", GRAPH_KINDS),)
    id: str = key_column()
    kind: str = Field(index=True)
    title: str = text_column()
    figure_id: str | None = Field(default=None, foreign_key="figure.id", index=True)
    paper_id: str | None = Field(default=None, foreign_key="paper.id", index=True)
    based_on: str | None = Field(default=None, foreign_key="graph.id")
    created_by: str
    created_at: datetime = moment_column()
    archived_at: datetime | None = moment_column(nullable=True)
    layout: dict[str, Any] = json_column({})
    version: int = version_column()


class AlignmentRow(SQLModel, table=True):
    """Which names of one graph a person took for which names of another: `pairs` is candidate name → reference
    name, many to one allowed. `classes` says of what kind the difference is (`core.graphs.alignment.NameClass`)."""

    __tablename__ = "alignment"
    __table_args__ = (UniqueConstraint("reference_id", "candidate_id"),)
    id: str = key_column()
    reference_id: str = Field(foreign_key="graph.id")
    candidate_id: str = Field(foreign_key="graph.id")
    pairs: dict[str, str] = json_column({})
    classes: dict[str, str] = json_column({})
    version: int = version_column()


class NodeRow(SQLModel, table=True):
    __tablename__ = "node"
    __table_args__ = (UniqueConstraint("graph_id", "name"),)
    id: str = key_column()
    graph_id: str = Field(foreign_key="graph.id")
    place: int = 0
    name: str = text_column()
    origin: str = "typed"
    confidence: float | None = Field(default=None, sa_column=Column(Float, nullable=True))
    x: float | None = None
    y: float | None = None
    box: list[float] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))


class EdgeRow(SQLModel, table=True):
    __tablename__ = "edge"
    __table_args__ = (
        one_of("sign", tuple(sign.value for sign in EDGE_SIGNS)),
        one_of("flag", tuple(flag.value for flag in EdgeFlag)),
        Index(None, "graph_id"),
    )
    id: str = key_column()
    graph_id: str = Field(foreign_key="graph.id")
    source_id: str = Field(foreign_key="node.id")
    sink_id: str = Field(foreign_key="node.id")
    sign: str | None = None
    delay: bool = False
    note: str = text_column()
    flag: str | None = None
    origin: str = "typed"
    confidence: float | None = Field(default=None, sa_column=Column(Float, nullable=True))
    box: list[float] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    place: int = 0


class AssignmentRow(SQLModel, table=True):
    """One person's work on one subject: every queue is a view of this table.

    `proposals` says whether proposals are shown for it and why not; it is written when the work is taken, for good.
    """

    __tablename__ = "assignment"
    __table_args__ = (
        one_of("state", ASSIGNMENT_STATES),
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
    claimed_at: datetime = moment_column()
    expires_at: datetime | None = moment_column(nullable=True)
    submitted_at: datetime | None = moment_column(nullable=True)
    seen_at: datetime | None = moment_column(nullable=True)
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
    """What an adjudicator ruled about one difference between two transcriptions; see `core.adjudication`.

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


class ReleaseRow(SQLModel, table=True):
    """A numbered version of the study's ground truth, frozen: triggers refuse update and delete."""

    __tablename__ = "release"
    id: str = key_column()
    number: int = Field(unique=True)
    title: str = text_column()
    notes: str = text_column()
    licence: str = text_column()
    manifest: dict[str, Any] = json_column({})
    sha256: str
    created_by: str
    created_at: datetime = moment_column()


class ReleaseItemRow(SQLModel, table=True):
    """One figure's ground truth as a release froze it, with what its paper was called then; as immutable as that."""

    __tablename__ = "release_item"
    release_id: str = Field(foreign_key="release.id", primary_key=True)
    figure_id: str = Field(primary_key=True)
    paper_id: str
    graph_id: str
    content: dict[str, Any] = json_column({})
    sha256: str


class TripletPaperRow(SQLModel, table=True):
    """A paper that triplets come from, as their file describes it; `paper_id` where the study holds the paper itself.

    Kept apart from `paper`: thousands that are known by title only would drown the screening of diagrams.
    """

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
    paper_id: str | None = Field(default=None, foreign_key="paper.id", index=True)


class TripletRow(SQLModel, table=True):
    """An extracted causal claim. The sign is never missing: "None" is one of four. `details` holds every cell of its
    file that has no column here, as it was; `collection` names the file or run it came with, `place` its row there."""

    __tablename__ = "triplet"
    __table_args__ = (
        one_of("sign", tuple(sign.value for sign in Sign)),
        Index(None, "collection", "place"),
    )
    id: str = key_column()
    collection: str
    place: int
    triplet_paper_id: str = Field(foreign_key="triplet_paper.id", index=True)
    treatment: str = text_column()
    outcome: str = text_column()
    sign: str
    context: str = text_column()
    methods: list[str] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    evidence: list[str] = json_column([])
    details: dict[str, Any] = json_column({})
    created_by: str
    created_at: datetime = moment_column()
    archived_at: datetime | None = moment_column(nullable=True)
    version: int = version_column()


class CriticScoreRow(SQLModel, table=True):
    """What one model critic gave one criterion of one triplet, 0-3, with its reason; imported or of a run."""

    __tablename__ = "critic_score"
    triplet_id: str = Field(foreign_key="triplet.id", primary_key=True)
    critic: str = Field(primary_key=True)
    criterion: str = Field(primary_key=True)
    score: int
    reason: str = text_column()
    is_synthetic: bool = False


class ExpertScoreRow(SQLModel, table=True):
    """What a person gave one criterion of the triplet of an assignment; the criteria are those of its kind's rubric."""

    __tablename__ = "expert_score"
    assignment_id: str = Field(foreign_key="assignment.id", primary_key=True)
    criterion: str = Field(primary_key=True)
    score: int
    set_at: datetime = moment_column()


class ExpertiseRow(SQLModel, table=True):
    """The JEL letters an expert knows about; their queue begins with these."""

    __tablename__ = "expertise"
    person_id: str = Field(foreign_key="person.id", primary_key=True)
    letters: list[str] = json_column([])
    version: int = version_column()


class ErasureRow(SQLModel, table=True):
    """That identities were destroyed: when, by whom (an id), and how many rows were rewritten; no names."""

    __tablename__ = "erasure"
    id: str = key_column()
    at: datetime = moment_column()
    by: str
    people: int = 0
    rows: int = 0
    details: dict[str, Any] = json_column({})


class MarkRow(SQLModel, table=True):
    """What an annotator said about a graph beside its nodes and edges, by whom and when; see `core.marks`."""

    __tablename__ = "mark"
    __table_args__ = (one_of("kind", MARK_KINDS),)
    graph_id: str = Field(foreign_key="graph.id", primary_key=True)
    kind: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    value: dict[str, Any] = json_column({})
    set_by: str
    set_at: datetime = moment_column()


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


class MilestoneRow(SQLModel, table=True):
    """What a person has behind them: the training done (or waived), a version of the guidelines read."""

    __tablename__ = "milestone"
    __table_args__ = (one_of("what", ("training", "guidelines")),)
    person_id: str = Field(foreign_key="person.id", primary_key=True)
    what: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    set_by: str
    set_at: datetime = moment_column()
    details: dict[str, Any] = json_column({})


class DocumentVersionRow(SQLModel, table=True):
    """Guidelines, rubrics and prompts: a new text is a new row, the old one stays."""

    __tablename__ = "document_version"
    __table_args__ = (UniqueConstraint("kind", "name", "number"),)
    id: str = key_column()
    kind: str
    name: str
    number: int
    text: str = text_column()
    created_by: str
    created_at: datetime = moment_column()


class SettingRow(SQLModel, table=True):
    __tablename__ = "study_setting"
    key: str = Field(primary_key=True)
    value: Any = Field(sa_column=Column(JSON, nullable=False))
    version: int = version_column()


class DraftRow(SQLModel, table=True):
    """Text a person has typed and not yet used; never counted as work."""

    __tablename__ = "draft"
    person_id: str = Field(foreign_key="person.id", primary_key=True)
    key: str = Field(primary_key=True)
    text: str = text_column()
    saved_at: datetime = moment_column()


class DerivedRow(SQLModel, table=True):
    """What a producer made of a source, by (source hash, producer, version, part)."""

    __tablename__ = "derived"
    source_hash: str = Field(primary_key=True)
    producer: str = Field(primary_key=True)
    producer_version: str = Field(primary_key=True)
    part: str = Field(primary_key=True)
    content: Any = Field(sa_column=Column(JSON, nullable=False))
    created_at: datetime = moment_column()


class EventRow(SQLModel, table=True):
    """The append-only history; triggers refuse update and delete. `id` is the act's own id, so a repeat
    of an act is found and does nothing."""

    __tablename__ = "event"
    __table_args__ = (Index(None, "graph_id", "seq"), Index(None, "subject_id"), {"sqlite_autoincrement": True})
    seq: int | None = Field(
        default=None,
        sa_column=Column(BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True),
    )
    id: str = Field(unique=True)
    at: datetime = moment_column()
    actor: str = Field(index=True)
    on_behalf_of: str | None = None
    act: str
    subject_kind: str
    subject_id: str
    graph_id: str | None = Field(default=None, sa_column=Column(Text, ForeignKey("graph.id"), nullable=True))
    undoes: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    payload: dict[str, Any] = json_column({})


for _table in (
    PersonRow, PaperRow, FigureRow, GraphRow, AlignmentRow, AssignmentRow, QueueEntryRow, TripletRow, ExpertiseRow,
    SettingRow,
):  # fmt: skip
    checked(_table)

"""Every table of a study. Names of people stand in `person` only; everywhere else an actor is an id.

Rows that people change carry `version`, which SQLAlchemy checks on every update (StaleDataError becomes a
Conflict); rows that record what happened have none and are never updated.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import uuid_utils
from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect
from sqlmodel import Field, SQLModel

from core.graphs.edge import EdgeFlag
from core.marks import MARK_KINDS
from core.sign import EDGE_SIGNS, Sign

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
metadata: MetaData = SQLModel.metadata

GRAPH_KINDS = ("transcription", "ground truth", "prediction", "import", "generated")
ASSIGNMENT_STATES = ("open", "submitted", "returned", "accepted", "abandoned")


def new_id() -> str:
    """A UUIDv7 as text: sorts by time of making, made by whoever acts first (browser, service or script)."""
    return str(uuid_utils.uuid7())


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC; SQLite forgets time zones, so they are put back on the way out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    return CheckConstraint(f"{column} IN ({quoted})", name=column)


def _key(**kwargs: Any) -> Any:
    return Field(default_factory=new_id, primary_key=True, **kwargs)


def _moment(*, nullable: bool = False, index: bool = False) -> Any:
    column: Any = Column(UtcDateTime, nullable=nullable, index=index)
    return Field(default=None, sa_column=column) if nullable else Field(sa_column=column)


def _text(default: str | None = "") -> Any:
    return Field(default=default, sa_column=Column(Text, nullable=default is None))


def _json(default: list[Any] | dict[str, Any]) -> Any:
    return Field(default_factory=type(default), sa_column=Column(JSON, nullable=False))


def _version() -> Any:
    return Field(default=1, nullable=False)


def _checked(table: type[SQLModel]) -> type[SQLModel]:
    """Have SQLAlchemy compare `version` on every update and delete of this table's rows."""
    mapper = table.__mapper__  # type: ignore[attr-defined]
    mapper.version_id_col = table.__table__.c.version  # type: ignore[attr-defined]
    mapper.version_id_generator = lambda version: (version or 0) + 1
    return table


class PersonRow(SQLModel, table=True):
    __tablename__ = "person"
    id: str = _key()
    name: str = Field(sa_column=Column(Text, nullable=False, unique=True))
    password_hash: str | None = _text(None)
    roles: list[str] = _json([])
    is_active: bool = True
    is_demo: bool = False
    created_at: datetime = _moment()
    version: int = _version()


class SessionRow(SQLModel, table=True):
    """A signed-in browser. The cookie's token is never stored, only its SHA-256."""

    __tablename__ = "session"
    id: str = _key()
    token_hash: str = Field(unique=True)
    csrf: str
    person_id: str = Field(foreign_key="person.id", index=True)
    acting_person_id: str | None = Field(default=None, foreign_key="person.id")
    is_local: bool = False
    created_at: datetime = _moment()
    seen_at: datetime = _moment()
    expires_at: datetime = _moment()
    ended_at: datetime | None = _moment(nullable=True)


class InvitationRow(SQLModel, table=True):
    """A link that works once: it makes a new person, or (kind reset) sets a new password."""

    __tablename__ = "invitation"
    __table_args__ = (_one_of("kind", ("invite", "reset")),)
    id: str = _key()
    token_hash: str = Field(unique=True)
    kind: str
    roles: list[str] = _json([])
    person_id: str | None = Field(default=None, foreign_key="person.id")
    created_by: str
    created_at: datetime = _moment()
    expires_at: datetime = _moment()
    used_at: datetime | None = _moment(nullable=True)


class AttemptRow(SQLModel, table=True):
    """Failed sign-ins per hashed name or address; kept apart from people so unknown names count alike."""

    __tablename__ = "sign_in_attempt"
    key: str = Field(primary_key=True)
    failures: int = 0
    last_at: datetime = _moment()
    blocked_until: datetime | None = _moment(nullable=True)


class FileRow(SQLModel, table=True):
    """A file by the SHA-256 of its content; the bytes lie in the shelf (folder or `file_content`)."""

    __tablename__ = "file"
    sha256: str = Field(primary_key=True)
    media_type: str
    size_bytes: int
    original_name: str = _text()
    page_count: int = 1
    has_text: bool = True
    notices: list[str] = _json([])
    created_at: datetime = _moment()


class FileContentRow(SQLModel, table=True):
    """The bytes of a file, used when the store is a server that several machines share."""

    __tablename__ = "file_content"
    sha256: str = Field(primary_key=True, foreign_key="file.sha256")
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class PaperRow(SQLModel, table=True):
    __tablename__ = "paper"
    __table_args__ = (_one_of("screening", ("open", "included", "excluded")),)
    id: str = _key()
    title: str = _text()
    authors: list[str] = _json([])
    source: str = _text()
    url: str = _text()
    doi: str = Field(default="", index=True)
    publication_date: str = ""
    abstract: str = _text()
    domains: list[str] = _json([])
    licence: str = _text()
    file_sha256: str | None = Field(default=None, foreign_key="file.sha256", index=True)
    screening: str = "open"
    reasons: list[str] = _json([])
    automatic: list[str] = _json([])
    screening_note: str = _text()
    screened_by: str | None = None
    created_by: str
    created_at: datetime = _moment()
    archived_at: datetime | None = _moment(nullable=True)
    version: int = _version()


class FigureRow(SQLModel, table=True):
    """A located diagram: page (from 1), rectangle in PDF points of the displayed page, place in words."""

    __tablename__ = "figure"
    id: str = _key()
    paper_id: str = Field(foreign_key="paper.id", index=True)
    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    place: str = _text()
    label: str = _text()
    caption: str = _text()
    created_by: str
    created_at: datetime = _moment()
    archived_at: datetime | None = _moment(nullable=True)
    version: int = _version()


class GraphRow(SQLModel, table=True):
    """Any graph. `layout` keeps where the graph view drew each node, so it stays put between visits."""

    __tablename__ = "graph"
    __table_args__ = (_one_of("kind", GRAPH_KINDS),)
    id: str = _key()
    kind: str = Field(index=True)
    title: str = _text()
    figure_id: str | None = Field(default=None, foreign_key="figure.id", index=True)
    paper_id: str | None = Field(default=None, foreign_key="paper.id", index=True)
    based_on: str | None = Field(default=None, foreign_key="graph.id")
    created_by: str
    created_at: datetime = _moment()
    archived_at: datetime | None = _moment(nullable=True)
    layout: dict[str, Any] = _json({})
    version: int = _version()


class AlignmentRow(SQLModel, table=True):
    """Which names of one graph a person took for which names of another: `pairs` is candidate name → reference
    name, many to one allowed. `classes` says of what kind the difference is (`core.graphs.alignment.NameClass`)."""

    __tablename__ = "alignment"
    __table_args__ = (UniqueConstraint("reference_id", "candidate_id"),)
    id: str = _key()
    reference_id: str = Field(foreign_key="graph.id")
    candidate_id: str = Field(foreign_key="graph.id")
    pairs: dict[str, str] = _json({})
    classes: dict[str, str] = _json({})
    version: int = _version()


class NodeRow(SQLModel, table=True):
    __tablename__ = "node"
    __table_args__ = (UniqueConstraint("graph_id", "name"),)
    id: str = _key()
    graph_id: str = Field(foreign_key="graph.id")
    place: int = 0
    name: str = _text()
    origin: str = "typed"
    confidence: float | None = Field(default=None, sa_column=Column(Float, nullable=True))
    x: float | None = None
    y: float | None = None
    box: list[float] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))


class EdgeRow(SQLModel, table=True):
    __tablename__ = "edge"
    __table_args__ = (
        _one_of("sign", tuple(sign.value for sign in EDGE_SIGNS)),
        _one_of("flag", tuple(flag.value for flag in EdgeFlag)),
        Index(None, "graph_id"),
    )
    id: str = _key()
    graph_id: str = Field(foreign_key="graph.id")
    source_id: str = Field(foreign_key="node.id")
    sink_id: str = Field(foreign_key="node.id")
    sign: str | None = None
    delay: bool = False
    note: str = _text()
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
        _one_of("state", ASSIGNMENT_STATES),
        UniqueConstraint("kind", "subject_id", "person_id"),
    )
    id: str = _key()
    kind: str
    subject_id: str = Field(index=True)
    person_id: str = Field(foreign_key="person.id", index=True)
    round: int = 1
    state: str = "open"
    graph_id: str | None = Field(default=None, foreign_key="graph.id", index=True)
    proposals: str = _text()
    comment: str = _text()
    claimed_at: datetime = _moment()
    expires_at: datetime | None = _moment(nullable=True)
    submitted_at: datetime | None = _moment(nullable=True)
    seen_at: datetime | None = _moment(nullable=True)
    version: int = _version()


class QueueEntryRow(SQLModel, table=True):
    """What is asked of one subject of a queue beyond the study's settings: how soon, and by how many people."""

    __tablename__ = "queue_entry"
    kind: str = Field(primary_key=True)
    subject_id: str = Field(primary_key=True)
    priority: int = 0
    wanted: int | None = None
    version: int = _version()


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
    reasons: list[str] = _json([])
    is_gap: bool = False
    comment: str = _text()
    value: dict[str, Any] = _json({})
    ruled_by: str
    ruled_at: datetime = _moment()


class ReleaseRow(SQLModel, table=True):
    """A numbered version of the study's ground truth, frozen: triggers refuse update and delete."""

    __tablename__ = "release"
    id: str = _key()
    number: int = Field(unique=True)
    title: str = _text()
    notes: str = _text()
    licence: str = _text()
    manifest: dict[str, Any] = _json({})
    sha256: str
    created_by: str
    created_at: datetime = _moment()


class ReleaseItemRow(SQLModel, table=True):
    """One figure's ground truth as a release froze it, with what its paper was called then; as immutable as that."""

    __tablename__ = "release_item"
    release_id: str = Field(foreign_key="release.id", primary_key=True)
    figure_id: str = Field(primary_key=True)
    paper_id: str
    graph_id: str
    content: dict[str, Any] = _json({})
    sha256: str


class TripletPaperRow(SQLModel, table=True):
    """A paper that triplets come from, as their file describes it; `paper_id` where the study holds the paper itself.

    Kept apart from `paper`: thousands that are known by title only would drown the screening of diagrams.
    """

    __tablename__ = "triplet_paper"
    __table_args__ = (UniqueConstraint("collection", "external_id"),)
    id: str = _key()
    collection: str
    external_id: str
    title: str = _text()
    author: str = _text()
    year: int | None = Field(default=None, index=True)
    venue: str = _text()
    domain: str = _text()
    jel_codes: str | None = _text(None)
    jel_letters: list[str] = _json([])
    url: str = _text()
    paper_id: str | None = Field(default=None, foreign_key="paper.id", index=True)


class TripletRow(SQLModel, table=True):
    """An extracted causal claim. The sign is never missing: "None" is one of four. `details` holds every cell of its
    file that has no column here, as it was; `collection` names the file or run it came with, `place` its row there."""

    __tablename__ = "triplet"
    __table_args__ = (
        _one_of("sign", tuple(sign.value for sign in Sign)),
        Index(None, "collection", "place"),
    )
    id: str = _key()
    collection: str
    place: int
    triplet_paper_id: str = Field(foreign_key="triplet_paper.id", index=True)
    treatment: str = _text()
    outcome: str = _text()
    sign: str
    context: str = _text()
    methods: list[str] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    evidence: list[str] = _json([])
    details: dict[str, Any] = _json({})
    created_by: str
    created_at: datetime = _moment()
    archived_at: datetime | None = _moment(nullable=True)
    version: int = _version()


class CriticScoreRow(SQLModel, table=True):
    """What one model critic gave one criterion of one triplet, 0-3, with its reason; imported or of a run."""

    __tablename__ = "critic_score"
    triplet_id: str = Field(foreign_key="triplet.id", primary_key=True)
    critic: str = Field(primary_key=True)
    criterion: str = Field(primary_key=True)
    score: int
    reason: str = _text()
    is_synthetic: bool = False


class ExpertScoreRow(SQLModel, table=True):
    """What a person gave one criterion of the triplet of an assignment; the criteria are those of its kind's rubric."""

    __tablename__ = "expert_score"
    assignment_id: str = Field(foreign_key="assignment.id", primary_key=True)
    criterion: str = Field(primary_key=True)
    score: int
    set_at: datetime = _moment()


class ExpertiseRow(SQLModel, table=True):
    """The JEL letters an expert knows about; their queue begins with these."""

    __tablename__ = "expertise"
    person_id: str = Field(foreign_key="person.id", primary_key=True)
    letters: list[str] = _json([])
    version: int = _version()


class ErasureRow(SQLModel, table=True):
    """That identities were destroyed: when, by whom (an id), and how many rows were rewritten; no names."""

    __tablename__ = "erasure"
    id: str = _key()
    at: datetime = _moment()
    by: str
    people: int = 0
    rows: int = 0
    details: dict[str, Any] = _json({})


class MarkRow(SQLModel, table=True):
    """What an annotator said about a graph beside its nodes and edges, by whom and when; see `core.marks`."""

    __tablename__ = "mark"
    __table_args__ = (_one_of("kind", MARK_KINDS),)
    graph_id: str = Field(foreign_key="graph.id", primary_key=True)
    kind: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    value: dict[str, Any] = _json({})
    set_by: str
    set_at: datetime = _moment()


class EffortRow(SQLModel, table=True):
    """Seconds of activity on one piece of work on one day (UTC), and the ids of the last reports of it.

    One row that is counted up, not an event each: reports come several times a minute and say nothing that anyone
    will want to read one by one, so they would only bury the acts.
    """

    __tablename__ = "effort"
    assignment_id: str = Field(foreign_key="assignment.id", primary_key=True)
    day: str = Field(primary_key=True)
    active_s: float = 0.0
    last_at: datetime = _moment()
    beats: list[str] = _json([])


class MilestoneRow(SQLModel, table=True):
    """What a person has behind them: the training done (or waived), a version of the guidelines read."""

    __tablename__ = "milestone"
    __table_args__ = (_one_of("what", ("training", "guidelines")),)
    person_id: str = Field(foreign_key="person.id", primary_key=True)
    what: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    set_by: str
    set_at: datetime = _moment()
    details: dict[str, Any] = _json({})


class DocumentVersionRow(SQLModel, table=True):
    """Guidelines, rubrics and prompts: a new text is a new row, the old one stays."""

    __tablename__ = "document_version"
    __table_args__ = (UniqueConstraint("kind", "name", "number"),)
    id: str = _key()
    kind: str
    name: str
    number: int
    text: str = _text()
    created_by: str
    created_at: datetime = _moment()


class SettingRow(SQLModel, table=True):
    __tablename__ = "study_setting"
    key: str = Field(primary_key=True)
    value: Any = Field(sa_column=Column(JSON, nullable=False))
    version: int = _version()


class DraftRow(SQLModel, table=True):
    """Text a person has typed and not yet used; never counted as work."""

    __tablename__ = "draft"
    person_id: str = Field(foreign_key="person.id", primary_key=True)
    key: str = Field(primary_key=True)
    text: str = _text()
    saved_at: datetime = _moment()


class DerivedRow(SQLModel, table=True):
    """What a producer made of a source, by (source hash, producer, version, part)."""

    __tablename__ = "derived"
    source_hash: str = Field(primary_key=True)
    producer: str = Field(primary_key=True)
    producer_version: str = Field(primary_key=True)
    part: str = Field(primary_key=True)
    content: Any = Field(sa_column=Column(JSON, nullable=False))
    created_at: datetime = _moment()


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
    at: datetime = _moment()
    actor: str = Field(index=True)
    on_behalf_of: str | None = None
    act: str
    subject_kind: str
    subject_id: str
    graph_id: str | None = Field(default=None, sa_column=Column(Text, ForeignKey("graph.id"), nullable=True))
    undoes: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    payload: dict[str, Any] = _json({})


for _table in (
    PersonRow, PaperRow, FigureRow, GraphRow, AlignmentRow, AssignmentRow, QueueEntryRow, TripletRow, ExpertiseRow,
    SettingRow,
):  # fmt: skip
    _checked(_table)

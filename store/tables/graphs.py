"""Tables of graphs: nodes, edges, marks, alignments, and numbered releases of ground truth."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Float, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from core.graphs.edge import EdgeFlag
from core.graphs.names import name_key
from core.sign import EDGE_SIGNS
from core.transcription.marks import MARK_KINDS
from store.tables.columns import checked, json_column, key_column, moment_column, one_of, text_column, version_column

IS_FIRST = text("is_first")
"""Submitted copies, at most one per transcription. Only conditions with exactly this SQL text use their index."""
GRAPH_KINDS = ("transcription", "ground truth", "prediction", "import", "generated")


class GraphRow(SQLModel, table=True):
    """Any graph."""

    __tablename__ = "graph"
    __table_args__ = (
        one_of("kind", GRAPH_KINDS),
        Index("ix_graph_first", "based_on", unique=True, sqlite_where=IS_FIRST, postgresql_where=IS_FIRST),
    )
    id: str = key_column()
    kind: str = Field(index=True)
    title: str = text_column()
    figure_id: str | None = Field(default=None, foreign_key="figure.id", index=True)
    paper_id: str | None = Field(default=None, foreign_key="paper.id", index=True)
    based_on: str | None = Field(default=None, foreign_key="graph.id")
    is_first: bool = Field(default=False, nullable=False)  # an immutable copy of `based_on` at submission
    created_by: str
    created_at: datetime = moment_column()
    archived_at: datetime | None = moment_column(nullable=True)
    layout: dict[str, Any] = json_column({})  # positions in the graph view, stable between visits
    undo_depth: int = Field(default=0, nullable=False)  # edits that can be undone now
    redo_depth: int = Field(default=0, nullable=False)
    version: int = version_column()


class AlignmentRow(SQLModel, table=True):
    """A person's decisions on which names of two graphs are equal."""

    __tablename__ = "alignment"
    __table_args__ = (UniqueConstraint("reference_id", "candidate_id"),)
    id: str = key_column()
    reference_id: str = Field(foreign_key="graph.id")
    candidate_id: str = Field(foreign_key="graph.id")
    pairs: dict[str, str] = json_column({})  # candidate name → reference name; many to one is allowed
    classes: dict[str, str] = json_column({})  # kind of difference (`core.graphs.alignment.NameClass`)
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


def _key_of_name(context: Any) -> int:
    return name_key(context.get_current_parameters()["name"])


NAME_KEY = Column("name_key", BigInteger, nullable=False, default=_key_of_name, onupdate=_key_of_name)
"""`core.graphs.names.name_key` of a node's name, the index for equal names. Computed by every statement that writes
a name, so it is a column without an attribute."""
_nodes: Any = NodeRow.__table__  # type: ignore[attr-defined]
_nodes.append_column(NAME_KEY)
Index("ix_node_name_key", NAME_KEY, _nodes.c.graph_id)


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


class MarkRow(SQLModel, table=True):
    """An annotator's remark on a graph, apart from its nodes and edges (`core.transcription.marks`)."""

    __tablename__ = "mark"
    __table_args__ = (one_of("kind", MARK_KINDS),)
    graph_id: str = Field(foreign_key="graph.id", primary_key=True)
    kind: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    value: dict[str, Any] = json_column({})
    set_by: str
    set_at: datetime = moment_column()


class ReleaseRow(SQLModel, table=True):
    """A frozen, numbered version of the ground truth; triggers refuse update and delete."""

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
    """A figure's ground truth and paper at the time of a release; immutable."""

    __tablename__ = "release_item"
    release_id: str = Field(foreign_key="release.id", primary_key=True)
    figure_id: str = Field(primary_key=True)
    paper_id: str
    graph_id: str
    content: dict[str, Any] = json_column({})
    sha256: str


for _table in (GraphRow, AlignmentRow):
    checked(_table)

"""Lists of graphs that a person may see: newest first, paged, searchable by variable names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, or_, true
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from store.assignments import ADJUDICATION, EDITABLE, HANDED_IN, READING, TRANSCRIPTION
from store.sql_in import among
from store.tables import AssignmentRow, EdgeRow, FigureRow, GraphRow, NodeRow, PaperRow

CHUNK = 500
"""Values per IN list; SQLite's usual limit is 32,766, but builds differ."""


@dataclass(frozen=True, slots=True)
class HiddenImports:
    """Imported graphs that a person does not see."""

    figures: frozenset[str] = frozenset()  # imports attached to these
    graphs: frozenset[str] = frozenset()
    hides_loose: bool = False  # imports without a figure

    def shown(self, session: Session) -> ColumnElement[bool]:
        figure = col(GraphRow.figure_id)
        where: list[ColumnElement[bool]] = []
        if self.figures:
            where.append(or_(figure.is_(None), ~among(session, figure, self.figures)))
        if self.graphs:
            where.append(~among(session, GraphRow.id, self.graphs))
        if self.hides_loose:
            where.append(figure.is_not(None))
        return and_(true(), *where)


@dataclass(frozen=True, slots=True)
class Visibility:
    """A person's view of graphs: whether they see others' submitted work, and which imports they do not see."""

    person_id: str
    sees_submitted: bool
    hidden: HiddenImports

    def condition(self, session: Session) -> ColumnElement[bool]:
        """Return the condition under which a graph is visible: imports that are not hidden, generated graphs, the
        person's own work and imports; for some people also submitted work, except of a figure that they are drawing."""
        is_import = col(GraphRow.kind) == "import"
        own = or_(
            col(AssignmentRow.person_id) == self.person_id, and_(is_import, col(GraphRow.created_by) == self.person_id)
        )
        imported = and_(is_import, self.hidden.shown(session))
        if not self.sees_submitted:
            return or_(own, imported, col(GraphRow.kind) == "generated")  # a random graph tells of no figure
        is_open = and_(col(AssignmentRow.kind).is_(None), col(GraphRow.kind) != "transcription")
        shown = or_(is_open, col(AssignmentRow.state).in_(HANDED_IN))
        return or_(own, imported, and_(~is_import, shown, self._is_not_drawing()))

    def _is_not_drawing(self) -> ColumnElement[bool]:
        """Exclude figures that this person draws or rules on: others' transcriptions and ground truth end blindness."""
        work = aliased(AssignmentRow)
        drawn = select(work.subject_id).where(
            col(work.kind).in_((TRANSCRIPTION, ADJUDICATION)),
            work.person_id == self.person_id,
            col(work.state).in_(EDITABLE),
        )
        return or_(col(GraphRow.figure_id).is_(None), col(GraphRow.figure_id).not_in(drawn))


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphFacts:
    """A graph without its nodes and edges; a submitted copy (`is_first`) is listed separately."""

    id: str
    kind: str
    title: str
    version: int
    created_by: str
    at: datetime
    is_archived: bool
    figure_id: str | None
    paper_title: str
    figure_label: str
    assignment_id: str | None  # of a transcription
    annotator_id: str | None  # of a transcription, or of a graph built from a text
    state: str | None
    is_first: bool = False


def count_graphs(session: Session, visibility: Visibility) -> int:
    query = _joined(select(func.count())).where(visibility.condition(session), col(GraphRow.archived_at).is_(None))
    return int(session.exec(query).one())


def visible_graphs(
    session: Session,
    visibility: Visibility,
    *,
    offset: int = 0,
    limit: int | None = None,
    ids: Iterable[str] | None = None,
    figures: Iterable[str] | None = None,
    with_archived: bool = False,
) -> list[GraphFacts]:
    """Return visible graphs, newest first, optionally only some `ids`, or those of some `figures`."""
    query = _facts().where(visibility.condition(session))
    if not with_archived:
        query = query.where(col(GraphRow.archived_at).is_(None))
    if ids is not None:
        query = query.where(among(session, GraphRow.id, ids))
    if figures is not None:
        query = query.where(among(session, GraphRow.figure_id, figures))
    query = query.order_by(
        func.coalesce(col(AssignmentRow.submitted_at), col(GraphRow.created_at)).desc(), col(GraphRow.id).desc()
    )
    return [_read(row) for row in session.exec(query.offset(offset).limit(limit))]


def visible_graph(session: Session, visibility: Visibility, graph_id: str) -> GraphFacts | None:
    """Return the graph, archived or not; None if it does not exist or is not visible."""
    row = session.exec(_facts().where(visibility.condition(session), col(GraphRow.id) == graph_id)).first()
    return _read(row) if row is not None else None


def visible_names(session: Session, visibility: Visibility) -> list[str]:
    """Return the distinct variable names of visible graphs in use."""
    visible = _joined(select(GraphRow.id)).where(visibility.condition(session), col(GraphRow.archived_at).is_(None))
    return list(session.exec(select(NodeRow.name).where(col(NodeRow.graph_id).in_(visible)).distinct()))


def graphs_with_names(session: Session, names: Iterable[str]) -> dict[str, list[str]]:
    """Return graph id → those of `names` that it contains, regardless of visibility."""
    searched, matches = list(names), dict[str, list[str]]()
    for start in range(0, len(searched), CHUNK):
        query = select(NodeRow.graph_id, NodeRow.name).where(col(NodeRow.name).in_(searched[start : start + CHUNK]))
        for graph_id, name in session.exec(query.order_by(col(NodeRow.graph_id), col(NodeRow.place))):
            matches.setdefault(graph_id, []).append(name)
    return matches


def count_signed(session: Session, graph_ids: Iterable[str]) -> dict[str, int]:
    query = (
        select(EdgeRow.graph_id, func.count())
        .where(col(EdgeRow.graph_id).in_(list(graph_ids)), col(EdgeRow.sign).is_not(None))
        .group_by(col(EdgeRow.graph_id))
    )
    return dict(session.exec(query).all())


def _facts() -> Any:
    columns: tuple[Any, ...] = (
        GraphRow.id,
        GraphRow.kind,
        GraphRow.title,
        GraphRow.version,
        GraphRow.created_by,
        GraphRow.created_at,
        GraphRow.archived_at,
        GraphRow.figure_id,
        PaperRow.title,
        FigureRow.label,
        FigureRow.place,
        AssignmentRow.id,
        AssignmentRow.person_id,
        AssignmentRow.state,
        AssignmentRow.submitted_at,
        GraphRow.is_first,
    )
    return _joined(select(*columns))


def _joined(query: Any) -> Any:
    drawn = case((col(GraphRow.is_first), col(GraphRow.based_on)), else_=col(GraphRow.id))
    work = and_(col(AssignmentRow.graph_id) == drawn, col(AssignmentRow.kind).in_((TRANSCRIPTION, READING)))
    return (
        query.select_from(GraphRow)
        .join(AssignmentRow, work, isouter=True)
        .join(PaperRow, col(PaperRow.id) == col(GraphRow.paper_id), isouter=True)
        .join(FigureRow, col(FigureRow.id) == col(GraphRow.figure_id), isouter=True)
    )


def _read(row: Any) -> GraphFacts:
    (
        graph_id,
        kind,
        title,
        version,
        created_by,
        created_at,
        archived_at,
        figure_id,
        paper_title,
        label,
        place,
        assignment_id,
        annotator_id,
        state,
        submitted_at,
        is_first,
    ) = row
    return GraphFacts(
        id=graph_id,
        kind=kind,
        title=title,
        version=version,
        created_by=created_by,
        at=submitted_at or created_at,
        is_archived=archived_at is not None,
        figure_id=figure_id,
        paper_title=paper_title or "",
        figure_label=label or place or "",
        assignment_id=assignment_id if kind == "transcription" else None,
        annotator_id=annotator_id,
        state=state,
        is_first=is_first,
    )

"""Releases, and the ground truth that can be released. No function here commits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import func
from sqlmodel import Session, col, select

from core.errors import Missing
from store.assignments import HANDED_IN
from store.papers.papers import is_of_study
from store.sql_in import among
from store.tables import AssignmentRow, FigureRow, GraphRow, PaperRow, ReleaseItemRow, ReleaseRow

GROUND_TRUTH = "ground truth"
ADJUDICATION = "adjudication"
T = TypeVar("T")


class Truth(NamedTuple):
    """A ground truth graph in use and its adjudication, None if it never had one."""

    graph: GraphRow
    adjudication: AssignmentRow | None


def ground_truths(
    session: Session, *, for_update: bool = False, figure_ids: Iterable[str] | None = None
) -> list[Truth]:
    """Return the ground truth graphs in use, of all figures or of some, oldest first. `for_update` locks the graphs
    and their adjudications until the transaction ends, so that what is read next cannot change."""
    graphs = select(GraphRow).where(GraphRow.kind == GROUND_TRUTH, col(GraphRow.archived_at).is_(None))
    graphs = graphs.order_by(col(GraphRow.created_at), col(GraphRow.id))
    if figure_ids is not None:
        graphs = graphs.where(among(session, GraphRow.figure_id, figure_ids))
    works = select(AssignmentRow).where(AssignmentRow.kind == ADJUDICATION, col(AssignmentRow.graph_id).is_not(None))
    if for_update:
        graphs, works = graphs.with_for_update(), works.with_for_update()
    fresh = {"populate_existing": True}
    by_graph = {row.graph_id: row for row in session.exec(works, execution_options=fresh)}
    return [Truth(row, by_graph.get(row.id)) for row in session.exec(graphs, execution_options=fresh)]


def current_truth(found: Sequence[Truth]) -> Truth | None:
    """Return the current one of a figure's ground truths: that of a finished adjudication, or the only one if none
    was ever adjudicated. None while an adjudication is open, and if there are several."""
    return _current([(truth, truth.adjudication.state if truth.adjudication else None) for truth in found])


def current_versions(session: Session, figure_ids: Iterable[str]) -> dict[str, tuple[str, int]]:
    """Return figure → (graph, version) of its current ground truth; figures without one are missing."""
    graphs = select(GraphRow.figure_id, GraphRow.id, GraphRow.version).where(
        GraphRow.kind == GROUND_TRUTH,
        col(GraphRow.archived_at).is_(None),
        among(session, GraphRow.figure_id, figure_ids),
    )
    works = select(AssignmentRow.graph_id, AssignmentRow.state).where(AssignmentRow.kind == ADJUDICATION)
    states = dict(session.exec(works.where(col(AssignmentRow.graph_id).is_not(None))).all())
    by_figure = defaultdict[str, list[tuple[tuple[str, int], str | None]]](list)
    for figure_id, graph_id, version in session.execute(graphs):
        by_figure[figure_id].append(((graph_id, version), states.get(graph_id)))
    return {figure_id: each for figure_id, truths in by_figure.items() if (each := _current(truths))}


def _current(truths: Sequence[tuple[T, str | None]]) -> T | None:
    finished = [truth for truth, state in truths if state in HANDED_IN]
    if len(finished) == 1:
        return finished[0]
    if any(state is not None for _, state in truths) and not finished:
        return None
    return truths[0][0] if len(truths) == 1 else None


def figures_of_study(session: Session) -> list[tuple[FigureRow, PaperRow]]:
    """Return every figure with its paper, archived and excluded ones included, training excluded."""
    query = select(FigureRow, PaperRow).join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id))
    rows = session.exec(query.where(is_of_study()).order_by(col(FigureRow.created_at), col(FigureRow.id)))
    return [(figure, paper) for figure, paper in rows]


def releases(session: Session) -> list[ReleaseRow]:
    return list(session.exec(select(ReleaseRow).order_by(col(ReleaseRow.number).desc())))


def release(session: Session, number: int) -> ReleaseRow:
    row = session.exec(select(ReleaseRow).where(ReleaseRow.number == number)).first()
    if row is None:
        raise Missing(f"There is no release {number} in this study.")
    return row


def last_release(session: Session) -> ReleaseRow | None:
    return session.exec(select(ReleaseRow).order_by(col(ReleaseRow.number).desc()).limit(1)).first()


def contents(session: Session, release_id: str) -> dict[str, dict[str, Any]]:
    """Return figure id → content, ordered by id."""
    query = select(ReleaseItemRow.figure_id, ReleaseItemRow.content).where(ReleaseItemRow.release_id == release_id)
    return {figure_id: dict(content) for figure_id, content in session.exec(query.order_by(ReleaseItemRow.figure_id))}


def count_items(session: Session) -> dict[str, int]:
    query = select(ReleaseItemRow.release_id, func.count()).group_by(ReleaseItemRow.release_id)
    return dict(session.exec(query).all())


def insert(session: Session, row: ReleaseRow, items: list[ReleaseItemRow]) -> None:
    """Insert a release with its items. Raises sqlalchemy's IntegrityError if its number exists."""
    session.add(row)
    session.flush()
    session.add_all(items)
    session.flush()

"""Releases, and the ground truth that can be released. No function here commits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import func
from sqlmodel import Session, col, select

from core.errors import Missing
from core.papers.releases import SingleTruths, TruthOrigin
from store.assignments import ADJUDICATION, DONE, HANDED_IN, TRANSCRIPTION
from store.papers.papers import is_of_study
from store.settings import setting
from store.sql_in import among
from store.tables import AssignmentRow, FigureRow, GraphRow, PaperRow, ReleaseItemRow, ReleaseRow

GROUND_TRUTH = "ground truth"
SETTING = "releases"
"""Key of the setting {"single": a value of `SingleTruths`}; a study without it releases no single transcription."""
_COUNTED: dict[SingleTruths, tuple[str, ...]] = {
    SingleTruths.NEVER: (),
    SingleTruths.REVIEWED: ("accepted",),
    SingleTruths.SUBMITTED: HANDED_IN,
}
T = TypeVar("T")


class Truth(NamedTuple):
    """A ground truth graph in use and its adjudication, None if it never had one. A figure's only transcription is its
    ground truth itself, not a copy, where the study's setting says so."""

    graph: GraphRow
    adjudication: AssignmentRow | None

    @property
    def origin(self) -> TruthOrigin:
        if self.adjudication is not None:
            return TruthOrigin.ADJUDICATED
        return TruthOrigin.SINGLE if self.graph.kind == TRANSCRIPTION else TruthOrigin.IMPORTED


def ground_truths(
    session: Session, *, for_update: bool = False, figure_ids: Iterable[str] | None = None
) -> list[Truth]:
    """Return the ground truth graphs in use, of all figures or of some, oldest first; single transcriptions last.
    `for_update` locks the graphs and their adjudications until the transaction ends, so that what is read next cannot
    change."""
    if figure_ids is not None:
        figure_ids = list(figure_ids)
    graphs = select(GraphRow).where(GraphRow.kind == GROUND_TRUTH, col(GraphRow.archived_at).is_(None))
    graphs = graphs.order_by(col(GraphRow.created_at), col(GraphRow.id))
    if figure_ids is not None:
        graphs = graphs.where(among(session, GraphRow.figure_id, figure_ids))
    works = select(AssignmentRow).where(AssignmentRow.kind == ADJUDICATION, col(AssignmentRow.graph_id).is_not(None))
    if for_update:
        graphs, works = graphs.with_for_update(), works.with_for_update()
    fresh = {"populate_existing": True}
    by_graph = {row.graph_id: row for row in session.exec(works, execution_options=fresh)}
    truths = [Truth(row, by_graph.get(row.id)) for row in session.exec(graphs, execution_options=fresh)]
    single = _single_graphs(session, {truth.graph.figure_id for truth in truths}, figure_ids)
    if single:
        drawn = select(GraphRow).where(among(session, GraphRow.id, single.values()))
        drawn = drawn.order_by(col(GraphRow.created_at), col(GraphRow.id))
        if for_update:
            drawn = drawn.with_for_update()
        truths += [Truth(row, None) for row in session.exec(drawn, execution_options=fresh)]
    return truths


def single_truths(session: Session) -> SingleTruths:
    """Return which single transcriptions count as ground truth."""
    return SingleTruths(setting(session, SETTING, {}).get("single", SingleTruths.NEVER))


def _single_graphs(session: Session, others: Iterable[str | None], figure_ids: Iterable[str] | None) -> dict[str, str]:
    """Return figure → the graph of its only finished transcription where that is its ground truth: the setting allows
    its state, and the figure has none of the `others`."""
    states = _COUNTED[single_truths(session)]
    if not states:
        return {}
    query = (
        select(AssignmentRow.subject_id, func.min(AssignmentRow.graph_id), func.min(AssignmentRow.state))
        .where(AssignmentRow.kind == TRANSCRIPTION, col(AssignmentRow.state).in_(DONE))
        .group_by(col(AssignmentRow.subject_id))
        .having(func.count() == 1)
    )
    if figure_ids is not None:
        query = query.where(among(session, AssignmentRow.subject_id, figure_ids))
    has_truth = set(others)
    return {
        figure_id: graph_id
        for figure_id, graph_id, state in session.execute(query)
        if state in states and graph_id and figure_id not in has_truth
    }


def current_truth(found: Sequence[Truth]) -> Truth | None:
    """Return the current one of a figure's ground truths: that of a finished adjudication, or the only one if none
    was ever adjudicated. None while an adjudication is open, and if there are several."""
    return _current([(truth, truth.adjudication.state if truth.adjudication else None) for truth in found])


def current_versions(session: Session, figure_ids: Iterable[str]) -> dict[str, tuple[str, int]]:
    """Return figure → (graph, version) of its current ground truth; figures without one are missing."""
    ids = list(figure_ids)
    columns: Any = (GraphRow.figure_id, GraphRow.id, GraphRow.version)
    graphs = select(*columns).where(
        GraphRow.kind == GROUND_TRUTH,
        col(GraphRow.archived_at).is_(None),
        among(session, GraphRow.figure_id, ids),
    )
    works = select(AssignmentRow.graph_id, AssignmentRow.state).where(AssignmentRow.kind == ADJUDICATION)
    states = dict(session.exec(works.where(col(AssignmentRow.graph_id).is_not(None))).all())
    by_figure = defaultdict[str, list[tuple[tuple[str, int], str | None]]](list)
    for figure_id, graph_id, version in session.execute(graphs):
        by_figure[figure_id].append(((graph_id, version), states.get(graph_id)))
    if single := _single_graphs(session, by_figure, ids):
        drawn = select(*columns).where(among(session, GraphRow.id, single.values()))
        for figure_id, graph_id, version in session.execute(drawn):
            by_figure[figure_id].append(((graph_id, version), None))
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

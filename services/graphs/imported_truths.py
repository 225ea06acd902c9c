"""Import of a graph as the ground truth of a figure, without adjudication."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from core.errors import BadInput, Refused
from core.papers.releases import TruthOrigin
from core.people import Permission, Viewer
from core.words import counted, quoted
from services.acting import ReadContext, Writing, consulting
from store import assignments, queue, releases
from store.assignments import ADJUDICATION
from store.tables import FigureRow, GraphRow

TRUTH = releases.GROUND_TRUTH
NO_FIGURE = "A ground truth belongs to a figure. Name the figure of this study that the graph shows."


@dataclass(frozen=True, slots=True)
class FigureOption:
    """A figure whose ground truth can be imported."""

    id: str
    title: str  # of its paper, with its label or place


def figures_without_truth(viewer: Viewer) -> tuple[FigureOption, ...]:
    """Return the located figures that have neither a ground truth of their own nor an adjudication, oldest first."""
    with consulting(viewer, Permission.CURATE) as r:
        settled = {
            truth.graph.figure_id
            for truth in releases.ground_truths(r.session)
            if truth.origin is not TruthOrigin.SINGLE
        } | queue.adjudicated(r.session)
        return tuple(
            FigureOption(figure.id, _title(figure.paper_title, figure.label or figure.place))
            for figure in queue.figures(r.session)
            if figure.id not in settled
        )


def check_truths(figure_id: str | None, graphs: Collection[object]) -> None:
    """Raise BadInput unless there is a figure and exactly one graph."""
    if not figure_id:
        raise BadInput(NO_FIGURE)
    if len(graphs) != 1:
        raise BadInput(
            f"A figure has one ground truth, and these files have {counted(len(graphs), 'graph')}. Import one graph."
        )


def hold_figure(w: Writing, figure_id: str) -> FigureRow:
    """Lock a figure and return it. Raises Missing if there is none, Refused if it has a ground truth, or an
    adjudication, which ends in one."""
    assignments.study_figure(w.session, figure_id)
    figure = assignments.figure(w.session, figure_id, for_update=True)
    name = figure.label or figure.place or figure.id
    if assignments.only_assignment(w.session, ADJUDICATION, figure_id) is not None:
        raise Refused(
            f"{name} is adjudicated in this study: its ground truth comes from there. Import the graph without making "
            "it ground truth, and compare the two."
        )
    truths = releases.ground_truths(w.session, figure_ids=[figure_id])
    others = [each for each in truths if each.origin is TruthOrigin.IMPORTED]
    if others:
        title = quoted(others[0].graph.title) if others[0].graph.title else "a graph"
        raise Refused(f"{name} has an imported ground truth, {title}. Archive it first.")
    return figure


def is_adjudicated(r: ReadContext, row: GraphRow) -> bool:
    """Return whether a ground truth's figure has an adjudication, whose rounds are archived by reopening it."""
    return row.figure_id is None or assignments.only_assignment(r.session, ADJUDICATION, row.figure_id) is not None


def _title(paper: str, figure: str) -> str:
    return " · ".join(part for part in (paper, figure) if part) or "Untitled figure"

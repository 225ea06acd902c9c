"""Submitted transcriptions and decisions on node names: the input of agreement. Each function runs one query."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, func, or_
from sqlmodel import Session, col, select

from core.transcription.declining import FigureVerdict, Submission
from store.assignments import DONE, EDITABLE, TRANSCRIPTION
from store.graphs.submitted_copies import FIRST, OF_WORK
from store.papers.papers import is_of_study
from store.tables import AlignmentRow, AssignmentRow, EventRow, FigureRow, GraphRow, PaperRow
from store.tables.graphs import IS_FIRST

TAKE_OUT = "figure.take_out"
"""The act that excludes a figure because it holds no graph."""


class SubmittedTranscription(NamedTuple):
    """A submitted or declined transcription and its figure."""

    figure_id: str
    graph_id: str  # the submitted copy, if there is one
    graph_version: int
    person_id: str
    paper_title: str
    figure_label: str
    figure_place: str
    submitted_at: datetime
    assignment_id: str
    ruled_graph_id: str  # the graph that adjudicators rule on
    said: Submission = None  # the verdict of a declined one


class Decided(NamedTuple):
    """Decisions about the names of two graphs."""

    pairs: dict[str, str]  # candidate's name → reference's, or ""
    classes: dict[str, str]


def submitted_work(session: Session) -> list[SubmittedTranscription]:
    """Return the submitted and declined transcriptions of figures and papers in use, by submission time. Figures
    excluded because they hold no graph are included: agreement on that is measured too."""
    taken_out = select(EventRow.subject_id).where(EventRow.act == TAKE_OUT)
    in_use = (
        col(FigureRow.archived_at).is_(None),
        col(PaperRow.archived_at).is_(None),
        col(PaperRow.screening) != "excluded",
    )
    columns: Any = (
        AssignmentRow.subject_id,
        func.coalesce(FIRST.id, GraphRow.id),
        func.coalesce(FIRST.version, GraphRow.version),
        AssignmentRow.person_id,
        PaperRow.title,
        FigureRow.label,
        FigureRow.place,
        AssignmentRow.submitted_at,
        AssignmentRow.id,
        GraphRow.id,
        AssignmentRow.verdict,
    )
    query = (
        select(*columns)
        .join(GraphRow, col(GraphRow.id) == col(AssignmentRow.graph_id))
        .join(FIRST, OF_WORK, isouter=True)
        .join(FigureRow, col(FigureRow.id) == col(AssignmentRow.subject_id))
        .join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id))
        .where(
            AssignmentRow.kind == TRANSCRIPTION,
            col(AssignmentRow.state).in_(DONE),
            or_(and_(*in_use), col(FigureRow.id).in_(taken_out)),
            is_of_study(),
        )
        .order_by(col(AssignmentRow.submitted_at), col(AssignmentRow.id))
    )
    rows = session.execute(query)
    return [SubmittedTranscription(*row)._replace(said=FigureVerdict(row[-1]) if row[-1] else None) for row in rows]


def figures_in_hand(session: Session, person_id: str, kinds: tuple[str, ...] = (TRANSCRIPTION,)) -> set[str]:
    """Return the figures on which this person has unfinished work of these kinds."""
    query = select(AssignmentRow.subject_id).where(
        col(AssignmentRow.kind).in_(kinds),
        AssignmentRow.person_id == person_id,
        col(AssignmentRow.state).in_(EDITABLE),
    )
    return set(session.exec(query))


def decisions_on_names(session: Session) -> dict[tuple[str, str], Decided]:
    """Return the decisions of every alignment whose reference is a transcription, by (reference, candidate)."""
    transcribed = select(AssignmentRow.graph_id).where(AssignmentRow.kind == TRANSCRIPTION)
    firsts = select(GraphRow.id).where(IS_FIRST)
    columns: Any = (AlignmentRow.reference_id, AlignmentRow.candidate_id, AlignmentRow.pairs, AlignmentRow.classes)
    reference = col(AlignmentRow.reference_id)
    query = select(*columns).where(or_(reference.in_(transcribed), reference.in_(firsts)))
    return {
        (reference, candidate): Decided(pairs, classes)
        for reference, candidate, pairs, classes in session.execute(query)
    }

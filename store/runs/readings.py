"""Models' readings of figures: the answers of runs whose samples are made of a figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from core.runs.states import ItemStatus
from store.tables.runs import RunItemRow, RunRow, RunSampleRow

FIGURE = "figure"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureAnswer:
    """A model's answer about a figure. `facts`: of its sample."""

    figure_id: str
    model: str
    facts: Mapping[str, Any]
    value: Any
    done_at: datetime


def of_figure(session: Session, protocol: str, figure_id: str) -> list[FigureAnswer]:
    """Return every answer about a figure in runs in use of a protocol, the newest last."""
    query = _query(protocol).where(col(RunSampleRow.subject_kind) == FIGURE, col(RunSampleRow.subject_id) == figure_id)
    return [_answer(row) for row in session.exec(query)]


def of_figures(session: Session, protocol: str) -> dict[str, list[FigureAnswer]]:
    """Return the same for all figures, by id."""
    answers: dict[str, list[FigureAnswer]] = {}
    for row in session.exec(_query(protocol).where(col(RunSampleRow.subject_kind) == FIGURE)):
        answer = _answer(row)
        answers.setdefault(answer.figure_id, []).append(answer)
    return answers


def _query(protocol: str) -> Any:
    columns: tuple[Any, ...] = (
        RunSampleRow.subject_id,
        RunItemRow.model,
        RunSampleRow.facts,
        RunItemRow.parsed,
        RunItemRow.done_at,
    )
    return (
        select(*columns)
        .join(RunSampleRow, col(RunSampleRow.id) == col(RunItemRow.sample_id))
        .join(RunRow, col(RunRow.id) == col(RunSampleRow.run_id))
        .where(
            RunRow.protocol == protocol,
            col(RunRow.archived_at).is_(None),
            RunItemRow.status == ItemStatus.ANSWERED.value,
        )
        .order_by(col(RunItemRow.done_at), col(RunItemRow.id))
    )


def _answer(row: Any) -> FigureAnswer:
    figure_id, model, facts, value, done_at = row
    return FigureAnswer(figure_id=figure_id, model=model, facts=facts, value=value, done_at=done_at)

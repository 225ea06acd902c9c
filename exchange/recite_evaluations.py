"""The *evaluations* table of the released ReCITE dataset, as Parquet: what judges said of responses, a row each.

Nothing of a row is left out for being faulty: what a judge wrote is kept as text, and read by whoever scores it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import Any

from core.errors import BadRow
from exchange.recite import read_columns

COLUMNS = (
    "id",
    "response_id",
    "sample_id",
    "model",
    "task_type",
    "evaluator_type",
    "score",
    "evaluation_answer",
    "evaluation_reasoning",
    "evaluation_date",
)
NEEDED = ("id", "response_id", "evaluator_type", "evaluation_answer")
_FINE, _AGGREGATE = "fine_grained", "llm_judge"


class EvaluationKind(StrEnum):
    """LABELS: the labels of a verdict. AGGREGATE: three numbers of the older judge. OTHER: of no judge, such as
    `graph_similarity`."""

    LABELS = "labels"
    AGGREGATE = "aggregate"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRow:
    """A row. `judge`: the model named in its type, empty where none is; `score`: as released, None where there is none
    or it is no number; `answer`: what the judge wrote, None where the row has no text."""

    line: int
    id: str
    response_id: str
    sample_id: str
    model: str
    task_type: str
    evaluator_type: str
    kind: EvaluationKind
    judge: str
    score: float | None
    answer: str | None
    reasoning: str
    date: str


@dataclass(frozen=True, slots=True)
class EvaluationTable:
    """The rows that could be read, and every faulty one: without an id, or of no response."""

    rows: tuple[EvaluationRow, ...]
    faults: tuple[BadRow, ...]


def read_evaluations(content: bytes, filename: str) -> EvaluationTable:
    """Read the table, columns in any order, more columns ignored. Raises UnreadableFile if it is no Parquet, too large,
    or lacks a needed column."""
    found = read_columns(content, filename, COLUMNS, NEEDED, "evaluations")
    rows: list[EvaluationRow] = []
    faults: list[BadRow] = []
    for line, row in enumerate(found.to_pylist(), start=1):
        try:
            rows.append(_row(row, filename, line))
        except BadRow as fault:
            faults.append(fault)
    return EvaluationTable(tuple(rows), tuple(faults))


def kind_of(evaluator_type: str) -> tuple[EvaluationKind, str]:
    """What kind of judge wrote it, and its model.

    >>> kind_of("fine_grained_r1-2025"), kind_of("graph_similarity")
    ((<EvaluationKind.LABELS: 'labels'>, 'r1-2025'), (<EvaluationKind.OTHER: 'other'>, ''))
    """
    for prefix, kind in ((_FINE, EvaluationKind.LABELS), (_AGGREGATE, EvaluationKind.AGGREGATE)):
        if evaluator_type == prefix or evaluator_type.startswith(f"{prefix}_"):
            return kind, evaluator_type.removeprefix(prefix).removeprefix("_")
    return EvaluationKind.OTHER, ""


def _row(row: Mapping[str, Any], file: str, line: int) -> EvaluationRow:
    for name, right in (("id", "an evaluation needs an id"), ("response_id", "an evaluation is of a response")):
        if row.get(name) in (None, ""):
            raise BadRow(file, line, name, "", f"{right}: a text or a whole number")
    evaluator_type = _text(row, "evaluator_type")
    kind, judge = kind_of(evaluator_type)
    score, answer = row.get("score"), row.get("evaluation_answer")
    is_number = isinstance(score, int | float) and not isinstance(score, bool) and isfinite(score)
    return EvaluationRow(
        line=line,
        evaluator_type=evaluator_type,
        kind=kind,
        judge=judge,
        score=float(score) if is_number and score is not None else None,
        answer=answer if isinstance(answer, str) else None,
        reasoning=_text(row, "evaluation_reasoning"),
        date=_text(row, "evaluation_date"),
        **{name: _text(row, name) for name in ("id", "response_id", "sample_id", "model", "task_type")},
    )


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return "" if value is None else str(value)

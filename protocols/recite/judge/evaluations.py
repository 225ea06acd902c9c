"""Released evaluations read and scored again: every row is counted, and held against the score it came with."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput
from core.verdicts.scores import VerdictScores, score_verdict
from core.verdicts.verdict import Verdict, read_verdict
from exchange.recite_evaluations import EvaluationKind, EvaluationRow
from protocols.replies.verdicts import read_verdict_reply

TOLERANCE = 1e-9
AGGREGATES = ("causal_precision", "causal_recall", "semantic_similarity")
_ALSO = {"causal_precision": "causal_accuracy"}
LOWEST, HIGHEST, SUM = 1, 5, 15


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredEvaluation:
    """A row with what it says. `verdict`, `scores`: of one with labels that could be read; `aggregate`: the three
    numbers of the older judge that are there; `trouble`: why nothing could be read, empty if something was;
    `score`: what we come to, in the form *as released*, or the sum of the three numbers ÷ 15; None without one, for the
    reason in `why`."""

    row: EvaluationRow
    verdict: Verdict | None = None
    scores: VerdictScores | None = None
    aggregate: Mapping[str, float] | None = None
    trouble: str = ""
    score: float | None = None
    why: str = ""

    @property
    def is_whole(self) -> bool:
        """Read without a fault: all four sections, or all three numbers."""
        if self.verdict is not None:
            return self.verdict.is_complete
        return self.aggregate is not None and len(self.aggregate) == len(AGGREGATES)

    @property
    def differs(self) -> bool | None:
        """Whether our score is another than the row's; None where one of them is missing."""
        if self.score is None or self.row.score is None:
            return None
        return abs(self.score - self.row.score) > TOLERANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationCounts:
    """`rows` = `whole` + `faulty` + `unreadable` + `others` (of no judge). `equal`, `different`: rows with our score
    and their own; `uncompared`: judges' rows that lack one of them."""

    rows: int
    whole: int
    faulty: int
    unreadable: int
    others: int
    equal: int
    different: int
    uncompared: int


def score_evaluation(row: EvaluationRow) -> ScoredEvaluation:
    """Nothing raises, and no row is left out."""
    if row.kind is EvaluationKind.OTHER:
        return ScoredEvaluation(row=row, why="it is of no judge")
    if row.answer is None or not row.answer.strip():
        return ScoredEvaluation(row=row, trouble="it has no text", why="it has no text")
    try:
        return _of_labels(row, row.answer) if row.kind is EvaluationKind.LABELS else _of_numbers(row, row.answer)
    except BadInput as error:
        return ScoredEvaluation(row=row, trouble=str(error), why="it cannot be read")


def _of_labels(row: EvaluationRow, answer: str) -> ScoredEvaluation:
    verdict = read_verdict(read_verdict_reply(answer).value)
    scores = score_verdict(verdict)
    ours = scores.as_released.overall_f1
    return ScoredEvaluation(row=row, verdict=verdict, scores=scores, score=ours.value, why=ours.reason)


def _of_numbers(row: EvaluationRow, answer: str) -> ScoredEvaluation:
    """The three numbers, 1 to 5 each; one that is missing is missing, never 0. Raises BadInput for what holds none."""
    try:
        said: Any = json.loads(answer)
    except ValueError:
        said = read_verdict_reply(answer).value
    scores = said.get("scores", said) if isinstance(said, dict) else None
    given: Mapping[str, Any] = scores if isinstance(scores, dict) else {}
    found: dict[str, float] = {}
    for name in AGGREGATES:
        value = given.get(name, given.get(_ALSO.get(name, name)))
        if isinstance(value, int | float) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST:
            found[name] = float(value)
    if not found:
        raise BadInput(f"None of {', '.join(AGGREGATES)} is a number from {LOWEST} to {HIGHEST}.")
    missing = [name for name in AGGREGATES if name not in found]
    if missing:
        return ScoredEvaluation(row=row, aggregate=found, why=f"{missing[0]} is missing")
    return ScoredEvaluation(row=row, aggregate=found, score=sum(found.values()) / SUM)


def counts_of(found: Iterable[ScoredEvaluation]) -> EvaluationCounts:
    counted: Counter[str] = Counter()
    for each in found:
        counted["rows"] += 1
        if each.row.kind is EvaluationKind.OTHER:
            counted["others"] += 1
            continue
        counted["unreadable" if each.trouble else "whole" if each.is_whole else "faulty"] += 1
        differs = each.differs
        counted["uncompared" if differs is None else "different" if differs else "equal"] += 1
    names = ("rows", "whole", "faulty", "unreadable", "others", "equal", "different", "uncompared")
    return EvaluationCounts(**{name: counted[name] for name in names})

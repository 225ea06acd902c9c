"""Released evaluations, read and scored again: every row is counted and compared with its own score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput
from core.verdicts.scores import VerdictScores, score_verdict
from core.verdicts.verdict import Verdict, read_verdict
from exchange.recite_responses import PublicRow

ANSWER, EVALUATOR = "evaluation_answer", "evaluator_type"
CLOSE = 1e-6  # tolerance between a score and the recomputed one
JUDGES = ("fine_grained", "llm_judge")
"""Beginnings of evaluator names that are judges: fine_grained, fine_grained_MODEL, llm_judge_MODEL."""
AGGREGATE = (("causal_precision", "causal_accuracy"), ("causal_recall",), ("semantic_similarity",))
"""The three numbers of the older judge, each with its alternative names."""
LOWEST, HIGHEST = 1, 5
Aggregate = tuple[float | None, float | None, float | None]


def is_judge(evaluator: str) -> bool:
    """Return True if an evaluator is a judge.

    >>> is_judge("llm_judge_gpt-4o"), is_judge("graph_similarity"), is_judge("fine_grainedness")
    (True, False, False)
    """
    return any(evaluator == each or evaluator.startswith(f"{each}_") for each in JUDGES)


def is_close(said: float, again: float) -> bool:
    return abs(said - again) <= CLOSE


def aggregate_of(text: str | None) -> Aggregate | None:
    """Return the three numbers of an aggregate verdict, 1 to 5, None for a missing or invalid one. None for a text that
    names none of them, such as a verdict with labels; the text alone shows its kind.

    >>> aggregate_of('{"scores": {"causal_accuracy": 4, "causal_recall": 3}}')
    (4.0, 3.0, None)
    """
    if not any(name in (text or "") for names in AGGREGATE for name in names):
        return None
    try:
        content: Any = _read_sections(text or "")
    except BadInput:
        return None
    scores = content.get("scores", content)
    if not isinstance(scores, Mapping) or not any(name in scores for names in AGGREGATE for name in names):
        return None
    first, second, third = (_number(scores, names) for names in AGGREGATE)
    return first, second, third


def composite_of(aggregate: Aggregate) -> float | None:
    """Return their sum ÷ 15; None if one is missing."""
    known = [each for each in aggregate if each is not None]
    return sum(known) / (HIGHEST * len(AGGREGATE)) if len(known) == len(aggregate) else None


def _number(scores: Mapping[str, Any], names: Sequence[str]) -> float | None:
    value = next((scores[name] for name in names if name in scores), None)
    is_one = isinstance(value, int | float) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST
    return float(value) if is_one and value is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredEvaluation:
    """A row with its content."""

    row: PublicRow
    verdict: Verdict | None = None  # if it has readable labels; likewise `scores`
    scores: VerdictScores | None = None
    aggregate: Aggregate | None = None  # the three numbers of the older judge
    trouble: str = ""  # why nothing could be read; empty if something was
    score: float | None = None  # recomputed: in the form *as released*, or the sum of the three numbers ÷ 15
    why: str = ""  # why there is no score

    @property
    def is_of_judge(self) -> bool:
        return is_judge(str(self.row.cells[EVALUATOR]))

    @property
    def is_whole(self) -> bool:
        """True if read without a fault: all four sections, or all three numbers."""
        if self.verdict is not None:
            return self.verdict.is_complete
        return self.aggregate is not None and None not in self.aggregate

    @property
    def differs(self) -> bool | None:
        """True if the recomputed score differs from the row's; None if one of them is missing."""
        if self.score is None or self.row.score is None:
            return None
        return not is_close(self.row.score, self.score)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationCounts:
    """`rows` = `whole` + `faulty` + `unreadable` + `others` (of no judge)."""

    rows: int
    whole: int
    faulty: int
    unreadable: int
    others: int
    equal: int  # rows with both scores, recomputed and their own; likewise `different`
    different: int
    uncompared: int  # judges' rows that lack one of them


def score_evaluation(row: PublicRow) -> ScoredEvaluation:
    """Score a row. Never raises, and excludes no row."""
    text = row.text(ANSWER)
    if not is_judge(str(row.cells[EVALUATOR])):
        return ScoredEvaluation(row=row, why="it is of no judge")
    if text is None or not text.strip():
        return ScoredEvaluation(row=row, trouble="it has no text", why="it has no text")
    aggregate = aggregate_of(text)
    if aggregate is not None:
        missing = [names[0] for names, value in zip(AGGREGATE, aggregate, strict=True) if value is None]
        if len(missing) == len(AGGREGATE):
            trouble = f"None of {', '.join(missing)} is a number from {LOWEST} to {HIGHEST}."
            return ScoredEvaluation(row=row, trouble=trouble, why="it cannot be read")
        why = f"{missing[0]} is missing" if missing else ""
        return ScoredEvaluation(row=row, aggregate=aggregate, score=composite_of(aggregate), why=why)
    try:
        verdict = read_verdict(_read_sections(text))
    except BadInput as error:
        return ScoredEvaluation(row=row, trouble=str(error), why="it cannot be read")
    scores = score_verdict(verdict)
    released_f1 = scores.as_released.overall_f1
    return ScoredEvaluation(row=row, verdict=verdict, scores=scores, score=released_f1.value, why=released_f1.reason)


def _read_sections(text: str) -> dict[str, Any]:
    from protocols.replies.verdicts import read_verdict_reply  # imported here, since it loads a YAML parser

    return read_verdict_reply(text).value


def counts_of(evaluations: Iterable[ScoredEvaluation]) -> EvaluationCounts:
    counted: Counter[str] = Counter()
    for evaluation in evaluations:
        counted["rows"] += 1
        if not evaluation.is_of_judge:
            counted["others"] += 1
            continue
        counted["unreadable" if evaluation.trouble else "whole" if evaluation.is_whole else "faulty"] += 1
        differs = evaluation.differs
        counted["uncompared" if differs is None else "different" if differs else "equal"] += 1
    names = ("rows", "whole", "faulty", "unreadable", "others", "equal", "different", "uncompared")
    return EvaluationCounts(**{name: counted[name] for name in names})

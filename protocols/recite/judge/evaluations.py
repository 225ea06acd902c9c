"""Released evaluations read and scored again: every row is counted, and held against the score it came with."""

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
CLOSE = 1e-6
"""By which a score may differ from the recomputed one that it is compared with."""
JUDGES = ("fine_grained", "llm_judge")
"""What the name of an evaluator begins with that is a judge: fine_grained, fine_grained_MODEL, llm_judge_MODEL."""
AGGREGATE = (("causal_precision", "causal_accuracy"), ("causal_recall",), ("semantic_similarity",))
"""The three numbers of the older judge, each by the names that it goes by."""
LOWEST, HIGHEST = 1, 5
Aggregate = tuple[float | None, float | None, float | None]


def is_judge(evaluator: str) -> bool:
    """Whether an evaluator is a judge.

    >>> is_judge("llm_judge_gpt-4o"), is_judge("graph_similarity"), is_judge("fine_grainedness")
    (True, False, False)
    """
    return any(evaluator == each or evaluator.startswith(f"{each}_") for each in JUDGES)


def is_close(said: float, again: float) -> bool:
    return abs(said - again) <= CLOSE


def aggregate_of(text: str | None) -> Aggregate | None:
    """The three numbers of an aggregate verdict, 1 to 5 each, None for one that is missing or is none; None for a
    text that names none of them, such as a verdict with labels. Which kind a judge wrote is told by its text alone.

    >>> aggregate_of('{"scores": {"causal_accuracy": 4, "causal_recall": 3}}')
    (4.0, 3.0, None)
    """
    if not any(name in (text or "") for names in AGGREGATE for name in names):
        return None
    try:
        said: Any = _said(text or "")
    except BadInput:
        return None
    scores = said.get("scores", said)
    if not isinstance(scores, Mapping) or not any(name in scores for names in AGGREGATE for name in names):
        return None
    first, second, third = (_number(scores, names) for names in AGGREGATE)
    return first, second, third


def composite_of(aggregate: Aggregate) -> float | None:
    """Their sum ÷ 15; None where one is missing."""
    there = [each for each in aggregate if each is not None]
    return sum(there) / (HIGHEST * len(AGGREGATE)) if len(there) == len(aggregate) else None


def _number(scores: Mapping[str, Any], names: Sequence[str]) -> float | None:
    value = next((scores[name] for name in names if name in scores), None)
    is_one = isinstance(value, int | float) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST
    return float(value) if is_one and value is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredEvaluation:
    """A row with what it says. `verdict`, `scores`: of one with labels that could be read; `aggregate`: the three
    numbers of the older judge; `trouble`: why nothing could be read, empty if something was; `score`: what we come to,
    in the form *as released*, or the sum of the three numbers ÷ 15; None without one, for the reason in `why`."""

    row: PublicRow
    verdict: Verdict | None = None
    scores: VerdictScores | None = None
    aggregate: Aggregate | None = None
    trouble: str = ""
    score: float | None = None
    why: str = ""

    @property
    def is_of_judge(self) -> bool:
        return is_judge(str(self.row.cells[EVALUATOR]))

    @property
    def is_whole(self) -> bool:
        """Read without a fault: all four sections, or all three numbers."""
        if self.verdict is not None:
            return self.verdict.is_complete
        return self.aggregate is not None and None not in self.aggregate

    @property
    def differs(self) -> bool | None:
        """Whether our score is another than the row's; None where one of them is missing."""
        if self.score is None or self.row.score is None:
            return None
        return not is_close(self.row.score, self.score)


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


def score_evaluation(row: PublicRow) -> ScoredEvaluation:
    """Nothing raises, and no row is left out."""
    text = row.text(ANSWER)
    if not is_judge(str(row.cells[EVALUATOR])):
        return ScoredEvaluation(row=row, why="it is of no judge")
    if text is None or not text.strip():
        return ScoredEvaluation(row=row, trouble="it has no text", why="it has no text")
    aggregate = aggregate_of(text)
    if aggregate is not None:
        return _of_numbers(row, aggregate)
    try:
        verdict = read_verdict(_said(text))
    except BadInput as error:
        return ScoredEvaluation(row=row, trouble=str(error), why="it cannot be read")
    scores = score_verdict(verdict)
    ours = scores.as_released.overall_f1
    return ScoredEvaluation(row=row, verdict=verdict, scores=scores, score=ours.value, why=ours.reason)


def _said(text: str) -> dict[str, Any]:
    from protocols.replies.verdicts import read_verdict_reply  # loads a YAML parser, which the server starts without

    return read_verdict_reply(text).value


def _of_numbers(row: PublicRow, aggregate: Aggregate) -> ScoredEvaluation:
    """One that is missing is missing, never 0."""
    missing = [names[0] for names, value in zip(AGGREGATE, aggregate, strict=True) if value is None]
    if len(missing) == len(AGGREGATE):
        trouble = f"None of {', '.join(missing)} is a number from {LOWEST} to {HIGHEST}."
        return ScoredEvaluation(row=row, trouble=trouble, why="it cannot be read")
    why = f"{missing[0]} is missing" if missing else ""
    return ScoredEvaluation(row=row, aggregate=aggregate, score=composite_of(aggregate), why=why)


def counts_of(found: Iterable[ScoredEvaluation]) -> EvaluationCounts:
    counted: Counter[str] = Counter()
    for each in found:
        counted["rows"] += 1
        if not each.is_of_judge:
            counted["others"] += 1
            continue
        counted["unreadable" if each.trouble else "whole" if each.is_whole else "faulty"] += 1
        differs = each.differs
        counted["uncompared" if differs is None else "different" if differs else "equal"] += 1
    names = ("rows", "whole", "faulty", "unreadable", "others", "equal", "different", "uncompared")
    return EvaluationCounts(**{name: counted[name] for name in names})

"""Sign metrics as EconCausal's released code computes them, under that name only, for comparison with its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.estimate import Estimate, undefined
from core.labels import SIGN, SIGN_OR_UNKNOWN, LabelSet
from core.scoring.classes import Row

_WORDS = {
    "positive": "+",
    "negative": "-",
    "none": "None",
    "null": "None",
    "no effect": "None",
    "mixed": "mixed",
    "+": "+",
    "-": "-",
}


@dataclass(frozen=True, slots=True)
class ReleasedScores:
    """Accuracy and macro-F1, 0–1, rounded to four decimals as the released code does."""

    accuracy: Estimate
    macro_f1: Estimate


def as_released(rows: Sequence[Row], labels: LabelSet) -> ReleasedScores:
    """Return the released figures: every distinct string is a class, per-class F1 is rounded to four decimals before it
    is averaged, and a failed request counts as a wrong answer.

    An answer outside its aliases stays as written, and so becomes a class with F1 0; U+2212 is outside. A failure adds
    no class. Non-text answers fail there. Undefined for other labels than the signs, which have no released code."""
    if labels.name not in (SIGN.name, SIGN_OR_UNKNOWN.name):
        nothing = undefined("only the sign tasks have released code", 0)
        return ReleasedScores(nothing, nothing)
    if not rows:
        nothing = undefined("there are no rows", 0)
        return ReleasedScores(nothing, nothing)
    words = _WORDS | {"unknown": "unknown"} if labels.others else _WORDS
    expected: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for row in rows:
        expected[row.answer] += row.count
        if isinstance(row.predicted, str):
            answer = row.predicted.strip()
            answer = words.get(answer.lower(), answer)
            predicted[answer] += row.count
            right[answer] += row.count * (answer == row.answer)
    classes = expected.keys() | predicted.keys()
    f1s = [_f1(right[label], predicted[label], expected[label]) for label in sorted(classes)]
    n = expected.total()
    return ReleasedScores(
        Estimate(round(right.total() / n, 4), n=n),
        Estimate(round(sum(f1s) / len(f1s), 4), n=n),
    )


def _f1(right: int, predicted: int, expected: int) -> float:
    """Return F1 by precision and recall, as there: another order of operations could round differently."""
    precision = right / predicted if predicted else 0.0
    recall = right / expected if expected else 0.0
    return round(2 * precision * recall / (precision + recall), 4) if precision + recall else 0.0

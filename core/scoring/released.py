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
    """The released figures: every distinct string is a class, per-class F1 is rounded to four decimals before it is
    averaged, and a failed request counts as a wrong answer.

    An answer outside its aliases stays as it was written, and so becomes a class with F1 0; U+2212 is outside. A
    failure adds no class. What is not text fails there. Undefined for other labels than the signs: there is no released
    code for them.
    """
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
            said = row.predicted.strip()
            said = words.get(said.lower(), said)
            predicted[said] += row.count
            right[said] += row.count * (said == row.answer)
    classes = expected.keys() | predicted.keys()
    f1s = [_f1(right[label], predicted[label], expected[label]) for label in sorted(classes)]
    n = expected.total()
    return ReleasedScores(
        Estimate(round(right.total() / n, 4), n=n),
        Estimate(round(sum(f1s) / len(f1s), 4), n=n),
    )


def _f1(right: int, predicted: int, expected: int) -> float:
    """By precision and recall, as there: another order of operations could round another way."""
    precision = right / predicted if predicted else 0.0
    recall = right / expected if expected else 0.0
    return round(2 * precision * recall / (precision + recall), 4) if precision + recall else 0.0

"""Questions whose examples show another sign than the true one: does a model follow the example or the context?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.estimate import Estimate, undefined
from core.labels import LabelSet
from core.scoring.classes import FAILED, Row, answered_labels, papers_of, score_classes
from core.words import quoted

if TYPE_CHECKING:
    from core.scoring.interval import Resampling


class MismatchKind(StrEnum):
    FIRST = "first"  # the first example's sign is another (the paper's 35.6 % of task 2)
    ANY = "any"  # some example's sign is another


@dataclass(frozen=True, slots=True)
class Mismatch:
    """`n` of the rows `with_examples` mismatch; `accuracy` on them; `drop`: percentage points below all rows."""

    which: MismatchKind
    n: int
    with_examples: int
    accuracy: Estimate
    drop: Estimate


def is_mismatch(row: Row, which: MismatchKind) -> bool:
    """Return True if the examples of the row contradict its answer; False without examples."""
    shown = row.example_signs[:1] if which is MismatchKind.FIRST else row.example_signs
    return any(sign != row.answer for sign in shown)


def mismatch(rows: Sequence[Row], labels: LabelSet, which: MismatchKind, how: Resampling | None = None) -> Mismatch:
    """Return the accuracy on the rows whose examples contradict the answer, and its distance below that on all rows.

    Failed requests count in `n`, not in the accuracies. `how` asks for bootstrap intervals over papers. Raises BadInput
    for an answer or an example outside the classes."""
    for number, row in enumerate(rows, 1):
        unknown = [sign for sign in row.example_signs if sign not in labels.classes]
        if unknown:
            raise BadInput(
                f"Row {number}: the example's sign {quoted(unknown[0])} is not one of {', '.join(labels.classes)}."
            )
    mismatched = [row for row in rows if is_mismatch(row, which)]
    with_examples = sum(row.count for row in rows if row.example_signs)
    overall, scores = score_classes(rows, labels), score_classes(mismatched, labels, how)
    accuracy = scores.accuracy
    if not mismatched:
        why = "no example shows a sign that differs from the true one" if with_examples else "no sample shows examples"
        accuracy = undefined(why, 0)
    if accuracy.value is None or overall.accuracy.value is None:
        drop = undefined(accuracy.reason, 0)
    else:
        drop = Estimate(100 * (overall.accuracy.value - accuracy.value), n=accuracy.n)
    n = sum(row.count for row in mismatched)
    return Mismatch(which, n, with_examples, accuracy, _with_interval(drop, rows, labels, which, how))


def _with_interval(
    drop: Estimate, rows: Sequence[Row], labels: LabelSet, which: MismatchKind, how: Resampling | None
) -> Estimate:
    """Return the drop with an interval; all rows are drawn together, so that the difference is paired."""
    if how is None or drop.value is None:
        return drop
    import numpy as np

    from core.scoring.tallies import EdgeTally, drops

    answers = answered_labels(rows, labels)
    marks = [
        (row.count * (word == row.answer), row.count * (word != FAILED))
        for row, word in zip(rows, answers, strict=True)
    ]
    of_all, inside = np.array(marks, dtype=np.float64), np.array([[is_mismatch(row, which)] for row in rows])
    return EdgeTally(np.hstack([of_all, of_all * inside]), drops, papers_of(rows)).with_interval(drop, how)

"""Answers that need no model, shown next to every model's row: EconCausal's third task reveals its own answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from core.labels import LabelSet
from core.scoring.classes import Row


class Baseline(StrEnum):
    """A baseline's rule. The last two need examples; without any they do not answer."""

    ALWAYS_FIRST = "always the first label"
    MAJORITY = "the most frequent answer"
    COPY_EXAMPLES = "copy the examples' most frequent sign"
    NOT_SHOWN = "the first sign that no example shows"


def answered_by(baseline: Baseline, rows: Sequence[Row], labels: LabelSet) -> tuple[Row, ...]:
    """Return the rows with a baseline's answers in place of the model's.

    Always the first label: "+" of the four signs. The most frequent answer is that of these rows. Ties, and "first",
    are by the order of the labels: +, −, None, mixed. A row without examples, or one whose examples show every sign,
    has no answer (None) from the last two.

    >>> from core.labels import SIGN
    >>> answered_by(Baseline.COPY_EXAMPLES, [Row("+", None, ("None", "-"))], SIGN)[0].predicted
    '-'
    """
    if baseline is Baseline.ALWAYS_FIRST:
        return tuple(replace(row, predicted=labels.classes[0]) for row in rows)
    if baseline is Baseline.MAJORITY:
        most = most_frequent([row.answer for row in rows], labels)
        return tuple(replace(row, predicted=most) for row in rows)
    chosen = most_frequent if baseline is Baseline.COPY_EXAMPLES else _first_not_shown
    return tuple(replace(row, predicted=chosen(row.example_signs, labels)) for row in rows)


def most_frequent(signs: Sequence[str], labels: LabelSet) -> str | None:
    """Return the most frequent label, of ties the first in the set's order; None without any."""
    counts = Counter(signs)
    return max(labels.classes, key=lambda label: counts[label]) if counts else None


def _first_not_shown(signs: Sequence[str], labels: LabelSet) -> str | None:
    if not signs:
        return None
    return next((label for label in labels.classes if label not in signs), None)

"""Answers of one label against the truth: accuracy, macro-F1 over the closed label set, confusion; counts first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.estimate import Estimate, ratio, undefined
from core.labels import LabelSet
from core.words import quoted

if TYPE_CHECKING:
    from core.scoring.interval import Resampling

# Columns of the confusion in addition to the labels: an answer that is no label, and a request without an answer.
UNPARSABLE, FAILED = "unparsable", "failed"


@dataclass(frozen=True, slots=True)
class Row:
    answer: str  # the true label
    predicted: object  # the model's answer; None: the request failed
    example_signs: tuple[str, ...] = ()  # labels shown in the question, in their order
    paper: Hashable = None  # drawn together in an interval; None: alone
    count: int = 1  # number of equal questions; with intervals, only of a named paper


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassScore:
    """Scores of one label, 0–1; `expected` and `predicted` count it among answered rows."""

    label: str
    expected: int
    predicted: int
    right: int
    precision: Estimate
    recall: Estimate
    f1: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassScores:
    """Scores over `n` rows; `failed` ones have no answer and are in no score; `unparsable` ones have a wrong answer."""

    n: int
    failed: int
    unparsable: int
    accuracy: Estimate  # over the answered rows, `accuracy.n` of them, like macro_f1
    macro_f1: Estimate
    per_class: tuple[ClassScore, ...]
    # true label → answer (label, other legal answer, UNPARSABLE, FAILED) → rows; the cells add up to `n`
    confusion: Mapping[str, Mapping[str, int]]


def score_classes(rows: Sequence[Row], labels: LabelSet, how: Resampling | None = None) -> ClassScores:
    """Score answers by a closed label set.

    An unparsable answer is wrong, and never a class. A failed request is no answer: it is counted and left out.
    Macro-F1 is the plain mean of F1 = 2 right / (expected + predicted) over all classes of the set, unrounded; a class
    neither expected nor predicted counts 0, and the reason says so (Lee et al.'s first question type has only true
    answers: accuracy / (1 + accuracy)). `how` asks for bootstrap intervals over papers. Raises BadInput for a true
    answer outside the classes.

    >>> from core.labels import SIGN
    >>> found = score_classes([Row("+", "positive"), Row("-", "rises"), Row("None", None)], SIGN)
    >>> found.accuracy.value, found.unparsable, found.failed
    (0.5, 1, 1)
    """
    answers = answered_labels(rows, labels)
    confusion = _confusion(rows, answers, labels)
    answered = [n for n, label in enumerate(answers) if label != FAILED]
    n, n_answered = sum(row.count for row in rows), sum(rows[n].count for n in answered)
    if not answered:
        nothing = undefined("there are no rows" if not rows else "every request failed", 0)
        return ClassScores(
            n=n,
            failed=n,
            unparsable=0,
            accuracy=nothing,
            macro_f1=nothing,
            per_class=_per_class(confusion, labels),
            confusion=confusion,
        )
    per_class = _per_class(confusion, labels)
    accuracy = Estimate(sum(each.right for each in per_class) / n_answered, n=n_answered)
    absent = [each.label for each in per_class if each.f1.value is None]
    macro_f1 = Estimate(
        sum(each.f1.value or 0.0 for each in per_class) / len(per_class),
        n=n_answered,
        reason=f"{', '.join(absent)} neither expected nor predicted, counted 0" if absent else "",
    )
    if how is not None:
        accuracy, macro_f1 = _with_intervals(accuracy, macro_f1, rows, answers, answered, labels, how)
    return ClassScores(
        n=n,
        failed=n - n_answered,
        unparsable=sum(row.count for row, label in zip(rows, answers, strict=True) if label == UNPARSABLE),
        accuracy=accuracy,
        macro_f1=macro_f1,
        per_class=per_class,
        confusion=confusion,
    )


def answered_labels(rows: Sequence[Row], labels: LabelSet) -> list[str]:
    """Return each row's answer: a label, UNPARSABLE or FAILED. Raises BadInput for a true answer outside the
    classes."""
    answers = []
    for number, row in enumerate(rows, 1):
        if row.answer not in labels.classes:
            raise BadInput(f"Row {number}: the answer {quoted(row.answer)} is not one of {', '.join(labels.classes)}.")
        answers.append(FAILED if row.predicted is None else labels.parse(row.predicted) or UNPARSABLE)
    return answers


def papers_of(rows: Sequence[Row]) -> list[Hashable]:
    """Return the cluster of each row: its paper, or the row itself if none is named."""
    return [(number,) if row.paper is None else row.paper for number, row in enumerate(rows)]


def _confusion(rows: Sequence[Row], answers: Sequence[str], labels: LabelSet) -> dict[str, dict[str, int]]:
    counts: Counter[tuple[str, str]] = Counter()
    for row, label in zip(rows, answers, strict=True):
        counts[row.answer, label] += row.count
    columns = (*labels.classes, *labels.others, UNPARSABLE, FAILED)
    return {answer: {column: counts[answer, column] for column in columns} for answer in labels.classes}


def _per_class(confusion: Mapping[str, Mapping[str, int]], labels: LabelSet) -> tuple[ClassScore, ...]:
    scores = []
    for label in labels.classes:
        expected = sum(count for column, count in confusion[label].items() if column != FAILED)
        predicted = sum(row[label] for row in confusion.values())
        right = confusion[label][label]
        scores.append(
            ClassScore(
                label=label,
                expected=expected,
                predicted=predicted,
                right=right,
                precision=ratio(right, predicted, f"no answer is {label}"),
                recall=ratio(right, expected, f"no true label is {label}"),
                f1=ratio(2 * right, expected + predicted, f"{label} is neither a true label nor an answer"),
            )
        )
    return tuple(scores)


def cells_of(rows: Sequence[Row], answers: Sequence[str], labels: LabelSet) -> list[int]:
    """Return each row's cell number in true label x (labels, anything else), for `core.scoring.tallies`."""
    width = len(labels.classes)
    place = {label: number for number, label in enumerate(labels.classes)}
    return [place[row.answer] * (width + 1) + place.get(word, width) for row, word in zip(rows, answers, strict=True)]


def _with_intervals(
    accuracy: Estimate,
    macro_f1: Estimate,
    rows: Sequence[Row],
    answers: Sequence[str],
    answered: Sequence[int],
    labels: LabelSet,
    how: Resampling,
) -> tuple[Estimate, Estimate]:
    import numpy as np

    from core.scoring import tallies

    width, papers = len(labels.classes), papers_of(rows)
    cells = cells_of([rows[n] for n in answered], [answers[n] for n in answered], labels)
    columns = tallies.confusion_columns(cells, width) * np.array([rows[n].count for n in answered]).reshape(-1, 1)
    clusters = [papers[n] for n in answered]
    return (
        tallies.EdgeTally(columns, tallies.accuracies(width), clusters).with_interval(accuracy, how),
        tallies.EdgeTally(columns, tallies.macro_f1s(width), clusters).with_interval(macro_f1, how),
    )

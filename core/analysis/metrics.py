"""Scores of tables. Most are functions of sums over items, so that clusters can be drawn again: shares, means, scores
of classes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.analysis.columns import ItemColumns
from core.analysis.items import SCORED, ResultItem
from core.analysis.kinds import Kinds
from core.estimate import Estimate, undefined
from core.labels import LabelSet
from core.runs.states import ITEM_STATUSES, ItemStatus
from core.scoring.classes import Row, answered_labels, cells_of
from core.scoring.interval import Statistic
from core.scoring.tallies import EdgeTally, accuracies, confusion_columns, macro_f1s, of_class, quotients

SHARE, POINTS, COUNT, RATIO, NUMBER = "share", "percentage points", "count", "ratio", "number"
PROBABILITY, RANK, WORDS = "probability", "rank", "words"
UNSCORED = "no item is scored"
EVERY_STATUS = frozenset(ITEM_STATUSES)

Array = NDArray[np.float64]
Condition = Callable[[ResultItem], bool]
Measured = tuple[Estimate, EdgeTally | None]
Measure = Callable[[ItemColumns, bool], Measured]


def is_any(item: ResultItem) -> bool:
    return True


def is_right(item: ResultItem) -> bool:
    return item.is_right is True


def is_unparsable(item: ResultItem) -> bool:
    return item.status == ItemStatus.UNPARSABLE.value


def has_true_label(item: ResultItem) -> bool:
    """Return whether a scored item can be counted by its true label."""
    return item.is_scored and item.answer is not None


def has_probabilities(item: ResultItem) -> bool:
    return bool(item.most_probable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number that tables print.

    Attributes:
        unit: SHARE (0–1), POINTS, COUNT, RATIO, NUMBER, PROBABILITY (a p-value), RANK (1 better, −1 worse, 0), or WORDS
        is_mean: it is a mean of the items' values, printed with its standard deviation
        is_reviewed: it is of judges' labels with people's rulings
        words: of the unit WORDS: what tables and files print, by a value, which is an index
    """

    name: str
    title: str
    told: str  # how it is computed, in a sentence or two
    unit: str = SHARE
    is_mean: bool = False
    is_reviewed: bool = False
    words: tuple[str, ...] = ()

    def exact(self, estimate: Estimate) -> float | str | None:
        """Return a value as files have it: a number, or a word; None where it is undefined."""
        if self.unit == WORDS and estimate.value is not None:
            return self.words[int(estimate.value)]
        return estimate.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric(Figure):
    """A figure that is computed of the items of a cell.

    Attributes:
        measure: computes the score of the items of a cell and, if requested, the tally that its interval resamples
            (None: no interval)
        covers: selects the items that the score is about; a cell's numbers count these
        scores: the statuses whose items are in the score
        measured: the measure by which an item is in the score, regardless of its status; empty where the status decides
    """

    measure: Measure
    covers: Condition = is_any
    scores: frozenset[str] = SCORED
    needs_probabilities: bool = False
    measured: str = ""

    def is_in(self, item: ResultItem) -> bool:
        """Return whether the item is in the score, not only in the counts next to it."""
        if self.measured:
            return self.measured in item.measures
        is_in = item.status in self.scores or item.counts_as_zero
        return is_in and (not self.needs_probabilities or has_probabilities(item))

    def are_in(self, kinds: Kinds) -> NDArray[np.bool_]:
        """Return whether each kind is in the score."""
        if self.measured:
            return ~np.isnan(kinds.measure(self.measured))
        return kinds.numbers((self.scores, self.needs_probabilities), self.is_in).astype(bool)


def of_sums(
    columns: Callable[[Sequence[ResultItem]], Array],
    statistic: Statistic,
    reason: str = UNSCORED,
    *,
    covers: Condition = is_any,
) -> Measure:
    """A statistic of the sums of columns, which have a row for each kind, over the scored items that it covers.
    `reason`: why it is undefined where it is NaN."""

    def measure(items: ItemColumns, again: bool) -> Measured:
        scored = items.where(lambda item: item.is_scored and covers(item))
        return computed(scored, columns(scored.kinds), statistic, again, reason)

    return measure


def computed(
    items: ItemColumns,
    columns: Array,
    statistic: Statistic,
    again: bool,
    reason: str = UNSCORED,
) -> Measured:
    """A statistic of the sums of columns, which have a row for each kind of item, and its tally if it is defined."""
    if not len(items):
        return undefined(UNSCORED, 0), None
    (value,) = statistic((np.asarray(items.counts, dtype=np.float64) @ columns)[None, :])
    if math.isnan(value):
        return undefined(reason, len(items)), None
    return Estimate(float(value), n=len(items)), items.tally(columns, statistic) if again else None


def mean_of(value: Callable[[ResultItem], float], *, covers: Condition = is_any) -> Measure:
    """The mean of a value over the scored items that it covers; of a condition, the share for which it holds."""

    def columns(kinds: Sequence[ResultItem]) -> Array:
        return np.column_stack([np.array([value(kind) for kind in kinds], dtype=np.float64), np.ones(len(kinds))])

    return of_sums(columns, quotients, covers=covers)


def of_classes(
    figure: str,
    labels_of: Callable[[ItemColumns], LabelSet],
    label: str = "",
    *,
    covers: Condition = is_any,
) -> Measure:
    """Accuracy, macro_f1, or precision, recall or f1 of a label, over the scored items that it covers and that
    have a true label. An unparsable answer is wrong. Raises BadInput for a true label outside the set."""
    reasons = {
        "precision": f"no answer is {label}",
        "recall": f"no true label is {label}",
        "f1": f"{label} is neither a true label nor an answer",
    }

    def measure(items: ItemColumns, again: bool) -> Measured:
        scored = items.where(lambda item: has_true_label(item) and covers(item))
        labels = labels_of(scored)
        columns, found = confusion(scored, labels)
        width = len(labels.classes)
        if figure in reasons:
            statistic = of_class(width, labels.classes.index(label), figure)
        else:
            statistic = macro_f1s(width) if figure == "macro_f1" else accuracies(width)
        estimate, tally = computed(scored, columns, statistic, again, reasons.get(figure, UNSCORED))
        absent = [each for each in labels.classes if each not in found] if figure == "macro_f1" and len(scored) else []
        note = f"{', '.join(absent)} neither expected nor predicted, counted 0" if absent else estimate.reason
        return replace(estimate, reason=note), tally

    return measure


def confusion(items: ItemColumns, labels: LabelSet) -> tuple[Array, set[str]]:
    """The cell of each kind's answer in true label x (labels, anything else), as a column that is 1; and the labels
    that are true or given."""
    rows = [Row(kind.answer or "", kind.predicted or "") for kind in items.kinds]
    answers = answered_labels(rows, labels)
    columns = confusion_columns(cells_of(rows, answers, labels), len(labels.classes))
    return columns, {*answers, *(row.answer for row in rows)}


FIGURES = {"precision": "Precision", "recall": "Recall", "f1": "F1"}


def metrics_of_classes(
    labels: LabelSet, title: str, told: Mapping[str, str], shown: Callable[[str], str] = str
) -> tuple[Metric, ...]:
    """Precision, recall and F1 of each label. `title` and `told`, by figure, have a place for the label as `shown`."""
    return tuple(
        Metric(
            name=f"{figure}:{label}",
            title=f"{word} {title.format(shown(label))}",
            told=told[figure].format(shown(label)),
            measure=of_classes(figure, lambda _: labels, label),
        )
        for figure, word in FIGURES.items()
        for label in labels.classes
    )


def number_of_samples(name: str, title: str, told: str, covers: Condition = is_any) -> Metric:
    """The samples of the items that it covers, of any status and each once for all models."""

    def measure(items: ItemColumns, again: bool) -> Measured:
        number = items.where(covers).sample_count
        return Estimate(number, n=number), None

    return Metric(name=name, title=title, told=told, measure=measure, scores=EVERY_STATUS, unit=COUNT)


ASKED = number_of_samples("asked", "Questions", "Samples of the runs, however many models answer them.")
ACCURACY = Metric(
    name="accuracy",
    title="Accuracy",
    told="Share of scored items with the true label; an unparsable reply is wrong.",
    measure=mean_of(is_right),
)
SHARE_UNPARSABLE = Metric(
    name="share_unparsable",
    title="Share of unparsable",
    told="Share of scored items whose reply contains no label.",
    measure=mean_of(is_unparsable),
)
ITEMS = Metric(
    name="count",
    title="Items",
    told="Number of items of any status.",
    measure=lambda items, again: (Estimate(len(items), n=len(items)), None),
    scores=EVERY_STATUS,
    unit=COUNT,
)

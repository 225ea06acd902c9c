"""Scores of answers to questions: accuracy, macro-F1 over the classes of the types, each class, and open less closed.

Intervals draw papers as wholes; a question of several papers is drawn with the first of them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from core.analysis import metrics
from core.analysis.columns import ItemColumns
from core.analysis.items import ResultItem
from core.analysis.metrics import Array, Measure, Measured, Metric
from core.analysis.pairs import Pairing, difference, pairs_of
from core.estimate import Estimate, undefined
from core.labels import DIRECTION, TRUTH, LabelSet
from core.scoring.tallies import EdgeTally, macro_f1s, mean_tally
from core.words import counted
from protocols.lee.tasks import CLOSED, DIRECTION_TASK, OPEN, TASKS

POOLED = LabelSet("lee", (*TRUTH.classes, *DIRECTION.classes), {**TRUTH.spellings, **DIRECTION.spellings})
"""The five classes that ALL is over."""


def labels_of(items: ItemColumns) -> LabelSet:
    """The classes of questions of these types: two of types 1 to 4, three of type 5, five of both together."""
    of_direction = {kind.task == DIRECTION_TASK for kind in items.kinds}
    return POOLED if len(of_direction) > 1 else DIRECTION if True in of_direction else TRUTH


BOOKS = Pairing(
    lambda item: {OPEN: 0, CLOSED: 1}.get(item.variant) if item.is_scored else None,
    lambda item: (item.task, item.run, item.model),
    "no question is answered closed and open",
    draws_all=True,
)


def _f1_difference(items: ItemColumns, again: bool) -> Measured:
    """A question counts once on each side, however often it was asked."""
    pairs = pairs_of(items, BOOKS)
    if pairs is None:
        return undefined(BOOKS.reason, 0), None
    labels = labels_of(pairs.scored)
    cells, _ = metrics.confusion(pairs.scored, labels)
    weights = np.where(pairs.is_both[pairs.pair], pairs.drawn.counts / pairs.counts[pairs.pair, pairs.side], 0.0)
    columns = np.zeros((len(weights), 2, cells.shape[1]))
    columns[np.arange(len(weights)), pairs.side] = cells[pairs.drawn.kinds] * weights[:, None]
    f1_of = macro_f1s(len(labels.classes))

    def differences(sums: Array) -> Array:
        opened, closed = np.split(sums, 2, axis=1)
        return np.asarray(100 * (f1_of(opened) - f1_of(closed)), dtype=np.float64)

    tally = EdgeTally(columns.reshape(len(weights), -1), differences, pairs.drawn.units)
    value = float(differences(tally.columns.sum(axis=0, keepdims=True))[0])
    return Estimate(value, n=int(pairs.is_both.sum())), tally if again else None


def _mean_of_types(of: Measure, items: ItemColumns, again: bool) -> Measured:
    """Each type is worth the same, however many questions it has."""
    tasks = sorted({kind.task for kind in items.kinds})
    each = [of(items.where(lambda item, task=task: item.task == task), again) for task in tasks]  # type: ignore[misc]
    values = [found.value for found, _ in each if found.value is not None]
    if not values:
        return undefined(each[0][0].reason if each else metrics.UNSCORED, 0), None
    note = "" if len(values) == len(TASKS) else f"mean of {counted(len(values), 'type')} of {len(TASKS)}"
    n = sum(found.n or 0 for found, _ in each if found.value is not None)
    found = Estimate(sum(values) / len(values), n=n, reason=note)
    tallies = [tally for found, tally in each if found.value is not None and tally is not None]
    return found, mean_tally(tallies) if again and len(tallies) == len(values) else None


def _over_types(metric: Metric, told: str) -> Metric:
    return replace(
        metric,
        name=f"{metric.name}:mean_of_types",
        title=f"{metric.title}, mean of the types",
        told=told,
        measure=partial(_mean_of_types, metric.measure),
    )


def is_claim(item: ResultItem) -> bool:
    return item.task != DIRECTION_TASK


ACCURACY = replace(
    metrics.ACCURACY,
    told="Share of scored items with the right answer; an unparsable reply is wrong.",
)
MACRO_F1 = Metric(
    name="macro_f1",
    title="Macro-F1",
    told="Unweighted mean of F1 over the classes: True and False in types 1 to 4, three directions in type 5, all five "
    "where these are pooled. A class neither right nor said counts as 0, so that in type 1, where every claim is true, "
    "it is accuracy ÷ (1 + accuracy) if every reply can be read.",
    measure=metrics.of_classes("macro_f1", labels_of),
)
_PAIRED = "over the questions answered both ways, in percentage points; several answers to one count as their mean."
ACCURACY_DIFFERENCE = Metric(
    name="difference:accuracy",
    title="Accuracy, open minus closed",
    told=f"Accuracy with the open-book prompt minus that with the closed one, {_PAIRED}",
    measure=difference(BOOKS, metrics.is_right),
    unit=metrics.POINTS,
)
F1_DIFFERENCE = Metric(
    name="difference:macro_f1",
    title="Macro-F1, open minus closed",
    told=f"Macro-F1 with the open-book prompt minus that with the closed one, {_PAIRED}",
    measure=_f1_difference,
    unit=metrics.POINTS,
)
MEANS = (
    _over_types(
        ACCURACY, "The mean of the accuracies of the types, each worth the same however many questions it has."
    ),
    _over_types(MACRO_F1, "The mean of the macro-F1 of the types, each over its own classes."),
)
MEAN_DIFFERENCES = tuple(
    _over_types(metric, "The mean of these differences over the types, each worth the same.")
    for metric in (ACCURACY_DIFFERENCE, F1_DIFFERENCE)
)
SHARE_TRUE = Metric(
    name="share_true",
    title="Share of True said",
    told="Share of scored items of types 1 to 4 that are answered with True.",
    measure=metrics.mean_of(lambda item: item.predicted == "True"),
    covers=is_claim,
)
SHARE_UNPARSABLE = replace(
    metrics.SHARE_UNPARSABLE,
    told="Share of scored items whose reply contains no answer.",
)
OF_CLASSES = metrics.metrics_of_classes(
    POOLED,
    "of {}",
    {
        "precision": "Share of the items answered with {} whose right answer it is.",
        "recall": "Share of the items whose right answer is {} that are answered with it.",
        "f1": "Harmonic mean of precision and recall of {}.",
    },
)

"""Scores of answers to questions: accuracy, macro-F1 over the classes of the types, each class, and open less closed.

Intervals draw papers as wholes; a question of several papers is drawn with the first of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.analysis.columns import DrawnItems, ItemColumns
from core.analysis.items import ResultItem
from core.analysis.metrics import COUNT, POINTS, Metric
from core.estimate import Estimate, ratio, undefined
from core.labels import DIRECTION, TRUTH, LabelSet
from core.runs.states import ItemStatus
from core.scoring.classes import Row, answered_labels, cells_of, score_classes
from core.words import counted
from protocols.lee.tasks import CLOSED, DIRECTION_TASK, OPEN, TASKS

if TYPE_CHECKING:
    from core.scoring.tallies import EdgeTally

Array = NDArray[np.float64]
Measured = tuple[Estimate, "EdgeTally | None"]
Measure = Callable[[ItemColumns, bool], Measured]

POOLED = LabelSet("lee", (*TRUTH.classes, *DIRECTION.classes), {**TRUTH.spellings, **DIRECTION.spellings})
"""The five classes that ALL is over."""
UNSCORED = "no item is scored"
_SIDES = {CLOSED: 0, OPEN: 1}


def labels_of(tasks: Sequence[str]) -> LabelSet:
    """The classes of questions of these types: two of types 1 to 4, three of type 5, five of both together."""
    of_direction = [task == DIRECTION_TASK for task in tasks]
    return POOLED if any(of_direction) and not all(of_direction) else DIRECTION if any(of_direction) else TRUTH


def papers_of(items: ItemColumns, drawn: DrawnItems) -> list[str]:
    """Return the paper of each row drawn."""
    return [items.cluster_name(cluster).partition(" ")[2] for cluster in drawn.clusters]


def rows_of(scored: ItemColumns) -> list[Row]:
    """Scored items as rows, one a kind; an unparsable one says a word that is no label."""
    return [
        Row(str(each.answer), each.predicted if each.predicted is not None else "", count=count)
        for each, count in scored.counted()
    ]


# --- shares ------------------------------------------------------------------------------------------------------


def _share(is_so: Callable[[ResultItem], bool], items: ItemColumns, again: bool) -> Measured:
    scored = items.where(lambda item: item.is_scored)
    marks = [float(is_so(kind)) for kind in scored.kinds]
    inside = sum(count for count, mark in zip(scored.counts, marks, strict=True) if mark)
    found = replace(ratio(inside, len(scored), UNSCORED), n=len(scored))
    if not again or not len(scored):
        return found, None
    from core.scoring.tallies import share_tally

    drawn = scored.drawn()
    return found, share_tally(drawn.of(marks) * drawn.counts, drawn.counts, papers_of(scored, drawn))


def _is_right(item: ResultItem) -> bool:
    return item.is_right is True


# --- classes -----------------------------------------------------------------------------------------------------


def _macro_f1(items: ItemColumns, again: bool) -> Measured:
    scored = items.where(lambda item: item.is_scored)
    rows = rows_of(scored)
    if not rows:
        return undefined(UNSCORED, 0), None
    labels = labels_of([each.task for each in scored.kinds])
    found = replace(score_classes(rows, labels).macro_f1, n=len(scored))
    return found, _confusion(scored, rows, labels, "macro_f1") if again else None


def _of_class(label: str, figure: str, items: ItemColumns, again: bool) -> Measured:
    scored = items.where(lambda item: item.is_scored)
    rows = rows_of(scored)
    if not rows:
        return undefined(UNSCORED, 0), None
    place = POOLED.classes.index(label)
    found: Estimate = getattr(score_classes(rows, POOLED).per_class[place], figure)
    found = replace(found, n=len(scored))
    return found, _confusion(scored, rows, POOLED, figure, place) if again else None


def _confusion(scored: ItemColumns, rows: Sequence[Row], labels: LabelSet, figure: str, place: int = 0) -> EdgeTally:
    from core.scoring import tallies

    width = len(labels.classes)
    statistic = tallies.macro_f1s(width) if figure == "macro_f1" else tallies.of_class(width, place, figure)
    drawn, cells = scored.drawn(), cells_of(rows, answered_labels(rows, labels), labels)
    return tallies.confusion_tally(drawn.of(cells), width, statistic, papers_of(scored, drawn), drawn.counts)


# --- means of types ----------------------------------------------------------------------------------------------


def _mean_of_types(of: Measure, items: ItemColumns, again: bool) -> Measured:
    """Each type is worth the same, however many questions it has."""
    tasks = sorted({kind.task for kind in items.kinds})
    each = [of(items.where(lambda item, task=task: item.task == task), again) for task in tasks]  # type: ignore[misc]
    known = [(found, tally) for found, tally in each if found.value is not None]
    if not known:
        return undefined(each[0][0].reason if each else UNSCORED, 0), None
    note = "" if len(known) == len(TASKS) else f"mean of {counted(len(known), 'type')} of {len(TASKS)}"
    found = Estimate(
        sum(each.value or 0.0 for each, _ in known) / len(known), n=sum(each.n or 0 for each, _ in known), reason=note
    )
    drawn = [tally for _, tally in known if tally is not None]
    if not again or len(drawn) < len(known):
        return found, None
    from core.scoring.tallies import mean_tally

    return found, mean_tally(drawn)


# --- open less closed --------------------------------------------------------------------------------------------


def _both_ways(items: ItemColumns) -> tuple[ItemColumns, DrawnItems, Array, list[str], int]:
    """The scored items; of their rows the weight on each side, closed and open, so that a question counts once on each
    however often it was asked, and 0 where it was answered one way only; their papers; and how many questions pair."""
    scored = items.where(lambda item: item.is_scored and item.variant in _SIDES)
    drawn = scored.drawn()
    asked: dict[tuple[int, str, str, str], list[float]] = {}
    keys = []
    for kind, count, cluster in zip(drawn.kinds.tolist(), drawn.counts.tolist(), drawn.clusters, strict=True):
        item = scored.kinds[kind]
        key = cluster, item.task, item.run, item.model
        keys.append((key, _SIDES[item.variant]))
        asked.setdefault(key, [0.0, 0.0])[_SIDES[item.variant]] += count
    weights = np.zeros((len(keys), 2))
    for row, (key, side) in enumerate(keys):
        if all(asked[key]):
            weights[row, side] = drawn.counts[row] / asked[key][side]
    return scored, drawn, weights, papers_of(scored, drawn), sum(all(each) for each in asked.values())


_NOT_BOTH = "no question is answered closed and open"


def _accuracy_difference(items: ItemColumns, again: bool) -> Measured:
    scored, drawn, weights, papers, pairs = _both_ways(items)
    if not pairs:
        return undefined(_NOT_BOTH, 0), None
    right = drawn.of([float(_is_right(kind)) for kind in scored.kinds])[:, None] * weights
    columns = np.column_stack([100 * (right[:, 1] - right[:, 0]), weights[:, 0]])
    sums = columns.sum(axis=0)
    found = Estimate(float(sums[0] / sums[1]), n=pairs)
    if not again:
        return found, None
    from core.scoring.tallies import EdgeTally

    return found, EdgeTally(columns, _divided, papers)


def _divided(sums: Array) -> Array:
    found = np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)
    return np.asarray(found, dtype=np.float64)


def _f1_difference(items: ItemColumns, again: bool) -> Measured:
    from core.scoring.tallies import EdgeTally, macro_f1s

    scored, drawn, weights, papers, pairs = _both_ways(items)
    if not pairs:
        return undefined(_NOT_BOTH, 0), None
    labels = labels_of([each.task for each in scored.kinds])
    width = len(labels.classes)
    rows = rows_of(scored)
    cells = np.asarray(cells_of(rows, answered_labels(rows, labels), labels), dtype=np.intp)[drawn.kinds]
    size = width * (width + 1)
    columns = np.zeros((len(cells), 2 * size))
    for side in (0, 1):
        columns[np.arange(len(cells)), side * size + cells] = weights[:, side]
    of_side = macro_f1s(width)

    def differences(sums: Array) -> Array:
        return np.asarray(100 * (of_side(sums[:, size:]) - of_side(sums[:, :size])), dtype=np.float64)

    found = Estimate(float(differences(columns.sum(axis=0, keepdims=True))[0]), n=pairs)
    return found, EdgeTally(columns, differences, papers) if again else None


# --- all of them -------------------------------------------------------------------------------------------------


def is_claim(item: ResultItem) -> bool:
    return item.task != DIRECTION_TASK


def _samples(items: ItemColumns, again: bool) -> Measured:
    found = items.sample_count
    return Estimate(found, n=found), None


ACCURACY = Metric(
    name="accuracy",
    title="Accuracy",
    told="Share of scored items with the right answer; an unparsable reply is wrong.",
    measure=partial(_share, _is_right),
)
MACRO_F1 = Metric(
    name="macro_f1",
    title="Macro-F1",
    told="Unweighted mean of F1 over the classes: True and False in types 1 to 4, three directions in type 5, all five "
    "where these are pooled. A class neither right nor said counts as 0, so that in type 1, where every claim is true, "
    "it is accuracy ÷ (1 + accuracy) if every reply can be read.",
    measure=_macro_f1,
)
MEAN_ACCURACY = Metric(
    name="accuracy:mean_of_types",
    title="Accuracy, mean of the types",
    told="The mean of the accuracies of the types, each worth the same however many questions it has.",
    measure=partial(_mean_of_types, partial(_share, _is_right)),
)
MEAN_MACRO_F1 = Metric(
    name="macro_f1:mean_of_types",
    title="Macro-F1, mean of the types",
    told="The mean of the macro-F1 of the types, each over its own classes.",
    measure=partial(_mean_of_types, _macro_f1),
)
_PAIRED = "over the questions answered both ways, in percentage points; several answers to one count as their mean."
ACCURACY_DIFFERENCE = Metric(
    name="difference:accuracy",
    title="Accuracy, open minus closed",
    told=f"Accuracy with the open-book prompt minus that with the closed one, {_PAIRED}",
    measure=_accuracy_difference,
    unit=POINTS,
)
F1_DIFFERENCE = Metric(
    name="difference:macro_f1",
    title="Macro-F1, open minus closed",
    told=f"Macro-F1 with the open-book prompt minus that with the closed one, {_PAIRED}",
    measure=_f1_difference,
    unit=POINTS,
)
MEAN_ACCURACY_DIFFERENCE = Metric(
    name="difference:accuracy:mean_of_types",
    title="Accuracy, open minus closed, mean of the types",
    told="The mean of these differences over the types, each worth the same.",
    measure=partial(_mean_of_types, _accuracy_difference),
    unit=POINTS,
)
MEAN_F1_DIFFERENCE = Metric(
    name="difference:macro_f1:mean_of_types",
    title="Macro-F1, open minus closed, mean of the types",
    told="The mean of these differences over the types, each worth the same.",
    measure=partial(_mean_of_types, _f1_difference),
    unit=POINTS,
)
SHARE_TRUE = Metric(
    name="share_true",
    title="Share of True said",
    told="Share of scored items of types 1 to 4 that are answered with True.",
    measure=partial(_share, lambda item: item.predicted == "True"),
    covers=is_claim,
)
SHARE_UNPARSABLE = Metric(
    name="share_unparsable",
    title="Share of unparsable",
    told="Share of scored items whose reply contains no answer.",
    measure=partial(_share, lambda item: item.status == ItemStatus.UNPARSABLE.value),
)
ASKED = Metric(
    name="asked",
    title="Questions",
    told="Samples of the runs, however many models answer them.",
    measure=_samples,
    scores=frozenset(status.value for status in ItemStatus),
    unit=COUNT,
)
_FIGURES = {
    "precision": ("Precision", "Share of the items answered with {label} whose right answer it is."),
    "recall": ("Recall", "Share of the items whose right answer is {label} that are answered with it."),
    "f1": ("F1", "Harmonic mean of precision and recall of {label}."),
}
OF_CLASSES: Mapping[str, Metric] = {
    f"{figure}:{label}": Metric(
        name=f"{figure}:{label}",
        title=f"{title} of {label}",
        told=told.format(label=label),
        measure=partial(_of_class, label, figure),
    )
    for figure, (title, told) in _FIGURES.items()
    for label in POOLED.classes
}

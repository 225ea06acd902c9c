"""Metrics of queries about one variable: balanced accuracy, F1 of yes, and the bias between false yes and false no."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from statistics import fmean

import numpy as np

from core.analysis.columns import ItemColumns
from core.analysis.items import ResultItem
from core.analysis.metrics import COUNT, RATIO, Metric
from core.estimate import Estimate, undefined
from protocols.causalgraph2llm.metrics import (
    UNSCORED,
    Array,
    Measured,
    divided,
    is_node,
    summed,
    tally_of,
)
from protocols.causalgraph2llm.tasks import ENCODINGS, NO, YES


def _confusion(item: ResultItem) -> tuple[float, ...]:
    """Return true yes, true no, false yes, false no, all yes and all no as 0 or 1."""
    is_yes, is_no = item.answer == YES, item.answer == NO
    says_yes, says_no = item.predicted == YES, item.predicted == NO
    marks = (is_yes and says_yes, is_no and says_no, is_no and says_yes, is_yes and says_no, is_yes, is_no)
    return tuple(map(float, marks))


def _of_confusion(statistic: Callable[[Array], Array], reason: str, items: ItemColumns, again: bool) -> Measured:
    scored, sums, rows = summed(items, is_node, _confusion)
    if not len(scored):
        return undefined(UNSCORED, 0), None
    (value,) = statistic(sums[None, :])
    estimate = undefined(reason, len(scored)) if math.isnan(value) else Estimate(float(value), n=len(scored))
    return estimate, tally_of(scored, rows, statistic) if again and estimate.value is not None else None


def _of(name: str, title: str, told: str, statistic: Callable[[Array], Array], reason: str, unit: str) -> Metric:
    measure = partial(_of_confusion, statistic, reason)
    return Metric(name=name, title=title, told=told, measure=measure, covers=is_node, unit=unit)


BALANCED = _of(
    "balanced_accuracy",
    "Balanced accuracy",
    "Mean of the share of yes that is called yes and of the share of no that is called no.",
    lambda sums: np.asarray((divided(sums[:, 0], sums[:, 4]) + divided(sums[:, 1], sums[:, 5])) / 2, dtype=np.float64),
    "only one of yes and no is asked",
    "share",
)
F1_OF_YES = _of(
    "f1:yes",
    "F1 of yes",
    "F1 of the answer yes, as precision and recall of it would give it.",
    lambda sums: divided(2 * sums[:, 0], sums[:, 0] + sums[:, 2] + sums[:, 4]),
    "nothing is yes and nothing is called yes",
    "share",
)
FALSE_YES = _of(
    "false_yes",
    "False yes (FP)",
    "Queries whose answer is no and that are answered yes.",
    lambda sums: sums[:, 2],
    "",
    COUNT,
)
FALSE_NO = _of(
    "false_no",
    "False no (FN)",
    "Queries whose answer is yes and that are answered no.",
    lambda sums: sums[:, 3],
    "",
    COUNT,
)
TAU = _of(
    "tau",
    "τ = FP / FN, pooled",
    "False yes divided by false no, of all items of the cell together; above 1 the model says yes too often. It is "
    "undefined, not large, where there is no false no.",
    lambda sums: divided(sums[:, 2], sums[:, 3]),
    "there is no false no",
    RATIO,
)


def _mean_tau(logs: bool, items: ItemColumns, again: bool) -> Measured:
    cells: dict[tuple[str, str], Array] = {}  # (task, encoding) → sums of the confusion
    for kind, count in items.counted():
        if kind.is_scored and is_node(kind):
            key = kind.task, " ".join(kind.values("encoding"))
            cells[key] = cells.get(key, np.zeros(6)) + count * np.asarray(_confusion(kind))
    if not cells:
        return undefined(UNSCORED, 0), None
    pairs = {cell: (sums[2], sums[3]) for cell, sums in cells.items()}
    ratios = {cell: fp / fn for cell, (fp, fn) in pairs.items() if fn and (fp or not logs)}
    missing = [
        f"{task} in {ENCODINGS.get(encoding, encoding)}" for task, encoding in pairs if (task, encoding) not in ratios
    ]
    why = (
        f"no ratio for {', '.join(missing[:5])}{f' and {len(missing) - 5} more' if len(missing) > 5 else ''}"
        if missing
        else ""
    )
    if not ratios:
        return undefined(why, len(pairs)), None
    value = fmean(math.log(each) for each in ratios.values()) if logs else fmean(ratios.values())
    return Estimate(
        value, n=len(ratios), reason=f"mean over {len(ratios)} of {len(pairs)} cells; {why}" if why else ""
    ), None


MEAN_TAU = Metric(
    name="mean_tau",
    title="Mean of τ",
    told="The paper's: the mean of FP / FN over cells of one kind in one encoding. Cells without a false no have no "
    "ratio and are named.",
    measure=partial(_mean_tau, False),
    covers=is_node,
    unit=RATIO,
)
MEAN_LOG_TAU = Metric(
    name="mean_log_tau",
    title="Mean of log τ",
    told="The mean of the natural logarithm of FP / FN over the same cells, which treats both directions alike; above "
    "0 the model says yes too often.",
    measure=partial(_mean_tau, True),
    covers=is_node,
    unit=RATIO,
)

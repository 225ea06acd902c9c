"""Metrics of queries about one variable: balanced accuracy, F1 of yes, and the bias between false yes and false no."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean

import numpy as np

from core.analysis.columns import ItemColumns
from core.analysis.items import ResultItem
from core.analysis.metrics import COUNT, RATIO, SHARE, UNSCORED, Array, Measured, Metric, of_sums
from core.estimate import Estimate, undefined
from core.scoring.tallies import divided
from protocols.causalgraph2llm.metrics import encoding_of, is_node
from protocols.causalgraph2llm.tasks import NO, YES


def _marks(item: ResultItem) -> tuple[bool, ...]:
    """True yes, true no, false yes, false no, all yes and all no."""
    is_yes, is_no, says_yes, says_no = (
        item.answer == YES,
        item.answer == NO,
        item.predicted == YES,
        item.predicted == NO,
    )
    return is_yes and says_yes, is_no and says_no, is_no and says_yes, is_yes and says_no, is_yes, is_no


def _columns(kinds: Sequence[ResultItem]) -> Array:
    return np.array([_marks(kind) for kind in kinds], dtype=np.float64)


def _of(name: str, title: str, told: str, figure: Callable[..., Array], reason: str = "", unit: str = SHARE) -> Metric:
    """A figure of the sums of an item's marks."""
    measure = of_sums(_columns, lambda sums: figure(*sums.T), reason, covers=is_node)
    return Metric(name=name, title=title, told=told, measure=measure, covers=is_node, unit=unit)


BALANCED = _of(
    "balanced_accuracy",
    "Balanced accuracy",
    "Mean of the share of yes that is called yes and of the share of no that is called no.",
    lambda tp, tn, fp, fn, yes, no: (divided(tp, yes) + divided(tn, no)) / 2,
    "only one of yes and no is asked",
)
F1_OF_YES = _of(
    "f1:yes",
    "F1 of yes",
    "F1 of the answer yes, as precision and recall of it would give it.",
    lambda tp, tn, fp, fn, yes, no: divided(2 * tp, tp + fp + yes),
    "nothing is yes and nothing is called yes",
)
TAU = _of(
    "tau",
    "τ = FP / FN, pooled",
    "False yes divided by false no, of all items of the cell together; above 1 the model says yes too often. It is "
    "undefined, not large, where there is no false no.",
    lambda tp, tn, fp, fn, yes, no: divided(fp, fn),
    "there is no false no",
    RATIO,
)
ERRORS = (
    _of(
        "false_yes",
        "False yes (FP)",
        "Queries whose answer is no and that are answered yes.",
        lambda tp, tn, fp, fn, yes, no: fp,
        unit=COUNT,
    ),
    _of(
        "false_no",
        "False no (FN)",
        "Queries whose answer is yes and that are answered no.",
        lambda tp, tn, fp, fn, yes, no: fn,
        unit=COUNT,
    ),
    TAU,
)


def _mean_tau(logs: bool, items: ItemColumns, again: bool) -> Measured:
    wrong: dict[str, list[int]] = {}  # "sink in JSON" → false yes and false no
    for kind, count in items.counted():
        if kind.is_scored and is_node(kind):
            cell = wrong.setdefault(f"{kind.task} in {encoding_of(kind)}", [0, 0])
            _, _, is_false_yes, is_false_no, _, _ = _marks(kind)
            cell[0] += count * is_false_yes
            cell[1] += count * is_false_no
    ratios = {cell: fp / fn for cell, (fp, fn) in wrong.items() if fn and (fp or not logs)}
    missing = [cell for cell in wrong if cell not in ratios]
    more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
    why = f"no ratio for {', '.join(missing[:5])}{more}" if missing else ""
    if not ratios:
        return undefined(why or UNSCORED, len(wrong)), None
    note = f"mean over {len(ratios)} of {len(wrong)} cells; {why}" if why else ""
    return Estimate(
        fmean(map(math.log, ratios.values()) if logs else ratios.values()), n=len(ratios), reason=note
    ), None


MEANS_OF_TAU = tuple(
    Metric(name=name, title=title, told=told, measure=partial(_mean_tau, logs), covers=is_node, unit=RATIO)
    for name, title, logs, told in (
        (
            "mean_tau",
            "Mean of τ",
            False,
            "The paper's: the mean of FP / FN over cells of one kind in one encoding. Cells without a false no have no "
            "ratio and are named.",
        ),
        (
            "mean_log_tau",
            "Mean of log τ",
            True,
            "The mean of the natural logarithm of FP / FN over the same cells, which treats both directions alike; "
            "above 0 the model says yes too often.",
        ),
    )
)

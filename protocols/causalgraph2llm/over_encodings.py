"""Metrics over means by encoding, kind and repeat: spreads, deviations, the best and the median text encoding."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from statistics import fmean, median, stdev

import numpy as np

from core.analysis.columns import ItemColumns
from core.analysis.items import ResultItem
from core.analysis.metrics import POINTS, Condition, Measured, Metric
from core.estimate import Estimate, undefined
from core.words import counted
from protocols.causalgraph2llm.metrics import encoding_of, is_list, is_node, mean, value_of
from protocols.causalgraph2llm.tasks import ENCODINGS, PICTURE

Means = Mapping[str, float]
_PICTURE = ENCODINGS[PICTURE]


def _means_by(group: Callable[[ResultItem], str], covers: Condition, items: ItemColumns) -> Means:
    """The mean value of the scored items of each group, in the order of the items."""
    sums: dict[str, list[float]] = {}
    for kind, count in items.counted():
        if kind.is_scored and covers(kind):
            totals = sums.setdefault(group(kind), [0.0, 0.0])
            totals[0] += count * value_of(kind)
            totals[1] += count
    return {key: total / number for key, (total, number) in sums.items()}


def _by_repeat(items: ItemColumns) -> Means:
    """The mean value of the lists that were asked for the first time, the second time and so on."""
    import pandas as pd

    scored = items.where(lambda item: item.is_scored and is_list(item))
    repeat = pd.Series(scored.samples).groupby(scored.samples).cumcount().to_numpy()
    values = np.array([value_of(kind) for kind in scored.kinds] or [0.0])[scored.numbers]
    return {str(number): float(values[repeat == number].mean()) for number in np.unique(repeat).tolist()}


def _over(
    name: str,
    title: str,
    told: str,
    means_of: Callable[[ItemColumns], Means],
    figure: Callable[[Collection[float]], float],
    least: int,
    reason: str,
    covers: Condition = is_list,
) -> Metric:
    """A figure of means; undefined where there are fewer than `least`, for a `reason` with a place for their number."""

    def measure(items: ItemColumns, again: bool) -> Measured:
        means = list(means_of(items).values())
        if len(means) < least:
            return undefined(reason.format(counted(len(means), "kind")), len(means)), None
        return Estimate(figure(means), n=len(means)), None

    return Metric(name=name, title=title, told=told, measure=measure, covers=covers)


_by_kind = partial(_means_by, lambda item: item.task, is_list)
OF_ENCODINGS = (
    _over(
        "f1:kinds",
        "F1, mean of kinds",
        "The mean of the mean F1 of each kind, each worth the same however many queries it has: the paper's average.",
        _by_kind,
        fmean,
        1,
        "{} with a score, and 1 are needed",
    ),
    _over(
        "f1:sd_kinds",
        "F1, standard deviation over kinds",
        "The standard deviation (n − 1) of these means over the kinds: what the paper prints behind ±. It says how "
        "unlike the kinds are, not how exact a mean is.",
        _by_kind,
        stdev,
        2,
        "{} with a score, and 2 are needed",
    ),
    _over(
        "f1:sd_repeats",
        "F1, standard deviation over repeats",
        "The standard deviation (n − 1) of the mean F1 over the repeats of a run.",
        _by_repeat,
        stdev,
        2,
        "the samples were asked once",
    ),
)


def _is_text(item: ResultItem) -> bool:
    return is_list(item) and encoding_of(item) != _PICTURE


OF_PICTURES = (
    mean(
        "f1:picture",
        "F1, picture",
        "Mean F1 of lists where the graph is shown as a picture.",
        lambda item: is_list(item) and encoding_of(item) == _PICTURE,
    ),
    *(
        _over(
            f"f1:{name}_text",
            f"F1, {title}",
            told,
            partial(_means_by, encoding_of, _is_text),
            figure,
            1,
            "no text encoding has a score",
            _is_text,
        )
        for name, title, told, figure in (
            ("best", "best text encoding", "The largest mean F1 of a text encoding.", max),
            ("median", "median of text encodings", "The median of the mean F1 of the text encodings.", median),
        )
    ),
)


def _spread(covers: Condition, items: ItemColumns, again: bool) -> Measured:
    means = _means_by(encoding_of, covers, items)
    if len(means) < 2:
        return undefined(f"{counted(len(means), 'encoding')} with a score, and a spread needs two", len(means)), None
    best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    note = f"{best} {means[best]:.3f}, {worst} {means[worst]:.3f}"
    return Estimate(100 * (means[best] - means[worst]), n=len(means), reason=note), None


SPREADS = tuple(
    Metric(
        name=f"spread:{title}",
        title=f"Spread over encodings, {title}",
        told="The largest mean of an encoding minus the smallest, in percentage points; the note says which two.",
        measure=partial(_spread, covers),
        covers=covers,
        unit=POINTS,
    )
    for title, covers in (("F1 of lists", is_list), ("accuracy, one variable", is_node))
)

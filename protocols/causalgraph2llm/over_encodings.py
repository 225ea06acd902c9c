"""Metrics over means by encoding, kind and repeat: spreads, deviations, the best and the median text encoding."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from statistics import fmean, median, stdev

import numpy as np

from core.analysis.columns import ItemColumns
from core.analysis.items import ResultItem
from core.analysis.metrics import POINTS, Condition, Measure, Measured, Metric
from core.estimate import Estimate, undefined
from core.words import counted
from protocols.causalgraph2llm.metrics import encoding_of, is_list, mean, value_of
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
    means_of: Callable[[ItemColumns], Means],
    figure: Callable[[Collection[float]], float],
    least: int,
    why: Callable[[int], str],
    note: Callable[[Means], str] = lambda means: "",
) -> Measure:
    """A figure of means; `why` it is undefined where there are fewer than `least` of them."""

    def measure(items: ItemColumns, again: bool) -> Measured:
        means = means_of(items)
        if len(means) < least:
            return undefined(why(len(means)), len(means)), None
        return Estimate(figure(means.values()), n=len(means), reason=note(means)), None

    return measure


def _best_and_worst(means: Means) -> str:
    best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    return f"{best} {means[best]:.3f}, {worst} {means[worst]:.3f}"


def spread(title: str, covers: Condition) -> Metric:
    return Metric(
        name=f"spread:{title}",
        title=f"Spread over encodings, {title}",
        told="The largest mean of an encoding minus the smallest, in percentage points; the note says which two.",
        measure=_over(
            partial(_means_by, encoding_of, covers),
            lambda means: 100 * (max(means) - min(means)),
            2,
            lambda n: f"{counted(n, 'encoding')} with a score, and a spread needs two",
            _best_and_worst,
        ),
        covers=covers,
        unit=POINTS,
    )


def _over_kinds(figure: Callable[[Collection[float]], float], least: int) -> Measure:
    why = f"with a score, and {least} are needed"
    return _over(
        partial(_means_by, lambda item: item.task, is_list), figure, least, lambda n: f"{counted(n, 'kind')} {why}"
    )


MEAN_OF_KINDS = Metric(
    name="f1:kinds",
    title="F1, mean of kinds",
    told="The mean of the mean F1 of each kind, each worth the same however many queries it has: the paper's average.",
    measure=_over_kinds(fmean, 1),
    covers=is_list,
)
SD_OF_KINDS = Metric(
    name="f1:sd_kinds",
    title="F1, standard deviation over kinds",
    told="The standard deviation (n − 1) of these means over the kinds: what the paper prints behind ±. It says how "
    "unlike the kinds are, not how exact a mean is.",
    measure=_over_kinds(stdev, 2),
    covers=is_list,
)
SD_OF_REPEATS = Metric(
    name="f1:sd_repeats",
    title="F1, standard deviation over repeats",
    told="The standard deviation (n − 1) of the mean F1 over the repeats of a run.",
    measure=_over(_by_repeat, stdev, 2, lambda n: "the samples were asked once"),
    covers=is_list,
)


def _is_text(item: ResultItem) -> bool:
    return is_list(item) and encoding_of(item) != _PICTURE


def _over_texts(figure: Callable[[Collection[float]], float]) -> Measure:
    return _over(partial(_means_by, encoding_of, _is_text), figure, 1, lambda n: "no text encoding has a score")


PICTURE_F1 = mean(
    "f1:picture",
    "F1, picture",
    "Mean F1 of lists where the graph is shown as a picture.",
    lambda item: is_list(item) and encoding_of(item) == _PICTURE,
)
BEST_TEXT = Metric(
    name="f1:best_text",
    title="F1, best text encoding",
    told="The largest mean F1 of a text encoding.",
    measure=_over_texts(max),
    covers=_is_text,
)
MEDIAN_TEXT = Metric(
    name="f1:median_text",
    title="F1, median of text encodings",
    told="The median of the mean F1 of the text encodings.",
    measure=_over_texts(median),
    covers=_is_text,
)

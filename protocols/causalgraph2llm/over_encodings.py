"""Metrics over means by encoding, kind and repeat: spreads, deviations, the best and the median text encoding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean, median, stdev

import numpy as np

from core.analysis.columns import ItemColumns
from core.analysis.items import ResultItem
from core.analysis.metrics import POINTS, Metric
from core.estimate import Estimate, undefined
from core.words import counted
from protocols.causalgraph2llm.metrics import (
    Measured,
    is_list,
    mean,
    value_of,
)
from protocols.causalgraph2llm.tasks import ENCODINGS, PICTURE


def _means_by(
    items: ItemColumns, name: Callable[[ResultItem], str], covers: Callable[[ResultItem], bool]
) -> dict[str, float]:
    """Return the mean value of the scored items per name, in the order of the items."""
    sums: dict[str, list[float]] = {}
    for kind, count in items.counted():
        if kind.is_scored and covers(kind):
            totals = sums.setdefault(name(kind), [0.0, 0.0])
            totals[0] += count * value_of(kind)
            totals[1] += count
    return {key: total / count_sum for key, (total, count_sum) in sums.items()}


def encoding_of(item: ResultItem) -> str:
    return " ".join(item.values("encoding"))


def _spread(covers: Callable[[ResultItem], bool], items: ItemColumns, again: bool) -> Measured:
    means = _means_by(items, encoding_of, covers)
    if len(means) < 2:
        return undefined(f"{counted(len(means), 'encoding')} with a score, and a spread needs two", len(means)), None
    best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    note = f"{ENCODINGS.get(best, best)} {means[best]:.3f}, {ENCODINGS.get(worst, worst)} {means[worst]:.3f}"
    return Estimate(100 * (means[best] - means[worst]), n=len(means), reason=note), None


def spread(title: str, covers: Callable[[ResultItem], bool]) -> Metric:
    return Metric(
        name=f"spread:{title}",
        title=f"Spread over encodings, {title}",
        told="The largest mean of an encoding minus the smallest, in percentage points; the note says which two.",
        measure=partial(_spread, covers),
        covers=covers,
        unit=POINTS,
    )


def _over_kinds(statistic: Callable[[Sequence[float]], float], least: int, items: ItemColumns, again: bool) -> Measured:
    means = list(_means_by(items, lambda item: item.task, is_list).values())
    if len(means) < least:
        return undefined(f"{counted(len(means), 'kind')} with a score, and {least} are needed", len(means)), None
    return Estimate(statistic(means), n=len(means)), None


MEAN_OF_KINDS = Metric(
    name="f1:kinds",
    title="F1, mean of kinds",
    told="The mean of the mean F1 of each kind, each worth the same however many queries it has: the paper's average.",
    measure=partial(_over_kinds, fmean, 1),
    covers=is_list,
)
SD_OF_KINDS = Metric(
    name="f1:sd_kinds",
    title="F1, standard deviation over kinds",
    told="The standard deviation (n − 1) of these means over the kinds: what the paper prints behind ±. It says how "
    "unlike the kinds are, not how exact a mean is.",
    measure=partial(_over_kinds, stdev, 2),
    covers=is_list,
)


def _sd_of_repeats(items: ItemColumns, again: bool) -> Measured:
    scored = items.where(lambda item: item.is_scored and is_list(item))
    samples = scored.samples
    order = np.argsort(samples, kind="stable")
    ranks = np.zeros(len(samples), dtype=np.intp)
    starts = np.flatnonzero(np.r_[True, np.diff(samples[order]) != 0]) if len(samples) else np.zeros(0, dtype=np.intp)
    sizes = np.diff(np.r_[starts, len(samples)])
    ranks[order] = np.arange(len(samples)) - np.repeat(starts, sizes)
    values = np.asarray([value_of(kind) for kind in scored.kinds] or [0.0])[scored.numbers]
    means = [float(values[ranks == rank].mean()) for rank in range(int(ranks.max()) + 1)] if len(samples) else []
    if len(means) < 2:
        return undefined("the samples were asked once", len(means)), None
    return Estimate(stdev(means), n=len(means)), None


SD_OF_REPEATS = Metric(
    name="f1:sd_repeats",
    title="F1, standard deviation over repeats",
    told="The standard deviation (n − 1) of the mean F1 over the repeats of a run.",
    measure=_sd_of_repeats,
    covers=is_list,
)


def _of_texts(statistic: Callable[[Sequence[float]], float], items: ItemColumns, again: bool) -> Measured:
    means = [each for name, each in _means_by(items, encoding_of, is_list).items() if name != PICTURE]
    if not means:
        return undefined("no text encoding has a score", 0), None
    return Estimate(statistic(means), n=len(means)), None


PICTURE_F1 = mean(
    "f1:picture",
    "F1, picture",
    "Mean F1 of lists where the graph is shown as a picture.",
    lambda item: is_list(item) and encoding_of(item) == PICTURE,
    value_of,
)
BEST_TEXT = Metric(
    name="f1:best_text",
    title="F1, best text encoding",
    told="The largest mean F1 of a text encoding.",
    measure=partial(_of_texts, max),
    covers=lambda item: is_list(item) and encoding_of(item) != PICTURE,
)
MEDIAN_TEXT = Metric(
    name="f1:median_text",
    title="F1, median of text encodings",
    told="The median of the mean F1 of the text encodings.",
    measure=partial(_of_texts, median),
    covers=lambda item: is_list(item) and encoding_of(item) != PICTURE,
)

"""Differences between two conditions over the queries that were answered in both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.analysis.columns import ItemColumns
from core.analysis.items import ResultItem
from core.analysis.metrics import POINTS, Metric
from core.estimate import Estimate, undefined
from protocols.causalgraph2llm.metrics import (
    Measured,
    divided,
    graphs_of,
    query_tally,
    value_of,
)
from protocols.causalgraph2llm.tasks import is_explained

NOT_BOTH = "no query is answered both ways"


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two conditions of a query."""

    side: Callable[[ResultItem], int | None]  # of an item 0 or 1; None for neither
    rest: Callable[[ResultItem], tuple[str, ...]]  # equal within a pair


def _conditions_of(item: ResultItem, *but: str) -> tuple[str, ...]:
    explained = "explained" if is_explained(item.variant) else "unexplained"
    conditions = {name: " ".join(item.values(name)) for name in ("encoding", "order", "names")} | {
        "explained": explained
    }
    return (item.run, item.model, *(value for name, value in conditions.items() if name not in but))


def by_label(name: str, first: str, second: str) -> Pairing:
    """Compare two values of a label: first minus second."""

    def side(item: ResultItem) -> int | None:
        values = item.values(name)
        return 0 if first in values else 1 if second in values else None

    return Pairing(side, lambda item: _conditions_of(item, name))


EXPLAINED = Pairing(lambda item: 0 if is_explained(item.variant) else 1, lambda item: _conditions_of(item, "explained"))


def _paired(pairing: Pairing, covers: Callable[[ResultItem], bool], items: ItemColumns, again: bool) -> Measured:
    scored = items.where(lambda item: item.is_scored and covers(item) and pairing.side(item) is not None)
    sides = [pairing.side(kind) for kind in scored.kinds]
    rests = [pairing.rest(kind) for kind in scored.kinds]
    values = [value_of(kind) for kind in scored.kinds]
    if len({*sides}) < 2:
        return undefined(NOT_BOTH, 0), None
    numbers, names = graphs_of(scored)
    graphs = numbers.tolist()
    drawn = scored.drawn()
    pairs: dict[tuple[int, tuple[str, ...]], list[float]] = {}
    graph_of: dict[int, int] = {}
    for kind, count, cluster in zip(drawn.kinds.tolist(), drawn.counts.tolist(), drawn.clusters, strict=True):
        sums = pairs.setdefault((cluster, rests[kind]), [0.0, 0.0, 0.0, 0.0])
        side = sides[kind] or 0
        sums[2 * side] += values[kind] * count
        sums[2 * side + 1] += count
        graph_of[cluster] = graphs[kind]
    both = [(key[0], sums[0] / sums[1] - sums[2] / sums[3]) for key, sums in pairs.items() if sums[1] and sums[3]]
    if not both:
        return undefined(NOT_BOTH, 0), None
    differences = np.asarray([[100 * each, 1.0] for _, each in both])
    estimate = Estimate(float(differences[:, 0].mean()), n=len(both))
    if not again:
        return estimate, None
    units = np.array([cluster for cluster, _ in both])
    strata = np.array([graph_of[cluster] for cluster, _ in both])
    return estimate, query_tally(differences, lambda drawn: divided(drawn[:, 0], drawn[:, 1]), units, strata, names)


def paired(title: str, what: str, pairing: Pairing, covers: Callable[[ResultItem], bool]) -> Metric:
    """Return the metric of a pairing; `what` names its two conditions in words."""
    return Metric(
        name=f"paired:{title}",
        title=title,
        told=f"Mean difference, {what}, in percentage points of F1 or of right answers, over the queries that were "
        "answered both ways; all else by which they are told is alike.",
        measure=partial(_paired, pairing, covers),
        covers=lambda item: covers(item) and pairing.side(item) is not None,
        unit=POINTS,
    )

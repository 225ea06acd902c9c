"""Scores of answers about graphs: F1 of lists, accuracy about one variable, and numbers of queries; each mean has an
interval that draws queries within graphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.analysis.columns import ItemColumns
from core.analysis.items import ResultItem
from core.analysis.metrics import COUNT, Metric
from core.estimate import Estimate, ratio, undefined
from core.scoring.interval import Numbers, Resampling, Statistic, with_interval, within_strata
from core.scoring.tallies import EdgeTally
from protocols.causalgraph2llm.tasks import EMPTY, LISTED_NAMES, YES, level_of

Array = NDArray[np.float64]
Measured = tuple[Estimate, EdgeTally | None]
GraphName = tuple[str, ...]
MOST_WITHIN = 9
"""Graphs up to which queries are drawn within each; of more graphs, graphs are drawn as wholes."""
UNSCORED = "no item is scored"


@dataclass(frozen=True, slots=True)
class QueryTally(EdgeTally):
    """EdgeTally whose clusters are queries.

    Attributes:
        units: number of each row's query
        graphs: index of each row's graph in `names`
    """

    units: Numbers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    graphs: Numbers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    names: Sequence[GraphName] = ()

    def with_interval(self, found: Estimate, how: Resampling | None) -> Estimate:
        """`found` with its percentile interval: over queries within graphs, or over graphs where there are many."""
        if len(np.unique(self.graphs)) > MOST_WITHIN:
            return with_interval(found, self.columns, self.statistic, how, self.graphs.tolist())
        return within_strata(found, self.columns, self.statistic, how, self.units, self.graphs)

    def joined(self, tallies: Sequence[EdgeTally], columns: Array, statistic: Statistic) -> EdgeTally:
        """Join tallies as `EdgeTally.joined` does; each numbers graphs by itself, so graphs are matched by name."""
        number: dict[GraphName, int] = {}
        units, graphs = [], []
        for each in tallies:
            assert isinstance(each, QueryTally), "tallies of one measure are of one class"
            units.append(each.units)
            as_here = [number.setdefault(name, len(number)) for name in each.names]
            graphs.append(np.array(as_here, dtype=np.int64)[each.graphs])
        return query_tally(columns, statistic, np.concatenate(units), np.concatenate(graphs), list(number))


def query_tally(
    columns: Array, statistic: Statistic, units: Numbers, graphs: Numbers, names: Sequence[GraphName]
) -> QueryTally:
    """Return the tally of rows with these queries and graphs."""
    return QueryTally(columns, statistic, units.tolist(), units, graphs, names)


def graphs_of(items: ItemColumns) -> tuple[Numbers, list[GraphName]]:
    """Return the number of each kind's graph, in order of first occurrence, and the names of the graphs."""
    number: dict[GraphName, int] = {}
    found = [number.setdefault(kind.values("graph"), len(number)) for kind in items.kinds]
    return np.array(found, dtype=np.int64), list(number)


def is_list(item: ResultItem) -> bool:
    return level_of(item.variant).value == "graph"


def is_node(item: ResultItem) -> bool:
    return not is_list(item)


def is_not_empty(item: ResultItem) -> bool:
    return is_list(item) and item.answer == LISTED_NAMES


def value_of(item: ResultItem) -> float:
    """Return the score of a scored answer, 0 to 1; without a score, 1 if it is right."""
    return item.score if item.score is not None else float(item.is_right is True)


# --- shares and means --------------------------------------------------------------------------------------------

_Columns = Callable[[ResultItem], tuple[float, ...]]


def summed(
    items: ItemColumns, covers: Callable[[ResultItem], bool], columns: _Columns
) -> tuple[ItemColumns, Array, list[tuple[float, ...]]]:
    """The scored items that are covered, the sums of their columns, and the columns of each kind."""
    scored = items.where(lambda item: item.is_scored and covers(item))
    rows = [columns(kind) for kind in scored.kinds]
    sums = np.asarray(scored.counts, dtype=np.float64) @ np.asarray(rows) if rows else np.zeros(0)
    return scored, sums, rows


def tally_of(scored: ItemColumns, rows: Sequence[tuple[float, ...]], statistic: Statistic) -> QueryTally:
    drawn = scored.drawn()
    columns = np.asarray(rows, dtype=np.float64)[drawn.kinds] * np.asarray(drawn.counts)[:, None]
    graphs, names = graphs_of(scored)
    return query_tally(columns, statistic, drawn.units, graphs[drawn.kinds], names)


def divided(above: Array, below: Array) -> Array:
    found = np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0)
    return np.asarray(found, dtype=np.float64)


def _mean(
    covers: Callable[[ResultItem], bool], value: Callable[[ResultItem], float], items: ItemColumns, again: bool
) -> Measured:
    scored, sums, rows = summed(items, covers, lambda item: (value(item), 1.0))
    if not len(scored):
        return undefined(UNSCORED, 0), None
    found = replace(ratio(float(sums[0]), float(sums[1]), UNSCORED), n=len(scored))
    return found, tally_of(scored, rows, lambda drawn: divided(drawn[:, 0], drawn[:, 1])) if again else None


def mean(
    name: str, title: str, told: str, covers: Callable[[ResultItem], bool], value: Callable[[ResultItem], float]
) -> Metric:
    return Metric(name=name, title=title, told=told, measure=partial(_mean, covers, value), covers=covers)


F1 = mean(
    "f1:all",
    "F1, all lists",
    "Mean F1 of the named variables over all queries about all variables: 1 where no variable answers and none is "
    "named, 0 where only one of these is so or the reply is unparsable.",
    is_list,
    value_of,
)
F1_NOT_EMPTY = mean(
    "f1:not_empty",
    "F1, lists that are not empty",
    "The same mean over the queries that at least one variable answers.",
    is_not_empty,
    value_of,
)
SHARE_NULL = mean(
    "share_null",
    "Share of Null",
    "Share of scored lists in which no variable is named.",
    is_list,
    lambda item: float(item.predicted == EMPTY),
)
NODE_ACCURACY = mean(
    "node_accuracy",
    "Accuracy, one variable",
    "Share of scored queries about one variable with the true answer; an unparsable reply is wrong.",
    is_node,
    value_of,
)


# --- counts ------------------------------------------------------------------------------------------------------


def _samples(is_so: Callable[[ResultItem], bool], items: ItemColumns, again: bool) -> Measured:
    found = items.where(is_so).sample_count
    return Estimate(found, n=found), None


def counts_of(name: str, title: str, told: str, is_so: Callable[[ResultItem], bool]) -> Metric:
    every = frozenset({"pending", "answered", "incomplete", "unparsable", "truncated", "refused", "excluded", "failed"})
    return Metric(name=name, title=title, told=told, measure=partial(_samples, is_so), scores=every, unit=COUNT)


COUNTS: Mapping[str, Metric] = {
    "queries": counts_of("queries", "Queries", "Samples of the runs, however many models answer them.", lambda _: True),
    "yes": counts_of("yes", "Yes", "Samples whose true answer is yes.", lambda item: item.answer == YES),
    "empty": counts_of("empty", "Empty", "Samples whose true list is empty.", lambda item: item.answer == EMPTY),
}

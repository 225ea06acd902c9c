"""Agreement over a set of figures: the mean over graphs and the pooled figure, each always named."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.agreement.counts import Element, GraphCounts, Measure, measured, total
from core.agreement.ratings import LEAST_UNITS, Array
from core.estimate import Estimate, undefined
from core.scoring.interval import Resampling, Statistic, with_interval

# The columns of ReCITE's table 20, in its order; its rows are the elements.
TABLE_20 = (Measure.PRECISION, Measure.RECALL, Measure.F1, Measure.SHD, Measure.NORMALISED_SHD, Measure.KAPPA)


@dataclass(frozen=True, slots=True, kw_only=True)
class OverGraphs:
    """One measure over figures.

    `mean` and `sd` (population: divided by the number, not by one less) are over the figures in which the measure is
    defined, `mean.n` of them; `undefined` counts the others by their reason. `pooled` is the measure of all counts
    added up, so large figures weigh more. Intervals, if asked for, come from drawing figures, or clusters of them."""

    element: Element
    measure: Measure
    per_graph: tuple[Estimate, ...]
    mean: Estimate
    sd: Estimate
    pooled: Estimate
    undefined: Mapping[str, int]


def over_graphs(
    rows: Sequence[GraphCounts],
    element: Element,
    measure: Measure,
    how: Resampling | None = None,
    clusters: Sequence[Hashable] | None = None,
) -> OverGraphs:
    """Return one measure, per figure, as mean ± population sd over figures, and pooled.

    `how` asks for bootstrap intervals of mean and pooled figure; `clusters` (one name per row: the paper, the
    annotator) draws whole clusters. The pooled SHD is a sum.

    >>> row = GraphCounts.of_row("491", nodes=12, edges=21, node_fp=0, node_fn=0, edge_fp=0, edge_fn=1)
    >>> over_graphs([row], Element.EDGES, Measure.RECALL).pooled.value
    0.9523809523809523
    """
    per_graph = tuple(measured(row, element, measure) for row in rows)
    values = [estimate.value for estimate in per_graph if estimate.value is not None]
    mean, sd = _mean_and_sd(values, per_graph)
    pooled = measured(total(rows), element, measure)
    if how is not None and rows:
        # Per figure its value (0 if undefined) and whether it has one.
        defined = [(estimate.value or 0.0, estimate.value is not None) for estimate in per_graph]
        columns = np.array(defined, dtype=np.float64)
        mean = with_interval(mean, columns, lambda sums: _over(sums[:, 0], sums[:, 1]), how, clusters)
        part, formula = _FORMULAS[measure]
        pooled = with_interval(pooled, _columns(rows, element), lambda sums: formula(sums[:, part]), how, clusters)
    reasons = Counter(estimate.reason for estimate in per_graph if estimate.value is None)
    return OverGraphs(
        element=element, measure=measure, per_graph=per_graph, mean=mean, sd=sd, pooled=pooled, undefined=dict(reasons)
    )


def table_20(rows: Sequence[GraphCounts], how: Resampling | None = None) -> tuple[OverGraphs, ...]:
    """Return ReCITE's table 20, row by row: its measures of nodes, edges and both; kappa is undefined but for edges."""
    return tuple(over_graphs(rows, element, measure, how) for element in Element for measure in TABLE_20)


def _mean_and_sd(values: Sequence[float], per_graph: Sequence[Estimate]) -> tuple[Estimate, Estimate]:
    n = len(values)
    if n == 0:
        nowhere = undefined("it is defined in no graph" if per_graph else "there are no graphs", 0)
        return nowhere, nowhere
    mean = math.fsum(values) / n
    return Estimate(mean, n=n), Estimate(math.sqrt(math.fsum((value - mean) ** 2 for value in values) / n), n=n)


def _columns(rows: Sequence[GraphCounts], element: Element) -> Array:
    """Return per figure: tp, fp, fn; the four kinds of ordered pairs; the four of signs, of delays; loops common,
    others, capped, and their kinds in both and in either; names by class; reversed edges."""
    table = []
    for row in rows:
        elements, pairs, signs, loops = row.of(element), row.pairs, row.signs, row.loops
        table.append(
            (
                elements.tp,
                elements.fp,
                elements.fn,
                pairs.both,
                pairs.reference_only,
                pairs.candidate_only,
                pairs.neither,
                signs.both_plus,
                signs.plus_minus,
                signs.minus_plus,
                signs.both_minus,
                *row.delays.cells(),
                loops.common,
                loops.reference_only + loops.candidate_only,
                loops.capped,
                *row.kinds.cells(),
                *row.names.cells(),
                row.reversed,
            )
        )
    return np.array(table, dtype=np.float64)


_SET, _PAIRS, _SIGNS, _DELAYS, _LOOPS = slice(0, 3), slice(3, 7), slice(7, 11), slice(11, 15), slice(15, 24)
_NAMES, _ALL = slice(24, 28), slice(0, 29)


def _kappa(s: Array) -> Array:
    a, b, c, d = s.T
    return _over(2 * (a * d - b * c), (a + b) * (b + d) + (a + c) * (c + d))


def _alpha(s: Array) -> Array:
    a, b, c, d = s.T
    return 1 - _over((2 * (a + b + c + d) - 1) * (b + c), (2 * a + b + c) * (2 * d + b + c))


def _ac1(s: Array) -> Array:
    a, b, c, d = s.T
    n = a + b + c + d
    by_chance = _over((2 * a + b + c) * (2 * d + b + c), 2 * n * n)
    return (_over(a + d, n) - by_chance) / (1 - by_chance)


def _sign_kappa(s: Array) -> Array:
    a, b, c, d = s.T
    has_both = ((a + b) * (c + d) * (a + c) * (b + d) > 0) & (a + b + c + d >= LEAST_UNITS)
    return np.where(has_both, _kappa(s), np.nan)


def _loops_of(kind: int) -> Statistic:
    return lambda s: np.where(s[:, 2] > 0, np.nan, _over(s[:, 3 + kind], s[:, 6 + kind]))


def _labels(allowed: int) -> Statistic:
    return lambda s: _over(s[:, :allowed].sum(axis=1), s.sum(axis=1))


def _over(numerator: Array, denominator: Array) -> Array:
    return np.divide(numerator, denominator, out=np.full_like(numerator, np.nan), where=denominator != 0)


_FORMULAS: Mapping[Measure, tuple[slice, Statistic]] = {
    Measure.PRECISION: (_SET, lambda s: _over(s[:, 0], s[:, 0] + s[:, 1])),
    Measure.RECALL: (_SET, lambda s: _over(s[:, 0], s[:, 0] + s[:, 2])),
    Measure.F1: (_SET, lambda s: _over(2 * s[:, 0], 2 * s[:, 0] + s[:, 1] + s[:, 2])),
    Measure.SHD: (_SET, lambda s: s[:, 1] + s[:, 2]),
    Measure.NORMALISED_SHD: (_SET, lambda s: _over(s[:, 1] + s[:, 2], s[:, 0] + s[:, 2])),
    Measure.JACCARD: (_SET, lambda s: _over(s[:, 0], s.sum(axis=1))),
    Measure.SHD_ONCE: (_ALL, lambda s: s[:, 1] + s[:, 2] - s[:, -1]),
    Measure.REVERSED: (_ALL, lambda s: s[:, -1]),
    Measure.KAPPA: (_PAIRS, _kappa),
    Measure.ALPHA: (_PAIRS, _alpha),
    Measure.AC1: (_PAIRS, _ac1),
    Measure.RAW: (_PAIRS, lambda s: _over(s[:, 0] + s[:, 3], s.sum(axis=1))),
    Measure.SIGN_KAPPA: (_SIGNS, _sign_kappa),
    Measure.DELAY_KAPPA: (_DELAYS, _sign_kappa),  # two marks, both of which must occur on at least `LEAST_UNITS` edges
    Measure.LOOPS: (_LOOPS, lambda s: np.where(s[:, 2] > 0, np.nan, _over(s[:, 0], s[:, 0] + s[:, 1]))),
    Measure.LOOP_KINDS: (_LOOPS, lambda s: np.where(s[:, 2] > 0, np.nan, _over(s[:, 3:6].sum(axis=1), s[:, 0]))),
    Measure.LOOPS_R: (_LOOPS, _loops_of(0)),
    Measure.LOOPS_B: (_LOOPS, _loops_of(1)),
    Measure.LOOPS_U: (_LOOPS, _loops_of(2)),
    Measure.LABELS_EXACT: (_NAMES, _labels(1)),
    Measure.LABELS_TYPO: (_NAMES, _labels(2)),
    Measure.LABELS_MINOR: (_NAMES, _labels(3)),
}

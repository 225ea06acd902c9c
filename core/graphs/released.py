"""Edge scores as the released ReCast code computes them, for comparison with its published Table 4 only.

Its `calculate_graph_metrics` takes what CDT's `precision_recall` returns, (area under the precision–recall curve, the
curve's points), for (precision, recall), and averages all coordinates of the points into its "recall". The curve covers
all n² cells of the adjacency matrix, n = nodes that an edge touches, the diagonal included."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from core.estimate import Estimate, undefined

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class AsReleased:
    """`precision` is an area, `recall` a mean of points: neither is what its name says. `shd` counts a reversal twice;
    `normalized_shd` divides it by n(n−1) of the nodes that edges of either graph touch (0 if n < 2)."""

    precision: Estimate
    recall: Estimate
    f1: Estimate
    shd: Estimate
    normalized_shd: Estimate


def score_as_released(gold: Collection[Pair], predicted: Collection[Pair]) -> AsReleased:
    """Return the released scores of the edges `predicted` against `gold`, each a collection of distinct ordered pairs.

    With π = gold edges / n², precision P and recall R of the sets, the curve has the points (π, 1), (P, R), (1, 0), so
    the area is ((1−R)(π+P) + R(1+P)) / 2 and the mean (2 + π + P + R) / 6. A candidate without an edge, or with every
    cell set, has one threshold only: points (π, 1), (1, 0). Without gold edges scikit-learn calls R 1. Undefined if
    neither graph has an edge: the released code fails on it."""
    gold, predicted = set(gold), set(predicted)
    n = len({name for pair in gold | predicted for name in pair})
    if n == 0:
        failed = undefined("neither graph has an edge, and the released code fails on such graphs")
        return AsReleased(failed, failed, failed, failed, failed)
    cells, share = n**2, len(gold) / n**2
    if 0 < len(predicted) < cells:
        p = len(gold & predicted) / len(predicted)
        r = len(gold & predicted) / len(gold) if gold else 1.0
        area, mean = ((1 - r) * (share + p) + r * (1 + p)) / 2, (2 + share + p + r) / 6
    else:
        area, mean = (1 + share) / 2, (2 + share) / 4
    shd = len(gold ^ predicted)
    return AsReleased(
        precision=Estimate(area),
        recall=Estimate(mean),
        f1=Estimate(2 * area * mean / (area + mean)),
        shd=Estimate(shd),
        normalized_shd=Estimate(shd / (n * (n - 1)) if n > 1 else 0.0),
    )

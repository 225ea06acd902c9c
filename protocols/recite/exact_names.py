"""Means of graphs by exact names: what the parts of a score hold, as measures of tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.analysis.items import WITHOUT_EDGES
from core.analysis.means import Mean, mean_metric
from core.analysis.metrics import NUMBER, Metric
from core.graphs.sample import graph_of
from protocols.recite.scoring import answered_graph, compare_by_name, parts_of

LOWER_BOUND = "Standard answers by exact names (equal after folding): a lower bound until names are aligned."
FAILURES = "Unparsable, refused, truncated and failed answers count as an empty graph."
_SETS = f"Mean over samples. {FAILURES} {LOWER_BOUND}"
_OF_GRAPHS: Mapping[Mean, tuple[str, str | None]] = {
    Mean("f1:edge", "F1 of edges", f"F1 of edges, each answer's own. {_SETS}"): ("edge", "f1"),
    Mean("precision:edge", "Precision of edges", f"0 for an answer without edges. {_SETS}"): ("edge", "precision"),
    Mean("recall:edge", "Recall of edges", _SETS): ("edge", "recall"),
    Mean("f1:node", "F1 of nodes", _SETS): ("node", "f1"),
    Mean("precision:node", "Precision of nodes", f"0 for an answer without edges. {_SETS}"): ("node", "precision"),
    Mean("recall:node", "Recall of nodes", _SETS): ("node", "recall"),
    Mean("shd_once", "SHD, a reversal counted once", _SETS, NUMBER): ("shd", "once"),
    Mean("shd_twice", "SHD, a reversal counted twice", f"The released code's scale. {_SETS}", NUMBER): ("shd", "twice"),
    Mean("shd_gold_pairs", "SHD / n(n−1) of the truth", _SETS, NUMBER): ("normalised", "gold_pairs"),
    Mean("shd_union_pairs", "SHD / n(n−1) of both graphs", _SETS, NUMBER): ("normalised", "union_pairs"),
    Mean("shd_gold_edges", "SHD / edges of the truth", _SETS, NUMBER): ("normalised", "gold_edges"),
    Mean("kappa", "Cohen's kappa of edges", f"Over ordered pairs of both graphs' nodes. {_SETS}", NUMBER): (
        "kappa",
        None,
    ),
    Mean(
        "f1:released",
        "F1 as released",
        f"Of an area under the PR curve and a mean of its points; for the paper's Table 4 only. {_SETS}",
    ): ("as_released", "f1"),
    Mean("precision:released", "Area under the PR curve (as released)", _SETS): ("as_released", "precision"),
    Mean("recall:released", "Mean of the curve's points (as released)", _SETS): ("as_released", "recall"),
}
"""Each mean → where the parts of an item's score have its measure."""
_WHERE = {each.column: where for each, where in _OF_GRAPHS.items()}
MEANS: Mapping[str, Mean] = {each.name: each for each in _OF_GRAPHS}
METRICS: Mapping[str, Metric] = {name: mean_metric(each) for name, each in MEANS.items()}


def measures_of(parts: Mapping[str, Any] | None) -> dict[str, float]:
    """Measures of an item's score, by the names of the means; what is undefined is missing. An answer without edges
    has no precision of its own: against a truth that has edges it is 0, as F1 is."""
    if parts is None or "edge" not in parts:  # of a judge
        return {}
    measures = {
        name: parts[first] if second is None else parts[first][second] for name, (first, second) in _WHERE.items()
    }
    if measures["edge_precision"] is None and measures["edge_f1"] is not None:
        measures |= {"edge_precision": 0.0, "node_precision": 0.0, WITHOUT_EDGES: 1.0}
    return {name: value for name, value in measures.items() if value is not None}


def parts_of_failure(truth: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The score of the empty graph against the truth of a text; None for a judge's sample, whose answer is no graph."""
    if "nodes" not in truth:
        return None
    return parts_of(compare_by_name(graph_of(truth["nodes"], truth["edges"]), answered_graph(())))

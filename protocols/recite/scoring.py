"""Scores of an answer's graph against the ground truth, without a judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from core.graphs.alignment import align_names, pairs_of
from core.graphs.compare import Comparison, SetScore, compare
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.runs.states import ItemStatus
from protocols.exchanges import Reading
from protocols.recite.samples import truth_of
from protocols.samples import AnswerScore, Sample


def numbered_names(truth: CausalGraph) -> tuple[str, ...]:
    """Return the names for the numbers 1 … n of an answer: in code-point order, as in the released code.

    >>> numbered_names(CausalGraph.of([Edge("price", "Demand")]))
    ('Demand', 'price')
    """
    return tuple(sorted(truth.nodes))


def answered_graph(relations: Iterable[tuple[str, str]]) -> CausalGraph:
    return CausalGraph.of([Edge(source, sink) for source, sink in relations])


def compare_by_name(truth: CausalGraph, answer: CausalGraph) -> Comparison:
    """Compare two graphs whose nodes are the same only if their names are equal after folding. Exact for numbered
    answers. For answers that name their nodes it is a lower bound, until a judge or a person aligns the names: screens
    call it *exact names*. (ReCITE 3.2 has the folding; the paper scores its standard answers by a judge only.)

    >>> truth = CausalGraph.of([Edge("GDP", "Price")])
    >>> compare_by_name(truth, CausalGraph.of([Edge("gdp", "price"), Edge("gdp", "Cost")])).edge.f1.value
    0.6666666666666666
    """
    return compare(truth, answer, pairs_of(align_names(truth.nodes, answer.nodes, {})))


def score_of(sample: Sample, reading: Reading) -> AnswerScore | None:
    """Score an answer. `value`: F1 of edges, None if neither graph has any; `parts`: all other scores. An unreadable
    answer counts as an empty graph, so that no model gains by failing; its status identifies it. A truncated or refused
    answer has no score."""
    if reading.status is ItemStatus.ANSWERED:
        comparison = compare_by_name(truth_of(sample), answered_graph(pairs_in(reading.value)))
    elif reading.status is ItemStatus.UNPARSABLE:
        comparison = compare_by_name(truth_of(sample), answered_graph(()))
    else:
        return None
    return AnswerScore(None, value=comparison.edge.f1.value, parts=parts_of(comparison))


def pairs_in(value: Mapping[str, Any] | None) -> tuple[tuple[str, str], ...]:
    """Return the relations of a stored answer."""
    return tuple((source, sink) for source, sink in (value or {}).get("relations", ()))


def parts_of(comparison: Comparison) -> dict[str, Any]:
    """Return scores as JSON; null for an undefined one. `shd` counts a reversal `once` or `twice`; `normalised` is
    `once` by each denominator; `as_released` is for Table 4 only."""
    shd, normalised, released = comparison.shd, comparison.normalised, comparison.as_released
    return {
        "node": _set(comparison.node),
        "edge": _set(comparison.edge),
        "shd": {
            "missing": shd.missing,
            "extra": shd.extra,
            "reversed": shd.reversed,
            "once": shd.once,
            "twice": shd.twice,
        },
        "normalised": {
            "gold_pairs": normalised.gold_pairs.value,
            "union_pairs": normalised.union_pairs.value,
            "gold_edges": normalised.gold_edges.value,
        },
        "kappa": comparison.kappa.value,
        "as_released": {
            "precision": released.precision.value,
            "recall": released.recall.value,
            "f1": released.f1.value,
        },
    }


def _set(score: SetScore) -> dict[str, Any]:
    counts = {"tp": score.tp, "fp": score.fp, "fn": score.fn}
    return counts | {"precision": score.precision.value, "recall": score.recall.value, "f1": score.f1.value}

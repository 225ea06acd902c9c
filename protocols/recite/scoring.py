"""A graph that was read from an answer against the ground truth, without a judge."""

from __future__ import annotations

from collections.abc import Iterable

from core.graphs.alignment import align_names, pairs_of
from core.graphs.compare import Comparison, compare
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph


def numbered_names(truth: CausalGraph) -> tuple[str, ...]:
    """The names that the numbers 1 … n of an answer stand for: in code-point order, as the released code has them.

    >>> numbered_names(CausalGraph.of([Edge("price", "Demand")]))
    ('Demand', 'price')
    """
    return tuple(sorted(truth.nodes))


def answered_graph(relations: Iterable[tuple[str, str]]) -> CausalGraph:
    """The graph that an answer's relations make."""
    return CausalGraph.of([Edge(source, sink) for source, sink in relations])


def compare_by_name(truth: CausalGraph, answer: CausalGraph) -> Comparison:
    """Nodes are the same if their names are equal after folding, and no others.

    Exact for answers in numbers. Of answers that name their nodes themselves it is a lower bound, until a judge or a
    person aligns the names: screens call it *exact names*. (ReCITE 3.2 has the folding; the paper scores its
    standard answers by a judge only.)

    >>> truth = CausalGraph.of([Edge("GDP", "Price")])
    >>> compare_by_name(truth, CausalGraph.of([Edge("gdp", "price"), Edge("gdp", "Cost")])).edge.f1.value
    0.6666666666666666
    """
    return compare(truth, answer, pairs_of(align_names(truth.nodes, answer.nodes, {})))

"""Explanation of an answer: the edges that cause it, and those that setting a variable cuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.graphs.graph import CausalGraph
from core.graphs.queries.answers import mask_of
from core.graphs.queries.query import Asked, Pair, Query, QueryKind, Variant, refuse_unknown
from core.graphs.queries.truths import Truths, bits

# Predicate: the edge between these places, source and sink, is a reason for the answer.
_Choice = Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class AnswerExplanation:
    """Edges by the names of their ends, in the graph's order: the reasons for an answer, and the edges that setting a
    variable cuts."""

    edges: tuple[Pair, ...]
    cut: tuple[Pair, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A query in places: the bits that answer it, X, A, B and the node it asks about (-1 if it names none)."""

    truths: Truths
    hits: int
    x: int
    a: int
    b: int
    node: int


def why(graph: CausalGraph, query: Query) -> AnswerExplanation:
    """Return the edges that explain the answer, and for an intervention those it cuts.

    An answer that rests on absence has none: a source, a no. Exception: that a node is no source (no sink) is explained
    by the edges into it (out of it). For indirect effects these are all edges on the way, on a cycle also those around
    it. Raises as `answer`.

    >>> from core.graphs.edge import Edge
    >>> graph = CausalGraph.of([Edge("A", "M"), Edge("M", "B"), Edge("A", "B")])
    >>> why(graph, Query(kind=QueryKind.MEDIATOR, between=("A", "B"))).edges
    (('A', 'M'), ('M', 'B'))
    """
    truths = Truths.of(graph)
    refuse_unknown(query, truths.nodes)
    place = truths.place
    hits = mask_of(truths, query)
    if query.node is not None:
        hits &= 1 << place[query.node]
    a, b = query.between or (None, None)
    x, a_place, b_place, node = (-1 if name is None else place[name] for name in (query.of, a, b, query.node))
    case = _Case(truths=truths, hits=hits, x=x, a=a_place, b=b_place, node=node)
    cut = () if query.kind is not QueryKind.INTERVENTION else _chosen_edges(truths, lambda source, sink: sink == x)
    return AnswerExplanation(_chosen_edges(truths, _CHOICES[query.asked](case)), cut)


def _chosen_edges(truths: Truths, choice: _Choice) -> tuple[Pair, ...]:
    names = truths.nodes
    return tuple((names[source], names[sink]) for source, sink in truths.pairs if choice(source, sink))


def _in(mask: int, place: int) -> bool:
    return bool(mask >> place & 1)


def _on_the_way(truths: Truths, starts: int, goals: int) -> _Choice:
    """Return the choice of edges on a directed path from one of the starts to one of the goals."""
    behind, ahead = starts, goals
    for start in bits(starts):
        behind |= truths.descendants[start]
    for goal in bits(goals):
        ahead |= truths.ancestors[goal]
    return lambda source, sink: _in(behind, source) and _in(ahead, sink)


def _over_any(case: _Case) -> _Choice:
    to, fro = (_on_the_way(case.truths, *ends) for ends in ((1 << case.a, case.hits), (case.hits, 1 << case.b)))
    return lambda source, sink: to(source, sink) or fro(source, sink)


def _after_setting(case: _Case) -> _Choice:
    start = case.x if case.a < 0 else case.a
    on_the_way = _on_the_way(case.truths.cut(case.x), 1 << start, case.hits)
    # On a cycle an edge into X follows from what X acts on: it is cut, and is no reason.
    return lambda source, sink: sink != case.x and on_the_way(source, sink)


_CHOICES: dict[Asked, Callable[[_Case], _Choice]] = {
    QueryKind.SOURCE: lambda case: lambda source, sink: sink == case.node,
    QueryKind.SINK: lambda case: lambda source, sink: source == case.node,
    QueryKind.PARENT: lambda case: lambda source, sink: _in(case.hits, source) and sink == case.x,
    QueryKind.CHILD: lambda case: lambda source, sink: source == case.x and _in(case.hits, sink),
    QueryKind.MEDIATOR: lambda case: (
        lambda source, sink: (source == case.a and _in(case.hits, sink)) or (_in(case.hits, source) and sink == case.b)
    ),
    QueryKind.CONFOUNDER: lambda case: lambda source, sink: _in(case.hits, source) and sink in (case.a, case.b),
    QueryKind.INTERVENTION: _after_setting,
    Variant.MEDIATOR_ANY_PATH: _over_any,
    Variant.CONFOUNDER_COMMON_ANCESTOR: lambda case: _on_the_way(case.truths, case.hits, 1 << case.a | 1 << case.b),
    Variant.CONFOUNDER_FORK: lambda case: lambda source, sink: _in(case.hits, source),
    Variant.INTERVENTION_PAIR: _after_setting,
}

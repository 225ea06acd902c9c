"""The true answer to a query about a graph, computed with bit masks of nodes."""

from __future__ import annotations

from collections.abc import Callable

from core.graphs.queries.query import Asked, Query, QueryKind, Variant, refuse_unknown
from core.graphs.queries.truths import Truths


def answer(truths: Truths, query: Query) -> frozenset[str] | bool:
    """Return the names that answer a query of the whole graph (possibly none), or whether the node it names does.
    Raises Missing for an unknown variable, InvalidGraph for a query that a graph with a cycle does not allow.

    >>> from core.graphs.edge import Edge
    >>> from core.graphs.graph import CausalGraph
    >>> truths = Truths.of(CausalGraph.of([Edge("A", "M"), Edge("M", "B"), Edge("A", "B")]))
    >>> answer(truths, Query(kind=QueryKind.MEDIATOR, between=("A", "B")))
    frozenset({'M'})
    >>> answer(truths, Query(kind=QueryKind.CONFOUNDER, between=("M", "B"), node="A"))
    True
    """
    refuse_unknown(query, truths.place)
    mask = mask_of(truths, query)
    if query.variant is Variant.INTERVENTION_PAIR:
        return bool(mask)
    if query.node is None:
        return truths.names(mask)
    return bool(mask >> truths.place[query.node] & 1)


def mask_of(truths: Truths, query: Query) -> int:
    """Return bits of the nodes that answer the query of the whole graph; of `INTERVENTION_PAIR` the bit of B, or 0."""
    x = -1 if query.of is None else truths.place[query.of]
    a, b = (-1, -1) if query.between is None else map(truths.place.__getitem__, query.between)
    return MASKS[query.asked](truths, x, a, b)


def _any_path(truths: Truths, _x: int, a: int, b: int) -> int:
    truths.refuse_cycles()
    return truths.descendants[a] & truths.ancestors[b]


def _others(mask: int, a: int, b: int) -> int:
    return mask & ~(1 << a | 1 << b)


# Per kind and variant the bits of the nodes that answer, by the places of X, A and B (any number if unused).
MASKS: dict[Asked, Callable[[Truths, int, int, int], int]] = {
    QueryKind.SOURCE: lambda truths, x, a, b: truths.sources,
    QueryKind.SINK: lambda truths, x, a, b: truths.sinks,
    QueryKind.PARENT: lambda truths, x, a, b: truths.parents[x],
    QueryKind.CHILD: lambda truths, x, a, b: truths.children[x],
    QueryKind.MEDIATOR: lambda truths, x, a, b: _others(truths.children[a] & truths.parents[b], a, b),
    QueryKind.CONFOUNDER: lambda truths, x, a, b: _others(truths.parents[a] & truths.parents[b], a, b),
    QueryKind.INTERVENTION: lambda truths, x, a, b: truths.descendants[x],
    Variant.MEDIATOR_ANY_PATH: _any_path,
    Variant.CONFOUNDER_COMMON_ANCESTOR: lambda t, x, a, b: _others(t.ancestors[a] & t.ancestors[b], a, b),
    Variant.CONFOUNDER_FORK: lambda truths, x, a, b: truths.forks,
    Variant.INTERVENTION_PAIR: lambda truths, x, a, b: truths.cut(x).descendants[a] & 1 << b,
}

"""Two graphs on one picture: the reference where it always stands, what only the candidate has around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.graphs.compare import checked_alignment, renamed
from core.graphs.graph import CausalGraph
from core.graphs.labels import size_of
from core.graphs.layouts.layout import Point, place


@dataclass(frozen=True, slots=True)
class Union:
    """`places`: every node of the union by its merged name, the reference's first. `names`: candidate name → merged
    name; aligned candidates share the reference's node."""

    places: dict[str, Point]
    names: dict[str, str]


def place_union(
    reference: CausalGraph,
    candidate: CausalGraph,
    alignment: Mapping[str, str] | None = None,
    before: Mapping[str, Point] | None = None,
    near: Iterable[tuple[str, str]] = (),
) -> Union:
    """Lay the reference out alone, then put what only the candidate has beside it, with the reference pinned.

    So no candidate ever moves a node of the reference, and several candidates are shown on one picture. Nodes in
    `before` (by merged name, such as where a person drew the reference) keep exactly their place; the reference's
    other nodes are put near their neighbours. `near`: a name of the reference and one of the candidate that are put
    near each other though no edge joins them. Raises InvalidGraph if the alignment names a node that is not there.

    >>> from core.graphs.edge import Edge
    >>> union = place_union(CausalGraph.of([Edge("A", "B")]), CausalGraph.of([Edge("b", "C")]), {"b": "B"})
    >>> list(union.places), union.names["b"]
    (['A', 'B', 'C'], 'B')
    """
    names = checked_alignment(reference, candidate, alignment or {})
    other = renamed(candidate, names)
    own = [edge.pair for edge in reference.edges]
    kept = dict(before or {})
    sizes = {name: size_of(name) for name in (*reference.nodes, *other.nodes)}
    places = place(reference.nodes, own, {name: kept[name] for name in reference.nodes if name in kept}, sizes)
    nodes = dict.fromkeys((*reference.nodes, *other.nodes))
    beside = ((name, names[theirs]) for name, theirs in near)
    edges = dict.fromkeys((*own, *(edge.pair for edge in other.edges), *beside))
    return Union(place(list(nodes), list(edges), kept | places, sizes), names)

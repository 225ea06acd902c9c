"""Two graphs on one picture: the reference at its usual positions, the candidate's other nodes around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.graphs.compare import checked_alignment, renamed
from core.graphs.graph import CausalGraph
from core.graphs.labels import size_of
from core.graphs.layouts.layout import Point, place


@dataclass(frozen=True, slots=True)
class Union:
    places: dict[str, Point]  # every node of the union by its merged name, the reference's first
    names: dict[str, str]  # candidate name → merged name; aligned candidates share the reference's node


def place_union(
    reference: CausalGraph,
    candidate: CausalGraph,
    alignment: Mapping[str, str] | None = None,
    before: Mapping[str, Point] | None = None,
    near: Iterable[tuple[str, str]] = (),
) -> Union:
    """Lay the reference out alone, then add the nodes of the candidate only, with the reference pinned.

    So no candidate ever moves a node of the reference, and several candidates fit on one picture. Nodes in `before` (by
    merged name, such as where a person drew the reference) keep exactly their position; the reference's other nodes are
    put near their neighbours. `near`: pairs of a reference name and a candidate name to put near each other without an
    edge between them. Raises InvalidGraph if the alignment names an unknown node.

    >>> from core.graphs.edge import Edge
    >>> union = place_union(CausalGraph.of([Edge("A", "B")]), CausalGraph.of([Edge("b", "C")]), {"b": "B"})
    >>> list(union.places), union.names["b"]
    (['A', 'B', 'C'], 'B')
    """
    names = checked_alignment(reference, candidate, alignment or {})
    other = renamed(candidate, names)
    own = [edge.pair for edge in reference.edges]
    pinned = dict(before or {})
    sizes = {name: size_of(name) for name in (*reference.nodes, *other.nodes)}
    places = place(reference.nodes, own, {name: pinned[name] for name in reference.nodes if name in pinned}, sizes)
    nodes = dict.fromkeys((*reference.nodes, *other.nodes))
    near_pairs = ((name, names[candidate_name]) for name, candidate_name in near)
    edges = dict.fromkeys((*own, *(edge.pair for edge in other.edges), *near_pairs))
    return Union(place(list(nodes), list(edges), pinned | places, sizes), names)

"""Orders for writing the edges and nodes of a graph, and the topological order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from heapq import heappop, heappush

from core.errors import InvalidGraph
from core.graphs.circuits import Successors, predecessors_of, successors_of
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.loops import loop_of, shown_loop


class EdgeOrder(StrEnum):
    """Order of writing: as given; breadth first from the sources; breadth first from the sinks, against the edges."""

    GIVEN = "given"
    BFS = "bfs"
    BFS_REVERSED = "bfs-reversed"


def ordered(graph: CausalGraph, order: EdgeOrder) -> CausalGraph:
    """Return the graph with its nodes and edges in this order; an edge listed twice is one edge, and none is reversed.

    Breadth first begins at all sources in node order and goes to the sinks of a node's edges in node order; nodes that
    no source reaches begin at their first node. `BFS_REVERSED` does the same in the graph with all edges reversed.

    >>> graph = CausalGraph.of([Edge("B", "C"), Edge("A", "C"), Edge("A", "B")], nodes="CBA")
    >>> [edge.pair for edge in ordered(graph, EdgeOrder.BFS).edges]
    [('A', 'C'), ('A', 'B'), ('B', 'C')]
    """
    edges: dict[tuple[str, str], Edge] = {}
    for edge in graph.edges:
        edges.setdefault(edge.pair, edge)
    if order is EdgeOrder.GIVEN:
        return CausalGraph(graph.nodes, tuple(edges.values()))
    ahead = successors_of(graph)
    behind = predecessors_of(ahead)
    is_reversed = order is EdgeOrder.BFS_REVERSED
    visited, links = _breadth_first(behind, ahead) if is_reversed else _breadth_first(ahead, behind)
    names = graph.nodes
    pairs = ((names[b], names[a]) if is_reversed else (names[a], names[b]) for a, b in links)
    return CausalGraph(tuple(names[place] for place in visited), tuple(edges[pair] for pair in pairs))


def topological(graph: CausalGraph) -> tuple[int, ...]:
    """Return places of the nodes, each after all its parents; among possible next nodes always the first in node order.
    Raises InvalidGraph, naming a cycle, if there is no such order.

    >>> topological(CausalGraph.of([Edge("A", "B"), Edge("C", "A")], nodes="ABCD"))
    (2, 0, 1, 3)
    """
    places = causes_first(successors_of(graph))
    if len(places) < len(graph.nodes):
        raise InvalidGraph(f"This graph has a feedback loop, so it has no causal order: {shown_loop(loop_of(graph))}.")
    return tuple(places)


def causes_first(successors: Sequence[Sequence[int]]) -> list[int]:
    """Return the order of `topological` for numbered nodes with each successor once; nodes after a cycle are left
    out."""
    waits = [0] * len(successors)
    for sinks in successors:
        for sink in sinks:
            waits[sink] += 1
    ready = [place for place, parents in enumerate(waits) if not parents]
    places: list[int] = []
    while ready:
        place = heappop(ready)
        places.append(place)
        for sink in successors[place]:
            waits[sink] -= 1
            if not waits[sink]:
                heappush(ready, sink)
    return places


def _breadth_first(ahead: Successors, behind: Successors) -> tuple[list[int], list[tuple[int, int]]]:
    """Return places in the order in which they are reached, and all links in the order in which they are met."""
    visited: list[int] = []
    links: list[tuple[int, int]] = []
    seen = bytearray(len(ahead))

    def spread(starts: Iterable[int]) -> None:
        queue = [start for start in starts if not seen[start]]
        for start in queue:
            seen[start] = True
        for place in queue:
            for other in ahead[place]:
                links.append((place, other))
                if not seen[other]:
                    seen[other] = True
                    queue.append(other)
        visited.extend(queue)

    spread(place for place, before in enumerate(behind) if not before)
    for place in range(len(ahead)):
        spread([place])
    return visited, links

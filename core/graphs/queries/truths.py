"""Direct and indirect effects in a graph as bit masks: one integer per node, with a bit for every node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.graphs.circuits import strong_parts
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.orders import causes_first, topological


@dataclass(frozen=True)
class Truths:
    """`parents` and `children` of each node, in node order; bit i is for node i. A self-loop makes a node its own
    parent; a node is never among its own ancestors and descendants, even on a cycle. Indirect effects are computed on
    first use and cached."""

    nodes: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    parents: tuple[int, ...]
    children: tuple[int, ...]

    @classmethod
    def of(cls, graph: CausalGraph) -> Truths:
        """Compute from a graph; an edge listed twice is one edge, and `pairs` are the edges by places, in their order.

        >>> from core.graphs.edge import Edge
        >>> Truths.of(CausalGraph.of([Edge("A", "B"), Edge("B", "C")])).ancestors
        (0, 1, 3)
        """
        place = {name: number for number, name in enumerate(graph.nodes)}
        return cls._linked(graph.nodes, dict.fromkeys((place[edge.source], place[edge.sink]) for edge in graph.edges))

    @classmethod
    def _linked(cls, nodes: tuple[str, ...], pairs: Iterable[tuple[int, int]]) -> Truths:
        edges = tuple(pairs)
        parents, children = [0] * len(nodes), [0] * len(nodes)
        for source, sink in edges:
            children[source] |= 1 << sink
            parents[sink] |= 1 << source
        return cls(nodes, edges, tuple(parents), tuple(children))

    def cut(self, node: int) -> Truths:
        """Return the graph without the edges into this node, as after setting it to a value. Cached, since it is used
        often."""
        if node not in self._cuts:
            self._cuts[node] = self._linked(self.nodes, (pair for pair in self.pairs if pair[1] != node))
        return self._cuts[node]

    def refuse_cycles(self) -> None:
        if len(self._causes_first) < len(self.nodes):
            topological(CausalGraph.of((Edge(self.nodes[a], self.nodes[b]) for a, b in self.pairs), self.nodes))

    @cached_property
    def place(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.nodes)}

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Places in topological order, as `topological`. Raises InvalidGraph, naming a cycle, if there is one."""
        self.refuse_cycles()
        return tuple(self._causes_first)

    @cached_property
    def descendants(self) -> tuple[int, ...]:
        return _reach(self._parts, self.children)

    @cached_property
    def ancestors(self) -> tuple[int, ...]:
        return _reach(reversed(self._parts), self.parents)

    @cached_property
    def sources(self) -> int:
        return _mask(place for place, into in enumerate(self.parents) if not into)

    @cached_property
    def sinks(self) -> int:
        return _mask(place for place, out in enumerate(self.children) if not out)

    @cached_property
    def forks(self) -> int:
        return _mask(place for place, out in enumerate(self.children) if out & (out - 1))

    def names(self, mask: int) -> frozenset[str]:
        return frozenset(self.nodes[place] for place in bits(mask))

    @cached_property
    def _cuts(self) -> dict[int, Truths]:
        return {}

    @cached_property
    def _followers(self) -> list[list[int]]:
        followers: list[list[int]] = [[] for _ in self.nodes]
        for source, sink in self.pairs:
            followers[source].append(sink)
        return followers

    @cached_property
    def _causes_first(self) -> list[int]:
        return causes_first(self._followers)

    @cached_property
    def _parts(self) -> list[list[int]]:
        """Strongly connected components, each before those that act on it."""
        if len(self._causes_first) == len(self.nodes):
            return [[place] for place in reversed(self._causes_first)]
        return strong_parts(self._followers)


def bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _mask(places: Iterable[int]) -> int:
    mask = 0
    for place in places:
        mask |= 1 << place
    return mask


def _reach(parts: Iterable[Sequence[int]], links: Sequence[int]) -> tuple[int, ...]:
    """Return per node all that its links lead to, over any number of them; `parts` are ordered so that the links of
    each lead to earlier parts or itself."""
    reach = [0] * len(links)
    for part in parts:
        inside, direct = _mask(part), 0
        for place in part:
            direct |= links[place]
        reached = direct | inside
        for other in bits(direct & ~inside):
            reached |= reach[other]
        for place in part:
            reach[place] = reached & ~(1 << place)
    return tuple(reach)

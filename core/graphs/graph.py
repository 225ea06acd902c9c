"""A causal graph by names: nodes in order of appearance, edges in the order they were drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.graphs.edge import Edge


@dataclass(frozen=True, slots=True)
class CausalGraph:
    """A directed graph; loops, reciprocal pairs, self-loops and isolated nodes are allowed. `nodes` has every node
    once, isolated ones included; build it with `CausalGraph.of`."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]

    @classmethod
    def of(cls, edges: Iterable[Edge], nodes: Iterable[str] = ()) -> CausalGraph:
        """Build from edges and any further (isolated) nodes; listed nodes come first, in their order.

        >>> CausalGraph.of([Edge("A", "B")], nodes=["C"]).nodes
        ('C', 'A', 'B')
        """
        listed = tuple(edges)
        seen = dict.fromkeys(nodes)
        for edge in listed:
            seen.setdefault(edge.source)
            seen.setdefault(edge.sink)
        return cls(tuple(seen), listed)

    @property
    def isolated(self) -> tuple[str, ...]:
        touched = {name for edge in self.edges for name in edge.pair}
        return tuple(name for name in self.nodes if name not in touched)

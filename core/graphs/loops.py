"""Feedback loops: the elementary circuits of a graph, shortest first, up to a number and a time limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Literal

from core.graphs.circuits import TimeLimitReached, circuits, never, successors_of
from core.graphs.graph import CausalGraph
from core.graphs.signs import settled_signs
from core.sign import Sign

MOST_LOOPS = 20_000
Circuit = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """An elementary circuit. `kind` is R (reinforcing), B (balancing) or None (a sign is not settled)."""

    nodes: tuple[str, ...]  # once each, in the direction of the edges, from the one that the graph lists first
    kind: Literal["R", "B"] | None

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The ordered pairs of the loop, in order; a self-loop has one."""
        return tuple(pairwise((*self.nodes, self.nodes[0])))


@dataclass(frozen=True, slots=True)
class Loops:
    """Loops, shortest first and then in the graph's order of nodes."""

    loops: tuple[Loop, ...]
    is_capped: bool = False  # there are more, or may be
    reason: str = ""  # clause that says which are shown, "" if all are


def find_loops(graph: CausalGraph, *, most: int = MOST_LOOPS, is_over: Callable[[], bool] = never) -> Loops:
    """Return every elementary circuit, self-loops and reciprocal pairs included, or the `most` shortest of them.

    Edges listed more than once are one. A loop is R if the product of its signs is plus, B if it is minus; it has no
    kind if one of its edges has no sign, or different ones. `is_over()` is called every few hundred steps and ends the
    search. At most `most` loops are in memory at once.

    >>> from core.graphs.edge import Edge
    >>> find_loops(CausalGraph.of([Edge("A", "B", Sign.PLUS), Edge("B", "A", Sign.MINUS)])).loops
    (Loop(nodes=('A', 'B'), kind='B'),)
    """
    successors = successors_of(graph)
    signs = settled_signs(graph)
    cycles, has_ended = _collect(circuits(successors, is_over=is_over), most + 1)
    if has_ended or len(cycles) <= most:
        cycles = sorted(cycles, key=lambda circuit: (len(circuit), circuit))[:most]
        reason = f"the time ran out: {len(cycles):,} shown, and shorter ones may be missing" if has_ended else ""
    else:  # search length by length, since there are more; this may repeat much of the work for each length
        by_length = (
            circuit
            for length in range(1, len(successors) + 1)
            for circuit in circuits(successors, length, is_over)
            if len(circuit) == length
        )
        cycles, has_ended = _collect(by_length, most)
        reason = f"{'the time ran out: ' * has_ended}first {len(cycles):,} shown, shortest first"
    return Loops(tuple(_loop(circuit, graph.nodes, signs) for circuit in cycles), bool(reason), reason)


def loop_of(graph: CausalGraph) -> tuple[str, ...]:
    """Return the names along one loop of edges, the first again at the end; () if the graph has none.

    >>> from core.graphs.edge import Edge
    >>> loop_of(CausalGraph.of([Edge("A", "B"), Edge("B", "C"), Edge("C", "B")]))
    ('B', 'C', 'B')
    """
    import networkx as nx  # 20 MB and 0.1 s that a graph without a loop should not cost its reader

    drawn = nx.DiGraph()
    drawn.add_nodes_from(graph.nodes)
    drawn.add_edges_from(edge.pair for edge in graph.edges)
    try:
        loop = nx.find_cycle(drawn)
    except nx.NetworkXNoCycle:
        return ()
    return (loop[0][0], *(sink for _source, sink in loop))


def shown_loop(loop: Sequence[str], arrow: str = " → ") -> str:
    """Return a loop as text, shortened in its middle if it has more than seven names.

    >>> shown_loop(("A", "B", "A")), shown_loop("ABCDEFGA")
    ('A → B → A', 'A → B → C → … → F → G → A')
    """
    return arrow.join(loop if len(loop) <= 7 else [*loop[:3], "…", *loop[-3:]])


def _collect(coming: Iterator[Circuit], most: int) -> tuple[list[Circuit], bool]:
    circuits_found: list[Circuit] = []
    try:
        for circuit in islice(coming, most):
            circuits_found.append(circuit)
    except TimeLimitReached:
        return circuits_found, True
    return circuits_found, False


def _loop(circuit: Circuit, names: Sequence[str], signs: Mapping[tuple[str, str], Sign | None]) -> Loop:
    nodes = tuple(names[number] for number in circuit)
    passed = [signs[pair] for pair in Loop(nodes, None).edges]
    if None in passed:
        return Loop(nodes, None)
    return Loop(nodes, "B" if passed.count(Sign.MINUS) % 2 else "R")

"""The topology of 292 diagrams, their loops, and loops at their bound, compared with plain networkx.

Garbage is collected between the turns, as `timeit` leaves it out: a collection of everything that is loaded takes half
as long as a search, and would fall into either turn. The order in which networkx finds cycles depends on the hashes of
the names, which differ between processes: every round has names of its own. Goals: topologies at most 0.8 of networkx,
where betweenness, paths and clustering are networkx's own; loops of the diagrams no slower than networkx; the 20,000
shortest loops of a dense core within 1.5 s.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from functools import partial
from itertools import islice

import networkx as nx

from benchmarks.harness import quantiles, row
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.loops import find_loops
from core.graphs.topology import topology
from tests.core.graphs.test_loops import dense_core
from tests.core.graphs.test_topology import diagrams, plainly

ROUNDS = 5


def measure() -> None:
    corpus = list(diagrams())
    core = dense_core(1, 30)
    plain, edgewise, cycles, loops, shortest, shortest_loops = (list[float]() for _ in range(6))
    for number in range(ROUNDS):  # in turns: a machine's speed changes from second to second
        plain.append(took_ms(lambda: [plainly(graph) for graph in corpus]))
        edgewise.append(took_ms(lambda: [topology(graph) for graph in corpus]))
        cycles.append(took_ms(lambda: [list(nx.simple_cycles(drawn(graph))) for graph in corpus]))
        loops.append(took_ms(lambda: [find_loops(graph) for graph in corpus]))
        many = with_other_names(core, number)
        shortest.append(took_ms(partial(shortest_cycles, many)))
        shortest_loops.append(took_ms(partial(find_loops, many)))
    print(row(f"{len(corpus)} topologies, networkx", plain))
    print(row(f"{len(corpus)} topologies, ours", edgewise, quantiles(plain)[0], "networkx (goal 0.8)"))
    print(row(f"cycles of {len(corpus)} diagrams in any order, networkx", cycles))
    print(row(f"loops of {len(corpus)} diagrams with kinds, ours", loops, quantiles(cycles)[0], "networkx (goal 1)"))
    print(row("20,000 shortest cycles, networkx", shortest))
    print(
        row(
            "20,000 shortest loops with kinds (goal 1,500 ms), ours", shortest_loops, quantiles(shortest)[0], "networkx"
        )
    )


def with_other_names(graph: CausalGraph, number: int) -> CausalGraph:
    edges = [Edge(f"{each.source} {number}", f"{each.sink} {number}", each.sign) for each in graph.edges]
    return CausalGraph.of(edges, [f"{name} {number}" for name in graph.nodes])


def drawn(graph: CausalGraph) -> nx.DiGraph:
    return nx.DiGraph(edge.pair for edge in graph.edges)


def shortest_cycles(graph: CausalGraph) -> list[list[str]]:
    by_length = (
        cycle
        for length in range(1, len(graph.nodes) + 1)
        for cycle in nx.simple_cycles(drawn(graph), length_bound=length)
        if len(cycle) == length
    )
    return list(islice(by_length, 20_000))


def took_ms(work: Callable[[], object]) -> float:
    """Return the processor time, which other load on the machine does not change."""
    gc.collect()
    gc.disable()
    began = time.process_time()
    work()
    took = time.process_time() - began
    gc.enable()
    return took * 1000

"""The topology of 292 diagrams, and loops at their bound, beside the same figures written with plain networkx.

Garbage is looked for between the turns, as `timeit` leaves it out: a collection of everything that is loaded takes as
long as half a search, and falls into the one's turn or the other's. Which cycles networkx finds
first, and how long they are, hangs on the hashes of the names, anew in each process: every round has names of its own.
Goal: loops no slower than networkx at the median.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
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
LOOP_ROUNDS = 25
"""Of the searches for loops, which take a tenth of a second each."""


def measure() -> None:
    corpus = list(diagrams())
    plain, ours = [], []
    for _round in range(ROUNDS):
        plain.append(took_ms(lambda: [plainly(graph) for graph in corpus]))
        ours.append(took_ms(lambda: [topology(graph) for graph in corpus]))
    print(row(f"{len(corpus)} topologies, networkx", plain))
    print(row(f"{len(corpus)} topologies, ours", ours, quantiles(plain)[0], "networkx"))
    core = dense_core(1, 30)
    unordered, shortest = [], []
    for number in range(LOOP_ROUNDS):  # in turns: a machine's speed changes from second to second
        many = named_anew(core, number)
        unordered.append(took_ms(lambda many=many: first_cycles(many)))
        shortest.append(took_ms(lambda many=many: find_loops(many)))
    print(row("20,000 cycles in any order, networkx", unordered))
    print(row("20,000 shortest loops with kinds, ours", shortest, quantiles(unordered)[0], "networkx"))


def named_anew(graph: CausalGraph, number: int) -> CausalGraph:
    """The same graph with other names."""
    edges = [Edge(f"{each.source} {number}", f"{each.sink} {number}", each.sign) for each in graph.edges]
    return CausalGraph.of(edges, [f"{name} {number}" for name in graph.nodes])


def first_cycles(graph: CausalGraph) -> list[list[str]]:
    return list(islice(nx.simple_cycles(nx.DiGraph(edge.pair for edge in graph.edges)), 20_000))


def took_ms(work: Callable[[], object]) -> float:
    """Processor time, so that what else runs on the machine does not count."""
    gc.collect()
    gc.disable()
    began = time.process_time()
    work()
    took = time.process_time() - began
    gc.enable()
    return took * 1000

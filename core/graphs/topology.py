"""Topology measures of a graph, as ReCITE reports them for its corpus; Edgewise's definitions where the paper is
silent.

Everything counts distinct ordered pairs (source, sink): an edge listed twice, or with two signs, is one edge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from math import comb
from statistics import fmean

from core.estimate import Estimate, ratio, undefined
from core.graphs.circuits import (
    Successors,
    TimeLimitReached,
    circuits,
    never,
    predecessors_of,
    strong_parts,
    successors_of,
)
from core.graphs.graph import CausalGraph

MOST_CYCLES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Topology:
    """Figures of one graph, n nodes and m edges. Undefined ones say why."""

    nodes: int
    edges: int  # n and m, self-loops included
    density: Estimate  # m / (n(n−1)), above 1 only by self-loops
    average_degree: Estimate  # 2m / n, so a self-loop counts twice at its node
    sources: int  # nodes without an incoming edge, and sinks without an outgoing one; an isolated node is both
    sinks: int
    # mean over all nodes of the local clustering of the undirected graph without self-loops, 0 at nodes with fewer than
    # two neighbours
    clustering: Estimate
    cycles: int  # elementary circuits, reciprocal pairs and self-loops included
    cycles_capped: bool  # `cycles` is a lower bound
    percent_in_cycles: Estimate  # nodes in a strongly connected component of two or more, or with a self-loop, 0–100
    sccs: int  # strongly connected components
    largest_scc: int
    mean_path_length: Estimate  # of shortest directed paths, over ordered pairs of distinct nodes with a path
    betweenness_variance: Estimate  # population variance of directed betweenness over (n−1)(n−2); 0 if n < 3
    chains: int  # A → B → C: three distinct nodes, in this order; the ends may be adjacent, as in the next two
    forks: int  # A → B, A → C: B and C unordered, self-loops left out
    colliders: int  # A → B ← C: A and C unordered, self-loops left out


def topology(graph: CausalGraph, *, most_cycles: int = MOST_CYCLES, is_over: Callable[[], bool] = never) -> Topology:
    """Return the topology of one graph. Cycles are counted exactly up to `most_cycles` and until `is_over()`, which is
    called every few hundred steps of that count; everything else takes about n·m steps.

    >>> from core.graphs.edge import Edge
    >>> ring = topology(CausalGraph.of([Edge("A", "B"), Edge("B", "C"), Edge("C", "A")]))
    >>> ring.cycles, ring.density.value, ring.mean_path_length.value
    (1, 0.5, 1.5)
    """
    ahead = successors_of(graph)
    n, m = len(ahead), sum(map(len, ahead))
    behind = predecessors_of(ahead)
    parts = strong_parts(ahead)
    in_cycles = sum(len(part) for part in parts if len(part) > 1 or part[0] in ahead[part[0]])
    cycles, is_capped = _count_cycles(ahead, most_cycles, is_over)
    clustering, path_length, betweenness_variance = _networkx_measures(ahead)
    chains, forks, colliders = _triads(ahead, behind)
    return Topology(
        nodes=n,
        edges=m,
        density=ratio(m, n * (n - 1), "there are fewer than two nodes"),
        average_degree=ratio(2 * m, n, "there are no nodes"),
        sources=sum(not others for others in behind),
        sinks=sum(not others for others in ahead),
        clustering=clustering,
        cycles=cycles,
        cycles_capped=is_capped,
        percent_in_cycles=ratio(100 * in_cycles, n, "there are no nodes"),
        sccs=len(parts),
        largest_scc=max(map(len, parts), default=0),
        mean_path_length=path_length,
        betweenness_variance=betweenness_variance,
        chains=chains,
        forks=forks,
        colliders=colliders,
    )


def _count_cycles(ahead: Successors, most: int, is_over: Callable[[], bool]) -> tuple[int, bool]:
    count = 0
    try:
        for _ in islice(circuits(ahead, is_over=is_over), most + 1):
            count += 1
    except TimeLimitReached:
        return min(count, most), True
    return min(count, most), count > most


def _triads(ahead: Successors, behind: Successors) -> tuple[int, int, int]:
    """Return (chains, forks, colliders), each counted at its middle node."""
    chains = forks = colliders = 0
    for node, (out, into) in enumerate(zip(ahead, behind, strict=True)):
        sinks, causes = set(out) - {node}, set(into) - {node}
        chains += len(sinks) * len(causes) - len(sinks & causes)  # A → B → A is no chain
        forks += comb(len(sinks), 2)
        colliders += comb(len(causes), 2)
    return chains, forks, colliders


def _networkx_measures(ahead: Successors) -> tuple[Estimate, Estimate, Estimate]:
    if not ahead:
        none = undefined("there are no nodes")
        return none, none, none
    import networkx as nx  # 20 MB and 0.1 s that a worker and most commands do without

    graph, linked = nx.DiGraph(), nx.Graph()
    pairs = [(node, sink) for node, sinks in enumerate(ahead) for sink in sinks]
    for drawn in graph, linked:
        drawn.add_nodes_from(range(len(ahead)))
        drawn.add_edges_from(pairs)
    lengths = [tuple(distances.values()) for _start, distances in nx.all_pairs_shortest_path_length(graph)]
    between = nx.betweenness_centrality(graph).values()
    mean = fmean(between)
    return (
        Estimate(nx.average_clustering(linked)),
        ratio(sum(map(sum, lengths)), sum(map(len, lengths)) - len(lengths), "no node reaches another"),
        Estimate(fmean((value - mean) ** 2 for value in between)),  # pvariance would take five times as long
    )

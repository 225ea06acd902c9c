"""The figures of a graph beside plain networkx, on generated diagrams and on the awkward ones."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import fields
from itertools import combinations, islice, permutations
from typing import Any

import networkx as nx
import pytest

from core.estimate import Estimate
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.topology import topology
from core.sign import Sign

HOW_MANY = 292  # graphs in the published corpus
GENEROUS_S = 20.0  # of processor time; about twenty times what it takes


def diagrams(seed: int = 12) -> Iterator[CausalGraph]:
    """Graphs like published diagrams: 5-140 nodes, 25 nodes and 37 arrows on average, with reciprocal pairs,
    self-loops, isolated nodes and arrows listed twice."""
    chance = random.Random(seed)
    drawn = [round(chance.lognormvariate(2.99, 0.7)) for _ in range(HOW_MANY - 2)]
    for n in (5, 140, *(min(140, max(5, size)) for size in drawn)):
        names = [f"variable {i}" for i in range(n)]
        pairs = {(chance.choice(names), chance.choice(names)) for _ in range(round(n * chance.uniform(0.9, 1.9)))}
        pairs |= {(b, a) for a, b in sorted(pairs) if chance.random() < 0.06}
        edges = [Edge(a, b, chance.choice([Sign.PLUS, Sign.MINUS, None])) for a, b in sorted(pairs)]
        edges += [Edge(e.source, e.sink, Sign.PLUS) for e in edges if e.sign is None and chance.random() < 0.1]
        yield CausalGraph.of(edges, names)


def plainly(graph: CausalGraph) -> dict[str, Any]:
    """The same figures as a person would write them with networkx."""
    g = nx.DiGraph()
    g.add_nodes_from(graph.nodes)
    g.add_edges_from(edge.pair for edge in graph.edges)
    n, m = g.number_of_nodes(), g.number_of_edges()
    parts = list(nx.strongly_connected_components(g))
    lengths = [d for a, row in nx.all_pairs_shortest_path_length(g) for b, d in row.items() if a != b]
    cycles = sum(1 for _ in islice(nx.simple_cycles(g), 20_001))
    in_cycles = [v for part in parts for v in part if len(part) > 1 or g.has_edge(v, v)]
    return {
        "nodes": n,
        "edges": m,
        "density": nx.density(g),
        "average_degree": sum(degree for _, degree in g.degree()) / n,
        "sources": sum(g.in_degree(v) == 0 for v in g),
        "sinks": sum(g.out_degree(v) == 0 for v in g),
        "clustering": nx.average_clustering(g.to_undirected()),
        "cycles": min(cycles, 20_000),
        "cycles_capped": cycles > 20_000,
        "percent_in_cycles": 100 * len(in_cycles) / n,
        "sccs": len(parts),
        "largest_scc": max(map(len, parts)),
        "mean_path_length": statistics.fmean(lengths) if lengths else None,
        "betweenness_variance": statistics.pvariance(nx.betweenness_centrality(g).values()),
        "chains": sum(1 for b in g for a in g.pred[b] for c in g.succ[b] if len({a, b, c}) == 3),
        "forks": sum(1 for a in g for b, c in combinations(g.succ[a], 2) if a not in (b, c)),
        "colliders": sum(1 for b in g for a, c in combinations(g.pred[b], 2) if b not in (a, c)),
    }


def figures(graph: CausalGraph) -> dict[str, Any]:
    found = topology(graph)
    values = {field.name: getattr(found, field.name) for field in fields(found)}
    return {name: value.value if isinstance(value, Estimate) else value for name, value in values.items()}


@pytest.fixture(scope="module")
def corpus() -> list[CausalGraph]:
    return list(diagrams())


def test_the_generated_corpus_is_like_the_published_one(corpus: list[CausalGraph]) -> None:
    sizes = [len(graph.nodes) for graph in corpus]
    arrows = [len({edge.pair for edge in graph.edges}) for graph in corpus]
    assert (min(sizes), max(sizes)) == (5, 140)
    assert statistics.fmean(sizes) == pytest.approx(25, abs=1.5)
    assert statistics.fmean(arrows) == pytest.approx(37, abs=2.5)


def test_every_figure_equals_plain_networkx_on_292_diagrams(corpus: list[CausalGraph]) -> None:
    began = time.process_time()
    found = [figures(graph) for graph in corpus]
    took_s = time.process_time() - began
    print(f"{HOW_MANY} topologies: {took_s:.2f} s of processor time")
    for graph, mine in zip(corpus, found, strict=True):
        plain = plainly(graph)
        assert mine.keys() == plain.keys()
        for name, value in plain.items():
            assert mine[name] == pytest.approx(value, abs=1e-9, rel=0), name
    assert took_s < GENEROUS_S


def test_a_small_graph_by_hand() -> None:
    # A ⇄ B, B → C, C → C, and D alone.
    found = figures(CausalGraph.of([Edge("A", "B"), Edge("B", "A"), Edge("B", "C"), Edge("C", "C")], ["D"]))
    assert found == pytest.approx(
        {
            "nodes": 4,
            "edges": 4,
            "density": 4 / 12,
            "average_degree": 2.0,
            "sources": 1,
            "sinks": 1,  # D; C acts on itself, so it is no sink
            "clustering": 0.0,
            "cycles": 2,
            "cycles_capped": False,
            "percent_in_cycles": 75.0,
            "sccs": 3,
            "largest_scc": 2,
            "mean_path_length": 5 / 4,  # AB 1, BA 1, BC 1, AC 2
            "betweenness_variance": (1 / 6) ** 2 * 3 / 16,  # B lies between A and C: 1 of (4-1)(4-2) pairs
            "chains": 1,
            "forks": 1,
            "colliders": 0,
        }
    )


def test_three_nodes_in_every_pattern_count_as_networkx_counts_them() -> None:
    pairs = [*permutations("ABC", 2), ("A", "A")]
    for chosen in range(2 ** len(pairs)):
        graph = CausalGraph.of([Edge(*pair) for i, pair in enumerate(pairs) if chosen >> i & 1], "ABC")
        assert figures(graph) == pytest.approx(plainly(graph), abs=1e-12)


def test_an_empty_graph_has_counts_and_no_figures() -> None:
    found = topology(CausalGraph((), ()))
    undefined = {f.name: getattr(found, f.name) for f in fields(found) if isinstance(getattr(found, f.name), Estimate)}
    assert {name: (e.value, bool(e.reason)) for name, e in undefined.items()} == dict.fromkeys(undefined, (None, True))
    assert (found.nodes, found.edges, found.cycles, found.sccs, found.largest_scc) == (0, 0, 0, 0, 0)


def test_one_node_has_no_density_and_no_path() -> None:
    found = topology(CausalGraph.of([Edge("A", "A")]))
    assert (found.density.value, found.density.reason) == (None, "there are fewer than two nodes")
    assert (found.mean_path_length.value, found.mean_path_length.reason) == (None, "no node reaches another")
    assert (found.percent_in_cycles.value, found.cycles, found.average_degree.value) == (100, 1, 2)


def test_cycles_are_counted_up_to_the_bound_and_no_further() -> None:
    full = CausalGraph.of([Edge(a, b) for a, b in permutations("ABCDE", 2)])
    assert topology(full).cycles == 84  # C(5,2)·1 + C(5,3)·2 + C(5,4)·6 + 24
    for most, expected in ((83, (83, True)), (84, (84, False)), (85, (84, False))):
        found = topology(full, most_cycles=most)
        assert (found.cycles, found.cycles_capped) == expected


def test_counting_ends_when_the_time_is_over() -> None:
    names = [str(i) for i in range(12)]
    full = CausalGraph.of([Edge(a, b) for a, b in permutations(names, 2)])
    asked = iter([False] * 40)
    found = topology(full, most_cycles=10**9, is_over=lambda: next(asked, True))
    assert found.cycles_capped
    assert 0 < found.cycles < 40 * 512

"""True answers to every causal query of five graphs, compared with set operations and walks of networkx."""

from __future__ import annotations

import resource
import time
import tracemalloc
from collections.abc import Callable
from itertools import combinations
from typing import Any

import networkx as nx

from benchmarks.harness import quantiles, row
from core.graphs.graph import CausalGraph
from core.graphs.orders import topological
from core.graphs.queries import MASKS, SIX, AnswerShape, Asked, QueryKind, Truths, Variant, columns, shape_of
from core.graphs.query_space import QuerySpace
from core.graphs.random_dag import random_dag
from tests.core.graphs.asked_plainly import drawn, network

ROUNDS = 9
OVER_OTHERS = (Variant.MEDIATOR_ANY_PATH, Variant.CONFOUNDER_COMMON_ANCESTOR)
Pair = tuple[str, str]
Answers = dict[Asked, list[list[bool]]]
"""Per kind, per query of the whole graph, whether each node that it does not name answers: a query about that node."""


def measure() -> None:
    sizes = ((10, 15), (20, 30), (30, 45))
    graphs = [network("insurance"), network("alarm"), *(random_dag(n, m, seed=1) for n, m in sizes)]
    print(f"{len(graphs)} graphs, {QuerySpace(graphs).per_telling:,} queries of six kinds")
    _side_by_side(graphs)
    _walks(graphs)
    _sample()


def _side_by_side(graphs: list[CausalGraph]) -> None:
    """All six kinds: sets of neighbours intersected for every query, or once a pair; whole numbers; arrays."""
    plain = [(drawn(graph), _pairs(graph)) for graph in graphs]
    masks = [(graph, pairs) for graph, (_, pairs) in zip(graphs, plain, strict=True)]
    tables = [columns(graph) for graph in graphs]
    truths = [_as_lists(*each) for each in zip(graphs, tables, strict=True)]
    assert [by_sets(*each) for each in plain] == truths == [by_sets_once(*each) for each in plain]
    assert [by_masks(*each) for each in masks] == [_as_masks(each) for each in tables]
    base = _times(lambda: [by_sets(*each) for each in plain])
    once = _times(lambda: [by_sets_once(*each) for each in plain])
    print(row("truths, networkx' sets per query", base))
    print(row("truths, networkx' sets once per pair", once))
    for label, work in (
        ("truths, as whole numbers", lambda: [by_masks(*each) for each in masks]),
        ("truths, as columns", lambda: [columns(graph) for graph in graphs]),
    ):
        _against(label, work, {"sets per query": base, "sets once per pair": once})


def _walks(graphs: list[CausalGraph]) -> None:
    """The two variants over other nodes: ancestors and descendants asked for every query or pair, or known once."""
    plain = [(drawn(graph), _pairs(graph)) for graph in graphs]
    truths = [_as_lists(graph, columns(graph, OVER_OTHERS)) for graph in graphs]
    assert [by_walks(*each) for each in plain] == truths == [by_walks_once(*each) for each in plain]
    base = _times(lambda: [by_walks(*each) for each in plain], rounds=3)
    once = _times(lambda: [by_walks_once(*each) for each in plain], rounds=3)
    print(row("truths over other nodes, walks per query", base))
    print(row("truths over other nodes, walks once per pair", once))
    work = {"walks per query": base, "walks once per pair": once}
    _against("truths over other nodes, as columns", lambda: [columns(g, OVER_OTHERS) for g in graphs], work)


def _sample() -> None:
    def draw() -> object:
        return QuerySpace([27, 37, 10, 20, 30]).sample(1_000, seed=1)

    print(row("1,000 of 747,026 queries drawn and built", _times(draw)))
    tracemalloc.start()
    draw()
    print(f"memory for them: {tracemalloc.get_traced_memory()[1] / 1e6:.1f} MB")
    tracemalloc.stop()
    print(f"memory of the whole process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def _against(label: str, work: Callable[[], object], peers: dict[str, list[float]]) -> None:
    edgewise = _times(work)
    (name, base), *_ = peers.items()
    print(row(label, edgewise, quantiles(base)[0], name))
    times = (
        f"{quantiles(peer)[0] / quantiles(edgewise)[0]:,.0f} times as fast as {who}" for who, peer in peers.items()
    )
    print(f"{label}: {', '.join(times)}")


def _times(work: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Return processor times in ms, which other load does not change; the first round fills caches."""
    work()
    times = []
    for _round in range(rounds):
        began = time.process_time()
        work()
        times.append((time.process_time() - began) * 1000)
    return times


# --- the same answers, three ways -------------------------------------------------------------------------------


def by_sets(graph: nx.DiGraph, pairs: list[Pair]) -> Answers:
    """Answer every query separately: neighbours from networkx, intersected if it is about two nodes."""
    parents, children = graph.predecessors, graph.successors

    def others(a: str, b: str) -> list[str]:
        return [node for node in graph if node not in (a, b)]

    return {
        QueryKind.SOURCE: [[not graph.in_degree(node) for node in graph]],
        QueryKind.SINK: [[not graph.out_degree(node) for node in graph]],
        QueryKind.PARENT: [[node in set(parents(of)) for node in graph] for of in graph],
        QueryKind.CHILD: [[node in set(children(of)) for node in graph] for of in graph],
        QueryKind.MEDIATOR: [[node in set(children(a)) & set(parents(b)) for node in others(a, b)] for a, b in pairs],
        QueryKind.CONFOUNDER: [[node in set(parents(a)) & set(parents(b)) for node in others(a, b)] for a, b in pairs],
    }


def by_sets_once(graph: nx.DiGraph, pairs: list[Pair]) -> Answers:
    """One intersection a pair; each node is looked up in it."""
    answers: Answers = {kind: [] for kind in SIX}
    answers[QueryKind.SOURCE].append([not graph.in_degree(node) for node in graph])
    answers[QueryKind.SINK].append([not graph.out_degree(node) for node in graph])
    for of in graph:
        answers[QueryKind.PARENT].append(_looked_up(graph, set(graph.predecessors(of))))
        answers[QueryKind.CHILD].append(_looked_up(graph, set(graph.successors(of))))
    for a, b in pairs:
        before = set(graph.predecessors(b))
        answers[QueryKind.MEDIATOR].append(_looked_up(graph, set(graph.successors(a)) & before, (a, b)))
        answers[QueryKind.CONFOUNDER].append(_looked_up(graph, set(graph.predecessors(a)) & before, (a, b)))
    return answers


def by_walks(graph: nx.DiGraph, pairs: list[Pair]) -> Answers:
    """Answer every query separately by networkx's walk from one node, and from the other if needed."""
    answers: Answers = {each: [] for each in OVER_OTHERS}
    for a, b in pairs:
        others = [node for node in graph if node not in (a, b)]
        answers[Variant.MEDIATOR_ANY_PATH].append(
            [node in nx.descendants(graph, a) and node in nx.ancestors(graph, b) for node in others]
        )
        answers[Variant.CONFOUNDER_COMMON_ANCESTOR].append(
            [node in nx.ancestors(graph, a) and node in nx.ancestors(graph, b) for node in others]
        )
    return answers


def by_walks_once(graph: nx.DiGraph, pairs: list[Pair]) -> Answers:
    """Ancestors and descendants of both ends once a pair."""
    answers: Answers = {each: [] for each in OVER_OTHERS}
    for a, b in pairs:
        before = nx.ancestors(graph, b)
        mediators, confounders = nx.descendants(graph, a) & before, nx.ancestors(graph, a) & before
        answers[Variant.MEDIATOR_ANY_PATH].append(_looked_up(graph, mediators, (a, b)))
        answers[Variant.CONFOUNDER_COMMON_ANCESTOR].append(_looked_up(graph, confounders, (a, b)))
    return answers


def _looked_up(graph: nx.DiGraph, nodes: set[str], named: tuple[str, ...] = ()) -> list[bool]:
    return [node in nodes for node in graph if node not in named]


def by_masks(graph: CausalGraph, pairs: list[Pair]) -> dict[Asked, list[int]]:
    """One whole number a query of the whole graph, whose bits are the answers about each node."""
    truths = Truths.of(graph)
    place = truths.place
    places = [(place[a], place[b]) for a, b in pairs]
    columns_by_kind: dict[Asked, list[int]] = {}
    for kind in SIX:
        mask, shape = MASKS[kind], shape_of(kind)
        if shape is AnswerShape.BETWEEN:
            columns_by_kind[kind] = [mask(truths, -1, a, b) for a, b in places]
        elif shape is AnswerShape.OF:
            columns_by_kind[kind] = [mask(truths, x, -1, -1) for x in range(len(truths.nodes))]
        else:
            columns_by_kind[kind] = [mask(truths, -1, -1, -1)]
    return columns_by_kind


def _pairs(graph: CausalGraph) -> list[Pair]:
    order = [graph.nodes[place] for place in topological(graph)]
    return sorted(combinations(order, 2), key=lambda pair: (order.index(pair[1]), order.index(pair[0])))


def _as_lists(graph: CausalGraph, tables: dict[Asked, Any]) -> Answers:
    """Columns without the cells of the two nodes that a row is about, which are no queries."""
    named = [[graph.nodes.index(name) for name in pair] for pair in _pairs(graph)]
    lists: Answers = {}
    for kind, table in tables.items():
        is_pair = shape_of(kind) is AnswerShape.BETWEEN
        lists[kind] = [
            [bool(cell) for at, cell in enumerate(line) if not (is_pair and at in named[which])]
            for which, line in enumerate(table)
        ]
    return lists


def _as_masks(tables: dict[Asked, Any]) -> dict[Asked, list[int]]:
    return {kind: [sum(1 << int(at) for at in line.nonzero()[0]) for line in table] for kind, table in tables.items()}

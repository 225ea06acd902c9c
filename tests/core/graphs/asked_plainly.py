"""The same queries as a person would answer them with networkx: sets of predecessors, ancestors, a graph cut."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import networkx as nx

from core.graphs.graph import CausalGraph
from core.graphs.queries import Query, QueryKind, Variant
from exchange.edge_json import read_json

NETWORKS = Path(__file__).resolve().parents[3] / "demo" / "networks"
UP_TO_40 = ("cancer", "earthquake", "survey", "asia", "sachs", "child", "insurance", "water", "mildew", "alarm")
"""The published networks of at most 40 nodes, small ones first."""


@cache
def network(name: str) -> CausalGraph:
    """A published network of the repository."""
    return read_json((NETWORKS / f"{name}.json").read_text(encoding="utf-8"), name).graph


def drawn(graph: CausalGraph) -> nx.DiGraph:
    found = nx.DiGraph()
    found.add_nodes_from(graph.nodes)
    found.add_edges_from(edge.pair for edge in graph.edges)
    return found


def plainly(graph: nx.DiGraph, query: Query) -> frozenset[str] | bool:
    """The answer to one query, asked of networkx alone."""
    if query.variant is Variant.INTERVENTION_PAIR:
        assert query.between is not None
        cut = graph.copy()
        cut.remove_edges_from(list(graph.in_edges(query.of)))
        return query.between[1] in nx.descendants(cut, query.between[0])
    found = frozenset(_all_that_answer(graph, query))
    return found if query.node is None else query.node in found


def _all_that_answer(graph: nx.DiGraph, query: Query) -> set[str]:
    a, b = query.between or ("", "")
    match query.asked:
        case QueryKind.SOURCE:
            return {name for name in graph if not graph.in_degree(name)}
        case QueryKind.SINK:
            return {name for name in graph if not graph.out_degree(name)}
        case QueryKind.PARENT:
            return set(graph.predecessors(query.of))
        case QueryKind.CHILD:
            return set(graph.successors(query.of))
        case QueryKind.MEDIATOR:
            return (set(graph.successors(a)) & set(graph.predecessors(b))) - {a, b}
        case QueryKind.CONFOUNDER:
            return (set(graph.predecessors(a)) & set(graph.predecessors(b))) - {a, b}
        case QueryKind.INTERVENTION:
            return set(nx.descendants(graph, query.of)) - {query.of}
        case Variant.MEDIATOR_ANY_PATH:
            return set(nx.descendants(graph, a)) & set(nx.ancestors(graph, b))
        case Variant.CONFOUNDER_COMMON_ANCESTOR:
            return (set(nx.ancestors(graph, a)) & set(nx.ancestors(graph, b))) - {a, b}
        case _:
            return {name for name in graph if graph.out_degree(name) >= 2}

"""Orders of edges and nodes, and the one in which causes come first."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidGraph
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.naming import reversed_graph
from core.graphs.orders import EdgeOrder, ordered, topological
from core.graphs.random_dag import random_dag
from core.sign import Sign
from tests.core.graphs.asked_plainly import drawn, network

PAIRS = st.lists(st.tuples(st.sampled_from("ABCDEF"), st.sampled_from("ABCDEF")), max_size=12)


def pairs(graph: CausalGraph) -> list[tuple[str, str]]:
    return [edge.pair for edge in graph.edges]


@given(PAIRS)
def test_every_order_holds_each_edge_once_and_turns_none(drawn_pairs: list[tuple[str, str]]) -> None:
    graph = CausalGraph.of([Edge(*pair) for pair in drawn_pairs], nodes="ABCDEF")
    for order in EdgeOrder:
        told = ordered(graph, order)
        assert sorted(pairs(told)) == sorted(set(drawn_pairs))
        assert sorted(told.nodes) == sorted(graph.nodes)


@given(PAIRS)
def test_reversed_breadth_first_is_breadth_first_of_the_reversed_graph(drawn_pairs: list[tuple[str, str]]) -> None:
    graph = CausalGraph.of([Edge(*pair) for pair in drawn_pairs], nodes="ABCDEF")
    told, other = ordered(graph, EdgeOrder.BFS_REVERSED), ordered(reversed_graph(graph).graph, EdgeOrder.BFS)
    assert told.nodes == other.nodes
    assert pairs(told) == [(source, sink) for sink, source in pairs(other)]


def test_breadth_first_begins_at_sources_in_node_order_and_then_at_what_they_do_not_reach() -> None:
    edges = ["CB", "CA", "DA", "EF", "FE", "BE", "GH", "HG"]
    graph = CausalGraph.of([Edge(*pair) for pair in edges], nodes="ABCDEFGHZ")
    told = ordered(graph, EdgeOrder.BFS)
    assert "".join(told.nodes) == "CDZABEFGH"  # sources C, D and Z, what they reach, and the loop of G and H
    assert ["".join(pair) for pair in pairs(told)] == ["CA", "CB", "DA", "BE", "EF", "FE", "GH", "HG"]


def test_an_edge_keeps_what_it_was_listed_with_first() -> None:
    graph = CausalGraph.of([Edge("A", "B", Sign.PLUS), Edge("A", "B", Sign.MINUS)])
    for order in EdgeOrder:
        assert ordered(graph, order).edges == (Edge("A", "B", Sign.PLUS),)


@pytest.mark.parametrize(
    "graph", [*(random_dag(12, 20, seed) for seed in range(10)), network("alarm"), network("andes")]
)
def test_the_topological_order_keeps_node_order_among_equals(graph: CausalGraph) -> None:
    place = {name: at for at, name in enumerate(graph.nodes)}
    plain = nx.lexicographical_topological_sort(drawn(graph), key=place.__getitem__)
    assert [graph.nodes[at] for at in topological(graph)] == list(plain)


@pytest.mark.parametrize(
    ("edges", "shown"),
    [
        (["AB", "BA"], "A → B → A"),
        (["AA"], "A → A"),
        (["ZA", *("ABCDEFGH"[at : at + 2] for at in range(7)), "HA"], "A → B → C → … → G → H → A"),
    ],
)
def test_a_cycle_is_named(edges: list[str], shown: str) -> None:
    with pytest.raises(InvalidGraph) as refused:
        topological(CausalGraph.of([Edge(*pair) for pair in edges]))
    assert str(refused.value).endswith(f"no causal order: {shown}.")

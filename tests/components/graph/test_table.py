"""The table beside the figure: the same edges, nodes and classes in words."""

from __future__ import annotations

from components.graph.table import table_rows
from components.graph.view import ViewEdge, ViewNode

NODES = [ViewNode("p", "Price"), ViewNode("d", "Demand"), ViewNode("x", "Weather")]


def test_the_table_lists_edges_then_isolated_nodes() -> None:
    edges = [ViewEdge("e1", "p", "d", "-", delay=True), ViewEdge("e2", "d", "p", "+", flag="ambiguous arrow")]
    assert table_rows(NODES, edges) == {
        "source": ["Price", "Demand", "Weather"],
        "sign": ["−", "+", ""],
        "sink": ["Demand", "Price", ""],
        "delay": ["delay", "", ""],
        "flag": ["", "ambiguous arrow", "isolated"],
    }


def test_the_table_says_how_compared_edges_fared() -> None:
    assert table_rows(NODES, [ViewEdge("e", "p", "d", style="spurious")])["compared"] == ["spurious", ""]


def test_compared_nodes_have_rows_of_their_own_with_class_and_badge() -> None:
    nodes = [ViewNode("p", "Price", "matched", "2 names"), ViewNode("d", "Demand"), ViewNode("x", "Weather", "missed")]
    rows = table_rows(nodes, [ViewEdge("e", "p", "d", "+", style="matched", differs="+ → −")])
    assert rows["source"] == ["Price", "Price", "Weather"]
    assert rows["sign"] == ["+ → −", "", ""]
    assert rows["flag"] == ["", "2 names", "isolated"]
    assert rows["compared"] == ["matched", "matched", "missed"]

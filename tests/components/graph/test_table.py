"""The table beside the figure: the same edges, nodes and classes in words."""

from __future__ import annotations

from components.graph.table import table_rows
from components.graph.view import StyledEdge, ViewNode

NODES = [ViewNode("p", "Price"), ViewNode("d", "Demand"), ViewNode("x", "Weather")]


def test_the_table_lists_edges_then_isolated_nodes() -> None:
    edges = [
        StyledEdge(id="e1", source_id="p", sink_id="d", sign="-", delay=True),
        StyledEdge(id="e2", source_id="d", sink_id="p", sign="+", flag="ambiguous arrow"),
    ]
    assert table_rows(NODES, edges) == {
        "Source": ["Price", "Demand", "Weather"],
        "Sign": ["−", "+", ""],
        "Sink": ["Demand", "Price", ""],
        "Delay": ["delay", "", ""],
        "Flag": ["", "ambiguous arrow", "isolated"],
    }


def test_the_table_says_how_compared_edges_fared() -> None:
    assert table_rows(NODES, [StyledEdge(id="e", source_id="p", sink_id="d", style="spurious")])["Compared"] == [
        "spurious",
        "",
    ]


def test_compared_nodes_have_rows_of_their_own_with_class_and_badge() -> None:
    nodes = [ViewNode("p", "Price", "matched", "2 names"), ViewNode("d", "Demand"), ViewNode("x", "Weather", "missed")]
    rows = table_rows(
        nodes, [StyledEdge(id="e", source_id="p", sink_id="d", sign="+", style="matched", differs="+ → −")]
    )
    assert rows["Source"] == ["Price", "Price", "Weather"]
    assert rows["Sign"] == ["+ → −", "", ""]
    assert rows["Flag"] == ["", "2 names", "isolated"]
    assert rows["Compared"] == ["matched", "matched", "missed"]

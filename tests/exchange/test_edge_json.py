"""JSON graphs of other programs: edges under other keys, ids, directions, and what is not read named."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx
import pytest

from core.errors import BadRow
from exchange.edge_rows import ImportedGraph
from exchange.graphs import GraphForm, read_edges
from tests.exchange.strategies import DATA


def read(value: Any) -> ImportedGraph:
    found = read_edges(json.dumps(value).encode(), "g.json")
    assert found.form is GraphForm.JSON
    return found


def arrows(found: ImportedGraph) -> list[str]:
    return [f"{edge.source} {edge.sign.value if edge.sign else '>'} {edge.sink}" for edge in found.graph.edges]


def faults(found: ImportedGraph) -> list[tuple[str, str]]:
    return [(fault.field, fault.value) for fault in found.faults]


AB = {"source": "A", "sink": "B"}


@pytest.mark.skipif(not (DATA / "faults").is_dir(), reason="the shared inputs are not on this machine")
def test_the_file_whose_links_were_lost() -> None:
    found = read_edges((DATA / "faults" / "01-links.json").read_bytes(), "01-links.json")
    assert (arrows(found), found.faults, found.notices) == (
        ["Price - Demand", "Demand + Price", "Price + Supply"],
        (),
        (),
    )


@pytest.mark.parametrize("key", ["links", "edges"])
def test_what_networkx_writes_is_read(key: str) -> None:
    drawn = nx.DiGraph([(1, 2, {"sign": "+"}), (2, 1, {"sign": "-", "weight": 0.7})])
    found = read(nx.node_link_data(drawn, edges=key))
    assert (arrows(found), found.faults) == (["1 + 2", "2 - 1"], ())
    names, keys = found.notices
    assert names.endswith("id: 1, 2.")
    assert keys.endswith(": weight.")
    several = nx.MultiDiGraph([("A", "B"), ("B", "C")], name="farm")
    assert arrows(read(nx.node_link_data(several, edges=key))) == ["A > B", "B > C"]
    undirected = read(nx.node_link_data(nx.Graph([("A", "B")]), edges=key))
    assert (arrows(undirected), undirected.graph.nodes) == ([], ("A", "B"))
    assert str(undirected.faults[0]) == (
        f"g.json, {key}[0], directed: found 'false'; an edge has a direction; "
        'write "directed": true if every source acts on its sink'
    )


def test_ids_are_whole_numbers_or_texts() -> None:
    nodes = [{"id": 1, "label": "Price"}, {"id": 2, "label": "Demand"}, {"id": "c", "name": "Supply"}]
    found = read(
        {"nodes": nodes, "edges": [{"from": 1, "to": 2}, {"from": "2", "to": "c"}, {"from": "Price", "to": 1}]}
    )
    assert (arrows(found), found.faults) == (["Price > Demand", "Demand > Supply", "Price > Price"], ())
    wrong = read({"nodes": nodes, "edges": [{"from": 1, "to": 9}, {"from": "x", "to": 2}, {"from": True, "to": 1.5}]})
    assert (arrows(wrong), wrong.graph.nodes) == ([], ("Price", "Demand", "Supply"))
    assert faults(wrong) == [("edges[0].to", "9"), ("edges[1].from", '"x"'), ("edges[2].from", "true")]
    assert wrong.faults[0].expected == "no node has this id or name"
    assert arrows(read({"edges": [{"source": 1, "target": 2}]})) == ["1 > 2"]
    assert faults(read({"edges": [AB, {"source": "A", "sink": 7}]})) == [("edges[1].sink", "7")]
    assert arrows(read({"nodes": [1, 2], "links": [{"source": 2, "target": 1}]})) == ["2 > 1"]


def test_an_id_is_given_once() -> None:
    found = read({"nodes": [{"id": 1, "label": "A"}, {"id": 1, "label": "B"}], "links": [{"source": 1, "target": 1}]})
    assert (arrows(found), faults(found)) == (["A > A"], [("nodes[1].id", "1")])
    assert found.faults[0].expected == "nodes[0] has this id too; ids must differ"


def test_links_of_d3_count_nodes_from_0_where_none_has_an_id() -> None:
    nodes = [{"name": "A", "group": 1}, {"name": "B", "group": 2}]
    found = read({"nodes": nodes, "links": [{"source": 0, "target": 1, "value": 3}, {"source": 1, "target": 2}]})
    assert (arrows(found), faults(found)) == (["A > B"], [("links[1].target", "2")])
    assert "Edges name nodes by their place in the list, counted from 0." in found.notices
    assert "Keys of nodes not read: group (2)." in found.notices


@pytest.mark.parametrize(
    ("graph", "edge", "field", "value"),
    [
        ({"directed": False}, {}, "edges[0], directed", "false"),
        ({"graph": {"directed": "no"}}, {}, "edges[0], directed", '"no"'),
        ({"options": {"type": "undirected", "multi": True}}, {}, "edges[0], type", '"undirected"'),
        ({"edgedefault": "Undirected"}, {}, "edges[0], edgedefault", '"Undirected"'),
        ({"directed": True}, {"directed": False}, "edges[0].directed", "false"),
        ({}, {"undirected": True}, "edges[0].undirected", "true"),
        ({}, {"type": "undirected"}, "edges[0].type", "undirected"),
        ({}, {"direction": "undirected"}, "edges[0].direction", "undirected"),
    ],
)
def test_what_is_undirected_is_a_faulty_edge(
    graph: dict[str, Any], edge: dict[str, Any], field: str, value: str
) -> None:
    found = read({"nodes": ["A", "B"], "edges": [AB | edge], **graph})
    assert (arrows(found), faults(found)) == ([], [(field, value)])


def test_an_edge_may_say_its_own_direction() -> None:
    edges = [AB | {"directed": True}, {"source": "B", "sink": "C"}, {"source": "C", "sink": "D", "direction": "mutual"}]
    found = read({"directed": False, "edges": edges})
    assert (arrows(found), faults(found)) == (
        ["A > B"],
        [("edges[1], directed", "false"), ("edges[2], directed", "false")],
    )
    assert arrows(read({"edges": edges})) == ["A > B", "B > C", "C > D", "D > C"]


@pytest.mark.parametrize(
    ("value", "field", "says"),
    [
        ({"nodes": ["A"], "arcs": [AB]}, "arcs", "edges are not looked for here; a graph is"),
        ({"nodes": [{"id": "A"}], "adjacency": [[{"id": "A"}]]}, "adjacency", "a graph is"),
        ({"nodes": ["A", "B"], "children": {"A": ["B"]}}, "children", "a graph is"),
        ({"graph": {"nodes": {"a": {}}, "edges": [AB]}}, "graph", "a graph is"),
        ({"nodes": ["A"], "edges": [AB], "links": [AB]}, "links", "edges lists edges too; put all edges into one"),
        ({"nodes": {"a": {"label": "A"}}, "edges": []}, "nodes", "a graph is"),
        ({"nodes": ["A"], "links": {"self": "/graph"}}, "links", "a graph is"),
    ],
)
def test_edges_under_no_known_key_are_refused_by_name(value: dict[str, Any], field: str, says: str) -> None:
    with pytest.raises(BadRow, match=says) as caught:
        read(value)
    assert (caught.value.file, caught.value.field) == ("g.json", field)


def test_what_is_not_read_is_named() -> None:
    found = read(
        {
            "nodes": [
                {"id": "A", "color": "red", "note": None},
                {"id": "B", "color": "blue", "tags": []},
                {"id": "A b"},
            ],
            "edges": [AB | {"id": "e1", "weight": -0.7, "polarity": "-", "sign": "+"}],
            "loops": [["A"]],
            "meta": {"by": "me"},
            "groups": [],
            "multigraph": False,
        }
    )
    assert found.faults == ()
    assert found.notices == (
        "Keys not read: loops, meta.",
        "Keys of nodes not read: color (2).",
        "Keys of edges not read: polarity, weight.",
    )
    assert read({"nodes": ["A"], "edges": [], "links": [AB]}).notices == (
        "Edges name nodes that are not listed; they were added: B.",
    )
    kumu = read_edges(b'{"elements": [{"label": "A"}], "relations": [{"from": "A"}]}', "k.json")
    assert (kumu.form, kumu.notices) == (GraphForm.KUMU_JSON, ("Keys not read: relations.",))
    assert arrows(read({"elements": [{"label": "A"}], "links": [{"from": "A", "to": "B"}]})) == ["A > B"]


def test_two_nodes_of_one_label_are_reported() -> None:
    nodes = [{"id": "n1", "label": "Price"}, {"id": "n2", "label": " Price"}, {"id": "n3", "label": ""}]
    found = read({"nodes": nodes, "edges": [{"source": "n1", "target": "n2"}, {"source": "n2", "target": "n3"}]})
    assert (arrows(found), found.faults) == (["Price > Price", "Price > n3"], ())
    assert any(notice.endswith("id: n3.") for notice in found.notices)
    assert found.notices[-1].endswith('as one: "Price".')
    assert read({"nodes": ["A", "A"], "edges": []}).notices[-1].endswith('as one: "A".')


def test_numbers_are_read_as_signs_and_marks_like_their_texts() -> None:
    found = read({"edges": [AB | {"sign": -1, "delay": 0}, {"source": "B", "sink": "A", "sign": 0}]})
    assert (arrows(found), faults(found)) == (["A - B"], [("edges[1].sign", "0")])

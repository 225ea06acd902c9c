"""GEXF: exact round trips, networkx as a second reader and writer, files as Gephi writes them, faults with lines."""

from __future__ import annotations

import io
from contextlib import suppress

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput, BadRow, UnreadableFile
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.sign import Sign
from exchange import gexf
from exchange.edge_rows import ImportedGraph
from exchange.graphs import GraphForm, read_edges, write_graph
from tests.exchange.strategies import GRAPHS, TRICKY, placed_graphs, real_clds, real_networks

Arrows = list[tuple[str, str, str | None]]


def arrows(graph: CausalGraph) -> Arrows:
    return [(edge.source, edge.sink, edge.sign and edge.sign.value) for edge in graph.edges]


def read_by_networkx(content: bytes) -> tuple[list[str], Arrows]:
    read = nx.read_gexf(io.BytesIO(content))
    names = nx.get_node_attributes(read, "label")
    told = [(int(data["id"][1:]), names[u], names[v], data.get("sign")) for u, v, data in read.edges(data=True)]
    return [names[node] for node in read], [arrow[1:] for arrow in sorted(told)]


def read(body: str, *, attributes: str = 'defaultedgetype="directed"') -> ImportedGraph:
    """Read a file whose graph's content begins on line 3."""
    content = (
        '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n'
        f"<graph {attributes}>\n{body}\n</graph></gexf>"
    )
    return gexf.read(content.encode(), "cld.gexf")


def faults(read: ImportedGraph) -> list[str]:
    return [str(fault) for fault in read.faults]


NODES = '<nodes><node id="a"/><node id="b"/></nodes>\n'
SIGNS = '<attributes class="edge"><attribute id="0" title="Polarity" type="string"/></attributes>\n'


@given(placed_graphs())
def test_a_graph_and_its_places_are_read_back_exactly(placed: tuple[CausalGraph, dict[str, Point]]) -> None:
    graph, places = placed
    content = write_graph(graph, GraphForm.GEXF, places)
    assert content == write_graph(graph, GraphForm.GEXF, places)
    back = read_edges(content, "graph.gexf")
    assert (back.faults, back.graph, back.places, back.form) == ((), graph, places, GraphForm.GEXF)
    assert not [notice for notice in back.notices if notice.startswith("Data not read")]


@given(GRAPHS)
def test_networkx_reads_what_is_written(graph: CausalGraph) -> None:
    assert read_by_networkx(gexf.write(graph, {})) == (list(graph.nodes), arrows(graph))


def test_networkx_reads_every_field_of_every_trap() -> None:
    content = gexf.write(TRICKY, {"None": Point(0.1, 2.5)})
    assert read_by_networkx(content) == (list(TRICKY.nodes), arrows(TRICKY))
    again = nx.read_gexf(io.BytesIO(content))
    assert again.nodes["n4"] == {"label": "None", "viz": {"position": {"x": 0.1, "y": -2.5, "z": 0.0}}}
    told = {data["id"]: data for _, _, data in again.edges(data=True)}
    assert (told["e0"]["delay"], told["e0"]["flag"]) == (True, "not causal")
    assert told["e0"]["note"] == "see\r\n_x000C_p. 3 _x005F_x000C_\t"
    assert "sign" not in told["e2"]


@given(GRAPHS)
def test_what_networkx_writes_is_read(graph: CausalGraph) -> None:
    made = nx.MultiDiGraph()
    made.add_nodes_from(graph.nodes)
    for edge in graph.edges:
        marks = ({"sign": edge.sign.value} if edge.sign else {}) | ({"delay": True} if edge.delay else {})
        made.add_edge(edge.source, edge.sink, **marks)
    for version in ("1.1draft", "1.2draft", "1.3"):
        back = gexf.read("\n".join(nx.generate_gexf(made, version=version)).encode(), "nx.gexf")
        assert back.faults == ()
        assert back.graph.nodes == graph.nodes
        assert sorted(arrows(back.graph), key=str) == sorted(arrows(graph), key=str)
        assert sum(edge.delay for edge in back.graph.edges) == sum(edge.delay for edge in graph.edges)


def test_the_real_diagrams_and_networks_come_back_exactly_and_networkx_agrees() -> None:
    real = {**real_clds(), **{name: (graph, {}) for name, graph in real_networks().items()}}
    assert len(real) == 50 + 15
    for name, (graph, places) in real.items():
        content = gexf.write(graph, places)
        back = gexf.read(content, name)
        assert (back.graph, back.places, back.faults) == (graph, places, ()), name
        assert read_by_networkx(content) == (list(graph.nodes), arrows(graph)), name


def test_the_writing_is_as_expected() -> None:
    graph = CausalGraph.of([Edge("R&D", "Größe", Sign.MINUS, delay=True), Edge("R&D", "Größe")])
    assert gexf.write(graph, {"R&D": Point(80, 20)}).decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n'
        '  <graph defaultedgetype="directed" idtype="string" mode="static">\n'
        '    <attributes class="edge" mode="static">\n'
        '      <attribute id="sign" title="sign" type="string"/>\n'
        '      <attribute id="delay" title="delay" type="boolean"/>\n'
        '      <attribute id="flag" title="flag" type="string"/>\n'
        '      <attribute id="note" title="note" type="string"/>\n'
        "    </attributes>\n    <nodes>\n"
        '      <node id="n0" label="R&amp;D">\n        <viz:position x="80.0" y="-20.0" z="0.0"/>\n      </node>\n'
        '      <node id="n1" label="Größe"/>\n'
        "    </nodes>\n    <edges>\n"
        '      <edge id="e0" source="n0" target="n1" label="-" kind="minus">\n        <attvalues>\n'
        '          <attvalue for="sign" value="-"/>\n          <attvalue for="delay" value="true"/>\n'
        "        </attvalues>\n      </edge>\n"
        '      <edge id="e1" source="n0" target="n1" kind="unknown"/>\n'
        "    </edges>\n  </graph>\n</gexf>\n"
    )


GEPHI = b"""<?xml version='1.0' encoding='UTF-8'?>
<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2" xmlns:viz="http://www.gexf.net/1.2draft/viz">
  <meta lastmodifieddate="2024-01-01"><creator>Gephi 0.10</creator></meta>
  <graph defaultedgetype="directed" idtype="string" type="static" name="Fish  stocks">
    <attributes class="node" mode="static"><attribute id="degree" title="Degree" type="integer"/></attributes>
    <attributes class="edge" mode="static">
      <attribute id="s" title="Sign" type="string"><default>+</default></attribute>
    </attributes>
    <nodes count="2">
      <node id="10" label="Fish stock"><attvalues><attvalue for="degree" value="3"/></attvalues>
        <viz:size value="10.0"/><viz:position x="-1.5" y="12.25" z="0.0"/></node>
      <node id="11" label=""/>
    </nodes>
    <edges count="3">
      <edge id="0" source="10" target="11" weight="1.0"/>
      <edge id="1" source="11" target="10" weight="2.5" label="-">
        <attvalues><attvalue for="s" value=""/></attvalues></edge>
      <edge id="2" source="11" target="11" type="mutual" kind="flow">
        <attvalues><attvalue for="s" value="-"/></attvalues></edge>
    </edges>
  </graph>
</gexf>"""


def test_a_file_of_gephi_is_read() -> None:
    back = gexf.read(GEPHI, "gephi.gexf")
    assert back.faults == ()
    assert back.graph == CausalGraph.of(
        [Edge("Fish stock", "11", Sign.PLUS), Edge("11", "Fish stock", Sign.MINUS), Edge("11", "11", Sign.MINUS)]
    )
    assert back.places == {"Fish stock": Point(-1.5, -12.25)}
    assert back.title == "Fish stocks"
    assert back.notices == (
        "Data not read: node degree, edge weight, edge kind.",
        "Nodes without a label are named by their id: 11.",
        "Mutual edges were read as two edges, one each way: edge 2.",
    )


def test_a_bare_viz_is_read_with_a_notice() -> None:
    text = (
        '<gexf><graph defaultedgetype="directed"><nodes><node id="a" label="A"><viz:position x="1" y="-2"/></node>'
        '<node id="b"/></nodes><edges><edge source="a" target="b" viz:thickness="2"/></edges></graph></gexf>'
    )
    back = gexf.read(text.encode(), "gephi.gexf")
    assert (arrows(back.graph), back.places, faults(back)) == ([("A", "b", None)], {"A": Point(1, 2)}, [])
    assert back.notices[0] == "Prefixes that no xmlns declares were read like any other: viz."


def test_a_mutual_edge_is_two_arrows() -> None:
    back = read(f'{SIGNS}{NODES}<edges><edge id="m" source="a" target="b" type="mutual" label="-"/></edges>')
    assert arrows(back.graph) == [("a", "b", "-"), ("b", "a", "-")]
    names, mutual = back.notices
    assert names.endswith(": a, b.")
    assert mutual.endswith(": edge m.")


@pytest.mark.parametrize(
    ("attributes", "edge", "field", "value"),
    [
        ('defaultedgetype="undirected"', "", "defaultedgetype", "undirected"),
        ("", "", "defaultedgetype", "undirected"),
        ('defaultedgetype="directed"', ' type="undirected"', "type", "undirected"),
        ('defaultedgetype="directed"', ' type="sideways"', "type", "sideways"),
    ],
)
def test_an_edge_without_direction_is_a_faulty_row(attributes: str, edge: str, field: str, value: str) -> None:
    edges = f'<edges><edge id="e1" source="a" target="b"{edge}/><edge source="b" target="a" type="directed"/></edges>'
    back = read(NODES + edges, attributes=attributes)
    [fault] = back.faults
    assert (fault.line, fault.field, fault.value) == (4, f"edge e1, {field}", value)
    assert 'type="directed"' in fault.expected
    assert arrows(back.graph) == [("b", "a", None)]


@pytest.mark.parametrize("value", ["None", "mixed", "0"])
def test_a_sign_that_is_none_is_a_faulty_row_even_with_a_label(value: str) -> None:
    values = f'<attvalues><attvalue for="0" value="{value}"/></attvalues>'
    back = read(f'{SIGNS}{NODES}<edges><edge id="e1" source="a" target="b" label="+">{values}</edge></edges>')
    assert faults(back) == [
        f"cld.gexf, line 5, edge e1, sign: found '{value}'; "
        "an edge's sign is +, - or empty (also plus, minus, positive, negative)"
    ]
    assert back.graph == CausalGraph.of([], ["a", "b"])


def test_a_label_that_contradicts_the_sign_is_named() -> None:
    values = '<attvalues><attvalue for="0" value="minus"/></attvalues>'
    back = read(f'{SIGNS}{NODES}<edges><edge id="e1" source="a" target="b" label="+">{values}</edge></edges>')
    assert arrows(back.graph) == [("a", "b", "-")]
    assert "The label of the arrow differs from its sign; the sign was followed: edge e1." in back.notices


def test_faulty_ends_ids_names_and_places_are_rows_with_their_line() -> None:
    back = read(
        '<nodes><node id="a"/>\n<node id="a"/>\n<node label="N"/>\n<node id="c" label="&#x202e;y"/>\n'
        '<node id="d"><viz:position x="1" y="far"/></node></nodes>\n<edges><edge id="e1" source="a" target="z"/>\n'
        '<edge id="e2" source="a"/>\n<edge id="e3" source="c" target="a"/>\n<edge id="e4" source="a" target="d">'
        '<attvalues><attvalue for="sign" value="+"/><attvalue for="sign" value="-"/></attvalues></edge></edges>'
    )
    assert [(fault.line, fault.field, fault.value) for fault in back.faults] == [
        (4, "node a, id", "a"),
        (5, "node, id", ""),
        (6, "node c, label", "\u202ey"),
        (7, "node d, y", "far"),
        (8, "edge e1, target", "z"),
        (9, "edge e2, target", ""),
        (10, "edge e3, source", "c"),
        (11, "edge e4, sign", "-"),
    ]
    assert (back.graph, back.places) == (CausalGraph.of([], ["a", "d"]), {})


def test_nested_nodes_are_read_flat_and_frames_are_no_variables() -> None:
    back = read(
        '<nodes><node id="s" label="Sector"><nodes><node id="a"/></nodes><edges><edge source="a" target="b"/></edges>'
        '</node><node id="f" label="Frame"/><node id="b" pid="f"/></nodes>'
    )
    assert back.graph == CausalGraph.of([Edge("a", "b")])
    frames = "Groups that no edge touches only frame other nodes and were not read as variables"
    assert f"{frames}: Sector, Frame." in back.notices


def test_a_variable_drawn_twice_is_one_node() -> None:
    back = read(
        '<nodes><node id="1" label="Price"/><node id="2" label=" Price"/><node id="3" label="Sales"/></nodes>'
        '<edges><edge source="1" target="3"/><edge source="3" target="2"/></edges>'
    )
    assert arrows(back.graph) == [("Price", "Sales", None), ("Sales", "Price", None)]
    assert back.notices[-1].endswith('as one: "Price".')


def test_times_are_said_to_be_left_out() -> None:
    back = read(NODES, attributes='defaultedgetype="directed" mode="dynamic"')
    assert "times were not" in back.notices[-1]
    assert len(back.graph.nodes) == 2


def test_a_file_that_is_not_one_graph_is_refused() -> None:
    for content, line, value, word in (
        (b"<gexf><graph/>\n<graph/></gexf>", 2, "", "2 graphs"),
        (b"<gexf/>", 1, "", "no <graph>"),
        (b"<graphml/>", 1, "<graphml>", "<gexf>"),
    ):
        with pytest.raises(BadRow) as caught:
            gexf.read(content, "cld.gexf")
        assert (caught.value.line, caught.value.value) == (line, value)
        assert word in caught.value.expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"<!DOCTYPE html><html></html>", "is a web page"),
        (
            b'<!DOCTYPE g [<!ENTITY x "y">]><gexf>&x;</gexf>',
            "line 1: found 'g'; a document type .DOCTYPE. is not allowed",
        ),
        (b"<gexf>\n<graph>\n<nodes>", "line 3, column 8; .* ends before <nodes> of line 3 is closed"),
        (b"<gexf>\xfc</gexf>", "line 1; not UTF-8, and no other encoding is declared"),
    ],
)
def test_a_broken_file_is_refused_with_its_reason(content: bytes, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        read_edges(content, "cld.gexf")
    assert isinstance(caught.value, (BadRow, UnreadableFile))


@given(st.data())
def test_a_damaged_file_is_refused_or_read_but_never_breaks(data: st.DataObject) -> None:
    content = gexf.write(TRICKY, {"None": Point(1, 2)})
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.one_of(st.just(len(content)), st.integers(start, start + 40)))
    with suppress(BadInput):
        gexf.read(content[:start] + data.draw(st.binary(max_size=3)) + content[end:], "cld.gexf")

"""GraphML: exact round trips, networkx as a second reader and writer, yEd's drawings, and every fault with its line."""

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
from exchange import graphml
from exchange.edge_rows import ImportedGraph
from exchange.graphs import GraphForm, read_edges, write_graph
from tests.exchange.strategies import GRAPHS, TRICKY, placed_graphs, real_clds, real_networks

Arrows = list[tuple[str, str, str | None]]


def arrows(graph: CausalGraph) -> Arrows:
    return [(edge.source, edge.sink, edge.sign and edge.sign.value) for edge in graph.edges]


def read_by_networkx(content: bytes) -> tuple[list[str], Arrows]:
    read = nx.read_graphml(io.BytesIO(content), force_multigraph=True)
    names = nx.get_node_attributes(read, "name")
    told = [
        (int(key[1:]), names[u], names[v], data.get("sign")) for u, v, key, data in read.edges(keys=True, data=True)
    ]
    return [names[node] for node in read], [arrow[1:] for arrow in sorted(told)]


def inside(body: str, *, keys: str = "", default: str = "directed") -> bytes:
    """A file whose graph begins on line 3 and whose keys are named like their ids."""
    declared = "".join(
        f'<key id="d{place}" for="{kind}" attr.name="{name}" attr.type="string"/>'
        for place, (kind, name) in enumerate(pair.split(".") for pair in keys.split())
    )
    return (
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">\n'
        f'{declared}\n<graph edgedefault="{default}">\n{body}\n</graph></graphml>'
    ).encode()


def read(body: str, *, keys: str = "", default: str = "directed") -> ImportedGraph:
    return graphml.read(inside(body, keys=keys, default=default), "cld.graphml")


def faults(read: ImportedGraph) -> list[str]:
    return [str(fault) for fault in read.faults]


NODES = '<node id="a"/><node id="b"/>\n'


@given(placed_graphs())
def test_a_graph_and_its_places_are_read_back_exactly(placed: tuple[CausalGraph, dict[str, Point]]) -> None:
    graph, places = placed
    content = write_graph(graph, GraphForm.GRAPHML, places)
    assert content == write_graph(graph, GraphForm.GRAPHML, places)
    back = read_edges(content, "graph.graphml")
    assert (back.faults, back.graph, back.places, back.form) == ((), graph, places, GraphForm.GRAPHML)
    assert not [notice for notice in back.notices if notice.startswith("Data not read")]


@given(GRAPHS)
def test_networkx_reads_what_is_written(graph: CausalGraph) -> None:
    assert read_by_networkx(graphml.write(graph, {})) == (list(graph.nodes), arrows(graph))


def test_networkx_reads_every_field_of_every_trap() -> None:
    content = graphml.write(TRICKY, {"None": Point(0.1, -2.5)})
    assert read_by_networkx(content) == (list(TRICKY.nodes), arrows(TRICKY))
    again = nx.read_graphml(io.BytesIO(content), force_multigraph=True)
    assert (again.nodes["n4"]["x"], again.nodes["n4"]["y"], again.nodes["n4"]["label"]) == (0.1, -2.5, "None")
    first = again.edges["n2", "n3", "e0"]
    assert (first["delay"], first["flag"]) == (True, "not causal")
    assert first["note"] == "see\r\n_x000C_p. 3 _x005F_x000C_\t"
    assert "sign" not in again.edges["n2", "n3", "e2"]


@given(GRAPHS, st.booleans())
def test_what_networkx_writes_is_read(graph: CausalGraph, is_named_by_id: bool) -> None:
    made = nx.MultiDiGraph()
    # Without labels the names are ids, whose white space at the ends no name has
    ids = {name: name if is_named_by_id else f"id {place}" for place, name in enumerate(graph.nodes)}
    for name in graph.nodes:
        made.add_node(ids[name], **({} if is_named_by_id else {"label": name}))
    for edge in graph.edges:
        marks = ({"sign": edge.sign.value} if edge.sign else {}) | ({"delay": True} if edge.delay else {})
        made.add_edge(ids[edge.source], ids[edge.sink], **marks)
    content = "\n".join(nx.generate_graphml(made)).encode()
    back = graphml.read(content, "nx.graphml")
    assert back.faults == ()
    assert back.graph.nodes == graph.nodes
    assert sorted(arrows(back.graph), key=str) == sorted(arrows(graph), key=str)
    assert sum(edge.delay for edge in back.graph.edges) == sum(edge.delay for edge in graph.edges)


def test_the_real_diagrams_and_networks_come_back_exactly_and_networkx_agrees() -> None:
    real = {**real_clds(), **{name: (graph, {}) for name, graph in real_networks().items()}}
    assert len(real) == 50 + 15
    for name, (graph, places) in real.items():
        content = graphml.write(graph, places)
        back = graphml.read(content, name)
        assert (back.graph, back.places, back.faults) == (graph, places, ()), name
        assert read_by_networkx(content) == (list(graph.nodes), arrows(graph)), name


def test_the_writing_is_as_expected() -> None:
    graph = CausalGraph.of([Edge("R&D", "Größe", Sign.MINUS)])
    assert graphml.write(graph, {"R&D": Point(80, 20)}).decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">\n'
        '  <key id="name" for="node" attr.name="name" attr.type="string"/>\n'
        '  <key id="x" for="node" attr.name="x" attr.type="double"/>\n'
        '  <key id="y" for="node" attr.name="y" attr.type="double"/>\n'
        '  <key id="sign" for="edge" attr.name="sign" attr.type="string"/>\n'
        '  <key id="delay" for="edge" attr.name="delay" attr.type="boolean"/>\n'
        '  <key id="flag" for="edge" attr.name="flag" attr.type="string"/>\n'
        '  <key id="note" for="edge" attr.name="note" attr.type="string"/>\n'
        '  <key id="nodegraphics" for="node" yfiles.type="nodegraphics"/>\n'
        '  <key id="edgegraphics" for="edge" yfiles.type="edgegraphics"/>\n'
        '  <graph id="G" edgedefault="directed">\n'
        '    <node id="n0">\n'
        '      <data key="nodegraphics">\n        <y:ShapeNode>\n'
        '          <y:Geometry height="40.0" width="160.0" x="0.0" y="0.0"/>\n'
        '          <y:NodeLabel>R&amp;D</y:NodeLabel>\n          <y:Shape type="roundrectangle"/>\n'
        "        </y:ShapeNode>\n      </data>\n"
        '      <data key="name">R&amp;D</data>\n      <data key="x">80.0</data>\n      <data key="y">20.0</data>\n'
        "    </node>\n"
        '    <node id="n1">\n'
        '      <data key="nodegraphics">\n        <y:ShapeNode>\n'
        '          <y:NodeLabel>Größe</y:NodeLabel>\n          <y:Shape type="roundrectangle"/>\n'
        "        </y:ShapeNode>\n      </data>\n"
        '      <data key="name">Größe</data>\n'
        "    </node>\n"
        '    <edge id="e0" source="n0" target="n1">\n'
        '      <data key="edgegraphics">\n        <y:PolyLineEdge>\n'
        '          <y:Arrows source="none" target="standard"/>\n          <y:EdgeLabel>-</y:EdgeLabel>\n'
        "        </y:PolyLineEdge>\n      </data>\n"
        '      <data key="sign">-</data>\n'
        "    </edge>\n  </graph>\n</graphml>\n"
    )


def test_keys_are_known_by_their_names_and_defaults_fill_in() -> None:
    content = b"""<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
      <key id="d0" for="node" attr.name="Label"/><key id="d0" for="edge" attr.name="Polarity"><default>-</default></key>
      <key id="d2" for="all" attr.name="note"><default>from the figure</default></key>
      <key id="d3" for="graph" attr.name="name"/>
      <graph edgedefault="directed"><data key="d3">Fish
        stocks</data>
        <node id="a"><data key="d0">Price</data></node><node id="b"><data key="d0"> </data></node>
        <edge source="a" target="b"/><edge source="b" target="a"><data key="d0">positive</data></edge>
      </graph></graphml>"""
    back = graphml.read(content, "cld.graphml")
    assert back.graph.edges == (
        Edge("Price", "b", Sign.MINUS, note="from the figure"),
        Edge("b", "Price", Sign.PLUS, note="from the figure"),
    )
    assert back.title == "Fish stocks"
    names, sign = back.notices
    assert names.endswith(": b.")
    assert "“positive” was" in sign


def test_other_data_is_named_in_one_notice() -> None:
    back = read(
        '<data key="d3">me</data><node id="a"><data key="d0">red</data><data key="d1">Price</data></node>'
        '<node id="b"><data key="d0"/></node><edge source="a" target="b"><data key="d2">0.5</data></edge>',
        keys="node.color node.label edge.weight graph.author",
    )
    data, names = back.notices
    assert data.endswith(": node color, edge weight, graph author.")
    assert names.endswith("id: b.")
    assert back.graph.nodes == ("Price", "b")


@pytest.mark.parametrize("value", ["None", "mixed", "0", "causes"])
def test_a_sign_that_is_none_is_a_faulty_row_and_the_others_stay(value: str) -> None:
    back = read(
        f'{NODES}<edge id="e1" source="a" target="b"><data key="d0">{value}</data></edge>\n'
        '<edge id="e2" source="b" target="a"><data key="d0">+</data></edge>',
        keys="edge.sign",
    )
    [fault] = back.faults
    assert (fault.line, fault.field, fault.value) == (5, "edge e1, sign", value)
    assert "+, - or empty" in fault.expected
    assert arrows(back.graph) == [("b", "a", "+")]


def test_a_drawing_under_undeclared_prefixes_is_read_with_a_notice() -> None:
    text = (
        '<graphml xsi:schemaLocation="a b"><graph edgedefault="directed"><node id="a"><data key="d"><y:ShapeNode>'
        '<y:Geometry x="0" y="0" width="20" height="10"/><y:NodeLabel>Price</y:NodeLabel></y:ShapeNode></data></node>'
        '<edge source="a" target="a"/></graph></graphml>'
    )
    back = graphml.read(text.encode(), "yed.graphml")
    assert (arrows(back.graph), back.places, back.faults) == ([("Price", "Price", None)], {"Price": Point(10, 5)}, ())
    (notice,) = back.notices
    assert notice.endswith(": xsi, y.")


def test_an_edge_without_direction_is_a_faulty_row() -> None:
    plain = '<edge id="e1" source="a" target="b"/>'
    for back, field, value in (
        (read(NODES + plain, default="undirected"), "edgedefault", "undirected"),
        (read(NODES + plain.replace("/>", ' directed="false"/>')), "directed", "false"),
    ):
        [fault] = back.faults
        assert (fault.line, fault.field, fault.value) == (5, f"edge e1, {field}", value)
        assert 'directed="true"' in fault.expected
    back = read(NODES + plain.replace("/>", ' directed="true"/>'), default="undirected")
    assert (faults(back), arrows(back.graph)) == ([], [("a", "b", None)])


def test_faulty_ends_ids_names_and_places_are_rows_with_their_line() -> None:
    back = read(
        '<node id="a"/>\n<node id="a"/>\n<node/>\n<node id="c"><data key="d0">x\u202ey</data></node>\n'
        '<node id="d"><data key="d1">far</data><data key="d2">1</data></node>\n'
        '<edge id="e1" source="a" target="z"/>\n'
        '<edge id="e2" source="a"/>\n<edge id="e3" source="c" target="a"/>\n'
        '<hyperedge><endpoint node="a"/></hyperedge>\n'
        '<node id="f"><data key="d0">F</data><data key="d0">G</data></node><edge source="f" target="a"/>',
        keys="node.label node.x node.y",
    )
    assert [(fault.line, fault.field, fault.value) for fault in back.faults] == [
        (5, "node a, id", "a"),
        (6, "node, id", ""),
        (7, "node c, label", "x\u202ey"),
        (8, "node d, x", "far"),
        (13, "node f, label", "G"),
        (9, "edge e1, target", "z"),
        (10, "edge e2, target", ""),
        (11, "edge e3, source", "c"),
        (12, "hyperedge", "a"),
        (13, "edge, source", "f"),
    ]
    assert [fault.expected for fault in back.faults] == [
        "the node of line 4 has this id; ids must differ",
        'a node needs an id, as in <node id="n1">',
        "The name contains a text-direction character (U+202E) at position 2, which can make it "
        "look different from what "
        "it is; remove it.",
        "a place is a number; the node was read without its place",
        "label is given twice, first as “F”; remove one",
        "no node has this id",
        'an edge names a node by its id, as in target="n1"',
        "this node is itself faulty, see line 7",
        "a hyperedge joins several nodes; write one <edge> for each pair",
        "this node is itself faulty, see line 13",
    ]
    assert (back.graph, back.places) == (CausalGraph.of([], ["a", "d"]), {})


def test_a_variable_drawn_twice_is_one_node() -> None:
    back = read(
        '<node id="1"><data key="d0">Price</data></node><node id="2"><data key="d0">Price</data></node>'
        '<node id="3"/><edge source="1" target="3"/><edge source="3" target="2"/>',
        keys="node.label",
    )
    assert arrows(back.graph) == [("Price", "3", None), ("3", "Price", None)]
    assert back.notices[-1].endswith('as one: "Price".')


def test_an_arrow_repeated_on_the_same_line_is_named() -> None:
    back = read(f'{NODES}<edge source="a" target="b"/><edge source="a" target="b"/>')
    assert back.graph.edges == (Edge("a", "b"),)
    assert back.notices[-1].startswith('line 5: "a" -> "b"')


def test_nested_graphs_are_read_flat_and_frames_are_no_variables() -> None:
    back = read(
        '<node id="frame"><data key="d0">Sector</data><graph edgedefault="directed"><node id="a"/><node id="b"/>'
        '<edge source="a" target="b"/></graph></node><node id="sum"><graph edgedefault="undirected"><node id="c"/>'
        '<edge id="e9" source="c" target="a"/></graph></node><edge source="sum" target="a"/>',
        keys="node.label",
    )
    assert back.graph == CausalGraph.of([Edge("a", "b"), Edge("sum", "a")], ["a", "b", "sum", "c"])
    assert "Groups that no edge touches only frame other nodes and were not read as variables: Sector." in back.notices
    assert [fault.field for fault in back.faults] == ["edge e9, edgedefault"]


YED = b"""<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
<key for="node" id="d5" attr.name="description"/><key for="node" id="d6" yfiles.type="nodegraphics"/>
<key for="edge" id="d10" yfiles.type="edgegraphics"/><key for="node" id="d7" attr.name="name"/>
<key for="node" id="d8" attr.name="x"/><key for="node" id="d9" attr.name="y"/>
<key for="edge" id="d11" attr.name="sign"/><graph edgedefault="directed" id="G">
<node id="n0"><data key="d5"/><data key="d6"><y:ShapeNode><y:Geometry height="30.0" width="80.0" x="10.0" y="-5"/>
  <y:NodeLabel>Birth
rate<y:LabelModel><y:SmartNodeLabelModel distance="4.0"/></y:LabelModel></y:NodeLabel></y:ShapeNode></data></node>
<node id="n1"><data key="d7">Old</data><data key="d8">0</data><data key="d9">0</data>
  <data key="d6"><y:ShapeNode><y:Geometry height="40" width="160" x="100" y="100"/>
  <y:NodeLabel>Population</y:NodeLabel></y:ShapeNode></data></node>
<edge id="e0" source="n0" target="n1"><data key="d10"><y:PolyLineEdge><y:Arrows source="none" target="standard"/>
  <y:EdgeLabel>+</y:EdgeLabel><y:EdgeLabel>||</y:EdgeLabel></y:PolyLineEdge></data></edge>
<edge id="e1" source="n0" target="n1"><data key="d10"><y:ArcEdge><y:Arrows source="delta" target="none"/>
  <y:EdgeLabel>\xe2\x88\x92</y:EdgeLabel></y:ArcEdge></data><data key="d11">+</data></edge>
<edge id="e2" source="n1" target="n1"><data key="d10"><y:ArcEdge><y:Arrows source="none" target="none"/>
  <y:EdgeLabel>per year</y:EdgeLabel></y:ArcEdge></data></edge>
</graph></graphml>"""


def test_a_drawing_of_yed_is_read_as_it_is_seen() -> None:
    back = graphml.read(YED, "yed.graphml")
    assert back.faults == ()
    assert back.graph.edges == (
        Edge("Birth rate", "Population", Sign.PLUS, delay=True),
        Edge("Population", "Birth rate", Sign.MINUS),
        Edge("Population", "Population"),
    )
    assert back.places == {"Birth rate": Point(50, 10), "Population": Point(180, 120)}
    assert back.notices == (
        "Data not read: node name, edge label.",
        "The sign drawn at the arrow differs from its data; the drawing was followed: edge e1.",
        "Edges drawn with their head at the source were read as they are drawn: edge e1.",
        "Edges drawn without a head were read from source to target: edge e2.",
        "The sign “−” was read as -.",
        'White space or accents were tidied in 1 name: "Birth rate".',
    )


def test_an_arrow_with_two_heads_is_two_arrows() -> None:
    drawn = '<data key="g"><y:PolyLineEdge><y:Arrows source="standard" target="standard"/></y:PolyLineEdge></data>'
    back = read(f'{NODES}<edge id="e1" source="a" target="b">{drawn}</edge>')
    assert arrows(back.graph) == [("a", "b", None), ("b", "a", None)]
    assert back.notices[-1].endswith("two edges: edge e1.")


def test_a_drawing_of_yed_live_is_read() -> None:
    body = (
        '<node id="n0"><data key="d0"><x:List><y:Label><y:Label.Text><![CDATA[Price]]></y:Label.Text>'
        '</y:Label></x:List></data><data key="d1"><y:RectD X="0" Y="10" Width="30" Height="40"/></data>'
        '<port name="p0"/></node>'
        '<edge source="n0" target="n0" sourceport="p0"><data key="d2"><x:List><y:Label Text="-"/></x:List></data>'
        "</edge>"
    )
    content = inside(body, keys="node.NodeLabels node.NodeGeometry edge.EdgeLabels").replace(
        b"<graphml ", b'<graphml xmlns:x="http://www.yworks.com/xml/yfiles-common/markup/3.0" '
    )
    back = graphml.read(content, "live.graphml")
    assert arrows(back.graph) == [("Price", "Price", "-")]
    assert back.places == {"Price": Point(15, 30)}
    assert back.notices == ("Ports were not read; edges run from node to node.",)


def test_a_file_that_is_not_one_graph_is_refused() -> None:
    for content, line, value, expected in (
        (b"<graphml><graph/>\n<graph/></graphml>", 2, "", "2 graphs"),
        (b"<graphml/>", 1, "", "no <graph>"),
        (b"<gexf/>", 1, "<gexf>", "<graphml>"),
    ):
        with pytest.raises(BadRow) as caught:
            graphml.read(content, "cld.graphml")
        assert (caught.value.line, caught.value.value) == (line, value)
        assert expected in caught.value.expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"<!DOCTYPE html><html></html>", "is a web page"),
        (b'<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]><graphml>&x;</graphml>', "DOCTYPE"),
        (b"<graphml>\n<graph>\n<node id='a'/>", "line 3, column 15; .* ends before <graph> of line 2 is closed"),
        (b"<graphml>\xfc</graphml>", "line 1; not UTF-8, and no other encoding is declared"),
    ],
)
def test_a_broken_file_is_refused_with_its_reason(content: bytes, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        read_edges(content, "cld.graphml")
    assert isinstance(caught.value, (BadRow, UnreadableFile))


@given(st.data())
def test_a_damaged_file_is_refused_or_read_but_never_breaks(data: st.DataObject) -> None:
    content = graphml.write(TRICKY, {"None": Point(1, 2)})
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.one_of(st.just(len(content)), st.integers(start, start + 40)))
    with suppress(BadInput):
        graphml.read(content[:start] + data.draw(st.binary(max_size=3)) + content[end:], "cld.graphml")

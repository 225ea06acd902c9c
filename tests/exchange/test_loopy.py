"""Loopy: links as people paste them, the encoding of its own program, exact round trips, broken links."""

from __future__ import annotations

import json
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput, BadRow
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.sign import Sign
from exchange import loopy
from exchange.edge_rows import ImportedGraph
from exchange.graphs import GraphForm, lost_in, obstacle, read_edges, recognised, write_graph
from tests.exchange.strategies import DATA, GRAPHS, real_clds

PIXELS = st.floats(-1e6, 1e6)

FOXES = (
    "https://ncase.me/loopy/v1.1/?data=[[[1,227,303,0.66,%22job%2520loss%22,0],[2,663,304.5,0.66,"
    "%22tax%252C%250Arevenue%22,1]],[[2,1,153,-1,0],[1,2,160,1,0]],[[442,316,%22A%2520basic%250Aloop%22]],2%5D"
)
GRAPH = CausalGraph.of(
    [Edge("tax, revenue", "job loss", Sign.MINUS), Edge("job loss", "tax, revenue", Sign.PLUS)],
    ["job loss", "tax, revenue"],
)


def read(text: str) -> ImportedGraph:
    return loopy.read(text, "g.loopy")


def link(nodes: str, edges: str = "", texts: str = "") -> str:
    return f"{loopy.BASE}[[{nodes}],[{edges}],[{texts}],9%5D".replace('"', "%22")


def opened_by_loopy(content: bytes) -> tuple[list[tuple[int, str]], list[list[float]]]:
    """What Loopy's own program makes of a link: decodeURIComponent, JSON.parse, decodeURIComponent of labels."""
    data = json.loads(unquote(content.decode("ascii").strip().partition("data=")[2]))
    return [(node[0], unquote(node[4], errors="strict")) for node in data[0]], data[1]


# --- round trips


@given(GRAPHS, st.data())
def test_a_signed_graph_is_read_back_exactly(graph: CausalGraph, data: st.DataObject) -> None:
    signed = {(edge.pair, edge.sign): Edge(*edge.pair, edge.sign) for edge in graph.edges if edge.sign is not None}
    graph = CausalGraph.of(signed.values(), graph.nodes)
    places = {name: Point(data.draw(PIXELS), data.draw(PIXELS)) for name in graph.nodes}
    content = loopy.write(graph, places)
    held = read(content.decode("ascii"))
    assert (held.graph, held.faults, dict(held.places)) == (graph, (), places)
    nodes, _ = opened_by_loopy(content)
    assert [name for _, name in nodes] == list(graph.nodes)
    assert lost_in(graph, GraphForm.LOOPY, places) == ()


def test_the_examples_of_loopy_are_read_as_published() -> None:
    paths = sorted((DATA / "cld" / "loopy").glob("*.json"))
    if not paths:
        pytest.skip(f"Loopy's examples are not at {DATA}")
    for path in paths:
        told = json.loads(path.read_text("utf-8"))
        for spelling in (told["raw_link_data"], loopy.BASE + told["raw_link_data"], unquote(told["raw_link_data"])):
            held = read_edges(spelling.encode(), "pasted.txt")
            assert held.form is GraphForm.LOOPY
            assert held.faults == ()
            assert held.graph.nodes == tuple(node["id"] for node in told["nodes"])
            assert [(edge.source, edge.sink, edge.sign) for edge in held.graph.edges] == [
                (edge["source"], edge["sink"], Sign(edge["polarity"])) for edge in told["edges"]
            ]
            assert dict(held.places) == {node["id"]: Point(node["x"], node["y"]) for node in told["nodes"]}
            assert len(held.notices) == 1
            assert held.notices[0].startswith("Texts on the canvas are not kept")


def test_published_diagrams_are_read_back_or_refused_for_their_unknown_signs() -> None:
    carried = 0
    for name, (graph, places) in real_clds().items():
        if why := obstacle(graph, GraphForm.LOOPY):
            assert "Loopy needs a sign on every edge" in why
            continue
        held = read_edges(write_graph(graph, GraphForm.LOOPY, places), f"{name}.loopy")
        assert (held.graph, held.faults) == (graph, ()), name
        assert not places or dict(held.places) == places, name
        assert set(held.places) == set(graph.nodes), name
        carried += 1
    assert carried > 5


def test_the_link_is_written_as_loopy_writes_it() -> None:
    graph = CausalGraph.of([Edge("job loss", "5 % (net) Ä", Sign.PLUS)])
    places = {"job loss": Point(1, 2.5), "5 % (net) Ä": Point(-3, 0)}
    assert loopy.write(graph, places) == (
        b"https://ncase.me/loopy/v1.1/?data=[[[1,1,2.5,0.5,%22job%2520loss%22,0],"
        b"[2,-3,0,0.5,%225%2520%2525%2520(net)%2520%25C3%2584%22,0]],[[1,2,30,1,0]],[],2%5D\n"
    )


def test_arrows_that_would_cover_each_other_bow_apart() -> None:
    graph = CausalGraph.of(Edge(source, sink, Sign(sign)) for source, sink, sign in ("AB+", "AB-", "BA+", "AA-", "BC+"))
    _, edges = opened_by_loopy(loopy.write(graph, {}))
    assert edges == [[1, 2, 60, 1, 0], [1, 2, 120, -1, 0], [2, 1, 60, 1, 0], [1, 1, 150, -1, 0], [2, 3, 30, 1, 0]]


def test_nodes_without_places_get_some_and_circles_do_not_touch() -> None:
    graph = CausalGraph.of([Edge(f"n{k}", f"n{(k * 3 + 1) % 8}", Sign.PLUS) for k in range(8)], ["alone"])
    points = list(read(loopy.write(graph, {}).decode()).places.values())
    assert len(points) == 9
    gaps = [max(abs(a.x - b.x), abs(a.y - b.y)) for i, a in enumerate(points) for b in points[:i]]
    assert min(gaps) > 120
    some = loopy.write(graph, {"n0": Point(7, 8)})
    assert read(some.decode()).places["n0"] == Point(7, 8)


def test_an_unknown_sign_is_an_obstacle() -> None:
    graph = CausalGraph.of([Edge("A", "B"), Edge("B", "C", Sign.PLUS), Edge("C", "A")])
    assert loopy.obstacle(graph).startswith("Loopy needs a sign on every edge; 2 of 3 have none. ")
    with pytest.raises(BadInput, match="2 of 3 have none"):
        write_graph(graph, GraphForm.LOOPY)
    assert loopy.obstacle(CausalGraph.of([], ["A"])) == ""


# --- as people paste it


@pytest.mark.parametrize(
    "text",
    [
        FOXES,
        f"\n  {FOXES}  \n",
        f"<{FOXES}>",
        FOXES.partition("data=")[2],
        unquote(FOXES.partition("data=")[2]),
        loopy.BASE + quote(FOXES.partition("data=")[2], safe=""),
        FOXES + "&embed=1",
        FOXES + "#top",
        FOXES.replace("?data", "?embed=1&data"),
        FOXES.replace("https://ncase.me/loopy/v1.1/", "http://localhost:8000/"),
        FOXES.partition("data=")[2].replace("%22", '"').replace("%5D", "]"),
        FOXES.replace("[", "%5B").replace("]", "%5D"),
    ],
)
def test_spellings_of_one_link(text: str) -> None:
    assert loopy.is_mine(text)
    held = read_edges(text.encode(), "pasted.txt")
    assert (held.form, held.graph, held.faults) == (GraphForm.LOOPY, GRAPH, ())
    assert held.places["tax, revenue"] == Point(663, 304.5)
    assert "Texts on the canvas are not kept: 1, the first “A basic loop”." in held.notices


def test_strengths_are_read_by_their_sign() -> None:
    held = read(
        link('[1,0,0,1,"A",0],[2,0,0,1,"B",0],[3,0,0,1,"C",0]', "[1,2,9,2,0],[2,3,9,-0.5],[3,1,9,0,0],[1,3,9,1,0]")
    )
    assert [edge.sign for edge in held.graph.edges] == [Sign.PLUS, Sign.MINUS, None, Sign.PLUS]
    assert held.notices == ("Strengths other than 1 and -1 were read by their sign alone: 3 (2, -0.5, 0).",)


def test_further_fields_and_missing_texts_are_no_fault() -> None:
    held = read('[[[1,0,0,1,"A",0,3,0.5],[2,0,0,1,"50%25",0]],[[1,2,9,1,0,7]]]')
    assert (held.graph.edges[0].pair, held.faults, held.notices) == (("A", "50%"), (), ())
    assert read("https://ncase.me/loopy/v1.1/?data=[[],[],[],0%5D").graph.nodes == ()


# --- links that are broken


def test_faulty_nodes_and_arrows_are_listed_and_the_others_kept() -> None:
    held = read(
        link(
            '[1,0,0,1,"A",0],[2,0,0,1,"B",0],[2,0,0,1,"C",0],[3,0,0,1,"",0],["x",0,0,1,"D",0],5,[4,null,0,1,"E",0]',
            '[1,2,9,1,0],[1,3,9,1,0],[1,7,9,1,0],[1,2,9,"None",0],[1,2],[1,4,9,-1,0],[true,2,9,1,0]',
        )
    )
    assert [(fault.field, fault.expected.split(";")[0]) for fault in held.faults] == [
        ("nodes[2]", "the id 2 is already taken by another node"),
        ("nodes[3]", "The name is empty"),
        ("nodes[4]", "a node is [id, x, y, start, label, hue]"),
        ("nodes[5]", "a node is [id, x, y, start, label, hue]"),
        ("arrows[1]", "both ends are ids of nodes that are listed and have a name"),
        ("arrows[2]", "both ends are ids of nodes that are listed and have a name"),
        ("arrows[3]", "an arrow is [from, to, arc, strength, rotation]"),
        ("arrows[4]", "an arrow is [from, to, arc, strength, rotation]"),
        ("arrows[6]", "both ends are ids of nodes that are listed and have a name"),
    ]
    assert [edge.pair for edge in held.graph.edges] == [("A", "B"), ("A", "E")]
    assert set(held.places) == {"A", "B"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        FOXES[:150],
        FOXES[:-3],
        loopy.BASE,
        f"{loopy.BASE}XQAAAAI2AgAAAAAA",
        "[" * 200_000,
        "{" * 200_000,
        f"{loopy.BASE}[[[1,0,0,1,%22A%22,0" + "[" * 200_000,
        "\x00\x01" * 1000,
        "[1,2,3]",
        '{"nodes": []}',
        '["a", "b"]',
        "%25" * 300_000,
        f"{loopy.BASE}[[[NaN,0,0,1,%22A%22,0]],[],[],1%5D",
        "[[1" + "0" * 5000 + ",0]]",
    ],
)
def test_what_is_no_model_is_refused_with_what_would_be_right(text: str) -> None:
    with pytest.raises(BadRow, match=r"\?data=\[\[nodes\],") as caught:
        read(text)
    assert (caught.value.file, caught.value.line) == ("g.loopy", 1)


@pytest.mark.parametrize("text", [FOXES, FOXES.partition("data=")[2], quote(FOXES.partition("data=")[2])])
def test_links_and_their_data_are_recognised(text: str) -> None:
    assert loopy.is_mine(text)
    assert recognised(text.encode(), "pasted.txt") is GraphForm.LOOPY


@pytest.mark.parametrize(
    "text",
    [
        '[{"source": "A", "sink": "B"}]',
        "[]",
        '[["A", "B"]]',
        f"source,sink,note\nA,B,{FOXES}",
        '"A" -> "https://x/?data=[["',
        "https://ncase.me/loopy/ -> B",
        "[[1,2],[3,4]]",
        "",
    ],
)
def test_other_forms_are_left_alone(text: str) -> None:
    assert not loopy.is_mine(text)

"""Texts of graphs with hostile names: read back as they were, read alike by other programs, or refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import networkx as nx
import pydot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadInput, InvalidGraph, InvalidName, TooLarge
from core.graphs.edge import Edge, EdgeFlag
from core.graphs.encodings import Encoding, about_tokens, decode, encode, guess_encoding, left_out
from core.graphs.graph import CausalGraph
from core.graphs.orders import EdgeOrder, ordered
from core.sign import Sign
from tests.core.graphs.five_nodes import FIVE
from tests.everything import EVERYTHING

HOW_MANY = 2_000 if EVERYTHING else 20
HOSTILE = (
    *('"', "\\", '\\"', "'", "(", ")", ",", ", ", ".", ". ", ";", ":", "[", "]", "{", "}", "%", "#", "/*", "\\n"),
    *(" ", "  ", "\u00a0", "->", "<", ">", "&", "&amp;", "&#10;", "</node>", "]]>", "0 1", "-1", ".5", "1.", "007"),
    *("causes", " causes ", "Causes", "because", "Nodes without relations: ", "node", "digraph", "null"),
    *("\u00e9", "e\u0301", "Größe", "变量", "🌾", "👩‍🌾"),
)
LAST = "Nodes without relations"
PLAIN = (Encoding.ADJACENCY, Encoding.MATRIX, Encoding.SINGLE, Encoding.MULTI)
WITH_NODE_ORDER = (Encoding.JSON, Encoding.MATRIX, Encoding.GRAPHML)
WITH_EDGE_ORDER = (Encoding.ADJACENCY, Encoding.GRAPHML, Encoding.GRAPHVIZ)

LETTERS = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Cn"])
NAMES = st.lists(st.one_of(st.sampled_from(HOSTILE), LETTERS), max_size=4).map("".join)


@st.composite
def graphs(draw: st.DrawFn) -> CausalGraph:
    nodes = draw(st.lists(NAMES, max_size=5, unique=True))
    end = st.sampled_from(nodes) if nodes else st.nothing()
    edges = draw(st.lists(st.builds(Edge, end, end), max_size=8)) if nodes else []
    return CausalGraph.of(edges, nodes)


def pairs(graph: CausalGraph) -> list[tuple[str, str]]:
    return list(dict.fromkeys(edge.pair for edge in graph.edges))


# --- there and back ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", Encoding)
def test_a_graph_with_hostile_names_is_read_back(encoding: Encoding) -> None:
    tried = 0

    @settings(max_examples=HOW_MANY)
    @given(graphs(), st.sampled_from(EdgeOrder))
    def reads_back(graph: CausalGraph, order: EdgeOrder) -> None:
        nonlocal tried
        tried += 1
        told, found = ordered(graph, order), decode(encode(graph, encoding, order), encoding)
        assert set(found.nodes) == set(graph.nodes)
        assert sorted(pairs(found)) == sorted(pairs(graph))
        assert len(found.edges) == len(pairs(graph))  # an edge listed twice is one
        if encoding in WITH_NODE_ORDER:
            assert found.nodes == told.nodes
        if encoding in WITH_EDGE_ORDER:
            assert pairs(found) == pairs(told)

    reads_back()
    print(f"{encoding}: {tried:,} graphs with hostile names read back")


@settings(max_examples=HOW_MANY)
@given(graphs())
def test_networkx_reads_the_same_graph_from_graphml(graph: CausalGraph) -> None:
    found = nx.parse_graphml(encode(graph, Encoding.GRAPHML), force_multigraph=True)
    assert list(found.nodes) == list(graph.nodes)
    assert sorted((source, sink) for source, sink, _ in found.edges) == sorted(pairs(graph))


@settings(max_examples=HOW_MANY if EVERYTHING else HOW_MANY // 4)  # its parser is slow
@given(graphs())
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_pydot_reads_the_same_graph_from_dot(graph: CausalGraph) -> None:
    read = pydot.graph_from_dot_data(encode(graph, Encoding.GRAPHVIZ))
    assert read is not None
    (found,) = read
    edges = [(_own(edge.get_source()), _own(edge.get_destination())) for edge in found.get_edges()]
    assert edges == pairs(graph)
    assert [_own(node.get_name()) for node in found.get_nodes()] == list(graph.isolated)


def _own(name: object) -> str:
    """A name as pydot keeps it, with its quotation marks and backslashes."""
    assert isinstance(name, str)
    return re.sub(r"\\(.)", r"\1", name[1:-1], flags=re.DOTALL) if name.startswith('"') else name


def test_loops_pairs_in_both_directions_and_edges_listed_twice_are_carried_once() -> None:
    graph = CausalGraph.of([Edge("A", "A"), Edge("A", "B"), Edge("B", "A"), Edge("A", "B", Sign.PLUS)], nodes=["Z"])
    assert encode(graph, Encoding.ADJACENCY) == "(A, A) (A, B) (B, A)\nNodes without relations: Z."
    assert encode(graph, Encoding.MATRIX) == "Z A B\nZ 0 0 0\nA 0 1 1\nB 0 1 0"
    assert encode(graph, Encoding.MULTI) == "A causes A, B. B causes A.\nNodes without relations: Z."
    assert encode(graph, Encoding.GRAPHVIZ).splitlines()[-2] == "  Z;"
    assert all(sorted(pairs(decode(encode(graph, e), e))) == [("A", "A"), ("A", "B"), ("B", "A")] for e in Encoding)


# --- names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "bare", "quoted"),
    [
        (
            Encoding.ADJACENCY,
            ["A b", "it causes", "a.b", "x;y"],
            ["a(b", "a, b", 'a"b', "a\\b", " a", "", "Nodes without relations"],
        ),
        (Encoding.MATRIX, ["a.b", "(a)", "a\\b", "a,b"], ["A b", "a\u00a0b", 'a"b', ""]),
        (
            Encoding.SINGLE,
            ["A b", "because", "(a)", "a\\b"],
            ["a.b", "a,b", 'a"b', "it causes x", "a ", "Nodes without relations x"],
        ),
        (
            Encoding.GRAPHVIZ,
            ["A_b", "Größe", "12", "1.", ".5"],
            ["A b", "1a", "Node", "-1", "a-b", "", "é!", "¼"],
        ),
    ],
)
def test_only_names_that_would_be_misread_are_in_quotation_marks(
    encoding: Encoding, bare: list[str], quoted: list[str]
) -> None:
    for name in (*bare, *quoted):
        text = encode(CausalGraph.of([Edge(name, "Z")]), encoding)
        assert ('"' in text) == (name in quoted), (name, text)


def test_quotation_marks_and_backslashes_inside_are_escaped() -> None:
    graph = CausalGraph.of([Edge('the "rebound" effect', "a\\b.")])
    assert encode(graph, Encoding.SINGLE) == '"the \\"rebound\\" effect" causes "a\\\\b.".'
    assert '<node id="the &quot;rebound&quot; effect"/>' in encode(graph, Encoding.GRAPHML)


def test_json_is_not_escaped_to_ascii() -> None:
    assert '"Größe"' in encode(CausalGraph.of([], nodes=["Größe"]), Encoding.JSON)


@pytest.mark.parametrize("encoding", PLAIN)
@pytest.mark.parametrize("line_end", ["\n", "\r", "\u2028", "\x85"])
def test_a_line_break_is_refused_with_the_encodings_that_carry_it(encoding: Encoding, line_end: str) -> None:
    takers = "json, graphml" if line_end == "\x85" else "json, graphml, graphviz"
    with pytest.raises(InvalidName) as refused:
        encode(CausalGraph.of([], nodes=[f"a{line_end}b"]), encoding)
    assert f"position 2, which {encoding.value} " in str(refused.value)
    assert str(refused.value).endswith(f"use {takers}.")


def test_other_control_characters_are_refused_where_they_cannot_be_carried() -> None:
    bell, half = CausalGraph.of([], nodes=["a\x07"]), CausalGraph.of([], nodes=["a\ud800"])
    assert decode(encode(bell, Encoding.JSON), Encoding.JSON) == bell
    for encoding in set(Encoding) - {Encoding.JSON}:
        with pytest.raises(InvalidName, match=r"the character U\+0007 at position 2, .* use json\."):
            encode(bell, encoding)
    for encoding in Encoding:
        with pytest.raises(InvalidName, match="no encoding can; correct the name"):
            encode(half, encoding)
    with pytest.raises(InvalidName, match="U\\+0001"):
        decode('<graphml><graph><node id="a&#1;"/></graph></graphml>', Encoding.GRAPHML)


@pytest.mark.parametrize("encoding", [Encoding.JSON, Encoding.GRAPHML, Encoding.GRAPHVIZ])
def test_the_others_carry_line_breaks_and_tabs(encoding: Encoding) -> None:
    graph = CausalGraph.of([Edge("a\nb", "c\td"), Edge("e\r\nf", "a\nb")])
    assert sorted(pairs(decode(encode(graph, encoding), encoding))) == sorted(pairs(graph))


# --- texts of another encoding, and broken ones -----------------------------------------------------------------


@pytest.mark.parametrize("written", Encoding)
def test_a_text_of_another_encoding_is_refused_with_the_one_it_looks_like(written: Encoding) -> None:
    text = encode(FIVE, written)
    assert guess_encoding(text) is written
    for read in set(Encoding) - {written}:
        with pytest.raises(InvalidGraph) as refused:
            decode(text, read)
        assert str(refused.value).endswith(f"The text looks like the encoding {written}."), read


@pytest.mark.parametrize(
    ("encoding", "text", "message"),
    [
        (Encoding.ADJACENCY, "(A, B)\n(C D)", "Line 2: found “)”; expected “,”."),
        (Encoding.ADJACENCY, "(A, B) (C, ", "Line 1: found the end; expected a name."),
        (Encoding.ADJACENCY, '(A, "B)', "Line 1: found “\"B)”; expected a quotation mark at the end of this name."),
        (Encoding.ADJACENCY, '(A, "B\\n")', "expected \\\" or \\\\ after a backslash in quotation marks."),
        (Encoding.ADJACENCY, "(A, B)\nNodes without relations: C", "expected a full stop after the nodes"),
        (Encoding.ADJACENCY, "(A, B)\nNodes without relations: C (D.", "Line 2: found “(D”; expected a comma"),
        (Encoding.ADJACENCY, "(A, B)\nNodes without relations: B.", "“B” is listed among the nodes without relations"),
        (Encoding.MULTI, "A causes B.\nNodes without relations: C, A.", "“A” is listed among the nodes without"),
        (Encoding.MATRIX, "A B\nA 0 1", "Found 1 row below a header of 2 names; expected a row for every name."),
        (Encoding.MATRIX, "A B\nB 0 1\nA 0 0", "Line 2: found “B 0 1”; expected the row of “A”, in the order"),
        (Encoding.MATRIX, "A B\nA 0 2\nB 0 0", "Line 2, row “A”: found 2 cells; expected 2, each 0 or 1"),
        (Encoding.MATRIX, "A B\nA 01\nB 00", "Line 2, row “A”: found 1 cell; expected 2, each 0 or 1"),
        (Encoding.MATRIX, "A A\nA 0 1\nA 0 0", "Line 1: the name “A” is listed twice."),
        (Encoding.SINGLE, "A causes B. C prevents D.", "Line 1: found “C prevents D.”; expected a name and “causes”."),
        (Encoding.SINGLE, "A causes B causes C.", "Line 1: found “causes C.”; expected “.” or a name in"),
        (Encoding.SINGLE, "A causes B, C.", "expected one effect per sentence (several are the encoding multi)."),
        (Encoding.MULTI, "A causes B. A causes C.", "expected one sentence per cause (several are the encoding"),
        (Encoding.JSON, '{"A": {"parents": ["B"]}}', "Node “A”: its parent “B” is not listed"),
        (Encoding.JSON, '{"A": {"children": []}}', "Node “A”: expected {“parents”: [nodes]} and nothing else."),
        (Encoding.JSON, '{"A": {"parents": []}, "A": {"parents": []}}', "The key “A” is listed twice."),
        (Encoding.JSON, "[]", "Found no JSON object"),
        (Encoding.JSON, "[" * 100_000, "Brackets are nested too deeply"),
        (Encoding.JSON, '{\n"A": }', "Line 2: not JSON: Expecting value at column 6."),
        (Encoding.GRAPHML, '<graphml>\n<edge source="A" target="B"/>', "Line 2: found “<edge"),
        (Encoding.GRAPHML, '<graphml><node id="A & B"/></graphml>', "expected &amp; for an ampersand."),
        (Encoding.GRAPHML, '<graph edgedefault="undirected">', 'expected edgedefault="directed".'),
        (Encoding.GRAPHML, '<node name="A"/>', "expected id."),
        (Encoding.GRAPHML, "<graphml><graph>", "Line 1: found the end; expected </graphml>."),
        (Encoding.GRAPHML, "<graphml><!-- note --></graphml>", "expected an element node or edge"),
        (Encoding.GRAPHVIZ, "digraph G {\n  A -- B;\n}", "Line 2: found “-- B;”; expected “;”."),
        (Encoding.GRAPHVIZ, "digraph G {\n  node [shape=box];\n}", "expected nodes and edges only, their"),
        (Encoding.GRAPHVIZ, "digraph G {\n  A -> B;", "Line 2: found the end; expected a node, “->” or “}”."),
        (Encoding.GRAPHVIZ, "digraph G {\n  1a -> B;\n}", "Line 2: found “1a -> B;”; expected nodes and edges only"),
        (Encoding.GRAPHVIZ, "digraph G { A; } B", "Line 1: found “B”; expected nothing after “}”."),
        (Encoding.GRAPHVIZ, "graph G { A; }", "Line 1: found “graph G { A; }”; expected “digraph G {”."),
    ],
)  # fmt: skip
def test_a_broken_text_is_told_with_its_line_and_what_is_right(encoding: Encoding, text: str, message: str) -> None:
    with pytest.raises(BadInput) as refused:
        decode(text, encoding)
    assert message in str(refused.value)


def test_other_white_space_than_ours_is_read_too() -> None:
    assert pairs(decode("( 0 , 1 )( 0 ,2 )\n", Encoding.ADJACENCY)) == [("0", "1"), ("0", "2")]
    assert pairs(decode("A causes B.\r\nB  causes\nC.", Encoding.SINGLE)) == [("A", "B"), ("B", "C")]
    assert pairs(decode("digraph{A->B->C;}", Encoding.GRAPHVIZ)) == [("A", "B"), ("B", "C")]
    assert decode("\n0 1\r\n0 0  1\r\n1 0 0\r\n", Encoding.MATRIX) == CausalGraph(("0", "1"), (Edge("0", "1"),))
    text = "<graphml><graph>\n<node id='0'/></graph></graphml>".replace("'", '"')
    assert decode(text, Encoding.GRAPHML).nodes == ("0",)


def test_nodes_without_edges_do_not_make_a_text_look_like_multi() -> None:
    graph = CausalGraph.of([Edge("A", "B")], nodes=["Y", "Z"])
    assert guess_encoding(encode(graph, Encoding.SINGLE)) is Encoding.SINGLE
    assert guess_encoding("graph theory causes joy.") is Encoding.SINGLE
    assert guess_encoding("Price -> Demand") is None is guess_encoding("")


# --- beside the text --------------------------------------------------------------------------------------------


def test_what_no_encoding_carries_is_said() -> None:
    assert left_out(FIVE) == ()
    marked = [Edge("A", "B", Sign.PLUS, delay=True, note="p. 3", flag=EdgeFlag.NOT_CAUSAL)]
    assert left_out(CausalGraph.of(marked)) == ("signs", "delays", "flags", "notes")


def test_tokens_are_a_quarter_of_the_bytes() -> None:
    assert (about_tokens("a" * 400), about_tokens("ö" * 400)) == (100, 200)
    andes = CausalGraph.of([], nodes=[f"variable_{n}" for n in range(223)])
    assert 24_000 < about_tokens(encode(andes, Encoding.MATRIX)) < 28_000


def test_a_graph_of_more_than_2_000_nodes_is_refused_with_its_number() -> None:
    at_most = CausalGraph.of([], nodes=map(str, range(2_000)))
    assert decode(encode(at_most, Encoding.GRAPHVIZ), Encoding.GRAPHVIZ).nodes == at_most.nodes
    with pytest.raises(TooLarge, match=r"This graph has 2,001 nodes; a graph of at most 2,000 can be encoded\."):
        encode(CausalGraph.of([], nodes=map(str, range(2_001))), Encoding.JSON)


# --- real diagrams ----------------------------------------------------------------------------------------------

DIAGRAMS = Path(__file__).resolve().parents[4] / "shared" / "data" / "cld"


@pytest.mark.skipif(not DIAGRAMS.is_dir(), reason="the real diagrams are in ../shared/data, not here")
def test_real_diagrams_are_read_back_in_every_encoding() -> None:
    """They have cycles, reciprocal pairs, isolated nodes, names with commas, umlauts and dashes."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(DIAGRAMS.glob("**/*.json"))]
    diagrams = [
        CausalGraph.of(
            (Edge(each["source"], each["sink"]) for each in one["edges"]), (node["id"] for node in one["nodes"])
        )
        for one in found
        if isinstance(one, dict)
        and all(isinstance(node, dict) and "id" in node for node in one.get("nodes", [""]))
        and all("source" in each and "sink" in each for each in one["edges"])
    ]
    for graph in diagrams:
        for encoding in Encoding:
            told = decode(encode(graph, encoding), encoding)
            assert set(told.nodes) == set(graph.nodes)
            assert sorted(pairs(told)) == sorted(pairs(graph)), encoding
    print(f"{len(diagrams)} real diagrams read back in {len(Encoding)} encodings")
    assert len(diagrams) >= 40

"""DOT: every feature of the language as people write it, exact round trips, a second reader."""

from __future__ import annotations

import shutil
import subprocess

import pydot
import pytest
from hypothesis import given

from core.graphs.edge import Edge, EdgeFlag
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.sign import Sign
from exchange import dot
from exchange.edge_rows import ImportedGraph
from exchange.graphs import GraphForm, lost_in, read_edges, write_graph
from tests.exchange.strategies import TRICKY, placed_graphs, real_clds, real_networks


def read(text: str) -> ImportedGraph:
    return dot.read(text, "g.dot")


def pairs(text: str) -> list[tuple[str, str]]:
    held = read(text)
    assert held.faults == ()
    return [edge.pair for edge in held.graph.edges]


def signs(text: str) -> list[str]:
    held = read(text)
    assert held.faults == ()
    return ["?" if edge.sign is None else edge.sign.value for edge in held.graph.edges]


def faults(text: str) -> list[tuple[int | None, str, str]]:
    return [(fault.line, fault.value, fault.expected) for fault in read(text).faults]


def accepts(content: bytes) -> None:
    """Graphviz itself draws it; where Graphviz is not installed, pydot's grammar takes it."""
    if shutil.which("dot"):
        drawn = subprocess.run(["dot", "-Tsvg"], input=content, capture_output=True, timeout=60, check=False)
        assert drawn.returncode == 0, drawn.stderr.decode()
        assert b"syntax error" not in drawn.stderr
    else:
        assert pydot.graph_from_dot_data(content.decode("utf-8"))


# --- round trips


@given(placed_graphs())
def test_a_graph_is_read_back_exactly(placed: tuple[CausalGraph, dict[str, Point]]) -> None:
    graph, places = placed
    held = read(dot.write(graph, places).decode("utf-8"))
    assert held.faults == ()
    assert held.graph == graph
    assert dict(held.places) == places


@given(placed_graphs())
def test_an_independent_reader_takes_what_we_write(placed: tuple[CausalGraph, dict[str, Point]]) -> None:
    graph, places = placed
    (read_by_pydot,) = pydot.graph_from_dot_data(dot.write(graph, places).decode("utf-8")) or (None,)
    assert read_by_pydot is not None
    assert len(read_by_pydot.get_edges()) == len(graph.edges)


NAMES = [
    'a"b\\c',
    "None",
    "graph",
    "node",
    "<b>",
    "x->y",
    "50 %",
    "Größe",
    "🐟 fish",
    "a\\",
    "\\N",
    "&lt;",
    "-1",
    "{a|b}",
]


def test_graphviz_draws_what_we_write_under_the_names_we_gave() -> None:
    graph = CausalGraph.of([Edge(name, "x->y", Sign.MINUS, True, 'see "p. 3"\n', None) for name in NAMES], ["alone"])
    places = {name: Point(100.0 * k, 50.5) for k, name in enumerate(graph.nodes)}
    for held in ({}, places):
        content = dot.write(graph, held)
        accepts(content)
        assert read(content.decode()).graph == graph
    if shutil.which("dot"):
        drawn = subprocess.run(["dot", "-Tplain"], input=content, capture_output=True, timeout=60, check=True)
        assert drawn.stdout.decode().count("\nnode ") == len(graph.nodes)


def test_a_graph_full_of_traps_keeps_everything() -> None:
    content = dot.write(TRICKY, {})
    accepts(content)
    held = read_edges(content, "graph.dot")
    assert (held.graph, held.faults) == (TRICKY, ())
    assert lost_in(TRICKY, GraphForm.DOT, {"None": Point(1, 2)}) == ()


def test_published_graphs_are_read_back() -> None:
    for name, (graph, places) in real_clds().items():
        held = read_edges(write_graph(graph, GraphForm.DOT, places), f"{name}.gv")
        assert (held.graph, held.faults, dict(held.places)) == (graph, (), places), name
    for name, graph in real_networks().items():
        assert read(dot.write(graph, {}).decode()).graph == graph, name


def test_the_file_is_written_as_expected() -> None:
    graph = CausalGraph.of([Edge("Net income", "B", Sign.MINUS, True, "p. 3\nright", EdgeFlag.NOT_CAUSAL)])
    assert dot.write(graph, {"B": Point(10, 20)}).decode() == (
        'digraph {\n  graph [layout="neato", inputscale="72", splines="true"];\n'
        '  node [shape="box", style="rounded"];\n'
        '  edge [labeldistance="2.4", labelangle="28", labelfontsize="18"];\n  "Net income";\n  "B" [pos="10,-20!"];\n'
        '  "Net income" -> "B" [headlabel="−", sign="-", label="||", delay="yes", flag="not causal", '
        'note="p. 3\\nright"];\n}\n'
    )
    assert b"None" not in dot.write(CausalGraph.of([Edge("A", "B")]), {})


# --- the language


def test_chains_groups_ports_and_comments() -> None:
    text = """
    // a comment
    # a line of the preprocessor
    strict digraph "My graph" {
      a -> b -> "c c" /* in between -> x */ -> d;
      {e f} -> g:n;  subgraph s { h; i } -> {j; k,}
      a:port:sw -> "d":"p"
    }"""
    text = text.replace("k,}", "k}")
    held = read(text)
    assert held.faults == ()
    assert [edge.pair for edge in held.graph.edges] == [
        ("a", "b"),
        ("b", "c c"),
        ("c c", "d"),
        ("e", "g"),
        ("f", "g"),
        ("h", "j"),
        ("h", "k"),
        ("i", "j"),
        ("i", "k"),
        ("a", "d"),
    ]
    assert held.title == "My graph"


def test_keywords_go_in_any_case_and_names_may_begin_like_them() -> None:
    assert pairs("STRICT DiGraph { NODE [shape=box]; nodeA -> edges; Edge [color=red] Subgraph x { graphic } }") == [
        ("nodeA", "edges")
    ]


def test_ids_are_words_numbers_texts_and_joined_texts() -> None:
    assert pairs('digraph { -3.5 -> .5; "a" + "b" -> "x\\\ny"; Größe -> 😀;; _ -> a.b }') == [
        ("-3.5", ".5"),
        ("ab", "xy"),
        ("Größe", "😀"),
        ("_", "a.b"),
    ]


def test_a_label_is_the_name_and_its_line_breaks_are_spaces() -> None:
    text = r"""digraph G {
      n1 [label="Net\nincome"]; n2 [label="say \"hi\" \\ all"]; n3 [label="\N of \G"]; n4 [label=""];
      n5 [label=<<table><tr><td><b>G</b>DP</td><td>&Auml;&amp;B</td></tr></table>>];
      n6 [shape=record, label="<f0> Left | {<f1> Right}"]; n7 [label="AT&amp;T"]; n8 [label="$\alpha$"];
      "n\n9"; n1 -> n5
    }"""
    held = read(text)
    assert held.graph.nodes == (
        "Net income",
        'say "hi" \\ all',
        "n3 of G",
        "n4",
        "GDP Ä&B",
        "Left Right",
        "AT&T",
        r"$\alpha$",
        "n 9",
    )
    assert held.graph.edges[0].pair == ("Net income", "GDP Ä&B")


@pytest.mark.parametrize(("left", "right"), ['""', "<>"])
@pytest.mark.parametrize(("number", "shown"), [("9" * 5_000, "�"), ("0" * 5_000 + "38", "&"), ("99999999", "�")])
def test_an_entity_of_any_length_is_read(left: str, right: str, number: str, shown: str) -> None:
    assert pairs(f"digraph {{ x [label={left}a&#{number};b{right}]; x -> y }}") == [(f"a{shown}b", "y")]


def test_nodes_of_one_label_are_one_variable() -> None:
    held = read('digraph { a [label="Price"]; b [label="Price"]; a -> c; d -> b }')
    assert [edge.pair for edge in held.graph.edges] == [("Price", "c"), ("d", "Price")]
    (notice,) = held.notices
    assert notice.endswith('as one: "Price".')


def test_defaults_hold_for_what_is_named_after_them_in_their_braces() -> None:
    text = """digraph {
      a -> b
      edge [sign="-"]
      c -> d
      subgraph cluster_x { edge [sign="+"]; e -> f }
      g -> h  i -> j [sign="+"]
    }"""
    assert signs(text) == ["?", "-", "+", "-", "+"]


@pytest.mark.parametrize(
    ("attributes", "sign"),
    [
        ('sign="+"', "+"),
        ("polarity=negative", "-"),
        ('label="−"', "-"),
        ('headlabel="+"', "+"),
        ('taillabel="o"', "-"),
        ('xlabel="plus"', "+"),
        ("label=<<b>+</b>>", "+"),
        ("arrowhead=tee", "-"),
        ('label="+", arrowhead=tee', "+"),
        ('sign="-", label="+"', "-"),
        ("arrowhead=vee", "?"),
        ('sign="?"', "?"),
        ('sign=""', "?"),
        ('label=" "', "?"),
        ('label="&#43;"', "+"),
        ('label="?"', "?"),
    ],
)
def test_where_a_sign_is_found(attributes: str, sign: str) -> None:
    assert signs(f"digraph {{ a -> b [{attributes}] }}") == [sign]


@pytest.mark.parametrize("attributes", ["sign=None", 'label="None"', "polarity=mixed", 'sign="strong"'])
def test_a_sign_that_is_none_is_a_fault_and_never_unknown(attributes: str) -> None:
    held = read(f"digraph {{\n a -> b\n a -> c [{attributes}]\n}}")
    assert [(fault.line, fault.field) for fault in held.faults] == [(3, "sign")]
    assert "+, - or empty" in held.faults[0].expected
    assert [edge.pair for edge in held.graph.edges] == [("a", "b")]


def test_labels_that_contradict_each_other_are_a_fault() -> None:
    assert faults('digraph { a -> b [label="+", headlabel="-"] }') == [
        (1, "label +, headlabel -", "the labels give different signs; keep one")
    ]


def test_words_on_an_arrow_become_its_note() -> None:
    held = read('digraph { a -> b [label="reduces"]; c -> d [label="||", headlabel="+"]; e -> f [comment="p. 3"] }')
    assert [(edge.note, edge.delay) for edge in held.graph.edges] == [("reduces", False), ("", True), ("p. 3", False)]
    assert held.notices == ("Edge labels that are not signs were kept as notes: 1.",)


def test_notes_may_be_written_with_their_line_ends_escaped() -> None:
    held = read(r'digraph { a -> b [note="p. 3\nC:\u005c \ud83d \x \u12"] }')
    assert held.graph.edges[0].note == "p. 3\nC:\\ \\ud83d \\x \\u12"


def test_what_is_not_kept_is_named_once_and_mere_drawing_is_not() -> None:
    held = read(
        "digraph { rankdir=LR; a [color=red, type=stock]; a -> b [weight=3, style=dashed]; b -> c [weight=1]; "
        'subgraph cluster_1 { label="Economy"; b } }'
    )
    groups, attributes = held.notices
    assert groups.endswith(": Economy.")
    assert attributes.endswith(": type, weight (2).")


def test_arrows_drawn_backwards_both_ways_or_invisibly() -> None:
    held = read("digraph { a -> b [dir=back]; c -> d [dir=both]; e -> f [style=invis]; g -> h [dir=none] }")
    assert [edge.pair for edge in held.graph.edges] == [("b", "a"), ("c", "d"), ("d", "c")]
    assert len(held.notices) == 3
    assert [(fault.field, fault.value) for fault in held.faults] == [("dir", "none")]


def test_a_strict_graph_has_each_arrow_once() -> None:
    text = 'digraph { a -> b; a -> b [sign="-"] }'
    assert signs(text) == ["?", "-"]
    assert signs(f"strict {text}") == ["-"]


def test_places_are_points_with_y_upwards() -> None:
    held = read('digraph { a [pos="10,20.5!"]; b [pos="-1e2,3"]; c [pos="x"]; d [pos="nan,1"]; e [pos="1.2.3,4"] }')
    assert dict(held.places) == {"a": Point(10, -20.5), "b": Point(-100, -3)}


def test_what_graphviz_writes_of_our_file_is_read() -> None:
    if not shutil.which("dot"):
        return
    graph = CausalGraph.of([Edge("Net income", "Größe", Sign.MINUS, note="see p. 3"), Edge("Größe", "Größe")])
    drawn = subprocess.run(["dot", "-Tdot"], input=dot.write(graph, {}), capture_output=True, timeout=60, check=True)
    held = read(drawn.stdout.decode("utf-8"))
    assert (held.graph, held.faults, held.notices) == (graph, (), ())
    assert len(held.places) == 2


def test_what_networkx_and_pydot_write_is_read() -> None:
    text = (
        'strict digraph "" {\nNet_income [x="1"];\n"Größe, m";\nNet_income -> "Größe, m"  [key=0, polarity="+"];\n}\n'
    )
    held = read(text)
    assert held.graph == CausalGraph.of([Edge("Net_income", "Größe, m", Sign.PLUS)])

"""DAGitty: code from its page, from R and from old papers; exact round trips; what is no cause is a faulty row."""

from __future__ import annotations

import pytest
from hypothesis import given

from core.errors import BadInput, BadRow
from core.graphs.edge import Edge, EdgeFlag
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.sign import Sign
from exchange import dagitty
from exchange.edge_rows import ImportedGraph
from exchange.graphs import GraphForm, lost_in, obstacle, read_edges, recognised, write_graph
from tests.exchange.strategies import placed_graphs, real_clds, real_networks

OLD = """E E @-2.2,1.597
D O @1.4,1.621
Need%20for%20water/food 1 @-2.2,-1.520
B U @1.4,-1.460

E D @0.5,0.6
Need%20for%20water/food E B
B D
"""


def read(text: str) -> ImportedGraph:
    return dagitty.read(text, "g.dagitty")


def pairs(text: str) -> list[tuple[str, str]]:
    held = read(text)
    assert held.faults == ()
    return [edge.pair for edge in held.graph.edges]


def faults(text: str) -> list[tuple[int | None, str, str]]:
    return [(fault.line, fault.value, fault.expected) for fault in read(text).faults]


def acyclic(graph: CausalGraph) -> CausalGraph:
    """The arrows that lead forward in the order of nodes, one for each pair."""
    place = {name: k for k, name in enumerate(graph.nodes)}
    forward = {edge.pair: edge for edge in graph.edges if place[edge.source] < place[edge.sink]}
    return CausalGraph.of(forward.values(), graph.nodes)


# --- round trips


@given(placed_graphs())
def test_a_dag_is_read_back_exactly(placed: tuple[CausalGraph, dict[str, Point]]) -> None:
    graph, places = acyclic(placed[0]), placed[1]
    if dagitty.obstacle(graph):
        assert any(name.endswith("\\") for name in graph.nodes)
        return
    held = read(dagitty.write(graph, places).decode("utf-8"))
    assert (held.graph, held.faults, dict(held.places)) == (graph, (), places)


def test_published_graphs_are_read_back_or_refused_for_their_loops() -> None:
    for name, graph in real_networks().items():
        held = read_edges(write_graph(graph, GraphForm.DAGITTY), f"{name}.dagitty")
        assert (held.graph, held.faults, held.notices) == (graph, (), ()), name
    written = 0
    for name, (graph, places) in real_clds().items():
        if obstacle(graph, GraphForm.DAGITTY):
            with pytest.raises(BadInput, match="DAGitty allows only graphs without feedback"):
                write_graph(graph, GraphForm.DAGITTY, places)
            continue
        held = read_edges(write_graph(graph, GraphForm.DAGITTY, places), f"{name}.dagitty")
        assert (held.graph, held.faults, dict(held.places)) == (graph, (), places), name
        written += 1
    assert written > 0


def test_the_code_is_written_as_expected() -> None:
    graph = CausalGraph.of(
        [Edge("Need for water/food", "X.1", Sign.MINUS, True, "p. 3\nright", EdgeFlag.NOT_CAUSAL), Edge("X.1", "node")],
        ["graph_", 'say "hi"'],
    )
    content = dagitty.write(graph, {"X.1": Point(-240, 60.5)})
    assert content.decode() == (
        'dag {\nscale="200"\ngraph_\n"say \\"hi\\""\n"Need for water/food"\nX.1 [pos="-1.2,0.3025"]\n'
        'node_ [label="node"]\n"Need for water/food" -> X.1 [sign="-",delay="yes",flag="not causal",'
        'note="p. 3\\nright"]\nX.1 -> node_\n}\n'
    )
    held = read(content.decode())
    assert (held.graph, held.faults, dict(held.places)) == (graph, (), {"X.1": Point(-240, 60.5)})
    assert lost_in(graph, GraphForm.DAGITTY, {"X.1": Point(1, 2)}) == ()


@pytest.mark.parametrize(
    ("graph", "says"),
    [
        ([("A", "B"), ("B", "C"), ("C", "A")], 'the loop: "A" -> "B" -> "C" -> "A". Remove an edge'),
        ([("A", "B"), ("B", "B")], 'an edge from a variable to itself: "B" -> "B"'),
        ([("A", "B"), ("B\\", "A")], r"a name that ends in a backslash: "),
        ([(str(k), str((k + 1) % 30)) for k in range(30)], '"0" -> "1" -> "2" -> … -> "28" -> "29" -> "0"'),
    ],
)
def test_what_dagitty_cannot_hold_is_said_with_what_helps(graph: list[tuple[str, str]], says: str) -> None:
    held = CausalGraph.of(Edge(*pair) for pair in graph)
    assert says in dagitty.obstacle(held)
    with pytest.raises(BadInput):
        write_graph(held, GraphForm.DAGITTY)


def test_arrows_that_differ_in_sign_are_an_obstacle() -> None:
    graph = CausalGraph.of([Edge("A", "B", Sign.PLUS), Edge("A", "B", Sign.MINUS)])
    assert 'several signs, such as "A" -> "B"' in dagitty.obstacle(graph)
    assert dagitty.obstacle(CausalGraph.of([Edge("A", "B", Sign.PLUS), Edge("A", "C")])) == ""


# --- the language


def test_code_of_the_page_is_read() -> None:
    held = read(
        'dag {\nbb="0,0,1,1"\n"Need for water/food" [exposure,pos="-1.2,0.3"]\nX [outcome,pos="1.5,2"]\nU [latent]\n'
        'Z [adjusted,selected]\n"Need for water/food" -> X [beta=".3"]\nA <- B\nA -> {B2 C}\n'
        'U -> {X Z} [pos="0.1,2"]\n}\n'
    )
    assert held.faults == ()
    assert [edge.pair for edge in held.graph.edges] == [
        ("Need for water/food", "X"),
        ("B", "A"),
        ("A", "B2"),
        ("A", "C"),
        ("U", "X"),
        ("U", "Z"),
    ]
    assert dict(held.places) == {"Need for water/food": Point(-240, 60), "X": Point(300, 400)}
    assert held.notices == (
        "Roles of variables are not kept "
        "(exposure: Need for water/food; outcome: X; latent: U; adjusted: Z; selected: Z).",
        "Attributes not read: beta.",
    )


@pytest.mark.parametrize(
    "text",
    [
        "dag { A -> B B -> C }",
        "dag{A->B->C}",
        "DAG my_graph {\n  A -> B; B -> C;\n}",
        "pdag { A -> B -> C }",
        "mag { C <- B <- A }",
        "pag { A -> B -> C }",
        "graph { A -> B -> C }",
        "digraph { A -> B -> C }",
        "A -> B\nB -> C",
        'dag { "A" -> "B" { B -> C } }',
        "dag { A -> {B {B -> C}} A -> B }",
        "dag {{A} -> subset {B}; B -> C}",
        'dag { x1 [label="A"] x1 -> B -> C }',
        'dag { "A" [e] A -> B -> C [x] }',
    ],
)
def test_spellings_of_one_graph(text: str) -> None:
    assert set(pairs(text)) >= {("A", "B"), ("B", "C")}


@pytest.mark.parametrize(
    "text",
    [
        'library(dagitty)\ng <- dagitty("dag {\n \\"A b\\" -> C\n }")\nplot(g)\n',
        "dagitty::dagitty( 'dag{ \"A b\" -> C }' )",
        "g = dagitty('\"A b\" -> C')",
        "my.dag <- dagitty(\"dag { 'A b' }\") # no",
    ],
)
def test_code_inside_a_call_of_r_is_read(text: str) -> None:
    assert dagitty.is_mine(text)
    held = read(text)
    if "no" in text:
        assert held.faults[0].expected.startswith("expected a name")
        return
    assert [edge.pair for edge in held.graph.edges] == [("A b", "C")]


def test_lines_inside_a_call_of_r_are_those_of_the_file() -> None:
    assert faults('library(dagitty)\ng <- dagitty("dag {\n A -> B\n A <-> C\n}")')[0][0] == 4


def test_signs_and_labels_of_arrows() -> None:
    held = read('dag { A -> B [sign="-"] A -> C [polarity=plus] A -> D [label="see%20p.%203"] }')
    assert [edge.sign for edge in held.graph.edges] == [Sign.MINUS, Sign.PLUS, None]
    assert held.graph.edges[2].note == "see p. 3"
    assert read("dag { A -> B [sign=None] }").faults[0].field == "sign"


def test_ends_that_are_no_cause_are_faults() -> None:
    assert faults("dag {\nA -> B\nA <-> C\nA -- D\nE @-> F\n\nG <-> {H I} }") == [
        (3, "A <-> C", "<-> means a hidden common cause, not an edge between the two; name the cause: A <- U -> B"),
        (4, "A -- D", "-- has no direction; write -> or <-"),
        (5, "E @-> F", "the end @ of @-> is undecided; write -> or <-"),
        (7, "G <-> H, I", "<-> means a hidden common cause, not an edge between the two; name the cause: A <- U -> B"),
    ]


def test_a_backslash_escapes_nothing_but_a_quote() -> None:
    assert read(r'dag { "a\\b" "c\"d" "\alpha" }').graph.nodes == (r"a\\b", 'c"d', r"\alpha")


def test_tight_drawings_are_drawn_apart_and_ours_never() -> None:
    tight = 'dag { a [pos="0.1,0.5"] b [pos="0.2,0.5"] c [pos="0.2,0.6"] }'
    assert dict(read(tight).places) == {"a": Point(160, 800), "b": Point(320, 800), "c": Point(320, 960)}
    graph = CausalGraph.of([], ["a", "b"])
    places = {"a": Point(0, 0), "b": Point(3, 4)}
    assert dict(read(dagitty.write(graph, places).decode()).places) == places


# --- the old form


def test_the_old_form_in_two_blocks_is_read() -> None:
    held = read_edges(OLD.encode(), "pasted.txt")
    assert held.form is GraphForm.DAGITTY
    assert held.faults == ()
    assert [edge.pair for edge in held.graph.edges] == [
        ("E", "D"),
        ("Need for water/food", "E"),
        ("Need for water/food", "B"),
        ("B", "D"),
    ]
    assert held.places["E"] == Point(-440, 319.4)
    assert held.notices == ("Roles of variables are not kept (exposure: E; outcome: D; latent: B).",)


def test_the_old_form_may_have_names_of_several_words_and_a_matrix() -> None:
    assert pairs("Net income 1\nDebt\n\nNet income Debt\n") == [("Net income", "Debt")]
    assert pairs("A 1\nB 1\nC E\n\n0 1 1\n0 0 1\n0 0 0\n") == [("A", "B"), ("A", "C"), ("B", "C")]
    assert faults("A 1\nB 1\n\n0 1\n")[0][2] == "the matrix has 2 rows of 2 numbers, one for each variable above"


def test_faults_of_the_old_form() -> None:
    held = read("A 1 @0,0\nB 1 @1,1\nC 1 @2,2\n\nA B X\nB A C\n")
    assert [(fault.line, fault.value) for fault in held.faults] == [(5, "X"), (5, "A <-> B")]
    assert [edge.pair for edge in held.graph.edges] == [("B", "C")]


# --- files that are broken


def test_faulty_statements_are_listed_and_the_others_kept() -> None:
    held = read("dag {\nA -> B\nC ->\n-> D\nE - F\nG [pos=]\nH -> I\n")
    assert [(fault.line, fault.value) for fault in held.faults] == [(1, "{"), (4, "->"), (5, "-"), (6, "]")]
    assert ("H", "I") in [edge.pair for edge in held.graph.edges]


@pytest.mark.parametrize(
    "line",
    [
        "A -> political-inequality",
        "A -> political - inequality",
        "A -> B, C",
        "A -> R&D",
        "A [exposure] -> B's income",
        "A -> {B C-D}",
        "A → B",
        "A -> B C -> D E-F",
    ],
)
def test_a_broken_statement_leaves_nothing_behind(line: str) -> None:
    held = read(f"dag {{\nX -> Y\n{line}\nY -> Z\n}}")
    assert [fault.line for fault in held.faults] == [3]
    assert (held.graph.nodes, [edge.pair for edge in held.graph.edges]) == (("X", "Y", "Z"), [("X", "Y"), ("Y", "Z")])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file begins with dag"),
        ("nothing of the kind", "the file begins with dag"),
        ("{" * 200_000, "the file begins with dag"),
        ("dag " + "{" * 200_000, "nested deeper than 32"),
        ("dag {" + "{A -> " * 100, "nested deeper than 32"),
        ("\x00\x01\x02" * 1000, "the file begins with dag"),
        ("source,sink\nA,B\n", "the file begins with dag"),
    ],
)
def test_what_is_no_dagitty_code_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadRow, match=says):
        read(text)


def test_hostile_files_are_read_in_good_time() -> None:
    assert "reading stopped" in read("dag {\n" + "] A\n" * 40_000).faults[-1].expected
    assert read("dag {" + '"' * 40_001).graph.nodes == ()
    assert not dagitty.is_mine(" a" * 100_000 + "\n\nb")
    assert not dagitty.is_mine("a" + " " * 200_000 + "\n\nb")
    assert not dagitty.is_mine("\n" * 200_000 + "a\n\nb")


@pytest.mark.parametrize(
    "text", ["dag { A -> B }", '\n dag{bb="1"}', 'PDAG "x y" {}', "graph { A -> B }", OLD, "dagitty('dag{}')"]
)
def test_dagitty_is_recognised(text: str) -> None:
    assert dagitty.is_mine(text)
    assert recognised(text.encode(), "pasted.txt") is GraphForm.DAGITTY


@pytest.mark.parametrize(
    "text",
    [
        "dag -> B",
        "A -> B\n\nB -> C",
        "source,sink\ndag,{",
        "digraph { A -> B }",
        "graph { A -- B }",
        '"dag" -> "x"',
        "A E\nB O\n\nA B",
        "",
        "dagitty -> R",
    ],
)
def test_other_forms_are_left_alone(text: str) -> None:
    assert not dagitty.is_mine(text)

"""BIF: structures of published networks, odd but legal files, faults with their lines, and what we write ourselves."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given

from core.errors import BadInput, BadRow
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.sign import Sign
from exchange import bif
from exchange.edge_rows import ImportedGraph
from exchange.graphs import GraphForm, lost_in, obstacle, read_edges, recognised, write_graph
from tests.exchange.strategies import DATA, placed_graphs, real_clds, real_networks

DOG = """// Bayesian Network in the Interchange Format
// Produced by JavaBayes
network "Dog-Problem" { //5 variables and 5 probability distributions
  property "credal-set constant-density-bounded 1.1" ;
}
variable  "light-on" { //2 values
  type discrete[2] {  "true"  "false" };
  property "position = (218, 195)" ;
}
variable bowel.problem{type discrete [ 2 ] { true, false }; property position = (335.5, -99) ;
property colour = blue; }
variable
  dog_out
{
  type discrete [ 3 ] = { "variable", ">=2", [0;1) };
}
probability (  "light-on"  ) { //1 variable(s) and 2 values
  table 0.6 0.05 ;
}
probability ( dog_out "light-on", bowel.problem) {
  (true, true) 0.99, 0.01, 0; default 0.2 0.2 0.6;
}
/* probability ( light-on | dog_out ) { table 1 1; } */
probability(bowel.problem){table 0.01,0.99;}
"""


def read(text: str) -> ImportedGraph:
    return bif.read(text, "g.bif")


def variable(*names: str) -> str:
    return "".join(f"variable {name} {{ type discrete [ 2 ] {{ yes, no }}; }}\n" for name in names)


def faults(text: str) -> list[tuple[int | None, str, str]]:
    return [(fault.line, fault.value, fault.expected) for fault in read(text).faults]


def as_dag(graph: CausalGraph) -> CausalGraph:
    """The arrows that lead forward in the order of nodes, without signs, in the order of their sinks."""
    place = {name: k for k, name in enumerate(graph.nodes)}
    forward = dict.fromkeys(edge.pair for edge in graph.edges if place[edge.source] < place[edge.sink])
    return CausalGraph.of((Edge(*pair) for pair in sorted(forward, key=lambda pair: place[pair[1]])), graph.nodes)


# --- published networks


@pytest.mark.parametrize("name", ["asia", "alarm"])
def test_files_of_the_bnlearn_repository_have_the_published_structure(name: str) -> None:
    networks = real_networks()
    held = read_edges((DATA / "bnlearn" / f"{name}.bif").read_bytes(), f"{name}.bif")
    assert held.form is GraphForm.BIF
    assert held.faults == ()
    assert held.graph.nodes == networks[name].nodes
    assert {edge.pair for edge in held.graph.edges} == {edge.pair for edge in networks[name].edges}
    states = json.loads((DATA / "bnlearn" / f"{name}.json").read_text("utf-8"))["states"]
    count = sum(map(len, states.values()))
    assert held.notices == (f"States and probabilities are not kept: {count} states of {len(states)} variables.",)


def test_published_structures_are_read_back() -> None:
    networks = real_networks()
    assert len(networks) == 15
    for name, graph in networks.items():
        held = read_edges(write_graph(graph, GraphForm.BIF), f"{name}.bif")
        assert (held.graph.nodes, held.faults, held.notices) == (graph.nodes, (), ()), name
        assert {edge.pair for edge in held.graph.edges} == {edge.pair for edge in graph.edges}, name
        assert len(held.graph.edges) == len(graph.edges), name


def test_diagrams_without_loops_are_read_back_and_the_others_refused() -> None:
    carried = 0
    for name, (graph, places) in real_clds().items():
        if obstacle(graph, GraphForm.BIF):
            with pytest.raises(BadInput, match="BIF allows only graphs without feedback"):
                write_graph(graph, GraphForm.BIF, places)
            continue
        held = read_edges(write_graph(graph, GraphForm.BIF, places), f"{name}.bif")
        assert (held.graph.nodes, dict(held.places)) == (graph.nodes, places), name
        assert {edge.pair for edge in held.graph.edges} == {edge.pair for edge in graph.edges}, name
        carried += 1
    assert carried > 0


# --- round trips


@given(placed_graphs())
def test_a_structure_is_read_back_exactly(placed: tuple[CausalGraph, dict[str, Point]]) -> None:
    graph, places = as_dag(placed[0]), placed[1]
    if not graph.nodes:
        return
    content = bif.write(graph, places)
    held = read(content.decode("ascii" if all(map(str.isascii, graph.nodes)) else "utf-8"))
    assert (held.graph, held.faults, dict(held.places)) == (graph, (), places)


def test_the_structure_is_written_as_expected() -> None:
    graph = CausalGraph.of([Edge("A", "Größe; m"), Edge("B", "Größe; m", Sign.PLUS), Edge("B", "Größe; m", Sign.MINUS)])
    assert (
        bif.write(graph, {"A": Point(1, 2.5)}).decode()
        == """network graph {
  property comment = structure only, the numbers in the tables mean nothing ;
}
variable A {
  type discrete [ 2 ] { state0, state1 };
  property position = (1, 2.5) ;
}
variable Groe_m {
  type discrete [ 2 ] { state0, state1 };
  property name = "Größe%3B m" ;
}
variable B {
  type discrete [ 2 ] { state0, state1 };
}
probability ( A ) {
  table 0.5, 0.5;
}
probability ( Groe_m | A, B ) {
  (state0, state0) 0.5, 0.5;
  (state0, state1) 0.5, 0.5;
  (state1, state0) 0.5, 0.5;
  (state1, state1) 0.5, 0.5;
}
probability ( B ) {
  table 0.5, 0.5;
}
"""
    )
    assert lost_in(graph, GraphForm.BIF, {"A": Point(1, 2)}) == ("signs", "edges that differ only in their sign")


def test_what_strict_readers_ask_for_is_written() -> None:
    """bnlearn: words as names, one property a line without ;, each row of a table; pgmpy: blocks that end in a line."""
    names = ["x y", "x_y", "x-y", "type", "1st", "🐟", "🐠", "a;b", "{c}", "Net//income", "É", "E"]
    text = bif.write(CausalGraph.of([Edge(name, "sink") for name in names]), {}).decode()
    words = re.findall(r"^variable (\w+) \{$", text, re.MULTILINE | re.ASCII)
    assert len(words) == len(set(words)) == len(names) + 1
    assert "type" not in words
    assert re.search(r"probability \( sink \| \w+(, \w+){11} \) \{\n  default 0\.5, 0\.5;\n\}\n", text)
    assert all(line.count(";") == 1 for line in text.splitlines() if "property" in line)
    few = bif.write(CausalGraph.of([Edge(name, "sink") for name in names[:10]]), {}).decode()
    assert few.count(") 0.5, 0.5;") == 2**10
    assert set(read(text).graph.nodes) == {*names, "sink"}


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        ([("A", "B"), ("B", "A")], 'the loop: "A" -> "B" -> "A". Remove an edge from every loop, or choose'),
        ([("A", "A")], 'an edge from a variable to itself: "A" -> "A"'),
    ],
)
def test_loops_are_an_obstacle(pairs: list[tuple[str, str]], says: str) -> None:
    graph = CausalGraph.of(Edge(*pair) for pair in pairs)
    assert says in bif.obstacle(graph)


# --- the language


def test_an_old_file_with_all_the_liberties_of_the_form() -> None:
    held = read(DOG)
    assert held.faults == ()
    assert held.graph.nodes == ("light-on", "bowel.problem", "dog_out")
    assert [edge.pair for edge in held.graph.edges] == [("light-on", "dog_out"), ("bowel.problem", "dog_out")]
    assert held.title == "Dog-Problem"
    assert dict(held.places) == {"light-on": Point(218, 195), "bowel.problem": Point(335.5, -99)}
    assert len(held.notices) == 1


def test_names_in_quotes_may_hold_anything() -> None:
    held = read(
        variable('"Net income"', '"say \\"hi\\""', '"a|b, (c) {d}"')
        + 'probability ( "Net income" | "a|b, (c) {d}" ) {}'
    )
    assert held.graph.nodes == ("Net income", 'say "hi"', "a|b, (c) {d}")
    assert held.graph.edges[0].pair == ("a|b, (c) {d}", "Net income")


def test_tables_may_come_before_their_variables() -> None:
    held = read("probability ( B | A ) { table 1; }\n" + variable("A", "B"))
    assert (held.faults, held.graph.edges[0].pair) == ((), ("A", "B"))


# --- files that are broken


def test_faulty_blocks_are_listed_and_the_others_kept() -> None:
    text = (
        variable("A", "B", "C", "A")
        + "probability ( B | A, X ) { table 1; }\nprobability ( B | C ) { table 1; }\nprobability ( Y | A ) { }\n"
        + "varable D { type discrete [ 2 ] { yes, no }; }\nvariable Net income { }\n"
        + "probability ( C | A ) { table 1; }\n"
        + "probability { }\nprobability ( ) { }\nvariable { }\n"
    )
    held = read(text)
    assert [(fault.line, fault.value) for fault in held.faults] == [
        (4, "A"),
        (5, "X"),
        (6, "B"),
        (7, "Y"),
        (8, "varable"),
        (9, "Net income"),
        (11, "{"),
        (12, "( )"),
        (13, "{"),
    ]
    told = [fault.expected for fault in held.faults]
    assert told[0] == "this variable is already declared in line 1"
    assert told[1].startswith("this variable is never declared")
    assert told[2] == "the parents of this variable are already given in line 5"
    assert told[4] == "expected network, variable or probability"
    assert told[5] == "a name of several words must be in quotes"
    assert [edge.pair for edge in held.graph.edges] == [("A", "B"), ("A", "C")]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("variable A {\n type discrete [ 2 ] { yes, no };\n" + variable("B"), 1, "this { is never closed"),
        (
            variable("A", "B") + "probability ( B | A ) {\n table 1;\nprobability ( A ) { table 1; }",
            3,
            "this { is never closed",
        ),
        (variable("A", "B") + "probability ( B | A\n", 3, "the file ends inside a block; is it cut off?"),
        (
            variable("A", "B") + "probability ( B | A ) {\n (yes) 0.5,",
            4,
            "the file ends inside a block; is it cut off?",
        ),
        (variable("A", "B") + 'variable "C\n', 3, "expected a name"),
    ],
)
def test_broken_files_keep_their_good_blocks(text: str, line: int, says: str) -> None:
    held = read(text)
    assert {"A", "B"} <= set(held.graph.nodes)
    assert (line, True) in [(fault.line, says in fault.expected) for fault in held.faults], held.faults


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        "network x {\n}\n",
        "{" * 200_000,
        "\x00\x01" * 1000,
        "/*" * 1000,
        '"' * 100_001,
        "A -> B",
        "variable",
    ],
)
def test_what_has_no_variables_is_refused(text: str) -> None:
    with pytest.raises(BadRow, match=r"variable X \{") as caught:
        read(text)
    assert (caught.value.file, caught.value.line) == ("g.bif", 1)


def test_hostile_files_are_read_in_good_time() -> None:
    held = read(variable("A") + "x } \nvariable B {" * 20_000)
    assert "reading stopped" in held.faults[-1].expected or "reading stopped" in held.faults[-2].expected
    assert read(variable("A") + "network {" + "{" * 100_000).graph.nodes == ("A",)
    assert not bif.is_mine("/* */ " * 30_000)
    assert not bif.is_mine("/*" * 100_000)


@pytest.mark.parametrize("text", [DOG, "network unknown {\n}\n", variable("A"), "network{}", "/* x */\nnetwork a.b {"])
def test_bif_is_recognised_by_its_beginning(text: str) -> None:
    assert bif.is_mine(text)
    assert recognised(text.encode(), "pasted.txt") is GraphForm.BIF


@pytest.mark.parametrize(
    "text", ["network -> B", "network,variable\na,b", "variable A -> B", '"network" -> "x"', "variable\tsink\nA\tB", ""]
)
def test_other_forms_are_left_alone(text: str) -> None:
    assert not bif.is_mine(text)

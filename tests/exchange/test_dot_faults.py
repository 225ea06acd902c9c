"""Broken DOT files: every faulty statement with its line, the good ones kept; and which texts are DOT at all."""

from __future__ import annotations

import pytest

from core.errors import BadRow
from exchange import dot
from exchange.edge_rows import ImportedGraph
from exchange.graphs import GraphForm, recognised


def read(text: str) -> ImportedGraph:
    return dot.read(text, "g.dot")


def pairs(text: str) -> list[tuple[str, str]]:
    held = read(text)
    assert held.faults == ()
    return [edge.pair for edge in held.graph.edges]


def faults(text: str) -> list[tuple[int | None, str, str]]:
    return [(fault.line, fault.value, fault.expected) for fault in read(text).faults]


def test_an_undirected_graph_is_refused() -> None:
    with pytest.raises(BadRow, match="digraph") as caught:
        read("graph { a -- b }")
    assert caught.value.value == "graph"


def test_lines_without_direction_and_foreign_arrows_are_faults() -> None:
    assert faults("digraph {\n a -- b\n c <- d\n e <-> f\n g → h\n i -> j\n}") == [
        (2, "--", "-- has no direction; a causal graph needs directed edges (->)"),
        (3, "<-", "DOT has only ->; write the source first"),
        (4, "<->", "DOT has only ->; write two edges"),
        (5, "→", "expected a name; a name with other characters than letters, digits and _ must be in quotes"),
    ]


def test_faulty_statements_are_listed_and_the_others_kept() -> None:
    held = read(
        "digraph {\n a -> b\n c -> ;\n d -> e [color=, x]\n f-g -> h\n node -> i\n j -> k [label=+\n]\n"
        " l -> m\n x < y\n}\n"
    )
    assert [(fault.line, fault.value) for fault in held.faults] == [
        (3, ";"),
        (4, ","),
        (5, "-"),
        (6, "node"),
        (7, "+"),
        (10, "<"),
    ]
    assert [edge.pair for edge in held.graph.edges] == [("a", "b"), ("l", "m")]


@pytest.mark.parametrize(
    "line",
    [
        "a -> political-inequality",
        "a -> b/c [label=x]",
        "a -> { b c-d }",
        "a -> b -- c",
        "a -> b <-> {c d}",
        "a → b",
        "a -> b c -> d e%f",
        "a ->\n b c's",
    ],
)
def test_a_broken_statement_leaves_nothing_behind(line: str) -> None:
    held = read(f"digraph {{\n x -> y\n {line}\n y -> z\n}}")
    assert len(held.faults) == 1
    assert (held.graph.nodes, [edge.pair for edge in held.graph.edges]) == (("x", "y", "z"), [("x", "y"), ("y", "z")])


def test_what_a_semicolon_or_a_list_sets_apart_from_a_broken_statement_is_kept() -> None:
    held = read(
        "digraph { a -> b; c-d -> e; f -> g h -> i [label=50%] j -> k\n subgraph cluster_1 {\n l -> m\n n-o\n}\n}"
    )
    assert [edge.pair for edge in held.graph.edges] == [("a", "b"), ("f", "g"), ("j", "k"), ("l", "m")]
    assert [(fault.line, fault.value) for fault in held.faults] == [(1, "-"), (1, "%"), (4, "-")]
    assert held.graph.nodes == ("a", "b", "f", "g", "j", "k", "l", "m")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("digraph {\n a -> b\n c -> ", 3, "the file ends in the middle"),
        ("digraph {\n a -> b\n", 1, "never closed; is the file cut off"),
        ('digraph {\n a -> b\n "c -> d\n}', 3, "this quote is never closed"),
        ("digraph { a -> b }\ndigraph { c -> d }", 2, "a file contains one graph"),
        ("digraph {\n a -> b\n c [label=<<b>x]\n}", 3, "expected a value for label"),
        ('digraph {\n a -> b\n c [label="x"\n', 3, "expected name=value or ]"),
        ('digraph {\n a -> b\n c -> "\u202e"\n}', 3, "text-direction"),
    ],
)
def test_broken_files_keep_their_good_rows(text: str, line: int, says: str) -> None:
    held = read(text)
    assert ("a", "b") in [edge.pair for edge in held.graph.edges]
    assert any(says in fault.expected for fault in held.faults), held.faults
    assert line in [fault.line for fault in held.faults]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A -> B", r"line 1: found 'A'; the file begins with digraph \{"),
        ("\n\ndigraph A B {}", r"line 3: found 'B'; expected \{ as in"),
        ("{" * 200_000, "begins with digraph"),
        ("digraph " + "{" * 200_000, "nested deeper than 32"),
        ("digraph {" + "subgraph {" * 40, "nested deeper than 32"),
        ('"' * 1_000_001, "begins with digraph"),
        ("\x00\x01\x7f" * 1000, "begins with digraph"),
        ("", "begins with digraph"),
    ],
)
def test_what_is_no_digraph_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadRow, match=says):
        read(text)


def test_nested_clusters_and_hostile_files_are_read_in_good_time() -> None:
    deep = "digraph {" + "subgraph cluster {" * 25 + "a -> b" + "}" * 25 + "}"
    assert pairs(deep) == [("a", "b")]
    many = " ".join(f"a{k}" for k in range(1000))
    assert "a file may contain 100,000 edges" in faults(f"digraph {{ {{{many}}} -> {{{many}}} }}")[0][2]
    assert "reading stopped" in read("digraph {\n" + "-\n" * 100_000).faults[-1].expected
    assert read("digraph {" + "=<" * 200_000).graph.nodes == ()


@pytest.mark.parametrize(
    "text",
    ["digraph {\nA -> B\n}", "// x\nstrict digraph G{}", 'DIGRAPH "a b" { }', "graph { a -- b }", "/* x */ digraph\n{"],
)
def test_dot_is_recognised_by_its_beginning(text: str) -> None:
    assert dot.is_mine(text)
    assert recognised(text.encode(), "pasted.txt") in (GraphForm.DOT,)


@pytest.mark.parametrize(
    "text",
    [
        "graph -> tree",
        "digraph,graph\na,b",
        '"digraph" -> "B"',
        "source,sink\ndigraph {,b",
        "dag { A -> B }",
        '{"nodes": []}',
    ],
)
def test_other_forms_are_left_alone(text: str) -> None:
    assert not dot.is_mine(text)
    assert recognised(text.encode(), "pasted.txt") is not GraphForm.DOT

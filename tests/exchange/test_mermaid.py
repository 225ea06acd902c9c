"""Mermaid's flowcharts: read as they are drawn, faulty statements with their line, and what is no flowchart named."""

from __future__ import annotations

import pytest
from hypothesis import given

from core.errors import BadRow, UnreadableFile
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.sign import Sign
from exchange import mermaid
from exchange.edge_rows import ImportedGraph
from exchange.graphs import GraphForm, lost_in, read_edges, recognised, write_graph
from tests.exchange.strategies import DATA, GRAPHS, TRICKY

FAULTS = DATA / "faults"


def read(text: str) -> ImportedGraph:
    found = read_edges(text.encode(), "pasted.txt")
    assert found.form is GraphForm.MERMAID
    return found


def arrows(found: ImportedGraph) -> list[str]:
    return [f"{edge.source} {edge.sign.value if edge.sign else '>'} {edge.sink}" for edge in found.graph.edges]


def of_lines(*lines: str) -> ImportedGraph:
    return read("\n".join(["flowchart TD", *lines]))


@pytest.mark.skipif(not FAULTS.is_dir(), reason="the shared inputs are not on this machine")
def test_the_fenced_flowchart_that_became_four_nodes() -> None:
    found = read_edges((FAULTS / "08-mermaid.md").read_bytes(), "08-mermaid.md")
    assert (found.form, arrows(found), found.faults) == (GraphForm.MERMAID, ["Price > Demand", "Demand > Price"], ())
    with pytest.raises(UnreadableFile, match=r"08-drawio.drawio is a draw.io diagram; write its arrows as lines"):
        read_edges((FAULTS / "08-drawio.drawio").read_bytes(), "08-drawio.drawio")


@given(GRAPHS)
def test_a_flowchart_is_read_back_as_far_as_it_goes(graph: CausalGraph) -> None:
    found = read_edges(write_graph(graph, GraphForm.MERMAID), "graph.mmd")
    assert (found.faults, found.graph.nodes) == ((), graph.nodes)
    assert [(edge.pair, edge.sign) for edge in found.graph.edges] == [(edge.pair, edge.sign) for edge in graph.edges]


def test_the_writing_is_as_expected() -> None:
    graph = CausalGraph.of([Edge("Price (net)", '1. "Demand"', Sign.MINUS), Edge("a_b", "- x")])
    assert write_graph(graph, GraphForm.MERMAID).decode() == (
        "flowchart TD\n"
        '  n1["Price (net)"]\n'
        '  n2["1#46; #34;Demand#34;"]\n'
        '  n3["a#95;b"]\n'
        '  n4["#45; x"]\n'
        '  n1 -->|"(-)"| n2\n'
        "  n3 --> n4\n"
    )
    assert lost_in(TRICKY, GraphForm.MERMAID) == ("delays", "flags", "notes")


@pytest.mark.parametrize(
    "text",
    [
        "graph TD;A-->B;B-->C;",
        "flowchart LR\r\n  A --> B\r\n  B --> C\r\n",
        "graph\nA --> B --> C",
        "%%{init: {'theme': 'dark'}}%%\n%% a comment\nflowchart TB\nA & X --> B --> C\nX ~~~ C",
        "---\ntitle: Farm\nconfig:\n  theme: dark\n---\nflowchart TD\nA --> B\n%% between\nB ==> C",
        "# Farm\n\n~~~~ mermaid\nflowchart TD\n  A -.-> B\n  B ---> C\n~~~~\nD -> E",
        "Text\n\n```mermaid\nsequenceDiagram\nA->>B: x\n```\n\n``` {mermaid}\ngraph TD\nA-->B\nB-->C\n```\n",
    ],
)
def test_flowcharts_are_found(text: str) -> None:
    assert {"A > B", "B > C"} <= set(arrows(read(text)))
    assert read(text).faults == ()


def test_names_are_the_texts_of_shapes() -> None:
    found = of_lines(
        "a[Net income] --> b(Round) --> c((Circle)) --> d{Diamond} --> e{{Hexagon}} --> f([Stadium])",
        "f --> g[[Twice]] --> h[(Store)] --> i(((Double))) --> j>Flag] --> k[/Slant/] --> l[\\Other/]",
        'l --> m["with (brackets) #quot;quotes#quot;<br/>&amp; #9829;"]:::red --> n["`**Bold** text`"]',
        'n --> o@{ shape: rect, label: "Modern, text" } --> p',
        "a --> p[Late name]",
    )
    assert found.faults == ()
    assert found.graph.nodes == (
        *("Net income", "Round", "Circle", "Diamond", "Hexagon", "Stadium", "Twice", "Store", "Double", "Flag"),
        *("Slant", "Other", 'with (brackets) "quotes" & ♥', "Bold text", "Modern, text", "Late name"),
    )


def test_labels_are_signs_delays_or_notes() -> None:
    found = of_lines(
        "A -->|+| B",
        'A -->|"(−)"| C',
        "A -- + --> D",
        "A == - ==> E",
        "A -. positive .-> F",
        'A -- "see -- p. 3" --> G',
        'A -->|"||"| H',
    )
    assert found.faults == ()
    assert [(edge.sink, edge.sign, edge.delay, edge.note) for edge in found.graph.edges] == [
        ("B", Sign.PLUS, False, ""),
        ("C", Sign.MINUS, False, ""),
        ("D", Sign.PLUS, False, ""),
        ("E", Sign.MINUS, False, ""),
        ("F", Sign.PLUS, False, ""),
        ("G", None, False, "see -- p. 3"),
        ("H", None, True, ""),
    ]
    assert any(notice.endswith("as notes: 1.") for notice in found.notices)


def test_groups_of_nodes_heads_and_subgraphs() -> None:
    found = of_lines(
        "subgraph one [The farm]",
        "  direction LR",
        "  A & B --> C & D",
        "end",
        "E <--> F",
        "G --x H --o I",
        "style A fill:#f9f",
        "classDef red fill:#f00",
        "class A red",
        'click A "https://example.org"',
        "linkStyle 0 stroke:#ff3",
        "accDescr {\n several\n lines\n}",
        "direction-finder --> style-guide",
    )
    assert found.faults == ()
    assert arrows(found) == [
        *("A > C", "A > D", "B > C", "B > D", "E > F", "F > E", "G > H", "H > I"),
        "direction-finder > style-guide",
    ]
    assert found.notices == (
        "Arrows with two heads (<-->) were read as two edges: 1.",
        "Arrows that end in a circle or a cross (--o, --x) were read like other arrows: 2.",
        "Groups (subgraphs) are not kept: The farm.",
    )


@pytest.mark.parametrize(
    ("line", "value", "says"),
    [
        ("A --- B --> C", "---", "the line has no direction; write -->"),
        ("A -.- B", "-.-", "the line has no direction; write -->"),
        ("A x--x B", "x--x", "the ends of the line are no arrows"),
        ("A[Rate (net)] --> B", "A[Rate (net)] --> B", "text with brackets or quotes in it must be in quotes"),
        ("A --> B, C", "A --> B, C", "a statement of a flowchart is"),
        ("A -->", "A -->", "a statement of a flowchart is"),
        ("A -- text B", "A -- text B", "a statement of a flowchart is"),
        ("A -->|sign: up B", "A -->|sign: up B", "a statement of a flowchart is"),
        ("A[\u202e] --> B", "\u202e", "text-direction"),
        ("A -->|mixed| B", "mixed", "an edge's sign is"),
    ],
)
def test_a_faulty_statement_is_named_and_the_others_are_kept(line: str, value: str, says: str) -> None:
    found = of_lines("X --> Y", f"  {line}", "Y --> Z")
    assert arrows(found) == ["X > Y", "Y > Z"]
    assert (found.faults[0].line, found.faults[0].value) == (3, value)
    assert says in found.faults[0].expected


def test_a_broken_statement_leaves_nothing_behind() -> None:
    found = of_lines("X --> Y", "A[Price] --> B --> C[(x]", "D --> E --- F")
    assert (found.graph.nodes, len(found.faults)) == (("X", "Y"), 2)


def test_an_arrow_at_a_subgraph_is_a_faulty_row() -> None:
    found = of_lines("one --> B", "subgraph one", "A", "end")
    assert (found.graph.nodes, arrows(found)) == (("B", "A"), [])
    assert (found.faults[0].value, found.faults[0].expected) == ("one", "this is a subgraph; an arrow joins two nodes")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("sequenceDiagram\nA->>B: hello", "sequenceDiagram"),
        ("mindmap\n  root((x))\n    a -> b", "mindmap"),
        ('pie title Pets\n "Dogs" : 386', "pie"),
        ("```mermaid\nstateDiagram-v2\n  [*] --> Still\n  Still --> Moving\n```", "stateDiagram-v2"),
        ("---\ntitle: x\n---\nerDiagram\nA ||--o{ B : has", "erDiagram"),
    ],
)
def test_other_diagrams_of_mermaid_are_refused_by_name(text: str, kind: str) -> None:
    with pytest.raises(UnreadableFile, match=f"another kind, {kind};"):
        read_edges(text.encode(), "pasted.txt")


def test_a_file_is_one_flowchart() -> None:
    two = "```mermaid\ngraph TD\nA-->B\n```\n\n```mermaid\ngraph LR\nA-->C\n```\n"
    with pytest.raises(BadRow, match="2 flowcharts") as caught:
        read_edges(two.encode(), "two.md")
    assert caught.value.line == 7
    with pytest.raises(BadRow, match="flowchart TD") as caught:
        read_edges(b"A --> B", "no head.mmd")
    assert (caught.value.line, caught.value.value) == (1, "A --> B")


@pytest.mark.parametrize(
    "text", ["graph -> tree", "flowchart,graph\na,b", "timeline -> x", "graph { a -- b }", "pie -> cake", "A --> B"]
)
def test_other_texts_are_left_alone(text: str) -> None:
    assert not mermaid.is_mine(text)
    assert recognised(text.encode(), "pasted.txt") is not GraphForm.MERMAID


def test_hostile_files_are_read_in_good_time() -> None:
    assert of_lines("A --> B\n" * 5_000).rows > 4_000
    assert len(of_lines(*['A["'] * 2_000).faults) > 0
    assert len(of_lines(*["A -- " * 500] * 20).faults) == 20
    many = " & ".join(f"a{n}" for n in range(200))
    with pytest.raises(UnreadableFile, match="more than 20,000 edges"):
        of_lines(f"{many} --> {many.replace('a', 'b')}")

"""Graphs as files: exact round trips, the traps of CSV and JSON, and every faulty row with its place."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.errors import BadInput, BadRow, InvalidName, UnreadableFile
from core.graphs.checks import DoubtKind, check_graph
from core.graphs.edge import Edge, EdgeFlag
from core.graphs.graph import CausalGraph
from core.graphs.names import clean_name
from core.sign import Sign
from exchange.edge_table import guarded, table_bytes, unguarded
from exchange.graphs import GraphForm, lost_in, read_edges, write_graph

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def _is_legal(name: str) -> bool:
    try:
        return clean_name(name) == name
    except InvalidName:
        return False


_PIECES = st.sampled_from(['"', "->", ";", ",", "'", "=", "+1", "-", "@", "\t", "ü", "None", "NA", "null", "007", "x"])
NAMES = st.one_of(st.text(min_size=1, max_size=8), st.lists(_PIECES, min_size=1, max_size=5).map("".join)).filter(
    _is_legal
)
NOTES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=10)
EDGES = st.builds(
    Edge,
    NAMES,
    NAMES,
    st.sampled_from([None, Sign.PLUS, Sign.MINUS]),
    st.booleans(),
    NOTES,
    st.sampled_from([None, *EdgeFlag]),
)
GRAPHS = st.builds(
    CausalGraph.of,
    st.lists(EDGES, max_size=6, unique_by=lambda edge: (edge.pair, edge.sign)),
    st.lists(NAMES, max_size=4),
)
EXACT = [GraphForm.CSV, GraphForm.SAFE_CSV, GraphForm.JSON]


@given(GRAPHS, st.sampled_from(EXACT))
def test_csv_and_json_are_read_back_exactly(graph: CausalGraph, form: GraphForm) -> None:
    if not graph.nodes and form is not GraphForm.JSON:
        graph = CausalGraph.of([], ["A"])
    content = write_graph(graph, form)
    assert content == write_graph(graph, form)
    read = read_edges(content, f"graph{form.suffix}")
    assert read.faults == ()
    assert read.graph == graph


@given(GRAPHS)
def test_the_standard_text_is_read_back_as_far_as_it_goes(graph: CausalGraph) -> None:
    if graph.nodes:
        read = read_edges(write_graph(graph, GraphForm.STANDARD), "graph.txt")
        assert read.faults == ()
        assert [edge.pair for edge in read.graph.edges] == list(dict.fromkeys(edge.pair for edge in graph.edges))


@given(st.lists(NAMES, min_size=1, max_size=5, unique=True), st.sampled_from([GraphForm.STANDARD, GraphForm.ARROWS]))
@example(["source,sink"], GraphForm.STANDARD)
@example(["digraph { a -> b }", 'dagitty("dag{', "sep=;"], GraphForm.STANDARD)
@example(["A -> B", "[[[1,0"], GraphForm.ARROWS)
def test_a_graph_without_edges_is_a_list_of_its_nodes(names: list[str], form: GraphForm) -> None:
    graph = CausalGraph.of([], names)
    assert lost_in(graph, form) == ()
    read = read_edges(write_graph(graph, form), "graph.txt")
    assert (read.graph, read.faults, read.form) == (graph, (), GraphForm.ARROWS)


def test_an_empty_graph_is_no_text_file() -> None:
    for form in (GraphForm.STANDARD, GraphForm.ARROWS):
        with pytest.raises(BadInput, match="no node"):
            write_graph(CausalGraph.of([]), form)


@given(GRAPHS)
def test_no_cell_of_the_safe_csv_begins_a_formula(graph: CausalGraph) -> None:
    text = write_graph(graph, GraphForm.SAFE_CSV).decode("utf-8-sig")
    for row in csv.reader(io.StringIO(text, newline="")):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row if cell not in ("+", "-"))


def test_the_canonical_csv_is_written_as_expected() -> None:
    graph = CausalGraph.of(
        [Edge("Price, net", "=Demand", Sign.MINUS, True, "see\r\np. 3", EdgeFlag.NOT_CAUSAL)],
        ["Price, net", "=Demand", "Alone"],
    )
    assert write_graph(graph, GraphForm.CSV).decode() == (
        'source,sink,sign,delay,flag,note\n"Price, net",=Demand,-,yes,not causal,"see\r\np. 3"\nAlone,,,,,\n'
    )
    assert write_graph(graph, GraphForm.SAFE_CSV).decode("utf-8") == (
        "\ufeffsource,sink,sign,delay,flag,note\r\n"
        '"Price, net",\'=Demand,-,yes,not causal,"see\r\np. 3"\r\nAlone,,,,,\r\n'
    )


def test_the_plain_json_form_names_only_what_is_set() -> None:
    graph = CausalGraph.of([Edge("A", "B"), Edge("B", "Ä", Sign.PLUS, delay=True)], ["C"])
    assert json.loads(write_graph(graph, GraphForm.JSON)) == {
        "nodes": ["C", "A", "B", "Ä"],
        "edges": [{"source": "A", "sink": "B", "sign": None}, {"source": "B", "sink": "Ä", "sign": "+", "delay": True}],
    }
    assert "Ä" in write_graph(graph, GraphForm.JSON).decode()


def test_what_a_form_loses_is_named() -> None:
    graph = CausalGraph.of([Edge("A", "B", Sign.PLUS, note="x")], ["C"])
    assert lost_in(graph, GraphForm.STANDARD) == ("isolated nodes", "signs", "notes")
    assert lost_in(CausalGraph.of([Edge("A", "B")]), GraphForm.STANDARD) == ()
    assert lost_in(graph, GraphForm.CSV) == ()


def pairs(content: bytes, filename: str = "edges.csv") -> list[tuple[str, str]]:
    read = read_edges(content, filename)
    assert read.faults == ()
    return [edge.pair for edge in read.graph.edges]


@pytest.mark.parametrize(
    "heading",
    ["source,sink", "from,to", "Cause,Effect", "source_variable,sink_variable", "Source Variable,Target Variable"],
)
def test_columns_go_by_their_usual_names(heading: str) -> None:
    assert pairs(f"{heading}\nA,B\n".encode()) == [("A", "B")]


def test_a_byte_order_mark_is_accepted_silently() -> None:
    read = read_edges("\ufeffsource,sink\nÄ,B\n".encode(), "edges.csv")
    assert (read.graph.nodes, read.notices, read.faults) == (("Ä", "B"), (), ())


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_encodings_are_read_with_a_notice(codec: str) -> None:
    read = read_edges("source,sink\nÄ,B\n".encode(codec), "edges.csv")
    assert read.graph.nodes == ("Ä", "B")
    assert "UTF-" in read.notices[0]


def test_other_encodings_are_asked_for_and_the_answer_is_taken() -> None:
    content = "source,sink\nPreis,B\nÄrger,B\n".encode("latin-1")
    with pytest.raises(BadInput, match=r"line 3.*Which encoding.*Ärger"):
        read_edges(content, "edges.csv")
    assert read_edges(content, "edges.csv", encoding="latin-1").graph.nodes == ("Preis", "B", "Ärger")
    with pytest.raises(BadInput, match="another encoding"):
        read_edges(content, "edges.csv", encoding="no-such")


@pytest.mark.parametrize(("separator", "word"), [(";", "semicolon"), ("\t", "tab"), ("|", "bar")])
def test_other_separators_are_found_with_a_notice(separator: str, word: str) -> None:
    read = read_edges(f"source{separator}sink\nA, net{separator}B\n".encode(), "edges.csv")
    assert read.graph.edges[0].pair == ("A, net", "B")
    assert any(word in notice for notice in read.notices)


def test_the_separator_line_of_spreadsheets_and_tsv_are_understood() -> None:
    assert pairs(b"sep=;\nsource;sink\nA;B\n") == [("A", "B")]
    assert read_edges(b"source\tsink\nA\tB\n", "edges.tsv").notices == ()


def test_an_unclosed_quote_is_reported_where_it_opens_and_swallows_nothing() -> None:
    read = read_edges(b'source,sink\nA,B\n"C,D\nE,F\n', "edges.csv")
    assert [edge.pair for edge in read.graph.edges] == [("A", "B"), ("E", "F")]
    assert [(fault.line, "never closed" in fault.expected) for fault in read.faults] == [(3, True)]


def test_a_file_full_of_open_quotes_stops() -> None:
    read = read_edges(b"source,sink\n" + b'"A,B\nx"y,"\n' * 3000, "edges.csv")
    assert len(read.faults) <= 25
    assert "stopped" in read.faults[-1].expected


def test_ragged_rows_are_reported_with_their_line() -> None:
    read = read_edges(b"source,sink\nA,B,C,D\n\nE\nF,G\n", "edges.csv")
    assert [(fault.line, fault.expected) for fault in read.faults] == [
        (2, "4 fields, expected 2"),
        (4, "1 fields, expected 2"),
    ]
    assert read.graph.nodes == ("F", "G")


def test_lines_are_counted_across_cells_with_line_breaks() -> None:
    read = read_edges(b'source,sink,note\nA,B,"x\ny\nz"\nC,D,w,more\n', "edges.csv")
    assert read.graph.edges[0].note == "x\ny\nz"
    assert [fault.line for fault in read.faults] == [5]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"source,Source,sink\nA,B,C\n", "two columns are named"),
        (b"source,from,sink\nA,B,C\n", "two columns mean source"),
        (b"Von,Nach\nA,B\n", "needs the columns source and sink; found Von, Nach"),
        (b"source\nA\n", "needs the columns"),
    ],
)
def test_a_wrong_header_refuses_the_file(content: bytes, says: str) -> None:
    with pytest.raises(BadRow, match=says) as caught:
        read_edges(content, "edges.csv")
    assert caught.value.line == 1


def test_a_person_can_say_which_column_is_which() -> None:
    read = read_edges(b"Von;Nach\nA;B\n", "edges.csv", columns={"source": "Von", "sink": "Nach"})
    assert read.graph.edges == (Edge("A", "B"),)
    with pytest.raises(BadRow, match="no such column"):
        read_edges(b"Von;Nach\nA;B\n", "edges.csv", columns={"source": "x", "sink": "Nach"})
    with pytest.raises(BadInput, match="no field"):
        read_edges(b"Von;Nach\nA;B\n", "edges.csv", columns={"weight": "Von"})


def test_words_that_look_like_nothing_and_numbers_stay_text() -> None:
    read = read_edges(b"source,sink\nNone,NA\nnull,007\nNaN,1e5\n", "edges.csv")
    assert read.graph.nodes == ("None", "NA", "null", "007", "NaN", "1e5")


def test_sign_words_are_mapped_with_a_notice_and_unknown_signs_refused() -> None:
    rows = "from,to,type\nA,B,positive\nA,C,–\nA,D,+\nA,E,None\nA,F,maybe\nA,G,\n"
    read = read_edges(rows.encode(), "edges.csv")
    assert [(edge.sink, edge.sign) for edge in read.graph.edges] == [
        ("B", Sign.PLUS),
        ("C", Sign.MINUS),
        ("D", Sign.PLUS),
        ("G", None),
    ]
    assert [(fault.line, fault.field, fault.value) for fault in read.faults] == [
        (5, "type", "None"),
        (6, "type", "maybe"),
    ]
    assert "The sign “positive” was read as +." in read.notices


def test_name_faults_carry_line_and_field_and_all_are_returned() -> None:
    read = read_edges("source,sink,delay,flag\nA\x00,\u200b,,\n,B,maybe,odd\n".encode(), "edges.csv")
    assert [(fault.line, fault.field) for fault in read.faults] == [
        (2, "source"),
        (2, "sink"),
        (3, "source"),
        (3, "delay"),
        (3, "flag"),
    ]


def test_rows_already_listed_are_kept_once_with_a_notice() -> None:
    read = read_edges(b"source,sink,sign\nA,B,+\nA,B,+\nA,B,-\n", "edges.csv")
    assert [edge.sign for edge in read.graph.edges] == [Sign.PLUS, Sign.MINUS]
    assert 'line 3: "A" -> "B" is already listed in line 2.' in read.notices


def test_columns_not_read_and_formula_like_names_are_mentioned() -> None:
    read = read_edges(b"source,sink,weight\n=1+1,B,3\n", "edges.csv")
    assert read.graph.nodes == ("=1+1", "B")
    assert any("weight" in notice for notice in read.notices)
    assert any("formula" in notice for notice in read.notices)


def test_an_apostrophe_of_the_canonical_csv_is_part_of_the_name() -> None:
    assert pairs(b"source,sink,sign,delay,flag,note\n'=A,B,,,,\n") == [("'=A", "B")]


def test_arrows_in_a_text_file_are_read_and_faults_carry_their_offer() -> None:
    read = read_edges(b'Price -> Demand\nA->B\n"Alone"\n', "edges.txt")
    assert read.graph.nodes == ("Price", "Demand", "Alone")
    assert read.faults[0].line == 2
    assert '"A" -> "B"' in read.faults[0].expected


def test_the_content_decides_where_the_name_does_not() -> None:
    assert pairs(b'[{"source": "A", "sink": "B"}]', "-") == [("A", "B")]
    assert pairs(b"from,to\nA,B\n", "pasted.txt") == [("A", "B")]
    assert pairs(b"A -> B\n", "-") == [("A", "B")]


@pytest.mark.parametrize(
    ("content", "filename", "says"),
    [
        (b"", "e.csv", "empty"),
        (b"\xef\xbb\xbf \n", "e.json", "empty"),
        (b"<!DOCTYPE html><html>", "e.csv", "web page"),
        (b"%PDF-1.7", "e.csv", "a PDF"),
    ],
)
def test_files_that_are_something_else_are_refused(content: bytes, filename: str, says: str) -> None:
    with pytest.raises(UnreadableFile, match=says):
        read_edges(content, filename)


@pytest.mark.parametrize(
    ("text", "filename", "says"),
    [
        ("<mxGraphModel><root/></mxGraphModel>", "a.xml", "a draw.io diagram; write its arrows as lines"),
        ('<mxfile compressed="true"><diagram>7Vpbc6M2</diagram></mxfile>', "a.drawio", "a draw.io diagram"),
        ("<?xml version='1.0'?>\n<!-- made by x -->\n<svg><g/></svg>", "a.svg", "an SVG picture; write"),
        ("<!-- x -->\n<bpmn:definitions>A -> B</bpmn:definitions>", "pasted.txt", "a BPMN model"),
        ("<cyjs><node/></cyjs>", "pasted.txt", "XML of a kind that is not read, <cyjs>"),
        ("@startuml\n[A] --> [B]\n@enduml\n", "pasted.txt", "a PlantUML diagram; write its arrows as lines"),
    ],
)
def test_diagrams_that_are_not_read_are_named(text: str, filename: str, says: str) -> None:
    with pytest.raises(UnreadableFile, match=f"{filename} is {says}") as caught:
        read_edges(text.encode(), filename)
    assert "These are read: " in str(caught.value)


def test_names_in_angle_brackets_and_late_roots_are_no_other_xml() -> None:
    assert pairs(b"<Price> -> <Demand>\n<Demand> -> B\n", "pasted.txt") == [("<Price>", "<Demand>"), ("<Demand>", "B")]
    late = f"<?xml version='1.0'?><!--{'x' * 5_000}--><graphml><graph/></graphml>"
    assert read_edges(late.encode(), "cld.xml").form is GraphForm.GRAPHML


def test_json_takes_relationships_targets_and_a_bare_list() -> None:
    assert pairs(b'{"relationships": [{"source": "A", "target": "B"}]}', "e.json") == [("A", "B")]
    assert pairs(b'{"nodes": ["C"], "edges": []}', "e.json") == []


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('{"nodes": [],\n "edges": NaN}', 2, "NaN"),
        ('{"nodes": [],\n "edges": [-Infinity]}', 2, "Infinity"),
        ('{"edges": [],\n "edges": []}', 2, "listed twice"),
        ('{"edges": [],\n "\\u0065dges": []}', 2, "listed twice"),
        ("[" * 100_000, 1, "nested deeper"),
        ('{"a":' * 100_000, 1, "nested deeper"),
        ('{"edges": [\n', 2, "not JSON"),
        ('{"nodes": 3, "edges": []}', None, "a graph is"),
        ('{"title": "x"}', None, "a graph is"),
        ('"A"', 1, "a graph is"),
        ('{"edges": [' + "9" * 5000 + "]}", None, "too many digits"),
    ],
)
def test_json_traps_are_refused_with_their_place(text: str, line: int | None, says: str) -> None:
    with pytest.raises(BadRow, match=says) as caught:
        read_edges(text.encode(), "e.json")
    assert caught.value.line == line


def test_nan_and_keys_inside_a_text_are_no_trap() -> None:
    nodes = b'"nodes": ["NaN", "{[\\"Infinity\\":", "a"]'
    content = b"{" + nodes + b', "edges": [{"source": "a", "sink": "a"}, {"source": "a", "sink": "NaN"}]}'
    assert pairs(content, "e.json") == [("a", "a"), ("a", "NaN")]


def test_faulty_json_elements_are_named_and_the_good_ones_kept() -> None:
    edges = [
        {"source": "A", "sink": "B", "polarity": 1},
        {"source": "A"},
        {"source": "A", "sink": 7},
        "A -> B",
        {"source": "A", "sink": "C", "sign": "up"},
        {"source": "\ud800", "sink": "C"},
        {"source": "A", "sink": "B", "sign": "+"},
    ]
    read = read_edges(json.dumps({"nodes": ["N", 5], "edges": edges}).encode(), "e.json")
    assert read.graph == CausalGraph.of([Edge("A", "B", Sign.PLUS)], ["N"])
    assert [fault.field for fault in read.faults] == [
        "nodes[1]",
        "edges[1].sink",
        "edges[2].sink",
        "edges[3]",
        "edges[4].sign",
        "edges[5].source",
    ]
    assert 'edges[6]: "A" -> "B" is already listed in edges[0].' in read.notices


def test_json_nodes_may_be_objects_and_edges_may_use_their_ids() -> None:
    nodes = [{"id": "n1", "label": "Price", "x": 3}, {"id": "Demand"}, {"label": 5}]
    edges = [{"from": "n1", "to": "Demand"}]
    read = read_edges(json.dumps({"nodes": nodes, "edges": edges}).encode(), "e.json")
    assert read.graph == CausalGraph.of([Edge("Price", "Demand")])
    assert [fault.field for fault in read.faults] == ["nodes[2]"]


@pytest.mark.skipif(not (DATA / "cld").is_dir(), reason="the shared diagrams are not on this machine")
def test_fifty_real_diagrams_survive_every_exact_form() -> None:
    # Counted in the raw lists of source and sink, not by our code; a self-loop is no reciprocal pair.
    names = ["sleep_depression.json", "sir_view1.json", "workforce_view1.json"]
    folders = ["sdbot_lake_urmia", "ims_fhs_signed", "sdai_loops", "loopy"]
    files = [DATA / "cld" / name for name in names]
    files += sorted(file for folder in folders for file in (DATA / "cld" / folder).glob("*.json"))
    graphs = []
    for file in files:
        read = read_edges(file.read_bytes(), file.name)
        assert read.faults == (), file.name
        graphs.append(read.graph)
        for form in EXACT:
            again = read_edges(write_graph(read.graph, form), f"graph{form.suffix}")
            assert (again.graph, again.faults) == (read.graph, ())
    kinds = [doubt.kind for graph in graphs for doubt in check_graph(graph)]
    assert len(graphs) == 50
    assert sum(len(graph.nodes) for graph in graphs) == 495
    assert sum(len(graph.edges) for graph in graphs) == 526
    assert kinds.count(DoubtKind.REVERSED_PAIR) == 44
    assert kinds.count(DoubtKind.ISOLATED_NODE) == 9
    assert kinds.count(DoubtKind.SELF_LOOP) == 5


def test_table_cells_with_lone_carriage_returns_survive() -> None:
    content = table_bytes(("a", "b"), [["x\ry", "z"]], safe=False)
    assert content == b'a,b\n"x\ry",z\n'


def test_a_safe_table_guards_texts_and_never_numbers() -> None:
    content = table_bytes(("a", "b", "c"), [["-34.45", -34.45, -3]], safe=True)
    assert content.decode("utf-8-sig") == "a,b,c\r\n'-34.45,-34.45,-3\r\n"


def test_a_sign_alone_is_written_as_it_is_and_every_other_start_of_a_formula_is_guarded() -> None:
    signs, others = ["+", "-", "−"], ["+1", "-a", "- ", "=", "@", "'+", "＋"]
    content = table_bytes(["a"] * len(signs + others), [signs + others], safe=True).decode("utf-8-sig")
    assert content.splitlines()[1] == ",".join([*signs, *(f"'{each}" for each in others)])


@pytest.mark.parametrize("separator", [";", "\t"])
@given(st.lists(st.text(alphabet="=+-@'\";,\t\r\n a5＝", min_size=1, max_size=9), min_size=1, max_size=4))
def test_a_safe_table_runs_nothing_either_where_other_separators_are_expected(separator: str, cells: list[str]) -> None:
    content = table_bytes(["a"] * len(cells), [cells], safe=True).decode("utf-8-sig")
    for begun in re.split(rf"[\r\n{separator}]", content):  # no quotation mark keeps such a reader from it
        assert re.match(r'"*+(?:[+-]?(?:,|$)|[^=+@＝-])', begun), begun
    assert [unguarded(guarded(cell)) for cell in cells] == cells

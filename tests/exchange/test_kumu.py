"""Kumu's JSON and sheets: real files against their truth, exact round trips, and what Kumu means otherwise than we."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from core.errors import BadInput, BadRow
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.sign import Sign
from exchange import kumu, kumu_sheets
from exchange.edge_rows import ImportedGraph
from exchange.graphs import GraphForm, lost_in, read_edges, write_graph
from tests.everything import EVERYTHING
from tests.exchange.strategies import DATA, GRAPHS, TRICKY, placed_graphs, real_clds, real_networks
from tests.exchange.test_workbook import Row, book

Link = dict[str, Any]


def as_json(elements: list[Any], connections: list[Any], **others: Any) -> ImportedGraph:
    value = {"elements": elements, "connections": connections, **others}
    read = read_edges(json.dumps(value).encode(), "map.json")
    assert read.form is GraphForm.KUMU_JSON
    return read


def as_sheets(connections: list[Row], elements: list[Row] | None = None) -> ImportedGraph:
    heading = ["From", "To", "Direction", "Type"]
    read = read_edges(
        book(Elements=[["Label", "Type"], *(elements or [])], Connections=[heading, *connections]), "map.xlsx"
    )
    assert read.form is GraphForm.KUMU_XLSX
    return read


def _blueprint(connections: list[Row]) -> ImportedGraph:
    return as_json([], [dict(zip(("from", "to", "direction", "type"), row, strict=False)) for row in connections])


BOTH = pytest.mark.parametrize("kumu_of", [_blueprint, as_sheets], ids=["json", "sheets"])
Reader = Callable[[list[Row]], ImportedGraph]


def shown(read: ImportedGraph) -> list[tuple[str, str, str]]:
    return [(edge.source, edge.sink, edge.sign.value if edge.sign else "") for edge in read.graph.edges]


@given(placed_graphs())
def test_kumu_json_is_read_back_exactly(placed: tuple[CausalGraph, dict[str, Point]]) -> None:
    graph, places = placed
    content = write_graph(graph, GraphForm.KUMU_JSON, places)
    assert content == write_graph(graph, GraphForm.KUMU_JSON, places)
    read = read_edges(content, "graph.json")
    assert (read.faults, read.graph, read.places, read.form) == ((), graph, places, GraphForm.KUMU_JSON)
    assert read.title == ""
    assert lost_in(graph, GraphForm.KUMU_JSON, places) == ()


@given(GRAPHS)
def test_kumu_sheets_are_read_back_exactly(graph: CausalGraph) -> None:
    content = write_graph(graph, GraphForm.KUMU_XLSX)
    assert content == write_graph(graph, GraphForm.KUMU_XLSX)
    read = read_edges(content, "graph.xlsx")
    assert (read.faults, read.graph, read.form) == ((), graph, GraphForm.KUMU_XLSX)


@pytest.mark.skipif(not EVERYTHING, reason="eleven of them take every form in test_every_form.py")
def test_published_graphs_come_back_equal() -> None:
    networks: dict[str, tuple[CausalGraph, dict[str, Point]]] = {k: (g, {}) for k, g in real_networks().items()}
    for name, (graph, places) in {"tricky": (TRICKY, {}), **real_clds(), **networks}.items():
        read = read_edges(write_graph(graph, GraphForm.KUMU_JSON, places), "graph.json")
        assert (name, read.faults, read.graph, read.places) == (name, (), graph, places)
        read = read_edges(write_graph(graph, GraphForm.KUMU_XLSX, places), "graph.xlsx")
        assert (name, read.faults, read.graph, read.places) == (name, (), graph, {})


def test_a_real_import_sheet_is_read_as_its_authors_drew_it() -> None:
    truth, _ = real_clds()["sleep_depression"]
    read = read_edges((DATA / "cld/raw/sleep_kumu_import.xlsx").read_bytes(), "sleep.xlsx")
    assert (read.form, read.faults, read.graph) == (GraphForm.KUMU_XLSX, (), truth)
    assert (len(read.graph.nodes), sum(edge.sign is not None for edge in read.graph.edges)) == (8, 19)
    assert read.notices == ("Sheets not read: Interactions.", "Columns of elements not read: Type.")


def test_a_real_backup_is_read_with_its_places() -> None:
    real_clds()  # skips where the real files are absent
    read = read_edges((DATA / "cld/raw/kumu_example_network.json").read_bytes(), "network.json")
    one, two, three = ("Example node 1", "Example node 2", "Example node 3")
    assert (read.form, read.faults, read.title) == (GraphForm.KUMU_JSON, (), "Imported_map")
    assert shown(read) == [(one, two, "+"), (two, three, "+"), (three, one, "-")]
    assert read.places == {one: Point(0, 800), two: Point(1000, 800), three: Point(500, 200)}
    undirected, fields = read.notices
    assert undirected.startswith("3 edges say no direction")
    assert fields.endswith(": element type (2).")


@BOTH
def test_mutual_is_two_edges_and_undirected_a_fault(kumu_of: Reader) -> None:
    read = kumu_of([["A", "B", "mutual", "-"], ["C", "D", "undirected", "+"], ["D", "E", "sideways", ""], ["E", "F"]])
    assert shown(read) == [("A", "B", "-"), ("B", "A", "-"), ("E", "F", "")]
    assert [(fault.value, fault.expected) for fault in read.faults] == [
        (
            "undirected",
            "an undirected edge says nothing about cause; make it directed (source acts on sink) or mutual",
        ),
        ("sideways", "a direction is directed, mutual or undirected"),
    ]
    assert '1 edge says both directions; each was read as two edges: "A" -> "B".' in read.notices
    assert '1 edge says no direction; each was read as source → sink: "E" -> "F".' in read.notices


@BOTH
def test_types_that_are_no_signs_are_named_or_faults(kumu_of: Reader) -> None:
    read = kumu_of([["A", "B", "directed", "feeds"], ["B", "C", "directed", "eats"], ["C", "A", "directed", ""]])
    assert (shown(read), read.faults) == ([("A", "B", ""), ("B", "C", ""), ("C", "A", "")], ())
    assert any(notice.endswith(": feeds, eats.") for notice in read.notices)
    read = kumu_of([["A", "B", "directed", "positive"], ["B", "C", "directed", "eats"]])
    assert shown(read) == [("A", "B", "+")]
    [fault] = read.faults
    assert fault.value == "eats"
    assert "+, - or empty" in fault.expected


@BOTH
def test_connections_make_the_elements_they_name(kumu_of: Reader) -> None:
    read = kumu_of([["A", "B", "directed", "+"]])
    assert read.graph.nodes == ("A", "B")
    assert "Edges name nodes that are not listed; they were added: A, B." in read.notices


@BOTH
def test_a_connection_that_leads_nowhere_is_a_fault(kumu_of: Reader) -> None:
    read = kumu_of([["A", "", "directed", "+"], ["", "B", "directed", "+"]])
    assert (shown(read), len(read.faults)) == ([], 2)
    to, name = (fault.expected for fault in read.faults)
    assert "lead to" in to
    assert "name is empty" in name


def test_faults_name_the_cell_of_the_sheet() -> None:
    read = as_sheets(
        [
            ["A", "B", "undirected", "+"],
            ["A", "", "directed", "+"],
            ["A", "C", "directed", "#REF!"],
            ["A", "D", "directed", "+"],
            ["A", "E", "directed", "eats"],
        ],
        [["", "stock"]],
    )
    assert [(fault.line, fault.field) for fault in read.faults] == [
        (4, "Connections!D4 type"),
        (2, "Connections!C2 direction"),
        (3, "Connections!B3 to"),
        (6, "Connections!D6 type"),
    ]


def test_faults_name_the_connection_of_the_json() -> None:
    read = as_json(
        [{"_id": "e1", "attributes": {"label": "A"}}, {"_id": "e2", "attributes": {}}, "B"],
        [{"from": "e1", "to": "e9"}, {"from": "e1", "to": "e2"}, 7, {"from": "A", "to": "A", "delay": "perhaps"}],
    )
    assert [(fault.field, fault.value) for fault in read.faults] == [
        ("elements[1].label", ""),
        ("elements[2]", "B"),
        ("connections[0].to", "e9"),
        ("connections[2]", "7"),
        ("connections[1].to", ""),
        ("connections[3].delay", "perhaps"),
    ]
    assert read.faults[2].expected == "there is no element with this id or label"


def test_a_backup_s_delays_loops_maps_and_reversals_are_kept_or_named() -> None:
    label = {"label": "A", "description": "about A"}
    read = as_json(
        [{"_id": "e1", "attributes": label}, {"_id": "e2", "attributes": {"label": "B"}}],
        [
            {
                "_id": "c1",
                "from": "e1",
                "to": "e2",
                "direction": "directed",
                "delayed": True,
                "reversed": True,
                "attributes": {"connection type": "+", "note": "p. 3", "flag": "not causal"},
            },
            {
                "_id": "c2",
                "from": "e2",
                "to": "e1",
                "direction": "directed",
                "delayed": False,
                "reversed": False,
                "attributes": {"delay": "yes", "label": "b"},
            },
        ],
        loops=[{"_id": "l1", "attributes": {"label": "R1"}}, {"_id": "l2"}],
        maps=[
            {"name": "Empty", "elements": []},
            {"name": "One", "elements": [{"element": "e1", "position": {"x": 1, "y": -2.5}}, {"element": "e2"}]},
            {"name": "Two", "elements": [{"element": "e2", "position": {"x": 9, "y": 9}}]},
        ],
    )
    assert read.faults == ()
    assert [(edge.delay, edge.note, edge.flag) for edge in read.graph.edges] == [
        (True, "p. 3", "not causal"),
        (True, "", None),
    ]
    assert (read.places, read.title) == ({"A": Point(1, -2.5)}, "One")
    assert read.notices == (
        "Places were taken from the map One; not from: Two.",
        'Marked reversed in Kumu and read from → to; check their direction: "A" -> "B".',
        "Loops that Kumu names are computed again from the edges, not read: R1, without a name.",
        "Fields of elements not read: description.",
        "Fields of connections not read: label.",
    )


def test_elements_are_called_by_id_or_label_and_twins_are_one_node() -> None:
    read = as_json(
        [{"id": "e1", "label": "A"}, {"id": "e2", "label": "A"}, {"id": 3, "label": 7, "x": 1, "y": 2}],
        [{"from": "e2", "to": 3, "polarity": "-", "type": "eats"}, {"from": "7", "to": "A", "type": ""}],
    )
    assert (shown(read), read.graph.nodes, read.places) == (
        [("A", "7", "-"), ("7", "A", "")],
        ("A", "7"),
        {"7": Point(1, 2)},
    )
    types, undirected, *_ = read.notices
    assert types.endswith(": eats.")
    assert undirected.startswith("2 edges say no direction")
    assert undirected.endswith(': "A" -> "7", "7" -> "A".')
    sheets = book(
        Elements=[["ID", "Label"], ["e1", "A"], ["e2", "B"]],
        Connections=[
            ["From", "To", "Direction", "Polarity", "Delay", "Note"],
            ["e1", "B", "directed", "-", "yes", "n"],
        ],
    )
    assert read_edges(sheets, "map.xlsx").graph.edges == (Edge("A", "B", Sign.MINUS, True, "n"),)


def test_the_sheet_of_elements_may_be_missing_where_directions_are_said() -> None:
    heading = ["From", "To", "Direction"]
    read = read_edges(book(Connections=[heading, ["A", "B", "directed"]]), "map.xlsx")
    assert (read.form, shown(read)) == (GraphForm.KUMU_XLSX, [("A", "B", "")])


@pytest.mark.parametrize(
    ("content", "is_mine"),
    [
        (book(Elements=[["Label"]], Connections=[["From", "To"]]), True),
        (book(ELEMENTS=[["a title"], ["label"]], connections=[["to", "from"]]), True),
        (book(Connections=[["From", "To"]]), False),
        (book(Elements=[["Name"]], Connections=[["From", "To"]]), False),
        (book(Elements=[["Label"]], Connections=[["Start", "To"]]), False),
        (book(edges=[["source", "sink"]]), False),
        (b"PK\x03\x04 and nothing", False),
        (b"", False),
    ],
)
def test_kumu_s_sheets_are_told_by_names_and_headings(content: bytes, is_mine: bool) -> None:
    assert kumu_sheets.is_mine(content) is is_mine


@pytest.mark.parametrize(
    ("text", "is_mine"),
    [
        ('{"elements": [{"label": "A"}], "connections": []}', True),
        ('{"connections": [{"from": "A", "to": "B"}]}', True),
        ('{"elements": [], "connections": []}', True),
        ('{"elements": [{"attributes": {"label": "A"}}]}', True),
        ('{"elements": ["A"], "connections": [{"source": "A"}]}', False),
        ('{"nodes": ["elements"], "edges": [], "elements": []}', False),
        ('{"edges": [{"source": "\\"connections\\"", "sink": "B"}]}', False),
        ('{"elements": 7, "connections": {}}', False),
        ('["connections"]', False),
        ('{"connections": [', False),
        ('{"connections": ' + "[" * 100_000, False),
    ],
)
def test_kumu_s_json_is_told_by_its_content(text: str, is_mine: bool) -> None:
    assert kumu.is_mine(text) is is_mine


def test_what_is_not_kumu_s_is_refused_with_what_is_missing() -> None:
    with pytest.raises(BadRow) as caught:
        kumu.read('{"elements": [], "connections": 7}', "map.json")
    assert (caught.value.file, caught.value.field) == ("map.json", "connections")
    for content, file, line, missing in (
        (book(Connections=[["A"]]), "map.xlsx, sheet Connections", 1, "From and To"),
        (book(Elements=[["Name"]], Connections=[["From", "To"]]), "map.xlsx, sheet Elements", 1, "Label"),
        (book(Elements=[["Label"]]), "map.xlsx", None, "sheet Connections"),
    ):
        with pytest.raises(BadRow) as caught:
            kumu_sheets.read(content, "map.xlsx")
        assert (caught.value.file, caught.value.line) == (file, line)
        assert missing in caught.value.expected
    with pytest.raises(BadInput, match=r"40,000 .* 32,767"):
        write_graph(CausalGraph.of([Edge("A", "B", note="x" * 40_000)]), GraphForm.KUMU_XLSX)

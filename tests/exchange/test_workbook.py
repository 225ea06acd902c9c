# ruff: noqa: DTZ001  # cells hold times without a zone
"""Excel workbooks: exact round trips, cells as a person sees them, and every faulty cell by its place."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime, time, timedelta

import openpyxl
import pytest
from hypothesis import given
from openpyxl.cell import Cell
from openpyxl.worksheet.worksheet import Worksheet

from core.errors import BadInput, BadRow, UnreadableFile
from core.graphs.edge import Edge, EdgeFlag
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.sign import Sign
from exchange import sheets, workbook
from exchange.archive import open_archive, write_archive
from exchange.edge_rows import ImportedGraph
from exchange.graphs import GraphForm, lost_in, read_edges, write_graph
from tests.everything import EVERYTHING
from tests.exchange.strategies import TRICKY, placed_graphs, real_clds, real_networks

Row = Sequence[object]


def book(**sheets: Sequence[Row]) -> bytes:
    """A workbook as Excel would hold it, of sheets with rows of values; a text that begins with = is a formula."""
    made = openpyxl.Workbook()
    made.remove(made.worksheets[0])
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return saved(made)


def saved(made: openpyxl.Workbook) -> bytes:
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def sheet_of(*rows: Row) -> tuple[openpyxl.Workbook, Worksheet]:
    made = openpyxl.Workbook()
    sheet = made.worksheets[0]
    sheet.title = "Edges"
    for row in rows:
        sheet.append(list(row))
    return made, sheet


def edges(read: ImportedGraph) -> list[tuple[str, str]]:
    assert read.faults == ()
    return [edge.pair for edge in read.graph.edges]


@given(placed_graphs())
def test_a_workbook_is_read_back_exactly(placed: tuple[CausalGraph, dict[str, Point]]) -> None:
    graph, places = placed
    content = write_graph(graph, GraphForm.XLSX, places)
    assert content == write_graph(graph, GraphForm.XLSX, places)
    read = read_edges(content, "graph.xlsx")
    assert (read.faults, read.graph, read.form, read.places) == ((), graph, GraphForm.XLSX, places)
    assert read.rows == len(graph.nodes) + len(graph.edges)


@pytest.mark.skipif(not EVERYTHING, reason="eleven of them take every form in test_every_form.py")
def test_published_graphs_come_back_equal() -> None:
    networks: dict[str, tuple[CausalGraph, dict[str, Point]]] = {k: (g, {}) for k, g in real_networks().items()}
    for name, (graph, places) in {"tricky": (TRICKY, {}), **real_clds(), **networks}.items():
        read = read_edges(write_graph(graph, GraphForm.XLSX, places), "graph.xlsx")
        assert (name, read.faults, read.graph, read.places) == (name, (), graph, places)


def test_every_written_cell_is_text_under_a_bold_heading_that_stays_in_view() -> None:
    graph = CausalGraph.of([Edge("=SUM(A1)", "007", Sign.PLUS, True, "#REF!", EdgeFlag.NOT_CAUSAL)], ["2020-01-01"])
    made = openpyxl.load_workbook(io.BytesIO(write_graph(graph, GraphForm.XLSX, {"007": Point(1.5, -2)})))
    assert made.sheetnames == ["edges", "nodes"]
    for sheet in made.worksheets:
        assert sheet.freeze_panes == "A2"
        assert all(cell.font.b for cell in sheet[1] if isinstance(cell, Cell))
        kinds = {
            (cell.data_type, cell.number_format) for row in sheet.iter_rows(min_row=2) for cell in row if cell.value
        }
        assert kinds == {("s", "@")}
    assert [cell.value for cell in made["edges"][2]] == ["=SUM(A1)", "007", "+", "yes", "not causal", "#REF!"]
    assert [cell.value for cell in made["nodes"][4]] == ["007", "1.5", "-2.0"]
    assert (made.properties.created, made.properties.modified) == (datetime(1980, 1, 1), datetime(1980, 1, 1))
    assert lost_in(graph, GraphForm.XLSX, {"007": Point(1, 2)}) == ()


def test_characters_xml_cannot_hold_and_their_escapes_are_kept() -> None:
    note = "a\x01b\rc_x000D_d_x005F_\ufffe\ttab\n"
    graph = CausalGraph.of([Edge("A_x0041_", "B", note=note)])
    assert read_edges(write_graph(graph, GraphForm.XLSX), "graph.xlsx").graph == graph


def test_a_note_longer_than_a_cell_is_an_obstacle() -> None:
    assert workbook.obstacle(CausalGraph.of([Edge("A", "B", note="x" * 32_767)])) == ""
    with pytest.raises(
        BadInput, match=r'The note on "A" -> "B" has 32,768 characters; an Excel cell can store at most'
    ):
        write_graph(CausalGraph.of([Edge("A", "B", note="x" * 32_768)]), GraphForm.XLSX)


def test_cells_are_taken_as_a_person_sees_them() -> None:
    made, sheet = sheet_of(
        ["From", "To"],
        ["007", 7],
        [7.0, 0.1],
        [True, datetime(2020, 3, 1)],
        [datetime(2020, 3, 1, 12, 30), time(8, 15)],
    )
    sheet.append([timedelta(hours=30), 5])
    cell = sheet["B6"]
    assert isinstance(cell, Cell)
    cell.number_format = "000"
    read = read_edges(saved(made), "edges.xlsx")
    assert edges(read) == [
        ("007", "7"),
        ("7", "0.1"),
        ("TRUE", "2020-03-01"),
        ("2020-03-01 12:30:00", "08:15:00"),
        ("1 day, 6:00:00", "005"),
    ]
    assert read.notices == (
        "Columns read: From as source, To as sink.",
        "Cells that contain dates were read as text; check that they were meant as dates: Edges!B4 (2020-03-01), "
        "Edges!A5 (2020-03-01 12:30:00), Edges!B5 (08:15:00), Edges!A6 (1 day, 6:00:00).",
    )


def test_the_table_is_found_below_a_title_and_beside_empty_columns() -> None:
    read = read_edges(
        book(
            Links=[
                ["Our model"],
                [],
                [None, "cause", None, "effect", "strength"],
                [None, "A", None, "B", 3],
                [],
                [None, " ", None, None, None, "far"],
                [None, "C", None, "D"],
            ]
        ),
        "edges.xlsx",
    )
    assert edges(read) == [("A", "B"), ("C", "D")]
    assert read.notices == (
        "Columns not read: strength.",
        "Columns read: cause as source, effect as sink.",
        "The headings were found in row 3; the rows above were not read.",
        "Cells under no heading were not read: Links!F6.",
    )


def test_faults_name_the_cell_and_the_row() -> None:
    read = read_edges(
        book(
            Edges=[["sign", "source", "sink"], ["+", "A", "B"], ["up", "A", "C"], ["-", "", "D"], ["-", "E", "#REF!"]]
        ),
        "edges.xlsx",
    )
    assert edges(ImportedGraph(graph=read.graph)) == [("A", "B")]
    assert [(fault.line, fault.field, fault.value) for fault in read.faults] == [
        (3, "Edges!A3 sign", "up"),
        (4, "Edges!B4 source", ""),
        (5, "Edges!C5 sink", ""),
    ]
    for fault, word in zip(read.faults, ("+, - or empty", "name is empty", "shows an error"), strict=True):
        assert word in fault.expected


def test_a_formula_without_its_result_is_a_fault() -> None:
    read = read_edges(book(Edges=[["source", "sink"], ["A", '=CONCATENATE("B","C")'], ["D", "E"]]), "edges.xlsx")
    assert [str(fault) for fault in read.faults] == [
        "edges.xlsx, line 2, Edges!B2 sink; a formula without a result; open the file in Excel and save it, "
        "or write the text"
    ]
    assert [edge.pair for edge in read.graph.edges] == [("D", "E")]


def test_cells_merged_downwards_count_for_each_row_and_across_columns_are_faults() -> None:
    made, sheet = sheet_of(["All our links"], ["source", "sink"], ["A", "B"], [None, "C"], ["Part two"], ["D", "E"])
    for cells in ("A1:B1", "A3:A4", "A5:B5"):
        sheet.merge_cells(cells)
    read = read_edges(saved(made), "edges.xlsx")
    assert [edge.pair for edge in read.graph.edges] == [("A", "B"), ("A", "C"), ("D", "E")]
    assert [str(fault) for fault in read.faults] == [
        "edges.xlsx, line 5, Edges!B5 sink; merged with A5 beside it; unmerge the cells"
    ]


def test_the_first_sheet_with_edges_is_read_and_the_others_named() -> None:
    content = book(
        About=[["A study"]], One=[["from", "to"], ["A", "B"]], Two=[["from", "to"], ["C", "D"]], Nodes=[["name"], ["Z"]]
    )
    read = read_edges(content, "edges.xlsx")
    assert (edges(read), read.graph.nodes) == ([("A", "B")], ("Z", "A", "B"))
    assert read.notices[0] == "Read from the sheet One; not read, with edges too: Two."
    assert edges(read_edges(content, "edges.xlsx", sheet="Two")) == [("C", "D")]
    with pytest.raises(UnreadableFile) as caught:
        read_edges(content, "edges.xlsx", sheet="Three")
    assert str(caught.value) == (
        "edges.xlsx has no sheet “Three” with anything in it; its sheets are About, One, Two, Nodes."
    )


def test_columns_a_person_chose_are_read() -> None:
    content = book(Sheet=[["The model"], ["Driver", "Driven", "sign"], ["A", "B", "+"]])
    with pytest.raises(BadRow) as caught:
        read_edges(content, "edges.xlsx")
    assert (caught.value.file, caught.value.line) == ("edges.xlsx, sheet Sheet", 2)
    assert "found Driver, Driven, sign." in caught.value.expected
    read = read_edges(content, "edges.xlsx", columns={"source": "Driver", "sink": "Driven"})
    assert read.graph.edges == (Edge("A", "B", Sign.PLUS),)
    with pytest.raises(BadRow, match="no such column"):
        read_edges(content, "edges.xlsx", columns={"source": "Driver", "sink": "Nothing"})


def test_the_nodes_sheet_gives_order_isolated_nodes_and_places() -> None:
    rows: list[Row] = [["Label", "x", "y"], ["B", 1, 2.5], ["Alone", "3", "-4"], ["A", None, None], ["C", "left", 1]]
    read = read_edges(book(Edges=[["source", "sink"], ["A", "B"]], NODES=rows), "edges.xlsx")
    assert read.graph.nodes == ("B", "Alone", "A", "C")
    assert read.places == {"B": Point(1, 2.5), "Alone": Point(3, -4)}
    assert [str(fault) for fault in read.faults] == [
        "edges.xlsx, line 5, NODES!B5 x, y: found 'left, 1'; a place is two numbers, x and y (downwards), or empty"
    ]
    read = read_edges(book(Edges=[["source", "sink"], ["A", "B"]], nodes=[["what"], ["C"]]), "edges.xlsx")
    assert "The sheet nodes has no column name; it was not read." in read.notices


def test_a_size_stated_wrong_hides_no_row() -> None:
    content = book(Edges=[["source", "sink"], ["A", "B"], ["C", "D"]])
    parts = {part.name: part.content for part in open_archive(content, "x")}
    stated = b'<dimension ref="A1:B3"'
    assert stated in parts["xl/worksheets/sheet1.xml"]
    parts["xl/worksheets/sheet1.xml"] = parts["xl/worksheets/sheet1.xml"].replace(stated, b'<dimension ref="A1"')
    assert edges(read_edges(write_archive(parts.items()), "edges.xlsx")) == [("A", "B"), ("C", "D")]


def test_a_sheet_with_too_many_rows_says_where_reading_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_ROWS", 2)
    monkeypatch.setattr(workbook, "MOST_ROWS", 2)
    read = read_edges(book(Edges=[["source", "sink"], ["A", "B"], ["C", "D"]]), "edges.xlsx")
    [fault] = read.faults
    assert (fault.file, fault.line, fault.field) == ("edges.xlsx", 3, "Edges")
    assert "2 rows" in fault.expected

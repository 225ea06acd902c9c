"""Graphs as Excel workbooks: a sheet of edges and, optionally, a sheet "nodes" with their order and places."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from core.errors import UnreadableFile
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.words import quoted
from exchange.edge_meanings import EdgeRecordRow
from exchange.edge_rows import FIELDS, EdgeCollector, ImportedGraph, field_of, listed
from exchange.edge_table import add_table, cells_of, column_places
from exchange.sheet_writing import NewSheet, cell_obstacle, write_sheets
from exchange.sheets import MOST_COLUMNS, MOST_ROWS, Sheet, SheetRow, read_sheets

_NODES = "nodes"
_NAMES = ("name", "node", "label", "variable", "id")
_EDGE_WIDTHS = (36, 36, 8, 8, 18, 40)


def read(content: bytes, filename: str, *, columns: Mapping[str, str] | None = None, sheet: str = "") -> ImportedGraph:
    """Return the graph of a workbook's first sheet with source and sink columns, or of the sheet named `sheet`. The
    headings may be anywhere in the first ten rows. Faults have the row's number as line, and the cell: "Edges!B3
    sign". `columns`: Edgewise's field → the sheet's heading. Raises UnreadableFile for a file that is no workbook
    (`sheets.read_sheets`) or has no sheet of that name; BadRow if no sheet has source and sink, or a column is
    repeated; BadInput if `columns` names an unknown field."""
    sheets = read_sheets(content, filename)
    chosen, header, others = choose_sheet(sheets, filename, columns, sheet)
    collector = EdgeCollector(filename)
    nodes = next((one for one in sheets if one.name.strip().casefold() == _NODES and one is not chosen), None)
    if others:
        collector.notices.append(f"Read from the sheet {chosen.name}; not read, with edges too: {', '.join(others)}.")
    if nodes is not None:
        _take_nodes(collector, nodes)
    _take_edges(collector, chosen, header, filename, columns)
    return collector.result()


def write(graph: CausalGraph, places: Mapping[str, Point]) -> bytes:
    """Return a workbook with the sheets edges (source, sink, sign, delay, flag, note) and nodes (name, x, y), all
    text; the same graph gives the same bytes. Numbers are their shortest exact text."""
    edges = [cells_of(edge) for edge in graph.edges]
    nodes = []
    for name in graph.nodes:
        at = places.get(name)
        nodes.append([name, "", ""] if at is None else [name, repr(float(at.x)), repr(float(at.y))])
    return write_sheets(
        [
            NewSheet("edges", list(zip(FIELDS, _EDGE_WIDTHS, strict=True)), edges),
            NewSheet(_NODES, [("name", 36), ("x", 12), ("y", 12)], nodes),
        ]
    )


def obstacle(graph: CausalGraph) -> str:
    """Return why the graph does not fit into cells; "" if it does."""
    return cell_obstacle(graph)


def choose_sheet(
    sheets: Sequence[Sheet], filename: str, columns: Mapping[str, str] | None, name: str
) -> tuple[Sheet, int, list[str]]:
    """Return the sheet to read edges from, the place of its headings among its rows, and the other sheets with
    edges. Raises UnreadableFile for a name that no sheet has, or if all are empty; BadRow, naming the headings
    found, if no sheet has source and sink."""
    filled = [sheet for sheet in sheets if sheet.rows]
    if name:
        filled = [sheet for sheet in filled if sheet.name == name]
        if not filled:
            sheet_names = listed([sheet.name for sheet in sheets])
            raise UnreadableFile(
                f"{filename} has no sheet {quoted(name)} with anything in it; its sheets are {sheet_names}."
            )
    if not filled:
        raise UnreadableFile(f"{filename}: the workbook is empty.")
    candidates = [(sheet, place) for sheet in filled if (place := edge_header(sheet, columns)) is not None]
    if candidates:
        return (*candidates[0], [sheet.name for sheet, _ in candidates[1:]])
    likely = next((sheet for sheet in filled if sheet.name.strip().casefold() != _NODES), filled[0])
    row = likely.rows[likely_header(likely)]
    heading = [cell.strip() for cell in row.cells]
    column_places(heading, f"{filename}, sheet {likely.name}", row.number, columns)  # raises: not both are there
    return likely, likely_header(likely), []


def edge_header(sheet: Sheet, columns: Mapping[str, str] | None = None) -> int | None:
    """Return the place of the headings with source and sink among a sheet's rows; None if there are none."""
    answers = columns or {}

    def names_both(heading: tuple[str, ...]) -> bool:
        fields = {field_of(cell) for cell in heading if cell}
        fields |= {field for field, cell in answers.items() if cell in heading}
        return {"source", "sink"} <= fields

    return sheet.header(names_both)


def likely_header(sheet: Sheet) -> int:
    """Return the place of the likely headings: the first of the top ten rows with two texts; else the first row."""
    return sheet.header(lambda heading: sum(map(bool, heading)) > 1) or 0


def _take_edges(
    collector: EdgeCollector, sheet: Sheet, header: int, filename: str, columns: Mapping[str, str] | None
) -> None:
    top = sheet.rows[header]
    heading = [cell.strip() for cell in top.cells]
    places = column_places(heading, f"{filename}, sheet {sheet.name}", top.number, columns)

    def shown(number: int, field: str) -> str:
        return f"{sheet.where(places[field], number)} {field}" if field in places else field

    def rows() -> Iterator[EdgeRecordRow]:
        for row in sheet.rows[header + 1 :]:
            name = partial(shown, row.number)
            wrong = {field: row.wrong[place] for field, place in places.items() if place in row.wrong}
            for field, why in wrong.items():
                collector.fault(row.number, name(field), "", why)
            fields = {field: _cell(row, place) for field, place in places.items()}
            if not wrong and any(text.strip() for text in fields.values()):
                yield EdgeRecordRow(fields, row.number, shown=name)

    add_table(collector, rows(), heading, places, columns)
    collector.notices += _cell_notices(sheet, header, heading, places)
    if sheet.is_cut:
        collector.fault(MOST_ROWS + 1, sheet.name, "", f"reading stopped here: more than {MOST_ROWS:,} rows; split it")


def _cell_notices(sheet: Sheet, header: int, heading: list[str], places: Mapping[str, int]) -> Iterator[str]:
    read_places = set(places.values())
    if sheet.is_wider:
        yield f"Only the first {MOST_COLUMNS} columns were read."
    if sheet.rows[header].number > 1:
        yield f"The headings were found in row {sheet.rows[header].number}; the rows above were not read."
    rows = sheet.rows[header + 1 :]
    without_heading = [
        sheet.where(place, row.number)
        for row in rows
        for place, cell in enumerate(row.cells)
        if cell.strip() and not (place < len(heading) and heading[place])
    ]
    if without_heading:
        yield f"Cells under no heading were not read: {_some(without_heading)}."
    dates = [
        f"{sheet.where(place, row.number)} ({row.cells[place]})" for row in rows for place in row.dates & read_places
    ]
    if dates:
        yield f"Cells that contain dates were read as text; check that they were meant as dates: {_some(dates)}."


def _take_nodes(collector: EdgeCollector, sheet: Sheet) -> None:
    header = sheet.header(lambda cells: any(cell.casefold() in _NAMES for cell in cells))
    if header is None:
        collector.notices.append(f"The sheet {sheet.name} has no column name; it was not read.")
        return
    heading = [cell.strip().casefold() for cell in sheet.rows[header].cells]
    column = min(
        (place for place, cell in enumerate(heading) if cell in _NAMES), key=lambda p: _NAMES.index(heading[p])
    )
    for row in sheet.rows[header + 1 :]:
        field = f"{sheet.where(column, row.number)} name"
        if column in row.wrong:
            collector.fault(row.number, field, "", row.wrong[column])
        elif _cell(row, column).strip():
            spot = [_cell(row, heading.index(axis)).strip() if axis in heading else "" for axis in "xy"]
            at = _point(spot)
            if at is None and any(spot):
                where = sheet.where(heading.index("x" if "x" in heading else "y"), row.number)
                expected = "a place is two numbers, x and y (downwards), or empty"
                collector.fault(row.number, f"{where} x, y", ", ".join(spot), expected)
            collector.declare(_cell(row, column), row.number, field, at)


def _point(spot: list[str]) -> tuple[float, float] | None:
    try:
        x, y = map(float, spot)
    except ValueError:
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def _cell(row: SheetRow, place: int) -> str:
    return row.cells[place] if place < len(row.cells) else ""


def _some(listed: list[str]) -> str:
    return ", ".join(listed[:5]) + (f" and {len(listed) - 5} more" if len(listed) > 5 else "")

"""Kumu's workbooks: a sheet Elements (Label, Type, Description) and a sheet Connections (From, To, Direction, Type).
The columns follow docs.kumu.io, "Structure your data for Kumu"; Delay, Flag and Note are Edgewise's and become
fields of connections there."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from core.errors import BadRow, UnreadableFile
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from exchange.edge_meanings import EdgeRecordRow, add_rows, meanings_of
from exchange.edge_rows import EdgeCollector, ImportedGraph, field_of, not_read, preference
from exchange.entities import unescaped
from exchange.kumu import ENDS, NEEDS_SINK, own_fields
from exchange.sheet_writing import NewSheet, cell_obstacle, write_sheets
from exchange.sheets import MOST_ROWS, Sheet, read_sheets

_ELEMENTS, _CONNECTIONS = "elements", "connections"
_HEADINGS = (
    ("From", 36),
    ("To", 36),
    ("Direction", 12),
    ("Type", 8),
    ("Label", 12),
    ("Delay", 8),
    ("Flag", 18),
    ("Note", 40),
)
_SHEET_NAME = re.compile(r'<(?:\w+:)?sheet\s[^<>]*?\bname="([^"]*)"')
_MOST_BYTES = 1024**2  # of the list of sheets, which has some hundred bytes a sheet


def is_mine(content: bytes) -> bool:
    """Return True if a workbook has Kumu's sheets with From and To, and Label or Direction, as headings. Never
    raises. Other workbooks are recognised by their list of sheets, without opening a sheet."""
    if _CONNECTIONS not in _sheet_names(content):
        return False
    try:
        sheets = _by_name(read_sheets(content, ""))
    except UnreadableFile:
        return False
    connections, elements = sheets.get(_CONNECTIONS), sheets.get(_ELEMENTS)
    if connections is None or (header := _header(connections, "from", "to")) is None:
        return False
    if elements is not None and elements.rows:
        return _header(elements, "label") is not None
    return "direction" in _headings(connections, header)


def read(content: bytes, filename: str) -> ImportedGraph:
    """Return the graph of Kumu's sheets. Faults have the row's number as line, and the cell: "Connections!C3
    direction". Raises UnreadableFile for a file that is no workbook (`sheets.read_sheets`), BadRow if Connections
    has no From and To, or Elements no Label."""
    every = read_sheets(content, filename)
    sheets = _by_name(every)
    collector = EdgeCollector(filename)
    others = [sheet.name for name, sheet in sheets.items() if name not in (_ELEMENTS, _CONNECTIONS) and sheet.rows]
    if others:
        collector.notices.append(f"Sheets not read: {', '.join(others)}.")
    names = _take_elements(collector, sheets.get(_ELEMENTS), filename)
    connections = sheets.get(_CONNECTIONS)
    if connections is None:
        raise BadRow(filename, None, "", "", "needs a sheet Connections with the columns From and To")
    links = list(_links(collector, connections, filename, names))
    add_rows(collector, links, meanings_of(links), known=names.values(), sink=NEEDS_SINK)
    return collector.result()


def write(graph: CausalGraph, places: Mapping[str, Point]) -> bytes:
    """Return both sheets, every cell text. Kumu's sheets have no columns for places: `places` are dropped."""
    rows = [
        [
            edge.source,
            edge.sink,
            "directed",
            edge.sign or "",
            "",
            "yes" if edge.delay else "",
            edge.flag or "",
            edge.note,
        ]
        for edge in graph.edges
    ]
    elements = [[name, "", ""] for name in graph.nodes]
    return write_sheets(
        [
            NewSheet("Elements", [("Label", 36), ("Type", 12), ("Description", 40)], elements),
            NewSheet("Connections", _HEADINGS, rows),
        ]
    )


def obstacle(graph: CausalGraph) -> str:
    """Return why the graph does not fit into cells; "" if it does."""
    return cell_obstacle(graph)


def _sheet_names(content: bytes) -> set[str]:
    """Return the names of a workbook's sheets in lower case, from its list alone; none if that is unreadable."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open("xl/workbook.xml") as file:
            text = file.read(_MOST_BYTES).decode("utf-8", errors="replace")
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, OSError, NotImplementedError, RuntimeError, ValueError):
        return set()
    return {unescaped(name).strip().casefold() for name in _SHEET_NAME.findall(text)}


def _by_name(sheets: tuple[Sheet, ...]) -> dict[str, Sheet]:
    return {sheet.name.strip().casefold(): sheet for sheet in reversed(sheets)}


def _header(sheet: Sheet, *needed: str) -> int | None:
    return sheet.header(lambda cells: set(needed) <= {cell.casefold() for cell in cells})


def _headings(sheet: Sheet, header: int) -> list[str]:
    return [cell.strip().casefold() for cell in sheet.rows[header].cells]


def _take_elements(collector: EdgeCollector, sheet: Sheet | None, filename: str) -> dict[str, str]:
    """Declare every element; return label and ID → label, the names that connections may use."""
    if sheet is None or not sheet.rows:
        return {}
    header = _header(sheet, "label")
    if header is None:
        raise _without(sheet, filename, "Label")
    labels: dict[str, str] = {}
    by_id: dict[str, str] = {}
    for record in _records(collector, sheet, header, {"label"}):
        label = record.texts["label"]
        collector.declare(label, record.row, record.where["label"])
        labels[label] = label
        if record.texts.get("id"):
            by_id[record.texts["id"]] = label
    collector.notices += _left_out(sheet, header, {"label", "id"})
    return labels | by_id


def _links(collector: EdgeCollector, sheet: Sheet, filename: str, names: Mapping[str, str]) -> Iterator[EdgeRecordRow]:
    header = _header(sheet, "from", "to")
    if header is None:
        raise _without(sheet, filename, "From and To")
    marks = sorted((heading for heading in _headings(sheet, header) if own_fields({heading: "x"})), key=preference)
    collector.notices += _left_out(sheet, header, {"id", *ENDS.values(), *marks})

    def shown(where: Mapping[str, str], field: str) -> str:
        heading = ENDS.get(field) or next((mark for mark in marks if field_of(mark) == field), "")
        return where.get(heading, field)

    for record in _records(collector, sheet, header, {*ENDS.values(), *marks}):
        fields = {"direction": ""} | own_fields(record.texts)
        fields |= {field: names.get(record.texts[end], record.texts[end]) for field, end in ENDS.items()}
        yield EdgeRecordRow(fields, record.row, shown=partial(shown, record.where))


@dataclass(frozen=True, slots=True)
class _Record:
    row: int
    texts: Mapping[str, str]
    where: Mapping[str, str]


def _records(collector: EdgeCollector, sheet: Sheet, header: int, read: set[str]) -> Iterator[_Record]:
    """Yield the rows below the headings with text under one of `read`. A row with an invalid cell there is a fault
    and skipped."""
    headings = _headings(sheet, header)
    for row in sheet.rows[header + 1 :]:
        texts: dict[str, str] = {}
        where: dict[str, str] = {}
        wrong: dict[str, str] = {}
        for place, heading in enumerate(headings):
            if heading and heading not in texts:
                texts[heading] = row.cells[place] if place < len(row.cells) else ""
                where[heading] = f"{sheet.where(place, row.number)} {heading}"
                if heading in read and place in row.wrong:
                    wrong[heading] = row.wrong[place]
        for heading, why in wrong.items():
            collector.fault(row.number, where[heading], "", why)
        if not wrong and any(texts[heading].strip() for heading in read & texts.keys()):
            yield _Record(row.number, texts, where)
    if sheet.is_cut:
        collector.fault(MOST_ROWS + 1, sheet.name, "", f"reading stopped here: more than {MOST_ROWS:,} rows; split it")


def _left_out(sheet: Sheet, header: int, read: set[str]) -> tuple[str, ...]:
    headings = [cell.strip() for cell in sheet.rows[header].cells]
    unread = [
        heading or "a column without a name"
        for place, heading in enumerate(headings)
        if heading.casefold() not in read
        and any(place < len(row.cells) and row.cells[place].strip() for row in sheet.rows[header + 1 :])
    ]
    return not_read(f"Columns of {sheet.name.strip().casefold()}", unread)


def _without(sheet: Sheet, filename: str, needed: str) -> BadRow:
    row = sheet.rows[0] if sheet.rows else None
    present = ", ".join(cell.strip() for cell in row.cells if cell.strip()) if row else "nothing"
    line = row.number if row else None
    return BadRow(f"{filename}, sheet {sheet.name}", line, "", "", f"needs the columns {needed}; found {present}")

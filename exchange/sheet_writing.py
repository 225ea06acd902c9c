"""Workbooks written for display in spreadsheets: every cell text, the same bytes for the same rows."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from core.graphs.graph import CausalGraph
from core.graphs.lines.write import quote_name
from exchange.archive import open_archive, write_archive

if TYPE_CHECKING:
    from openpyxl import Workbook

LONGEST_CELL = 32_767
"""Characters per cell in Excel; openpyxl silently truncates longer texts."""

_FIRST_DAY = datetime(1980, 1, 1)  # noqa: DTZ001  # openpyxl takes times without a zone, and writes them as UTC
_TEXT = "@"
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\r\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


@dataclass(frozen=True, slots=True)
class NewSheet:
    """A sheet to write: headings with column widths in characters, and rows with a text per heading."""

    name: str
    headings: Sequence[tuple[str, int]]
    rows: Iterable[Sequence[str]]


def write_sheets(sheets: Iterable[NewSheet]) -> bytes:
    """Return an .xlsx workbook. Every cell is text, formatted as text, so that nothing becomes a formula, a number
    or a date, even when edited; the heading row is bold and frozen."""
    from openpyxl import Workbook  # a tenth of the server's start, for what is seldom asked of it
    from openpyxl.writer.excel import ExcelWriter

    book = Workbook()
    book.remove(book.worksheets[0])
    book.properties.creator = "Edgewise"
    book.properties.created = book.properties.modified = _FIRST_DAY
    for sheet in sheets:
        _add_sheet(book, sheet)
    buffer = io.BytesIO()
    # Workbook.save would write the present time.
    ExcelWriter(book, zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED)).save()
    return write_archive((part.name, part.content) for part in open_archive(buffer.getvalue(), "workbook"))


def cell_obstacle(graph: CausalGraph) -> str:
    """Return why a graph's texts do not fit into cells; "" if they do."""
    for edge in graph.edges:
        if len(_escaped(edge.note)) > LONGEST_CELL:
            return (
                f"The note on {quote_name(edge.source)} -> {quote_name(edge.sink)} has {len(edge.note):,} characters; "
                f"an Excel cell can store at most {LONGEST_CELL:,}. Shorten it, or write CSV or JSON."
            )
    return ""


def _add_sheet(book: Workbook, sheet: NewSheet) -> None:
    from openpyxl.styles import Font

    written = book.create_sheet(sheet.name)
    written.freeze_panes = "A2"
    bold = Font(bold=True)
    for column, (heading, width) in enumerate(sheet.headings, start=1):
        cell = written.cell(1, column, heading)
        cell.font = bold
        written.column_dimensions[cell.column_letter].width = width
    for number, row in enumerate(sheet.rows, start=2):
        for column, text in enumerate(row, start=1):
            if text:
                cell = written.cell(number, column, _escaped(text))
                cell.data_type = "s"  # after the value: a text that begins with = would be a formula
                cell.number_format = _TEXT


def _escaped(text: str) -> str:
    """Escape what XML cannot contain, as spreadsheets do: _x000D_ for a carriage return. An underscore that would
    start such an escape is escaped too."""
    return _NOT_IN_XML.sub(lambda found: f"_x{ord(found.group()):04X}_", text)

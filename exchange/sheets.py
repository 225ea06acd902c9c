"""Workbooks as rows of text: every cell as displayed, with faults per cell."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from itertools import repeat
from typing import Any
from xml.etree.ElementTree import ParseError

from openpyxl import load_workbook
from openpyxl.cell.read_only import EMPTY_CELL
from openpyxl.utils import get_column_letter, range_boundaries

from core.errors import UnreadableFile
from core.graphs.bounds import too_many
from exchange.archive import open_archive

MOST_ROWS = 100_000
MOST_COLUMNS = 100
MOST_SHEETS = 100
MOST_CELLS = 500_000
"""Limit over all sheets, for which openpyxl takes some seconds."""
HEADER_WITHIN = 10
"""Top rows in which the heading row is searched for; titles and dates are often above it."""

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""First bytes of old Office files, and of password-protected new ones."""

_NOT_WORKBOOKS = {
    "word/": "a Word document",
    "ppt/": "a PowerPoint file",
    "content.xml": "an OpenDocument file",
    "xl/workbook.bin": "a binary Excel file (.xlsb)",
}
_BROKEN = (
    zipfile.BadZipFile,
    ParseError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    OSError,
    RecursionError,
    ArithmeticError,
)
"""Errors of openpyxl for damaged workbooks."""

_LAST_ROW = 1_048_576  # of Excel; a file may state any number, and openpyxl fills every gap with empty rows
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^<>]*?ref="([A-Z0-9:$]{2,40})"')
_ESCAPED = re.compile(r"_x((?![Dd][89A-Fa-f])[0-9A-Fa-f]{4})_")
"""Escape of a character that XML cannot contain (ECMA-376 22.9.2.19); halves of surrogate pairs stay."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row by its number in the sheet (1-based)."""

    number: int
    cells: tuple[str, ...]
    wrong: Mapping[int, str] = field(default_factory=dict)  # column from 0 → why its cell has no text
    dates: frozenset[int] = frozenset()  # columns with dates or times

    @property
    def is_empty(self) -> bool:
        return not self.wrong and not any(cell.strip() for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Sheet:
    name: str
    rows: tuple[SheetRow, ...]
    is_cut: bool = False  # there are rows after 100,000
    is_wider: bool = False  # it declares more than the 100 columns that are read

    def header(self, is_header: Callable[[tuple[str, ...]], bool]) -> int | None:
        """Return the place in `rows` of the first row, among the sheet's top ten, whose headings match; or None."""
        for place, row in enumerate(self.rows):
            if row.number > HEADER_WITHIN:
                return None
            if is_header(tuple(cell.strip() for cell in row.cells)):
                return place
        return None

    def where(self, column: int, row: int) -> str:
        return f"{self.name}!{get_column_letter(column + 1)}{row}"


def read_sheets(content: bytes, filename: str) -> tuple[Sheet, ...]:
    """Return every sheet of an .xlsx workbook, in order. Text stays exactly as it is, numbers become their shortest
    text (7.0 is 7; 007 where the cell shows it so), dates ISO dates, truth TRUE and FALSE, formulas their last
    result; a cell merged downwards counts for each of its rows. Raises UnreadableFile for a file that is no
    workbook, is damaged or under a password, has more than 500,000 cells, or is a trap (see `archive.open_archive`)."""
    if content.startswith(OLE):
        reason = "is an old Excel file (.xls) or another old Office file; save it as .xlsx"
        if "EncryptedPackage".encode("utf-16-le") in content:
            reason = "is protected by a password; save it without one"
        raise UnreadableFile(f"{filename} {reason}.")
    if not content.startswith(b"PK"):
        raise UnreadableFile(f"{filename} is not an Excel workbook; save it as .xlsx.")
    parts = {member.name: member.content for member in open_archive(content, filename)}
    for start, kind in _NOT_WORKBOOKS.items():
        if any(name.startswith(start) for name in parts):
            raise UnreadableFile(f"{filename} is {kind}; save the table as an Excel workbook (.xlsx) or as CSV.")
    try:
        return _read(content)
    except _TooMany as beyond:
        raise too_many(filename, MOST_CELLS, "cells", str(beyond)) from None
    except _BROKEN as error:
        cause = error.__cause__ or error
        what = str(cause).split("\n")[0][:120] or type(cause).__name__
        raise UnreadableFile(
            f"{filename} is not an Excel workbook, or is damaged ({what}). Open it in Excel and save it again as .xlsx."
        ) from None


def forget_sheets() -> None:
    """Drop the cached last workbook: recognising, reading and displaying it each need it."""
    _read.cache_clear()


class _TooMany(Exception):
    """More cells than are read; the message says up to where they were counted."""


@lru_cache(maxsize=1)
def _read(content: bytes) -> tuple[Sheet, ...]:
    parts = {member.name: member.content for member in open_archive(content, "")}
    results = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    if len(results.worksheets) > MOST_SHEETS:
        raise ValueError(f"{len(results.worksheets):,} sheets; at most {MOST_SHEETS} are read")
    formulas = None
    sheets: list[Sheet] = []
    left = MOST_CELLS
    for sheet in results.worksheets:
        # openpyxl tells merged cells to readers of whole workbooks only, which take fifty times the memory.
        xml = parts.get(sheet._worksheet_path, b"")  # type: ignore[attr-defined]
        written: Any = None
        if _FORMULA.search(xml):
            formulas = formulas or load_workbook(io.BytesIO(content), read_only=True, keep_links=False)
            written = formulas[sheet.title]
        sheets.append(_read_sheet(sheet, written, _Merges.of(xml), left))
        left -= sum(len(row.cells) for row in sheets[-1].rows)
    return tuple(sheets)


def _read_sheet(sheet: Any, written: Any, merges: _Merges, left: int) -> Sheet:
    """Read a sheet. `written`: the same sheet with formulas instead of results, None without any; `left`: its
    remaining number of cells."""
    rows: list[SheetRow] = []
    is_wider = (sheet.max_column or 0) > MOST_COLUMNS
    both = zip(_rows(sheet), repeat(()) if written is None else _rows(written), strict=False)
    last: Any = None
    for number, (cells, formulas) in enumerate(both, start=1):
        if number > _LAST_ROW:
            raise ValueError(f"{sheet.title}: a row beyond {_LAST_ROW:,}, the last of Excel")
        if cells is last and not merges.is_active(number):
            continue  # openpyxl fills gaps between rows with one and the same empty row
        last = cells
        row = merges.applied(_row(number, cells, formulas))
        if row.is_empty:
            continue
        if number > MOST_ROWS:
            return Sheet(sheet.title, tuple(rows), is_cut=True, is_wider=is_wider)
        rows.append(row)
        left -= len(row.cells)
        if left < 0:
            raise _TooMany(f"{sheet.title[:60]}, row {number:,}")
    return Sheet(sheet.title, tuple(rows), is_wider=is_wider)


def _rows(sheet: Any) -> Iterator[Any]:
    sheet.reset_dimensions()  # the size a file states is often wrong, and rows behind it would be lost
    rows: Iterator[Any] = sheet.iter_rows(max_col=MOST_COLUMNS)
    return rows


def _row(number: int, cells: Any, formulas: Any) -> SheetRow:
    texts: list[str] = []
    wrong: dict[int, str] = {}
    dates: set[int] = set()
    width = len(cells)
    while width and cells[width - 1] is EMPTY_CELL:  # openpyxl fills every row up to the last column that is read
        width -= 1
    for column, cell in enumerate(cells[:width]):
        value = cell.value
        text = value if isinstance(value, str) else ""
        text = _ESCAPED.sub(lambda found: chr(int(found.group(1), 16)), text) if "_x" in text else text
        if cell.data_type == "e":
            wrong[column] = "the cell shows an error; put the text there"
        elif value is None:
            # "str" without a value is a formula whose result is the empty text
            if cell.data_type != "str" and column < len(formulas) and formulas[column].data_type == "f":
                wrong[column] = "a formula without a result; open the file in Excel and save it, or write the text"
        elif not isinstance(value, str):
            text = _text_of(value, cell)
            if isinstance(value, (date, time, timedelta)):
                dates.add(column)
        texts.append(text)
    while texts and not texts[-1] and len(texts) - 1 not in wrong:
        texts.pop()
    return SheetRow(number, tuple(texts), wrong, frozenset(dates))


def _text_of(value: object, cell: Any) -> str:
    """Return a non-text value in its shortest text. Days without a time are written as days."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    if isinstance(value, int):
        shown = cell.number_format
        is_padded = value >= 0 and re.fullmatch("00+", shown or "") is not None
        return str(value).zfill(len(shown)) if is_padded else str(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    return str(value)


@dataclass(slots=True)
class _Merges:
    """Merged cells as (first column, first row, last column, last row), by their first row; `active` ones reach the
    current row, each with the text of its first cell."""

    waiting: list[tuple[int, int, int, int]]
    active: list[tuple[tuple[int, int, int, int], str]] = field(default_factory=list)

    @classmethod
    def of(cls, xml: bytes) -> _Merges:
        bounds = (range_boundaries(ref.decode("ascii")) for ref in _MERGED.findall(xml))
        ranges = [(c1 - 1, r1, c2 - 1, r2) for c1, r1, c2, r2 in bounds if c1 and r1 and c2 and r2]
        return cls(sorted(ranges, key=lambda one: one[1], reverse=True))

    def is_active(self, number: int) -> bool:
        return bool(self.active) or bool(self.waiting and self.waiting[-1][1] <= number)

    def applied(self, row: SheetRow) -> SheetRow:
        """Return the row with the text of cells merged downwards; of cells merged across columns, all except the
        first are wrong, since the column is unknown."""
        if not self.is_active(row.number):
            return row
        self.active = [entry for entry in self.active if entry[0][3] >= row.number]
        while self.waiting and self.waiting[-1][1] <= row.number:
            one = self.waiting.pop()
            first = row.cells[one[0]] if one[0] < len(row.cells) else ""
            if first and one[1] == row.number:
                self.active.append((one, first))
        if len(self.active) > MOST_COLUMNS:
            raise ValueError("merged cells overlap")
        texts, wrong = list(row.cells), dict(row.wrong)
        for (left, top, right, _), text in self.active:
            for column in range(left, min(right + 1, MOST_COLUMNS)):
                texts += [""] * (column + 1 - len(texts))
                if left == right:
                    texts[column] = text
                elif (column, row.number) != (left, top):
                    wrong[column] = f"merged with {get_column_letter(left + 1)}{top} beside it; unmerge the cells"
        return SheetRow(row.number, tuple(texts), wrong, row.dates)

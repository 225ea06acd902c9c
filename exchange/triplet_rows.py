"""Rows of a triplet file as JSON values, one by one: JSON lines, CSV or Parquet, distinguished by content. The file
is decoded and parsed while reading, so that memory holds only the file and its rows. Values are never guessed: the
word None stays a word, a bare NaN is missing, and what no store and no JSON file can contain is a fault."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import ne
from typing import Any

from core.errors import BadRow, UnreadableFile
from core.graphs.bounds import MOST_FAULTS, too_many
from core.words import quoted, whole
from exchange.edge_table import unguarded
from exchange.text_lines import broken_record, text_lines
from exchange.triplet_cells import ALIASES, LONG, NUMBERS, is_number

MOST_BYTES = 200 * 1024 * 1024
MOST_ROWS = 200_000
MOST_UNPACKED = 1024**3
"""Limit of a Parquet file, by its own footer, checked before anything is read."""
MOST_COLUMNS = 500
"""Limit over all rows: each row stores which of the columns it lacks."""
DEEPEST = 32
"""Nested lists and objects in one cell; published files have three."""
BATCH = 500
SHOWN = 60


class TripletForm(StrEnum):
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"

    @property
    def words(self) -> str:
        return {"jsonl": "JSON lines", "csv": "CSV", "parquet": "Parquet"}[self.value]


Row = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class RowReader:
    """Reader of a triplet file; `rows` fills the other fields while it yields (line, row)."""

    filename: str
    form: TripletForm
    faults: list[BadRow] = field(default_factory=list)
    columns: dict[str, None] = field(default_factory=dict)  # headings in order
    missing: int = 0  # bare NaNs
    unguarded: int = 0
    has_index: bool = False  # a CSV's first column without a name numbers the rows and is dropped

    def rows(self, content: bytes, encoding: str = "") -> Iterator[tuple[int, Row]]:
        """Yield every readable row with its line (Parquet: its number), from 1. Raises UnreadableFile,
        UnknownEncoding."""
        read: Mapping[TripletForm, Callable[[bytes, str], Iterator[tuple[int, Row]]]] = {
            TripletForm.JSONL: self._json_lines,
            TripletForm.CSV: self._csv,
            TripletForm.PARQUET: self._parquet,
        }
        for number, (line, row) in enumerate(read[self.form](content, encoding), start=1):
            if number > MOST_ROWS:
                raise too_many(self.filename, MOST_ROWS, "rows", line)
            clean = self._clean_row(line, row)
            if clean is not None:
                self.columns.update(dict.fromkeys(clean))
                if len(self.columns) > MOST_COLUMNS:
                    raise too_many(self.filename, MOST_COLUMNS, "columns", line)
                yield line, clean

    def fault(self, line: int, heading: str, value: object, expected: str) -> None:
        self.faults.append(BadRow(self.filename, line, heading, shown(value), expected))
        if len(self.faults) > MOST_FAULTS:
            raise too_many(self.filename, MOST_FAULTS, "faulty rows", line)

    # --- JSON lines

    def _json_lines(self, content: bytes, encoding: str) -> Iterator[tuple[int, Row]]:
        # Lines end at \n only: U+2028 and similar characters occur inside texts.
        for number, text in enumerate(text_lines(content, self.filename, encoding, newline="\n"), start=1):
            if not text.strip():
                continue
            try:
                row = json.loads(text, parse_constant=_constant, object_pairs_hook=_object)
            except _NotJson as error:
                self.fault(number, "", text.strip(), str(error))
                continue
            except (ValueError, RecursionError) as error:
                where = ", nested too deeply"
                if isinstance(error, json.JSONDecodeError):
                    where = f" at character {error.colno}"
                self.fault(number, "", text.strip(), f"not JSON{where}; a line contains one JSON object")
                continue
            if isinstance(row, dict):
                yield number, row
            else:
                self.fault(number, "", text.strip(), 'one JSON object, {"treatment": …}, on this line')

    # --- CSV

    def _csv(self, content: bytes, encoding: str) -> Iterator[tuple[int, Row]]:
        heading_line = next(iter(text_lines(content, self.filename, encoding, newline="")), "")
        separator = max(",;\t|", key=lambda each: _known(heading_line, each))
        reader = csv.reader(text_lines(content, self.filename, encoding, newline=""), delimiter=separator, strict=True)
        is_marked = content.startswith(b"\xef\xbb\xbf")
        heading = [unguarded(name) if is_marked else name for name in self._heading(reader)]
        begins = reader.line_num + 1
        while True:
            try:
                cells = next(reader, None)
            except csv.Error as error:
                self.fault(begins, "", "", broken_record(str(error)))
                begins = reader.line_num + 1
                continue
            if cells is None:
                return
            if len(cells) != len(heading):
                if any(cell.strip() for cell in cells):
                    self.fault(begins, "", separator.join(cells), f"{len(heading)} cells, as many as the heading has")
            elif self.has_index and not is_number(cells[0]):
                self.fault(begins, "", cells[0], "a row's number, since the first column has no name; name the column")
            else:
                plain = [unguarded(cell) for cell in cells] if is_marked else cells
                self.unguarded += sum(map(ne, plain, cells)) if is_marked else 0
                row = {name: self._cell(name, cell) for name, cell in zip(heading, plain, strict=True)}
                row.pop("", None)
                yield begins, row
            begins = reader.line_num + 1

    def _heading(self, reader: Any) -> list[str]:
        try:
            heading = [cell.strip() for cell in next(reader, [])]
        except csv.Error as error:
            raise UnreadableFile(f"{self.filename}, line 1: {broken_record(str(error))}.") from None
        self.has_index = len(heading) > 1 and not heading[0]
        times = Counter(heading)
        for name in heading[self.has_index :]:
            if not name or times[name] > 1:
                what = f"two columns are named {name}" if name else "a column has no name"
                raise UnreadableFile(f"{self.filename}, line 1: {what}; every column needs a name of its own.")
        return heading

    def _cell(self, heading: str, cell: str) -> Any:
        """Return None for an empty cell, and for NaN where it cannot be a word; lists and numbers as JSON, if they
        round-trip."""
        if cell == "":
            return None
        if cell == "NaN" and heading.casefold() in _NEVER_A_WORD:
            self.missing += 1
            return None
        if heading.casefold() in NUMBERS:
            return _number(cell)
        if heading.casefold() in _LISTS and cell[0] in "[{":
            return _list(cell)
        return cell

    # --- Parquet

    def _parquet(self, content: bytes, _encoding: str) -> Iterator[tuple[int, Row]]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            file = pq.ParquetFile(io.BytesIO(content))
            facts = file.metadata
            size = sum(facts.row_group(n).total_byte_size for n in range(facts.num_row_groups))
            if facts.num_rows > MOST_ROWS or size > MOST_UNPACKED:
                raise UnreadableFile(
                    f"{self.filename} has {facts.num_rows:,} rows and {size:,} bytes unpacked; at most "
                    f"{MOST_ROWS:,} rows and {MOST_UNPACKED:,} bytes are read. Split it."
                )
            line = 0
            for batch in file.iter_batches(batch_size=BATCH):
                for row in batch.to_pylist():
                    line += 1
                    for name, value in row.items():
                        # Nested values are JSON text where Parquet's own types would change them.
                        if isinstance(value, str) and name.casefold() in _LISTS and value[:1] in ("[", "{"):
                            row[name] = _list(value)
                    yield line, row
        except (
            pa.ArrowException,
            OSError,
            ValueError,
            OverflowError,
        ) as error:  # OverflowError: times beyond datetime's range
            raise UnreadableFile(f"{self.filename} cannot be read as Parquet: {str(error).splitlines()[0]}") from None

    # --- all

    def _clean_row(self, line: int, row: Row) -> Row | None:
        clean: Row = {}
        for heading, value in row.items():
            try:
                clean[heading] = self._clean(value, DEEPEST)
                if heading not in self.columns:  # as in a row before
                    _storable(heading)
            except _NotJson as error:
                self.fault(line, heading, value, str(error))
                return None
        return clean

    def _clean(self, value: Any, deepest: int) -> Any:
        if isinstance(value, str):  # as most are
            return _storable(value)
        if value is None or isinstance(value, bool | int):
            return value
        if isinstance(value, float):
            if math.isnan(value):
                self.missing += 1
                return None
            if math.isinf(value):
                raise _NotJson("a finite number, or nothing")
            return value
        if isinstance(value, list | dict) and not deepest:
            raise _NotJson(f"lists and objects at most {DEEPEST} deep")
        if isinstance(value, list):
            return [self._clean(each, deepest - 1) for each in value]
        if isinstance(value, dict):
            return {_storable(str(key)): self._clean(each, deepest - 1) for key, each in value.items()}
        raise _NotJson("a text, a number, true, false, a list or nothing")


def form_of(content: bytes, filename: str) -> TripletForm:
    """Return the format by content, never by name. Raises UnreadableFile for an empty or too large file."""
    if len(content) > MOST_BYTES:
        raise UnreadableFile(f"{filename} has {len(content) / 2**20:,.0f} MB; at most {MOST_BYTES >> 20} MB are read.")
    if content.startswith(b"PAR1"):
        return TripletForm.PARQUET
    head = content[:4096].replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    if head[:15].lower().startswith((b"<!doctype html", b"<html")):
        raise UnreadableFile(f"{filename} is a web page, not a list of triplets; download the file itself.")
    return TripletForm.JSONL if head.startswith((b"{", b"[")) else TripletForm.CSV


def shown(value: object) -> str:
    """Return a value for a fault's message, shortened."""
    value_text = (
        value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False, default=str)
    )
    text = whole(value_text)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


class _NotJson(ValueError):
    """A value that a store or a JSON file cannot contain; the message says what is expected."""


_NEVER_A_WORD = frozenset({*ALIASES["jel_codes"], *ALIASES["methods"], *ALIASES["critics"], *NUMBERS})
_LISTS = frozenset({*ALIASES["evidence"], *ALIASES["critics"]})


def _constant(name: str) -> float:
    if name == "NaN":
        return math.nan
    raise _NotJson(f"a finite number, or nothing; not {name}")


def _object(pairs: list[tuple[str, Any]]) -> Row:
    row = dict(pairs)
    if len(row) < len(pairs):
        times = Counter(name for name, _ in pairs)
        twice = next(name for name, number in times.items() if number > 1)
        raise _NotJson(f"every name once; {quoted(twice)} appears here twice")
    return row


def _storable(text: str) -> str:
    if "\x00" in text:
        raise _NotJson("a text without the character U+0000, which no database keeps")
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise _NotJson("a text of whole characters; it contains half of a surrogate pair") from None
    return text


def _number(cell: str) -> Any:
    if is_number(cell):
        return int(cell)
    try:
        value = float(cell)
    except ValueError:
        return cell
    return value if math.isfinite(value) and repr(value) == cell else cell


def _list(cell: str) -> Any:
    try:
        value = json.loads(cell, parse_constant=_constant, object_pairs_hook=_object)
        return value if json.dumps(value, ensure_ascii=False) == cell else cell
    except (ValueError, RecursionError):
        return cell


def _known(line: str, separator: str) -> int:
    try:
        heading = next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return 0
    known_headings = {alias for headings in ALIASES.values() for alias in headings} | {*LONG}
    return sum(cell.strip().casefold() in known_headings for cell in heading)

"""Triplets as JSON lines, CSV or Parquet, every cell as in its file; see `exchange.econcausal`. No format contains
NaN: missing values are null, or empty cells. Lists and objects are JSON text in CSV, and in Parquet except for lists
of texts."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from core.triplets.record import TripletRecord
from exchange.edge_table import Cell, table_bytes
from exchange.triplet_cells import cells_of
from exchange.triplet_critics import LONG_COLUMNS, is_long, long_rows
from exchange.triplet_rows import Row, TripletForm

MEDIA = {
    TripletForm.JSONL: "application/jsonl",
    TripletForm.CSV: "text/csv",
    TripletForm.PARQUET: "application/vnd.apache.parquet",
}


def write_triplets(
    records: Iterable[TripletRecord], columns: Sequence[str], form: TripletForm, *, spreadsheet: bool = False
) -> bytes:
    r"""Return the records in order, with the columns of their file.

    spreadsheet: for CSV, adds a byte order mark, `\\r\\n` line ends, and an apostrophe before cells that a spreadsheet
    would run as formulas; reading removes them.
    """
    return write_rows(rows_of(records, columns), columns, form, spreadsheet=spreadsheet)


def write_rows(rows: Iterable[Row], columns: Sequence[str], form: TripletForm, *, spreadsheet: bool = False) -> bytes:
    """Return rows of JSON values in one of the formats; rows may lack columns."""
    if form is TripletForm.JSONL:
        return b"".join(json_line(row) for row in rows)
    if form is TripletForm.PARQUET:
        return _parquet(list(rows), columns)
    return table_bytes(columns, ([_cell(row.get(name)) for name in columns] for row in rows), safe=spreadsheet)


def rows_of(records: Iterable[TripletRecord], columns: Sequence[str]) -> Iterator[Row]:
    """Yield every row of the file: one per record, or per score if the file was long."""
    if not is_long(columns):
        for record in records:
            yield cells_of(record, columns)
        return
    own_columns = [name for name in columns if name not in LONG_COLUMNS]
    for record in records:
        for row in long_rows(cells_of(record, own_columns), record.critics):
            yield {name: row[name] for name in columns if name in row}


def json_line(row: Row) -> bytes:
    """Return the row as written by Python's json, which the published files use."""
    return (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")


def _cell(value: Any) -> Cell:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    written = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else written


def _parquet(rows: list[Row], columns: Sequence[str]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({name: _column([row.get(name) for row in rows]) for name in columns})
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="snappy", version="2.6")
    return buffer.getvalue()


def _column(values: list[Any]) -> Any:
    """Return the column in the common type of its values; text for mixed types or objects."""
    import pyarrow as pa

    kinds = {type(value) for value in values} - {type(None)}
    is_texts = kinds == {list} and all(isinstance(each, str) for value in values if value for each in value)
    if is_texts:
        return pa.array(values, pa.list_(pa.string()))
    is_beyond = kinds == {int} and any(value is not None and not -(2**63) <= value < 2**63 for value in values)
    if len(kinds) > 1 or kinds & {list, dict} or not kinds or is_beyond:
        return pa.array([None if value is None else _cell(value) for value in values], pa.string())
    return pa.array(values)

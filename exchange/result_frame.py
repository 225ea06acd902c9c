"""A frame of results as a file: CSV or Parquet, as Edgewise writes it, or with fewer columns as anyone may.

CSV holds numbers so that they are read back exactly, `true` and `false`, a missing value as an empty cell, and a text
that is empty or begins with a quotation mark as a JSON string. What a column means says `core/analysis/frame.py`."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from core.analysis.frame import COLUMNS, GROUPS, NEEDED, is_number
from core.analysis.items import SCORED
from core.errors import BadInput, BadRow, UnreadableFile
from core.runs.states import ITEM_STATUSES
from exchange.edge_table import table_bytes, unguarded
from exchange.typed_columns import Column, write_columns

if TYPE_CHECKING:
    import pandas as pd


class FrameForm(StrEnum):
    CSV = "csv"
    PARQUET = "parquet"


FRAME_MEDIA = {FrameForm.CSV: "text/csv", FrameForm.PARQUET: "application/vnd.apache.parquet"}
_WORDS = {"true": True, "false": False}
_SWITCHES = ("right", "open_weight")
_MOST_FAULTS = 20


def write_frame(frame: pd.DataFrame, form: FrameForm) -> bytes:
    """Return a frame as a file, columns in the order of `COLUMNS`, those of groups after them. The same frame gives the
    same bytes (with one version of pyarrow)."""
    order = [name for name in COLUMNS if name in frame.columns]
    order += [name for group in GROUPS for name in sorted(frame.columns) if name.startswith(group)]
    plain = {name: _plain(name, frame[name]) for name in order}
    if form is FrameForm.CSV:
        written = [["" if cell is None else _written(cell) for cell in cells] for cells in plain.values()]
        return table_bytes(order, zip(*written, strict=True), safe=True)
    kinds = [Column(name, "double" if is_number(name) else "bool" if name in _SWITCHES else "string") for name in order]
    rows = [dict(zip(order, cells, strict=True)) for cells in zip(*plain.values(), strict=True)]
    return write_columns(kinds, rows)


def _plain(name: str, column: pd.Series[Any]) -> list[Any]:
    kind: Callable[[Any], Any] = float if is_number(name) else bool if name in _SWITCHES else str
    return [None if is_missing else kind(cell) for cell, is_missing in zip(column, column.isna(), strict=True)]


def _written(cell: Any) -> Any:
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, str) and cell[:1] in ("", '"'):
        return json.dumps(cell, ensure_ascii=False)
    return int(cell) if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1 << 53 else cell


def read_frame(content: bytes, file: str) -> pd.DataFrame:
    """Read a frame. Raises UnreadableFile for a file that is neither CSV in UTF-8 nor Parquet, BadInput for missing
    columns and for cells that are no number, status, or true or false, each with its row. Without a column `right`, a
    scored item is right if `predicted` is `true`."""
    import pandas as pd

    is_parquet = content[:4] == b"PAR1"
    try:
        if is_parquet:
            table = pd.read_parquet(io.BytesIO(content), dtype_backend="pyarrow")
        else:
            heading = content.split(b"\n", 1)[0].decode("utf-8-sig")
            separator = max(",;\t", key=heading.count)
            table = pd.read_csv(io.BytesIO(content), sep=separator, dtype=str, na_filter=False, encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{file} is not UTF-8 (byte {error.start:,}).") from None
    except (ValueError, OSError) as error:  # of pandas and pyarrow
        raise UnreadableFile(f"{file} is neither a CSV table nor Parquet: {error}") from None
    table.columns = table.columns.map(lambda name: str(name).strip())
    missing = [name for name in NEEDED if name not in table.columns]
    if missing:
        needs = f"{', '.join(NEEDED[:-1])} and {NEEDED[-1]}"
        has_no = ", ".join(f"`{name}`" for name in missing)
        columns = "column" if len(missing) == 1 else "columns"
        raise BadInput(f"{file} has no {columns} {has_no}. A table of items needs {needs}.")
    known = [name for name in table.columns if name in COLUMNS or name.startswith(tuple(GROUPS))]
    faults = list[BadRow]()
    columns_read = {name: _column(table[name], name, file, not is_parquet, faults) for name in known}
    if faults:
        more = f"\nand {len(faults) - _MOST_FAULTS:,} more" if len(faults) > _MOST_FAULTS else ""
        raise BadInput("\n".join(map(str, faults[:_MOST_FAULTS])) + more)
    if "right" not in columns_read and {"true", "predicted"} <= columns_read.keys():
        true, predicted = (pd.Series(columns_read[name]).astype(object) for name in ("true", "predicted"))
        is_scored = true.notna() & pd.Series(columns_read["status"]).isin(SCORED)
        columns_read["right"] = (true == predicted).where(is_scored).astype(object)
    return pd.DataFrame(columns_read)


def _of_csv(cell: str) -> str | None:
    if cell.startswith('"'):
        with suppress(ValueError):
            return str(json.loads(cell))
    return unguarded(cell) or None


def _column(column: pd.Series[Any], name: str, file: str, is_csv: bool, faults: list[BadRow]) -> Any:
    import numpy as np
    import pandas as pd

    cells = [
        None if is_missing else _of_csv(cell) if is_csv else cell
        for cell, is_missing in zip(column.tolist(), column.isna().tolist(), strict=True)
    ]
    values = list[Any]()
    for line, cell in enumerate(cells, 2):
        try:
            values.append(_value(name, cell))
        except ValueError as error:
            faults.append(BadRow(file, line, name, "" if cell is None else str(cell), str(error)))
    if is_number(name):
        return np.array(values, dtype=np.float64)
    return values if name == "item" else pd.Categorical(values)


def _value(name: str, cell: Any) -> Any:
    """Raises ValueError, which says what is expected."""
    if cell is None or (cell == "" and name in NEEDED):
        if name in NEEDED:
            raise ValueError("it is empty")
        return None
    if is_number(name):
        try:
            return float(cell)
        except ValueError:
            raise ValueError("expected a number") from None
    if name in _SWITCHES:
        if str(cell).lower() not in _WORDS:
            raise ValueError("expected true or false")
        return _WORDS[str(cell).lower()]
    if name == "status" and cell not in ITEM_STATUSES:
        raise ValueError(f"expected {', '.join(ITEM_STATUSES[:-1])} or {ITEM_STATUSES[-1]}")
    return str(cell)

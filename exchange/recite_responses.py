"""The other two tables of the released ReCITE dataset, as Parquet: models' responses and judges' evaluations.
*responses*: id, sample_id, model, task_type, response_answer, response_reasoning, corrected_answer, valid_format,
response_date. *evaluations*: id, response_id, sample_id, model, task_type, evaluator_type, score, evaluation_answer
(YAML or JSON), evaluation_reasoning, evaluation_date. Columns may have any order, answers are text or nested, ids
numbers or text. Every cell is stored as released, other columns included."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.errors import BadRow
from exchange.recite import read_parquet
from exchange.typed_columns import Column, as_json, form_of, write_columns


class PublicKind(StrEnum):
    RESPONSES = "responses"
    EVALUATIONS = "evaluations"


STANDARD, NAMES = "causal_graph_generation", "causal_graph_generation_with_node_names"
TASK_TYPES = (STANDARD, NAMES)
COLUMNS: Mapping[PublicKind, tuple[Column, ...]] = {
    PublicKind.RESPONSES: (
        Column("id", "string"),
        Column("sample_id", "string"),
        Column("model", "string"),
        Column("task_type", "string"),
        Column("response_answer", "string"),
        Column("response_reasoning", "string"),
        Column("corrected_answer", "string"),
        Column("valid_format", "bool"),
        Column("response_date", "string"),
    ),
    PublicKind.EVALUATIONS: (
        Column("id", "string"),
        Column("response_id", "string"),
        Column("sample_id", "string"),
        Column("model", "string"),
        Column("task_type", "string"),
        Column("evaluator_type", "string"),
        Column("score", "double"),
        Column("evaluation_answer", "string"),
        Column("evaluation_reasoning", "string"),
        Column("evaluation_date", "string"),
    ),
}
"""Columns and types as written for answers of this study's runs."""
NEEDED: Mapping[PublicKind, tuple[str, ...]] = {
    PublicKind.RESPONSES: ("id", "sample_id", "model", "task_type", "response_answer"),
    PublicKind.EVALUATIONS: ("id", "response_id", "evaluator_type", "evaluation_answer"),
}
_IDS: Mapping[PublicKind, tuple[str, ...]] = {
    PublicKind.RESPONSES: ("id", "sample_id"),
    PublicKind.EVALUATIONS: ("id", "response_id"),
}
_WORDS = {"true": True, "false": False, "1": True, "0": False}


@dataclass(frozen=True, slots=True)
class PublicRow:
    """A row: its `line` from 1, and every cell as JSON."""

    line: int
    cells: Mapping[str, Any]

    def id(self, column: str = "id") -> str:
        return str(self.cells[column])

    def text(self, column: str) -> str | None:
        """Return a cell as text, nested values as JSON. None: null."""
        value = self.cells.get(column)
        if value is None or isinstance(value, str):
            return value
        return json.dumps(value, ensure_ascii=False)

    @property
    def is_valid(self) -> bool | None:
        value = self.cells.get("valid_format")
        if isinstance(value, bool):
            return value
        return _WORDS.get(str(value).strip().casefold()) if isinstance(value, str | int) else None

    @property
    def score(self) -> float | None:
        value = self.cells.get("score")
        return None if value is None or value != value else float(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicTable:
    """A table. `columns`: in file order; `rows`: number of rows, faulty ones included."""

    name: str
    kind: PublicKind
    columns: tuple[Column, ...]
    rows: int
    kept: tuple[PublicRow, ...]
    faults: tuple[BadRow, ...]


def kind_of_columns(columns: Sequence[str]) -> PublicKind | None:
    """Return the table with such columns; None: neither."""
    present = set(columns)
    return next((kind for kind in PublicKind if present.issuperset(NEEDED[kind])), None)


def read_public_table(content: bytes, filename: str, kind: PublicKind) -> PublicTable:
    """Read a table. A row without an id, with a repeated one, or with a cell invalid for its column is a fault.
    Raises UnreadableFile as `exchange.recite.read_parquet`."""
    listed = f"the table {kind.value} has the columns {', '.join(each.name for each in COLUMNS[kind])}"
    table = read_parquet(content, filename, NEEDED[kind], listed)
    rows: list[PublicRow] = []
    faults: list[BadRow] = []
    lines: dict[str, int] = {}
    for line, values in enumerate(table.to_pylist(), start=1):
        row = PublicRow(line, {column: as_json(value) for column, value in values.items()})
        fault = next(_faults(row, kind, filename), None)
        if fault is None and (first := lines.setdefault(row.id(), line)) != line:
            fault = BadRow(filename, line, "id", row.id(), f"an id of its own; row {first:,} has this one")
        if fault is None:
            rows.append(row)
        else:
            faults.append(fault)
    return PublicTable(
        name=filename,
        kind=kind,
        columns=tuple(Column(field.name, form_of(field.type)) for field in table.schema),
        rows=table.num_rows,
        kept=tuple(rows),
        faults=tuple(faults),
    )


def write_public_table(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the table as Parquet, with these columns, types, nulls and order."""
    return write_columns(columns, rows)


def _faults(row: PublicRow, kind: PublicKind, file: str) -> Iterator[BadRow]:
    cells = row.cells

    def bad(column: str, expected: str) -> BadRow:
        shown = repr(cells.get(column))
        return BadRow(file, row.line, column, shown if len(shown) <= 60 else f"{shown[:59]}…", expected)

    for column in _IDS[kind]:
        value = cells[column]
        if not isinstance(value, str | int) or isinstance(value, bool) or value == "":
            yield bad(column, "an id: a text or a whole number")
    named = "model" if kind is PublicKind.RESPONSES else "evaluator_type"
    if not isinstance(cells[named], str) or not cells[named].strip():
        yield bad(named, "a name")
    if kind is PublicKind.RESPONSES:
        if cells["task_type"] not in TASK_TYPES:
            yield bad("task_type", " or ".join(TASK_TYPES))
        if cells.get("valid_format") is not None and row.is_valid is None:
            yield bad("valid_format", "true, false or null")
    else:
        score = cells.get("score")
        if score is not None and (isinstance(score, bool) or not isinstance(score, int | float)):
            yield bad("score", "a number or null")
    for column in (name for name, value in cells.items() if _has_nul(value)):
        yield BadRow(file, row.line, column, "", "a text without the character U+0000")


def _has_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\x00" in value
    if isinstance(value, dict):
        return any(map(_has_nul, value.values()))
    return isinstance(value, list) and any(map(_has_nul, value))

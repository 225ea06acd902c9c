"""Shared parts of the Results screen: labels and texts of cells."""

from __future__ import annotations

from dataclasses import dataclass

from core.analysis.tables import ResultCell, ResultTable
from pages.failures.parts import sign_of
from services.results.files import shown, shown_interval

PAGE = "results"
SAYS = {"value": "Values", "interval": "With intervals", "counts": "Items scored"}


@dataclass(frozen=True, slots=True)
class Picked:
    """The open cell: its table, its labels, and the cell."""

    table: ResultTable
    row: str
    column: str

    @property
    def cell(self) -> ResultCell:
        return self.table.cells[self.row, self.column]


def label_of(label: str) -> str:
    """A row's or a column's label as people write it: minus, not hyphen, also after "Task 2 · "."""
    first, dot, last = label.rpartition(" · ")
    return f"{first}{dot}{sign_of(last)}"


def cell_text(cell: ResultCell, table: ResultTable, says: str) -> str:
    """A cell as the table prints it."""
    if says == "counts":
        return f"{cell.n_scored:,} of {cell.n_total:,}" if cell.n_total else "0"
    value = shown(cell.estimate, table.metric)
    interval = shown_interval(cell.estimate, table.metric) if says == "interval" else ""
    return f"{value} [{interval}]" if interval else value

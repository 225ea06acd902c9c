"""Shared parts of the Results screen: labels and texts of cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from components import state
from core.analysis.metrics import Figure
from core.analysis.printed import shown, shown_interval
from core.analysis.tables import ResultCell, ResultTable

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


def linked_choice(
    label: str, name: str, options: Mapping[str, str], own: str, *, shows_label: bool = True, of: str = ""
) -> str:
    """Draw a choice of one of `options` (value → words); the link's parameter `name` holds it unless it is `own`. `of`:
    what has a choice of its own, such as a protocol with another rule."""
    key = state.key(PAGE, f"{name}.{of}" if of else name)
    if st.session_state.get(key) not in options:
        linked = state.read_param(name)
        st.session_state[key] = linked if linked in options else own
    chosen = st.segmented_control(
        label,
        list(options),
        format_func=options.__getitem__,
        key=key,
        required=True,
        label_visibility="visible" if shows_label else "collapsed",
    )
    state.write_param(name, "" if chosen == own else str(chosen))
    return str(chosen)


def cell_text(cell: ResultCell, figure: Figure, says: str) -> str:
    """A cell as the table prints it."""
    if says == "counts":
        return f"{cell.n_scored:,} of {cell.n_total:,}" if cell.n_total else "0"
    value = shown(cell.estimate, figure)
    interval = shown_interval(cell.estimate, figure) if says == "interval" else ""
    return f"{value} [{interval}]" if interval else value

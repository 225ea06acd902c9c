"""Choice of one cell of a table, in the table itself: by a click, or by Tab and the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

TALLEST = 12
"""Lines a table shows before it scrolls."""
_ROW_PX = 35
WRAPPED_PX = 66
"""Height of rows whose words wrap: Streamlit wraps them above 4 rem."""
LETTER_PX, HEAD_LETTER_PX, PADDING_PX = 6.5, 5.8, 24
"""The mean letter of numbers and intervals, that of the words of a head, and the space around them."""
WIDEST_HEAD_PX = 306


def choose_cell(
    corner: str,
    heads: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[str]],
    *,
    name: str,
    begin: tuple[int, int] = (0, 0),
) -> tuple[int, int]:
    """Draw the table and return the places of the chosen line and column.

    `heads`: one a line, `columns`: one a column of `cells`; all of them are texts that may come from outside.
    `begin`: the link's cell, which stays open where none is chosen; the head of a line keeps its column."""
    line, column = (
        place if 0 <= place < most else 0 for place, most in zip(begin, (len(heads), len(columns)), strict=True)
    )
    # A column as wide as its longest cell: a cell at the right that is too narrow loses its beginning, which is the
    # value, and keeps the end of its interval. What is wider than the screen scrolls next to the heads.
    config: dict[str, Any] = {
        column: st.column_config.TextColumn(alignment="right", width=width_of(column, [line[place] for line in cells]))
        for place, column in enumerate(columns)
    }
    config[corner] = st.column_config.TextColumn(pinned=True, width=min(width_of(corner, heads), WIDEST_HEAD_PX))
    event: Any = st.dataframe(
        {corner: list(heads)} | {column: [line[place] for line in cells] for place, column in enumerate(columns)},
        key=name,
        hide_index=True,
        column_config=config,
        height="content" if len(heads) <= TALLEST else (TALLEST + 1) * _ROW_PX,
        selection_mode="single-cell",
        selection_default=_selection(line, columns[column]),
        on_select="rerun",
    )
    chosen = event["selection"]["cells"]
    if not chosen or chosen[0][0] >= len(heads):
        return line, column
    return chosen[0][0], columns.index(chosen[0][1]) if chosen[0][1] in columns else column


def open_cell(name: str, line: int, column: str) -> None:
    """Choose a cell from elsewhere, such as a chart, before the table is drawn."""
    st.session_state[name] = _selection(line, column)


def _selection(line: int, column: str) -> Any:
    cells = [(line, column)]
    return {"selection": {"rows": (), "columns": (), "cells": cells}}


def width_of(head: str, texts: Sequence[str]) -> int:
    """Return the pixels in which a column shows its head and every text whole."""
    return round(max(len(head) * HEAD_LETTER_PX, max(map(len, texts), default=0) * LETTER_PX)) + PADDING_PX

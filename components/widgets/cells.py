"""Choice of one cell of a table, by two boxes or by a click in it; both always agree."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

TALLEST = 12
"""Lines a table shows before it scrolls."""
_ROW_PX = 35
LETTER_PX, PADDING_PX = 6.5, 24
"""Of a cell: the mean letter of numbers and intervals, and the space around them."""
WIDEST_HEAD_PX = 320


def choose_cell(
    corner: str,
    heads: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[str]],
    *,
    name: str,
    begin: tuple[int, int] = (0, 0),
    words: tuple[str, str] = ("Row", "Column"),
) -> tuple[int, int]:
    """Draw the table and the boxes; return the places of the chosen line and column.

    `heads`: one a line, `columns`: one a column of `cells`; all of them are texts that may come from outside.
    `begin`: the first choice, such as the link's. The boxes are for keyboards and screen readers."""
    memory = st.session_state
    line_key, column_key, turn = f"{name}.line", f"{name}.column", f"{name}.turn"
    for key, first, most in ((line_key, begin[0], len(heads)), (column_key, begin[1], len(columns))):
        if not isinstance(memory.get(key), int) or not 0 <= memory[key] < most:
            memory[key] = first if 0 <= first < most else 0
    # Above its boxes: the table's own buttons float over what is above it.
    _table(corner, heads, columns, cells, name, (memory[line_key], memory[column_key]))
    left, right = st.columns(2)
    with left:
        line = st.selectbox(
            words[0],
            range(len(heads)),
            key=line_key,
            format_func=lambda place: heads[place],
            on_change=partial(_turned, turn),
        )
    with right:
        column = st.selectbox(
            words[1],
            range(len(columns)),
            key=column_key,
            format_func=lambda place: columns[place],
            on_change=partial(_turned, turn),
        )
    return line, column


def _table(
    corner: str,
    heads: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[str]],
    name: str,
    chosen: tuple[int, int],
) -> None:
    # A table keeps its own selection. It is a new one after a choice in a box, or when other lines are listed; not
    # after a choice in the table itself, which would lose its place.
    listed = zlib.crc32(repr((list(heads), list(columns))).encode())
    table = f"{name}.table.{st.session_state.get(f'{name}.turn', 0)}.{listed}"
    # A column as wide as its longest cell: a cell at the right that is too narrow loses its beginning, which is the
    # value, and keeps the end of its interval. What is wider than the screen scrolls next to the heads.
    config: dict[str, Any] = {
        column: st.column_config.TextColumn(alignment="right", width=width_of(column, [line[place] for line in cells]))
        for place, column in enumerate(columns)
    }
    config[corner] = st.column_config.TextColumn(pinned=True, width=min(width_of(corner, heads), WIDEST_HEAD_PX))
    st.dataframe(
        {corner: list(heads)} | {column: [line[place] for line in cells] for place, column in enumerate(columns)},
        key=table,
        hide_index=True,
        column_config=config,
        height="content" if len(heads) <= TALLEST else (TALLEST + 1) * _ROW_PX,
        selection_mode="single-cell",
        selection_default={"selection": {"cells": [(chosen[0], columns[chosen[1]])]}},
        on_select=partial(_clicked, name, table, list(columns), len(heads)),
    )


def width_of(head: str, texts: Sequence[str]) -> int:
    """Return the pixels in which a column shows its head and every text whole."""
    return round(max(map(len, [head, *texts])) * LETTER_PX) + PADDING_PX


def open_cell(name: str, line: int, column: int) -> None:
    """Choose a cell from elsewhere, such as a chart, before the table is drawn."""
    st.session_state[f"{name}.line"], st.session_state[f"{name}.column"] = line, column
    _turned(f"{name}.turn")


def _turned(turn: str) -> None:
    st.session_state[turn] = st.session_state.get(turn, 0) + 1


def _clicked(name: str, table: str, columns: list[str], lines: int) -> None:
    cells = st.session_state[table]["selection"]["cells"]
    if not cells or cells[0][0] >= lines:
        return
    line, column = cells[0]
    st.session_state[f"{name}.line"] = line
    if column in columns:  # a click on the head of a line chooses the line
        st.session_state[f"{name}.column"] = columns.index(column)

"""Choice of one line of a list, by typing in a box or by a click in the table below it; or of several options."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from components import state

TALLEST = 10
"""Rows a table shows before it scrolls."""
_ROW_PX = 35

choose_several = partial(st.multiselect, filter_mode="contains", select_all=False)
"""`st.multiselect` whose Enter chooses the one option that contains the typed text; Streamlit's default guesses, and
lists all guesses first."""


def choose_line(
    label: str,
    ids: Sequence[str],
    words: Mapping[str, str],
    rows: Mapping[str, Sequence[object]],
    *,
    name: str,
    chosen: str = "",
    columns: Mapping[str, Any] | None = None,
    placeholder: str = "Type, or click a row",
    tallest: int = TALLEST,
) -> str | None:
    """Draw box and table and return the id of the chosen line, None if none is. `ids`: one a row, in the order of the
    table. `words`: what the box says for an id; `rows`: the table's columns. `chosen`: the first choice, such as the
    link's; `tallest`: rows before the table scrolls. The box is for keyboards and screen readers."""
    memory = st.session_state
    if memory.get(name) not in ids:
        memory[name] = chosen if name not in memory and chosen in ids else None
    turn = f"{name}.turn"
    chosen_id: str | None = st.selectbox(
        label,
        ids,
        index=None,
        key=name,
        format_func=lambda key: words.get(key, key),
        placeholder=placeholder,
        on_change=partial(_turned, turn),
    )
    # A table keeps its own selection. It is a new one after a choice in the box, or when other lines are listed; not
    # after a choice in the table itself, which would lose its place. Cells, because a click in a row is a choice.
    table = f"{name}.table.{memory.get(turn, 0)}.{zlib.crc32(repr(list(ids)).encode())}"
    st.dataframe(
        dict(rows),
        key=table,
        hide_index=True,
        height="content" if len(ids) <= tallest else (tallest + 1) * _ROW_PX,
        column_config=dict(columns or {}),
        selection_mode="single-cell",
        selection_default={
            "selection": {"cells": [(ids.index(chosen_id), next(iter(rows)))] if chosen_id in ids else []}
        },
        on_select=partial(_clicked, name, table, list(ids)),
    )
    return chosen_id


def _turned(turn: str) -> None:
    st.session_state[turn] = st.session_state.get(turn, 0) + 1


def _clicked(name: str, table: str, ids: list[str]) -> None:
    cells = st.session_state[table]["selection"]["cells"]
    st.session_state[name] = ids[cells[0][0]] if cells and cells[0][0] < len(ids) else None


def choose_part(page: str, parts: Mapping[str, str], param: str = "show") -> str:
    """Draw the parts of a screen and return the chosen one; the link has it under `param`, except the first."""
    name, first = state.key(page, "part"), next(iter(parts))
    if name not in st.session_state:
        linked = state.read_param(param)
        st.session_state[name] = linked if linked in parts else first
    part = st.segmented_control(
        "Part", list(parts), format_func=parts.__getitem__, key=name, label_visibility="collapsed", required=True
    )
    state.write_param(param, "" if part == first else str(part))
    return str(part)


def choose_filter(page: str, counts: Mapping[str, int], words: Callable[[str], str], param: str = "which") -> str:
    """Draw the filters of a list ("all" and those with lines) and return the chosen one; it is in the link."""
    name = state.key(page, param)
    if name not in st.session_state:
        linked = state.read_param(param, "all")
        st.session_state[name] = linked if linked in counts else "all"
    chosen = st.pills(
        "Show",
        [each for each in counts if counts[each] or each in ("all", st.session_state[name])],
        key=name,
        required=True,
        format_func=lambda each: f"{words(each)} {counts[each]:,}",
        label_visibility="collapsed",
    )
    state.write_param(param, str(chosen or "all").removeprefix("all"))
    return str(chosen or "all")

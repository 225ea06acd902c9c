"""Choice of one line of a list, in its table; or of several options."""

from __future__ import annotations

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
    ids: Sequence[str],
    rows: Mapping[str, Sequence[object]],
    *,
    name: str,
    chosen: str = "",
    columns: Mapping[str, Any] | None = None,
    tallest: int = TALLEST,
    verb: str = "",
) -> str | None:
    """Draw a table and return the id of the chosen line, None if none is. `ids`: one a row, in the order of the table.
    `rows`: the table's columns; `chosen`: the first choice, such as the link's; `tallest`: rows before it scrolls.

    A click in a line chooses it, and so does the cell that the keyboard reaches. `verb`, such as Open, is for a choice
    that leaves the page or has consequences: a button in each line and its tick choose it, by keyboard Shift+Space;
    reaching a line does not."""
    memory, listed, first = st.session_state, f"{name}.ids", next(iter(rows))
    if name in memory and memory.get(listed, tuple(ids)) != tuple(ids):  # the same line at its new place
        before = _chosen(memory[name], memory[listed])
        memory[name] = _selection(ids.index(before) if before in ids else None, first, verb)
    memory[listed] = tuple(ids)
    button: dict[str, Any] = {}
    if verb:
        button[verb] = st.column_config.ButtonColumn(
            "", type="tertiary", width=70, key=f"{name}.verb", on_click=partial(_press, name, verb)
        )
    event = st.dataframe(
        ({verb: [verb] * len(ids)} if verb else {}) | dict(rows),
        key=name,
        hide_index=True,
        height="content" if len(ids) <= tallest else (tallest + 1) * _ROW_PX,
        column_config=button | dict(columns or {}),
        selection_mode="single-row" if verb else "single-cell",
        selection_default=_selection(ids.index(chosen) if chosen in ids else None, first, verb),
        on_select="rerun",
    )
    if verb and ids:
        st.caption(f"By keyboard: arrow keys, then Shift+Space for {verb}.")
    return _chosen(event, ids)


def choose_id(name: str, line_id: str, ids: Sequence[str], column: str) -> None:
    """Choose a line of a table without a verb from elsewhere, before the table is drawn. `column`: its first."""
    st.session_state[name] = _selection(ids.index(line_id), column, "")
    st.session_state[f"{name}.ids"] = tuple(ids)


def chosen_id(name: str, linked: str) -> str | None:
    """Return the id of the line chosen in a table further down, None if none is; before it is drawn `linked`."""
    memory = st.session_state
    return _chosen(memory[name], memory[f"{name}.ids"]) if name in memory else linked


def forget_choice(name: str) -> None:
    """Choose no line, before the table is drawn."""
    st.session_state[name] = _selection(None, "", "")


def _press(name: str, verb: str) -> None:
    st.session_state[name] = _selection(st.session_state[f"{name}.verb"]["row"], "", verb)


def _selection(place: int | None, column: str, verb: str) -> Any:
    cells = [] if place is None or verb else [(place, column)]
    rows = [place] if place is not None and verb else []
    return {"selection": {"rows": rows, "columns": (), "cells": cells}}


def _chosen(event: Any, ids: Sequence[str]) -> str | None:
    selection = event["selection"]
    places = [*selection["rows"], *(row for row, _column in selection["cells"])]
    return ids[places[0]] if places and places[0] < len(ids) else None


def choose_part(page: str, parts: Mapping[str, str], param: str = "show") -> str:
    """Draw the parts of a screen and return the chosen one; the link has it under `param`, except the first."""
    name, first = state.key(page, "part"), next(iter(parts))
    linked, written = state.read_param(param), f"{name}.link"
    if name not in st.session_state or linked != st.session_state.get(written, linked):  # opened by a link
        st.session_state[name] = linked if linked in parts else first
    part = st.segmented_control(
        "Part", list(parts), format_func=parts.__getitem__, key=name, label_visibility="collapsed", required=True
    )
    st.session_state[written] = "" if part == first else str(part)
    state.write_param(param, st.session_state[written])
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

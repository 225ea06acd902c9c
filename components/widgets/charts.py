"""A chart on a page; a click on a point opens the cell of a table."""

from __future__ import annotations

import json
from functools import lru_cache, partial

import streamlit as st

from components.widgets.cells import open_cell
from core.analysis.charts import SELECTED, Chart, drawn
from core.words import counted


def show_chart(
    chart: Chart, key: str, cells: str = "", rows: tuple[str, ...] = (), columns: tuple[str, ...] = ()
) -> None:
    """Draw it. `cells`: name of the table whose cell a click opens, with these rows and columns; empty without one."""
    if not chart.points:
        return
    spec = json.loads(_spec(chart, st.context.theme.type == "dark"))  # Streamlit changes what it is given
    figure = partial(st.vega_lite_chart, spec=spec, theme=None, alt=chart.words, width="stretch")
    if cells:
        figure(key=key, on_select=partial(_open, key, cells, rows, columns), selection_mode=[SELECTED])
    else:
        figure()
    if chart.left_out:
        st.caption(f"{counted(chart.left_out, 'more row')} only in the table.")


@lru_cache(maxsize=32)
def _spec(chart: Chart, is_dark: bool) -> str:
    """The chart for Vega-Lite. Altair takes 0.1 s for it, which a page that is drawn every 2 s would spend again."""
    return drawn(chart, dark=is_dark).to_json()


def _open(key: str, cells: str, rows: tuple[str, ...], columns: tuple[str, ...]) -> None:
    """Open the cell of the chosen point; a click next to all points keeps the one that is open."""
    chosen = st.session_state[key].selection[SELECTED]
    if chosen and chosen[0]["row"] in rows and chosen[0]["column"] in columns:
        open_cell(cells, rows.index(chosen[0]["row"]), chosen[0]["column"])

"""Open table of raters' agreement, its open cell, and reasons for undefined values."""

from __future__ import annotations

import streamlit as st

from components import state
from components.widgets.cells import choose_cell
from components.widgets.charts import show_chart
from core.analysis.charts import Point
from core.words import sentence_case
from pages.agreement.charts import agreement_chart
from pages.agreement.parts import PAGE, explain_undefined
from pages.agreement.rater_head import ends_of
from services.agreement.rater_files import shown
from services.agreement.rater_tables import RaterCell, RaterTable, Scale

# Line headings on screens; files have the originals.
HEADS = {"all six": "All criteria"}
ERRORS, SHARES = (Scale.POINTS,), (Scale.SHARE, Scale.COEFFICIENT)


def show(table: RaterTable) -> RaterCell:
    texts = [[shown(cell.found, cell.scale) for cell in line.cells] for line in table.lines]
    heads = [HEADS.get(line.head, sentence_case(line.head)) for line in table.lines]
    columns, name = list(map(sentence_case, table.columns)), state.key(PAGE, f"raters.cell.{table.part.value}")
    above = st.container()
    linked = tuple(state.read_param(name) for name in ("line", "column"))
    begin = tuple(int(text) if text.isdecimal() and len(text) < 6 else 0 for text in linked)
    place = choose_cell(
        sentence_case(table.corner),
        heads,
        columns,
        texts,
        name=name,
        begin=(begin[0], begin[1]),
    )
    opened = table.lines[place[0]].cells[place[1]]
    # A chart has one scale: that of the open cell. Counts have none.
    scales, of = (ERRORS, "Points of the scale") if opened.scale in ERRORS else (SHARES, "Share or coefficient")
    points = [
        Point.of(head, column, cell.found, shown(cell.found, cell.scale), ends_of(cell.found, cell.scale))
        for head, line in zip(heads, table.lines, strict=True)
        for column, cell in zip(columns, line.cells, strict=True)
        if cell.scale in scales
    ]
    chart = agreement_chart(table.title, (sentence_case(table.corner), "Measure"), points, of)
    with above:
        show_chart(chart, f"{name}.chart.{of[0]}", name, tuple(heads), tuple(columns))
    for name, now in zip(("line", "column"), place, strict=True):
        state.write_param(name, str(now) if now else "")
    explain_undefined(texts)
    return opened

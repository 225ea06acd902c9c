"""What the protocol's paper prints where the open table stands: below it, in a table of its own."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets.number_table import number_table
from core.results.table import ResultTable
from pages.results.parts import PAGE, label_of
from services.runs.exports.result_files import published
from services.runs.results import PresetView


def show(table: ResultTable, preset: PresetView) -> None:
    """Nothing where the paper prints nothing of this metric and these columns."""
    for each in preset.published:
        columns = [column for column in table.column_labels if any(column == of for _, of in each.cells)]
        if each.metric != table.metric.name or not columns:
            continue
        st.markdown(f"**Published by {shell.escaped(preset.published_by)}, {shell.escaped(each.source.lower())}**")
        number_table(
            {
                table.row_title: list(each.rows),
                **{
                    label_of(column): [published(each.cells.get((row, column)), table.metric) for row in each.rows]
                    for column in columns
                },
            },
            key=state.key(PAGE, f"published.{preset.key}.{each.metric}"),
            words=(table.row_title,),
        )
        st.caption(shell.escaped(f"Of other questions and models than this study's. {each.note}".strip()))

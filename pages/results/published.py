"""Values printed in the protocol's paper, next to this study's, for the column of the open cell."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets.number_table import number_table
from core.analysis.printed import NO_VALUE, label_of, published, shown
from pages.results.parts import PAGE, Picked
from services.results.results import PresetView

HERE = "This study"


def show(picked: Picked, preset: PresetView) -> None:
    """Rows of this study, then those that only the paper has. Nothing where the paper prints nothing of this metric."""
    table, column = picked.table, picked.column
    for each in preset.published:
        if each.metric != table.metric.name:
            continue
        where = f"{preset.published_by}, {each.source.lower()}"
        if column not in each.columns:
            others = ", ".join(label_of(other) for other in table.column_labels if other in each.columns)
            if others:
                said = f"{where}: no value of {label_of(column)}. There are values of {others}."
                st.caption(shell.escaped(said))
            continue
        theirs = each.others(table.row_labels)
        st.markdown(f"**{shell.escaped(f'This study beside {where}: {label_of(column)}')}**")
        number_table(
            {
                table.row_title: [*map(label_of, table.row_labels), *theirs],
                HERE: [
                    *(shown(table.cells[row, column].estimate, table.metric) for row in table.row_labels),
                    *(NO_VALUE for _ in theirs),
                ],
                preset.published_by: [
                    published(each.value(row, column), table.metric) for row in (*table.row_labels, *theirs)
                ],
            },
            key=state.key(PAGE, f"published.{preset.key}.{each.metric}"),
            words=(table.row_title,),
            wide=table.row_title,
        )
        st.caption(shell.escaped(f"Of other questions and models than this study's. {each.note}".strip()))

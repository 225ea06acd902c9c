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
        both = [row for row in table.row_labels if each.value(row, column) is not None]
        rows = {label_of(row): shown(table.cells[row, column].estimate, table.metric) for row in both}
        rows |= {row: NO_VALUE for row in theirs if each.value(row, column) is not None}
        title = f"This study and {where}: {label_of(column)}" if both else f"{where}: {label_of(column)}"
        st.markdown(f"**{shell.escaped(title[0].upper() + title[1:])}**")
        own = {HERE: list(rows.values())} if both else {}
        names = [*both, *(row for row in theirs if each.value(row, column) is not None)]
        number_table(
            {table.row_title: list(rows)}
            | own
            | {preset.published_by: [published(each.value(row, column), table.metric) for row in names]},
            key=state.key(PAGE, f"published.{preset.key}.{each.metric}"),
            words=(table.row_title,),
            wide=table.row_title,
        )
        none = "" if both else "None of its models is in this table. "
        st.caption(shell.escaped(f"{none}Of other questions and models than this study's. {each.note}".strip()))

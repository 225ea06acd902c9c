"""Graph or no graph: agreement of two annotators, with kappa over figures."""

from __future__ import annotations

import streamlit as st

from components import state
from components.widgets.data_page import data_page
from components.widgets.downloads import content_on_click
from components.widgets.number_table import number_table
from core.agreement.verdicts import KINDS, VerdictTable
from core.estimate import Estimate
from core.people import Viewer
from core.words import counted
from pages.agreement.parts import PAGE
from services.agreement import files

HOW = (
    "Rows: what the annotator who submitted first gave for a figure; columns: what the second gave. Either a graph, or "
    "one of three reasons why there is none. κ is Cohen's, unweighted, over figures (Cohen 1960); it is undefined for "
    "fewer than 3 figures and where one of the two gave the same answer for all figures. Declined figures are counted "
    "here, also those excluded from the study, but they are in no table of edges."
)


def show(viewer: Viewer, table: VerdictTable) -> None:
    if not table.declined:
        return
    left_out = f"{counted(table.declined, 'figure')} declined by one annotator or both, in no table of edges"
    with st.expander(f"Graph or no graph: {left_out}", key=state.key(PAGE, "verdicts")):
        sentence = (
            f"Two annotators give the same answer for **{_number(table.same)}** of {counted(table.figures, 'figure')}, "
            f"with a κ of **{_number(table.kappa)}**."
        )
        columns = {"First \u2193 second \u2192": [_words(kind) for kind in KINDS]}
        columns |= {_words(kind): [f"{row[place]:,}" for row in table.counts] for place, kind in enumerate(KINDS)}
        notes = f"κ: {table.kappa.reason}." if table.kappa.reason else ""
        with data_page(sentence, HOW, key=state.key(PAGE, "verdict"), notes=notes):
            number_table(columns, key=state.key(PAGE, "verdict.table"), words=(next(iter(columns)),))
            st.download_button(
                "Download table (CSV)",
                content_on_click(files.export_verdicts, viewer),
                "agreement-verdicts.csv",
                "text/csv",
                on_click="ignore",
                icon=":material/download:",
                key=state.key(PAGE, "verdict.csv"),
            )


def _words(kind: str) -> str:
    return kind.capitalize()


def _number(estimate: Estimate) -> str:
    return "–" if estimate.value is None else f"{estimate.value:.2f}"

"""Faulty rows of the dropped files: file, line, field, value and expectation, with a download."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import state
from core.errors import BadRow
from core.words import counted
from pages.exchange.sources import PAGE
from services.graphs.import_reading import FAULT_FIELDS, fault_table


def fault_list(faults: Sequence[BadRow]) -> None:
    st.markdown(f"**{counted(len(faults), 'faulty row')}**, left out of the import")
    st.dataframe(
        {name.capitalize(): [getattr(fault, name) for fault in faults] for name in FAULT_FIELDS},
        hide_index=True,
        key=state.key(PAGE, "faults"),
        height=min(35 * len(faults) + 37, 387),
        placeholder="–",
        column_config={
            "File": st.column_config.TextColumn("File", width="small"),
            "Line": st.column_config.NumberColumn("Line", width=70, format="%d"),
            "Field": st.column_config.TextColumn("Field", width="small"),
            "Value": st.column_config.TextColumn("Found", width="medium"),
            "Expected": st.column_config.TextColumn("Expected", width="large"),
        },
    )
    st.download_button(  # below: the table's own toolbar overlays what is above it
        "Download faulty rows",
        fault_table(faults),
        "faulty-rows.csv",
        "text/csv",
        key=state.key(PAGE, "faults.get"),
        on_click="ignore",
    )

"""Agreement: annotators of figures, and raters of triplets."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.people import Viewer
from pages.agreement import annotators, raters
from pages.agreement.parts import PAGE

WHOSE = {"annotators": "Annotators", "raters": "Raters"}


def show(viewer: Viewer) -> None:
    top = shell.top_row("Agreement")
    with st.container(key=state.key(PAGE, "switches")):
        key = state.key(PAGE, "whose")
        if st.session_state.get(key) not in WHOSE:
            st.session_state[key] = "raters" if state.read_param("part") == "raters" else "annotators"
        before: str = st.session_state.get(f"{key}.before", st.session_state[key])
        selected = st.segmented_control(
            "Part", list(WHOSE), format_func=WHOSE.__getitem__, key=key, label_visibility="collapsed", required=True
        )
        whose = selected or "annotators"
        if whose != before:  # what the link opens belongs to one of them
            for name in ("line", "column", "figure", "triplet", "table"):
                state.write_param(name, "")
        st.session_state[f"{key}.before"] = whose
        if whose == "raters":
            state.write_param("part", "raters")
        elif state.read_param("part") == "raters":
            state.write_param("part", "")
    if whose == "raters":
        raters.show(viewer, top)
    else:
        annotators.show(viewer, top)

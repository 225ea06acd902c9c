"""Credit for the owner: work per person, what the ground truth accepted, and shares."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import state
from components.widgets.number_table import number_table
from core.estimate import Estimate
from core.people import Viewer
from pages.people.acts import PAGE
from services.people import credit


def show_credit(viewer: Viewer, head: DeltaGenerator) -> None:
    report = credit.credit(viewer)
    lines = report.people
    if not lines:
        st.caption("No credit yet. It appears here once someone transcribes a figure.")
        return
    with head:
        file = credit.export_credit(viewer)
        st.download_button(
            "Download CSV",
            file.content,
            file.name,
            file.media_type,
            on_click="ignore",
            key=state.key(PAGE, "credit.get"),
        )
    number_table(
        {
            "Name": [line.name for line in lines],
            "Pseudonym in exports": [line.pseudonym for line in lines],
            "Submitted": [str(line.transcriptions) for line in lines],
            "Nodes": [f"{line.nodes:,}" for line in lines],
            "Share of nodes": [_percent(line.share_of_nodes) for line in lines],
            "Edges": [f"{line.edges:,}" for line in lines],
            "Share of edges": [_percent(line.share_of_edges) for line in lines],
            "Nodes accepted": [f"{line.nodes_accepted:,}" for line in lines],
            "Edges accepted": [f"{line.edges_accepted:,}" for line in lines],
            "Adjudicated": [str(line.adjudications) for line in lines],
            "Active time (h)": [f"{line.active_hours:.1f}" for line in lines],
        },
        key=state.key(PAGE, "credit.table"),
        words=("Name", "Pseudonym in exports"),
    )
    st.caption(
        f"Nodes and edges of submitted transcriptions: {report.nodes:,} and {report.edges:,} in all. Published "
        "practice gives credit in proportion to nodes; the share of edges is shown too. A node or an edge is "
        "accepted if it is in the finished ground truth, whether one or both annotators drew it. Active "
        "time counts every transcription, submitted or not."
    )


def _percent(share: Estimate) -> str:
    return "–" if share.value is None else f"{share.value:.1%}"

"""Credit for the owner: what each person submitted, what the ground truth accepted, and shares."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import state
from components.widgets.number_table import number_table
from core.estimate import Estimate
from core.people import Viewer
from core.words import counted
from pages.people.acts import PAGE
from services.people import credit
from services.people.credit import Credit

HOW = """\
- Only submitted work counts: {nodes} nodes and {edges} edges of transcriptions in all. **Shares** are of these totals.
  Published practice gives credit in proportion to nodes.
- A node or an edge is **accepted** if it is in the finished ground truth, whether one or both annotators drew it.
- **Active time** is measured at the figure, and counts work that is not submitted, too.
- Exports call people by the pseudonym of the column *In exports*.
"""


def show_credit(viewer: Viewer, head: DeltaGenerator) -> None:
    report = credit.credit(viewer)
    lines = report.people
    if not lines:
        st.caption("Nothing to credit yet. People appear here once they submit work of any kind.")
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
    totals = (
        (sum(line.transcriptions for line in lines), "transcription", ""),
        (sum(line.adjudications for line in lines), "adjudication", ""),
        (sum(line.triplets for line in lines), "scored triplet", ""),
        (sum(line.texts for line in lines), "labelled text", ""),
        (sum(line.text_graphs for line in lines), "graph", " from texts"),
        (sum(line.sheets for line in lines), "sheet", " of verdicts"),
    )
    listed = ", ".join(counted(number, word) + rest for number, word, rest in totals if number)
    st.markdown(
        f"**{'1 person has' if len(lines) == 1 else f'{len(lines):,} people have'} worked on this study:** {listed}."
    )
    _figures(lines)
    _other(lines)
    with st.popover("How this is computed", type="tertiary"):
        st.markdown(HOW.format(nodes=f"{report.nodes:,}", edges=f"{report.edges:,}"))


def _figures(lines: Sequence[Credit]) -> None:
    """Draw the work on figures; who did none is left out."""
    drew = [line for line in lines if line.transcriptions or line.adjudications or line.active_hours]
    if not drew:
        return
    st.subheader("Figures", anchor=False)
    number_table(
        {
            "Name": [line.name for line in drew],
            "In exports": [line.pseudonym for line in drew],
            "Transcribed": [str(line.transcriptions) for line in drew],
            "Nodes": [f"{line.nodes:,}" for line in drew],
            "Share of nodes": [_percent(line.share_of_nodes) for line in drew],
            "Accepted nodes": [f"{line.nodes_accepted:,}" for line in drew],
            "Edges": [f"{line.edges:,}" for line in drew],
            "Share of edges": [_percent(line.share_of_edges) for line in drew],
            "Accepted edges": [f"{line.edges_accepted:,}" for line in drew],
            "Adjudicated": [str(line.adjudications) for line in drew],
            "Active time (h)": [f"{line.active_hours:.1f}" for line in drew],
        },
        key=state.key(PAGE, "credit.table"),
        words=("Name", "In exports"),
    )


def _other(lines: Sequence[Credit]) -> None:
    """Draw the work of experts and reviewers; who did none is left out."""
    rated = [line for line in lines if line.triplets or line.texts or line.text_graphs or line.sheets]
    if not rated:
        return
    st.subheader("Triplets, texts and verdicts", anchor=False)
    number_table(
        {
            "Name": [line.name for line in rated],
            "In exports": [line.pseudonym for line in rated],
            "Triplets scored": [f"{line.triplets:,}" for line in rated],
            "Texts labelled": [f"{line.texts:,}" for line in rated],
            "Graphs from texts": [f"{line.text_graphs:,}" for line in rated],
            "Sheets of verdicts": [f"{line.sheets:,}" for line in rated],
        },
        key=state.key(PAGE, "credit.rated"),
        words=("Name", "In exports"),
    )


def _percent(share: Estimate) -> str:
    return "–" if share.value is None else f"{share.value:.1%}"

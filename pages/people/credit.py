"""Credit for the owner: what each person submitted, what the ground truth accepted, and shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import state
from components.widgets.number_table import number_table
from core.estimate import Estimate
from core.people import Viewer
from core.words import counted
from pages.people.acts import PAGE
from services.people import credit
from services.people.credit import Credit, CreditReport

HOW = """\
- Only submitted work counts: {nodes} nodes and {edges} edges of transcriptions in all. **Shares** are of these totals.
  Published practice gives credit in proportion to nodes.
- A node or an edge is **accepted** if it is in the finished ground truth, whether one or both annotators drew it.
  Nobody compared a single transcription, so it counts as submitted, not as accepted.
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
    if uncovered := _uncovered(report):
        st.caption(uncovered)
    drew = [line for line in lines if line.transcriptions or line.adjudications or line.active_hours]
    _table("Figures", drew, FIGURES)
    rated = [line for line in lines if line.triplets or line.texts or line.text_graphs or line.sheets]
    _table("Triplets, texts and verdicts", rated, OTHERS)
    with st.popover("How this is computed", type="tertiary"):
        st.markdown(HOW.format(nodes=f"{report.nodes:,}", edges=f"{report.edges:,}"))


def _uncovered(report: CreditReport) -> str:
    """Return what credit does not cover; "" if every ground truth is adjudicated."""
    sentences = []
    if report.single:
        sentences.append(
            f"The ground truth of {counted(report.single, 'figure')} is a single transcription: it counts as "
            "submitted, but not as accepted."
        )
    if report.imported:
        sentences.append(
            f"The ground truth of {counted(report.imported, 'figure')} was imported: credit does not cover who made it."
        )
    return " ".join(sentences)


def _table(title: str, lines: Sequence[Credit], cells: Mapping[str, Callable[[Credit], str]]) -> None:
    """Draw the work of these people; nothing without any."""
    if not lines:
        return
    st.subheader(title, anchor=False)
    names = {"Name": [line.name for line in lines], "In exports": [line.pseudonym for line in lines]}
    number_table(
        names | {head: [cell(line) for line in lines] for head, cell in cells.items()},
        key=state.key(PAGE, f"credit.{title}"),
        words=tuple(names),
    )


def _percent(share: Estimate) -> str:
    return "–" if share.value is None else f"{share.value:.1%}"


FIGURES: Mapping[str, Callable[[Credit], str]] = {
    "Transcribed": lambda line: f"{line.transcriptions:,}",
    "Nodes": lambda line: f"{line.nodes:,}",
    "Share of nodes": lambda line: _percent(line.share_of_nodes),
    "Accepted nodes": lambda line: f"{line.nodes_accepted:,}",
    "Edges": lambda line: f"{line.edges:,}",
    "Share of edges": lambda line: _percent(line.share_of_edges),
    "Accepted edges": lambda line: f"{line.edges_accepted:,}",
    "Adjudicated": lambda line: f"{line.adjudications:,}",
    "Active time (h)": lambda line: f"{line.active_hours:.1f}",
}
OTHERS: Mapping[str, Callable[[Credit], str]] = {
    "Triplets scored": lambda line: f"{line.triplets:,}",
    "Texts labelled": lambda line: f"{line.texts:,}",
    "Graphs from texts": lambda line: f"{line.text_graphs:,}",
    "Sheets of verdicts": lambda line: f"{line.sheets:,}",
}

"""Report on proposals, for those who run the study."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import links, state
from components.widgets.number_table import number_table
from core.people import Permission, Viewer
from services.transcription import proposal_report
from services.transcription.proposal_report import GroupRow, OriginRow

PAGE = "proposals"
NO_VALUE = "–"
READERS = {"vector": "vector lines", "raster": "picture", "ocr": "vector lines with read names", "model": "a model"}
ORIGINS = {
    "vector": "proposed from vector lines",
    "raster": "proposed from the picture",
    "ocr": "proposed from vector lines with read names",
    "model": "proposed by a model",
    "typed": "typed",
    "pasted": "pasted",
    "drawn": "drawn on the figure",
    "import": "imported",
}
DECISIONS = {
    "shown": "edges proposed",
    "left out": "without proposals, random share",
    "second": "without proposals, second transcription",
    "off": "without proposals, switched off",
    "": "started before edges were proposed",
}
HOW = """\
- Submitted and accepted transcriptions are counted, as they were first submitted; drafts and practice diagrams are
  not.
- **Accepted**: the edge is still in the graph, as proposed.
- **Corrected**: it is in the graph with another end, or reversed.
- **Removed later**: it was accepted or drawn, then removed.
- **Drawn anyway**: the annotator drew the proposed edge without answering the proposal.
- **By hand**: edges that did not come from a proposal.
- **By kind of figure**: figures with proposals, by the kind that the program detected. **Edges not
  proposed**: the program proposed none. **Missed**: edges in the graph that were not proposed.
- Only *edges proposed* and *without proposals, random share* can be compared, because a seeded random draw divided
  these figures. Second transcriptions differ in more than their proposals.
"""


def of_study(viewer: Viewer) -> None:
    if viewer.may(Permission.MANAGE):
        links.page_button("Settings of proposals", "settings", {"show": "proposals"}, key=state.key(PAGE, "settings"))
    report = proposal_report.report(viewer)
    if not any(group.tasks for group in report.groups):
        st.caption("Nothing has been submitted yet. The report on proposals appears here after the first submission.")
        return
    st.subheader("Report on proposals", anchor=False)
    _origins([row for row in report.origins if bool(row.proposed or row.added_by_hand or row.removed_later)])
    if report.kinds:
        st.caption("By kind of figure")
        number_table(
            {
                "Detected kind": [row.kind or "not recorded" for row in report.kinds],
                "Read from": [_readers(row.origin) for row in report.kinds],
                "Transcriptions": [str(row.tasks) for row in report.kinds],
                "Edges not proposed": [_count(row.declined) for row in report.kinds],
                "Proposed": [_count(row.proposed) for row in report.kinds],
                "Accepted": [_count(row.accepted) for row in report.kinds],
                "Corrected": [_count(row.corrected) for row in report.kinds],
                "Rejected": [_count(row.refused) for row in report.kinds],
                "Missed": [_count(row.missed) for row in report.kinds],
            },
            key=state.key(PAGE, "kinds"),
            words=("Detected kind", "Read from"),
            wide="Read from",
        )
    _groups([group for group in report.groups if group.tasks])
    with st.popover("How this is computed", type="tertiary"):
        st.markdown(HOW)


def _origins(rows: Sequence[OriginRow]) -> None:
    number_table(
        {
            "Origin": [
                f"proposed from {_readers(row.origin)}" if "+" in row.origin else ORIGINS.get(row.origin, row.origin)
                for row in rows
            ],
            "Proposed": [_count(row.proposed) for row in rows],
            "Accepted": [_count(row.accepted) for row in rows],
            "Corrected": [_count(row.corrected) for row in rows],
            "Rejected": [_count(row.refused) for row in rows],
            "Unanswered": [_count(row.unanswered) for row in rows],
            "Drawn anyway": [_count(row.drawn_anyway) for row in rows],
            "By hand": [_count(row.added_by_hand) for row in rows],
            "Removed later": [_count(row.removed_later) for row in rows],
        },
        key=state.key(PAGE, "origins"),
        words=("Origin",),
        wide="Origin",
    )


def _readers(origin: str) -> str:
    return " and ".join(READERS.get(one, one) for one in origin.split("+"))


def _groups(rows: Sequence[GroupRow]) -> None:
    number_table(
        {
            "Condition": [DECISIONS.get(row.decision, row.decision) for row in rows],
            "Transcriptions": [str(row.tasks) for row in rows],
            "Figures": [str(row.figures) for row in rows],
            "Edges": [str(row.edges) for row in rows],
            "By hand": [str(row.added_by_hand) for row in rows],
            "Edges per transcription": [
                NO_VALUE if row.edges_per_task.value is None else f"{row.edges_per_task.value:.1f}" for row in rows
            ],
        },
        key=state.key(PAGE, "groups"),
        words=("Condition",),
        wide="Condition",
    )


def _count(count: int) -> str:
    return str(count) if count else NO_VALUE

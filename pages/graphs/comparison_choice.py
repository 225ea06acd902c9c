"""Choice of the graph to compare with and of the reference."""

from __future__ import annotations

import streamlit as st

from components import state
from core.people import Viewer
from core.words import counted
from pages.graphs.parts import PAGE, Light, open_link
from services.graphs import lab
from services.graphs.lab import GraphSheet

THIS, OTHER = "This graph", "The other graph"


def show(viewer: Viewer, sheet: GraphSheet) -> Light:
    searched = st.text_input(
        "Search other graphs",
        key=state.key(PAGE, "second.search"),
        max_chars=200,
        placeholder="Title or node",
        icon=":material/search:",
    )
    page = lab.list_graphs(viewer, searched or "")
    others = {
        line.id: line.title if line.is_unseen else f"{line.title} ({counted(line.edges, 'edge')})"
        for line in page.lines
        if line.id != sheet.head.id
    }
    if not others:
        st.caption("No other graph matches. Import one, or change the search.")
        return Light()
    other = st.selectbox(
        "Compare with",
        list(others),
        index=None,
        key=state.key(PAGE, "second"),
        placeholder="Choose a graph",
        format_func=others.__getitem__,
    )
    if page.total > len(page.lines):
        st.caption(f"The newest {len(page.lines)} of {page.total:,} are listed. Search to find others.")
    truth = st.radio(
        "Reference",
        (THIS, OTHER),
        horizontal=True,
        key=state.key(PAGE, "truth"),
        help="Choose the ground truth if one of the two is. Elements only in the reference count as missed, "
        "elements only in the other graph as spurious.",
    )
    pair = (sheet.head.id, other or "") if truth == THIS else (other or "", sheet.head.id)
    st.button(
        "Compare graphs",
        type="primary",
        key=state.key(PAGE, "compare"),
        disabled=other is None,
        on_click=compare,
        args=pair,
    )
    st.caption("Both graphs are drawn in one picture, in the layout of the reference.")
    return Light()


def compare(reference_id: str, candidate_id: str) -> None:
    open_link(graph=reference_id, **{"with": candidate_id})

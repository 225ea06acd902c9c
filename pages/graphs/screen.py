"""Graph lab: list of visible graphs, one graph with queries, and two graphs overlaid."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.people import Viewer
from pages.graphs import compare, sheet
from pages.graphs import list as graph_list
from pages.graphs.parts import all_graphs


@st.fragment
def show(viewer: Viewer) -> None:
    """Draw the screen as one fragment, so that choosing a loop redraws nothing else."""
    opened, other = state.read_param("graph"), state.read_param("with")
    if not opened:
        graph_list.show(viewer)
        return
    is_drawn = False
    with shell.boundary():
        if other:
            compare.show(viewer, opened, other)
        else:
            sheet.show(viewer, opened)
        is_drawn = True
    if not is_drawn:
        all_graphs()

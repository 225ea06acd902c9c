"""Of a new run of queries: one of them in every chosen encoding, beside its graph with the answer lit."""

from __future__ import annotations

import streamlit as st

from components import shell
from components.graph.view import ViewNode, graph_view
from components.widgets.long_text import long_text
from core.people import Viewer
from pages.protocols.causalgraph2llm.query_item import view_edges
from pages.runs.form import FORM as RUN
from services.protocols.causalgraph2llm.query_previews import QueryPreview, query_preview
from services.runs.settings import RunConfig

HEIGHT = 320
MOST_DRAWN = 100
TALL_PX = 360
SEEN = RUN.key("graphs.preview.seen")


def show(viewer: Viewer, wanted: RunConfig) -> None:
    """Read where it is open: the run is prepared for it once more."""
    about = st.expander("Prompts by encoding", key=RUN.key("graphs.preview"), on_change="rerun")
    if not about.open:
        return
    with about, shell.boundary():
        held: tuple[RunConfig, QueryPreview | None] | None = st.session_state.get(SEEN)
        if held is None or held[0] != wanted:
            held = wanted, query_preview(viewer, wanted)
            st.session_state[SEEN] = held
        if held[1] is not None:
            _draw(held[1])


def _draw(found: QueryPreview) -> None:
    st.markdown(f"**{shell.escaped(f'{found.graph_name}: {found.query}')}**")
    st.caption(f"True answer: {shell.escaped(found.truth)}")
    if len(found.graph.nodes) <= MOST_DRAWN:
        _figure(found)
    titles = list(found.prompts)
    key = RUN.key("graphs.preview.encoding")
    if st.session_state.get(key) not in titles:
        st.session_state[key] = titles[0]
    chosen = st.pills("Encoding", titles, key=key, required=True)
    long_text(found.prompts[str(chosen)], TALL_PX)


def _figure(found: QueryPreview) -> None:
    cut = set(found.why.cut)
    nodes = [ViewNode(name, name, badge=found.asked.get(name, "")) for name in found.graph.nodes]
    edges = view_edges(found.graph, cut)
    lit = {*found.asked, *found.answer, *(f"{source}\x1f{sink}" for source, sink in (*found.why.edges, *cut))}
    graph_view(nodes, edges, found.places, key=RUN.key("graphs.preview.figure"), height=HEIGHT, lit=lit or None)

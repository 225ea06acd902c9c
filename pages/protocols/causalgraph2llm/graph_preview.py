"""Preview of a run of queries: one query in every chosen encoding, and its graph with the answer highlighted."""

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


def show(viewer: Viewer, config: RunConfig) -> None:
    """Draw the preview when it is open; it prepares the run once more."""
    about = st.expander("Prompts by encoding", key=RUN.key("graphs.preview"), on_change="rerun")
    if not about.open:
        return
    with about, shell.boundary():
        preview: tuple[RunConfig, QueryPreview | None] | None = st.session_state.get(SEEN)
        if preview is None or preview[0] != config:
            preview = config, query_preview(viewer, config)
            st.session_state[SEEN] = preview
        if preview[1] is not None:
            query = preview[1]
            st.markdown(f"**{shell.escaped(f'{query.graph_name}: {query.query}')}**")
            st.caption(f"True answer: {shell.escaped(query.truth)}")
            if len(query.graph.nodes) <= MOST_DRAWN:
                cut = set(query.why.cut)
                nodes = [ViewNode(name, name, badge=query.asked.get(name, "")) for name in query.graph.nodes]
                edges = view_edges(query.graph, cut)
                highlighted = {
                    *query.asked,
                    *query.answer,
                    *(f"{source}\x1f{sink}" for source, sink in (*query.why.edges, *cut)),
                }
                graph_view(
                    nodes,
                    edges,
                    query.places,
                    key=RUN.key("graphs.preview.figure"),
                    height=HEIGHT,
                    lit=highlighted or None,
                )
            titles = list(query.prompts)
            key = RUN.key("graphs.preview.encoding")
            if st.session_state.get(key) not in titles:
                st.session_state[key] = titles[0]
            chosen = st.pills("Encoding", titles, key=key, required=True)
            long_text(query.prompts[str(chosen)], TALL_PX)

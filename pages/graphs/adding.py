"""New graphs: a random one, or a published network through the import's preview."""

from __future__ import annotations

from math import comb

import streamlit as st

from components import links, state
from components.widgets import acts
from core.people import Viewer
from pages.graphs.parts import PAGE, open_link
from services.graphs import generating
from services.graphs.published import published_networks

FORM = state.key(PAGE, "generate")
# Largest graph generated here; larger ones cannot be encoded.
MOST_NODES = 2_000
MOST_SEED = 1_000_000


def buttons(viewer: Viewer) -> None:
    with st.popover("Generate graph", icon=":material/casino:"):
        st.caption("A random graph without a cycle. The same numbers make the same graph.")
        nodes: int = st.number_input("Nodes", 1, MOST_NODES, 10, key=state.act_key(FORM, "nodes"))
        edges: int = st.number_input("Edges", 0, None, 15, key=state.act_key(FORM, "edges"))
        st.caption(f"At most {comb(nodes, 2):,} edges.")
        seed: int = st.number_input("Random seed", 0, MOST_SEED, 1, key=state.act_key(FORM, "seed"))
        if st.button("Generate", type="primary", key=state.act_key(FORM, "do")):
            acts.keep(
                PAGE,
                FORM,
                lambda act_id: generating.generate_graph(viewer, nodes, edges, seed=seed, act_id=act_id),
                then=_open,
            )
    with st.popover("Add published network", icon=":material/library_add:"):
        st.caption(
            "Structures of 15 Bayesian networks, from the repository of bnlearn. The CausalGraph2LLM paper uses Alarm "
            "and Insurance under CC BY-SA 3.0. You see a preview before anything is imported."
        )
        name = st.selectbox(
            "Network", published_networks(), index=None, key=state.key(PAGE, "network"), placeholder="Choose a network"
        )
        if st.button("Preview import", type="primary", disabled=name is None, key=state.key(PAGE, "network.go")):
            links.go_to("exchange", {"network": name or ""})
    links.page_button("Import graphs", "exchange", {}, key=state.key(PAGE, "import"))


def _open() -> None:
    receipt = acts.last_receipt(PAGE)
    assert receipt is not None, "this runs after the act"
    open_link(graph=receipt.subject_id, part="Queries")

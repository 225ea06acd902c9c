"""The graph of an answer: what was asked about it, what answers and what was named, and the edges that make it so."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from components import shell, state
from components.graph.parts import NodeStyle, StyledEdge, ViewNode
from components.graph.view import graph_view
from core.graphs.graph import CausalGraph
from core.people import Viewer
from services.protocols.causalgraph2llm.query_items import AnsweredGraph, answered_graph

FIGURE = state.key("failures", "graph")
HEIGHT = 460
MOST_DRAWN = 400
ENDS = ("truth", "answer")


def show(viewer: Viewer, item_id: str) -> None:
    """Nothing for an item that is no query about a graph."""
    found = answered_graph(viewer, item_id)
    if found is None:
        return
    if len(found.graph.nodes) > MOST_DRAWN:
        st.caption(f"The graph has {len(found.graph.nodes):,} nodes; at most {MOST_DRAWN} are drawn.")
    else:
        _figure(found, item_id)
    if found.wrong:
        st.caption(f"Named, but not in the graph: {shell.escaped(', '.join(found.wrong))}.")


def _figure(found: AnsweredGraph, item_id: str) -> None:
    makes, cut = set(found.why.edges), set(found.why.cut)
    nodes = [ViewNode(name, name, _style(found, name), found.asked.get(name, "")) for name in found.graph.nodes]
    lit = {*found.asked, *found.matched, *found.missed, *found.spurious}
    lit |= {f"{source}\x1f{sink}" for source, sink in (*makes, *cut)}
    graph_view(
        nodes,
        view_edges(found.graph, cut),
        found.places,
        key=f"{FIGURE}.{item_id}",
        height=HEIGHT,
        lit=lit or None,
        ends=ENDS,
    )


def view_edges(graph: CausalGraph, cut: Collection[tuple[str, str]]) -> list[StyledEdge]:
    """The edges of a graph, those that an answer leaves out drawn as cut."""
    return [
        StyledEdge(
            id=f"{edge.source}\x1f{edge.sink}",
            source_id=edge.source,
            sink_id=edge.sink,
            style="cut" if edge.pair in cut else "plain",
        )
        for edge in graph.edges
    ]


def _style(found: AnsweredGraph, name: str) -> NodeStyle:
    if name in found.matched:
        return "matched"
    return "missed" if name in found.missed else "spurious" if name in found.spurious else "plain"

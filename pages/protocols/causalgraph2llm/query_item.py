"""Graph of an answer: query, true answer, named variables, and the edges that explain it."""

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
    """Draw the graph; nothing for an item that is not a query about a graph."""
    answer = answered_graph(viewer, item_id)
    if answer is None:
        return
    if len(answer.graph.nodes) > MOST_DRAWN:
        st.caption(f"The graph has {len(answer.graph.nodes):,} nodes; at most {MOST_DRAWN} are drawn.")
    else:
        makes, cut = set(answer.why.edges), set(answer.why.cut)
        nodes = [ViewNode(name, name, _style(answer, name), answer.asked.get(name, "")) for name in answer.graph.nodes]
        highlighted = {*answer.asked, *answer.matched, *answer.missed, *answer.spurious}
        highlighted |= {f"{source}\x1f{sink}" for source, sink in (*makes, *cut)}
        graph_view(
            nodes,
            view_edges(answer.graph, cut),
            answer.places,
            key=f"{FIGURE}.{item_id}",
            height=HEIGHT,
            lit=highlighted or None,
            ends=ENDS,
        )
    if answer.wrong:
        st.caption(f"Named, but not in the graph: {shell.escaped(', '.join(answer.wrong))}.")


def view_edges(graph: CausalGraph, cut: Collection[tuple[str, str]]) -> list[StyledEdge]:
    """Return the edges of a graph; those in `cut` are crossed out."""
    return [
        StyledEdge(
            id=f"{edge.source}\x1f{edge.sink}",
            source_id=edge.source,
            sink_id=edge.sink,
            style="cut" if edge.pair in cut else "plain",
        )
        for edge in graph.edges
    ]


def _style(answer: AnsweredGraph, name: str) -> NodeStyle:
    if name in answer.matched:
        return "matched"
    return "missed" if name in answer.missed else "spurious" if name in answer.spurious else "plain"

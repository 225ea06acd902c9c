"""Topology measures of a graph and how each is computed."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.graphs.topology import Topology
from core.people import Viewer
from core.words import sentence_case
from pages.graphs.parts import PAGE, Light, number, reasons
from services.graphs import lab
from services.graphs.lab import GraphSheet

HOW = (
    ("density", "edges over ordered pairs of distinct nodes, m / (n(n−1))"),
    ("average degree", "2m / n; a self-loop counts twice at its node"),
    ("sources, sinks", "nodes without an incoming edge, nodes without an outgoing edge; an isolated node is both"),
    (
        "clustering",
        "mean local clustering of the undirected graph, self-loops left out; 0 at a node with fewer than two "
        "neighbours",
    ),
    ("loops", "elementary circuits, reciprocal pairs and self-loops included"),
    ("nodes in loops", "nodes in a strongly connected component of two or more nodes, or with a self-loop"),
    ("mean shortest path", "along the edges, over ordered pairs of distinct nodes with a path"),
    ("betweenness variance", "population variance of directed betweenness, normalised by (n−1)(n−2)"),
    ("chains, forks, colliders", "A → B → C; A → B, A → C; A → B ← C: three distinct nodes, ends unordered"),
)


def show(viewer: Viewer, sheet: GraphSheet) -> Light:
    topology = lab.measures(viewer, sheet.head.id)
    rows = _rows(topology)
    st.dataframe(
        {"Measure": [sentence_case(row[0]) for row in rows], "Value": [row[1] for row in rows]},
        hide_index=True,
        height="content",
        key=state.key(PAGE, "measures"),
        column_config={"Value": st.column_config.TextColumn(alignment="right")},
    )
    missing = reasons(
        {
            "density": topology.density,
            "average degree": topology.average_degree,
            "clustering": topology.clustering,
            "nodes in loops": topology.percent_in_cycles,
            "mean shortest path": topology.mean_path_length,
            "betweenness variance": topology.betweenness_variance,
        }
    )
    if missing:
        st.caption(f"– means undefined. {shell.escaped(missing)}.")
    with st.expander("How this is computed"):
        st.markdown("\n".join(f"- **{sentence_case(what)}**: {how}." for what, how in HOW))
        st.caption(
            "An edge listed twice counts once. Source: ReCITE, tables 12 and 13. Conventions: docs/user-guide.md."
        )
    return Light()


def _rows(topology: Topology) -> list[tuple[str, str]]:
    return [
        ("nodes", f"{topology.nodes:,}"),
        ("edges", f"{topology.edges:,}"),
        ("density", number(topology.density)),
        ("average degree", number(topology.average_degree, 2)),
        ("sources", f"{topology.sources:,}"),
        ("sinks", f"{topology.sinks:,}"),
        ("clustering", number(topology.clustering)),
        ("loops", f"{'at least ' if topology.cycles_capped else ''}{topology.cycles:,}"),
        ("nodes in loops (%)", number(topology.percent_in_cycles, 1)),
        ("strongly connected components", f"{topology.sccs:,}"),
        ("largest strongly connected component", f"{topology.largest_scc:,}"),
        ("mean shortest path", number(topology.mean_path_length, 2)),
        ("betweenness variance", number(topology.betweenness_variance, 5)),
        ("chains", f"{topology.chains:,}"),
        ("forks", f"{topology.forks:,}"),
        ("colliders", f"{topology.colliders:,}"),
    ]

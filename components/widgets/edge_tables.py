"""Two versions of one graph side by side, with the edges marked that only one of them has."""

from __future__ import annotations

import streamlit as st

from components import shell
from core.graphs.graph import CausalGraph
from core.words import minus

Version = tuple[str, int, CausalGraph]
"""A heading, a version number, and the graph."""


def both_versions(own: Version, stored: Version) -> None:
    """Draw both as plain tables; the mark column says what only one side has."""
    for column, this, other in zip(st.columns(2), (own, stored), (stored, own), strict=True):
        heading, number, graph = this
        with column:
            st.caption(f"{shell.escaped(heading)} (version {number})")
            rows = version_rows(graph, other[2])
            st.dataframe(rows, hide_index=True, height="content" if len(rows) < 7 else 240)


def version_rows(graph: CausalGraph, other: CausalGraph) -> list[dict[str, str]]:
    """Return one row an edge: source, sign, sink, and "only here" if the other version lacks exactly this edge.
    Differences come first; in a long list they would be below the fold."""
    known = set(other.edges)
    return [
        {
            "Source": edge.source,
            "Sign": minus(edge.sign.value) if edge.sign else "",
            "Sink": edge.sink,
            "Compared": "" if edge in known else "only here",
        }
        for edge in sorted(graph.edges, key=lambda edge: edge in known)
    ]

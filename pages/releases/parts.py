"""Shared by the releases' screens: the difference between two releases, and table heights."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from components import shell, state
from core.papers.releases import ReleaseDiff
from core.words import counted

PAGE = "releases"
MOST_FIGURES = 20
MOST_ROWS = 6


def table_height(rows: int) -> int | Literal["content"]:
    """Return the height of a table: short ones show all rows, longer ones scroll."""
    return "content" if rows <= MOST_ROWS else 247


def show_difference(diff: ReleaseDiff, since: str, *, key: str) -> None:
    if diff.is_empty:
        st.text(f"{since}: nothing changed.")
        return
    added, removed, signed = diff.edge_counts
    parts = [
        f"{counted(len(names), 'figure')} {word}"
        for names, word in ((diff.added, "added"), (diff.removed, "removed"), (diff.changed, "changed"))
        if names
    ]
    if diff.changed:
        parts.append(f"edges in the changed figures: {added} added, {removed} removed, {signed} with another sign")
    st.text(f"{since}: {'; '.join(parts)}.")
    rows = [("added", name) for name in diff.added] + [("removed", name) for name in diff.removed]
    if rows:
        st.dataframe(
            {"Figure": [f"{name.title} · {name.label}" for _, name in rows], "Change": [word for word, _ in rows]},
            hide_index=True,
            height=table_height(len(rows)),
            key=state.key(PAGE, f"{key}.figures"),
        )
    for place, figure in enumerate(diff.changed[:MOST_FIGURES]):
        changes = [
            *((f"{source} → {sink}", "added") for source, sink in figure.edges_added),
            *((f"{source} → {sink}", "removed") for source, sink in figure.edges_removed),
            *((f"{edge.source} → {edge.sink}", f"{edge.before} → {edge.after}") for edge in figure.re_signed),
            *((name, "node added") for name in figure.nodes_added),
            *((name, "node removed") for name in figure.nodes_removed),
            *((part, "changed") for part in figure.besides),
        ]
        with st.expander(
            shell.escaped(f"{figure.name.title} · {figure.name.label}: {counted(len(changes), 'change')}")
        ):
            st.dataframe(
                {"Element": [what for what, _ in changes], "Change": [how for _, how in changes]},
                hide_index=True,
                height=table_height(len(changes)),
                key=state.key(PAGE, f"{key}.changed.{place}"),
            )
    if len(diff.changed) > MOST_FIGURES:
        st.caption(f"{counted(len(diff.changed) - MOST_FIGURES, 'more figure')} changed; the manifest lists them all.")

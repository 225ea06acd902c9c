"""A causal graph as a table of plain text, as an alternative to the figure."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.graph.parts import SIGN_MARKS, Style, ViewNode, look_of
from core.graphs.record import EdgeRecord
from core.stored_words import shown_word


def graph_table(nodes: Sequence[ViewNode], edges: Sequence[EdgeRecord], *, key: str) -> None:
    """Draw the table: a row for each edge, then for each node that is isolated or compared."""
    text = st.column_config.TextColumn
    st.dataframe(
        table_rows(nodes, edges),
        key=key,
        hide_index=True,
        width="stretch",
        column_config={
            "Source": text("Source", width="medium"),
            "Sign": text("Sign", width="small"),
            "Sink": text("Sink", width="medium"),
            "Delay": text("Delay", width="small"),
            "Flag": text("Flag"),
            "Compared": text("Compared", width="small"),
        },
    )


def table_rows(nodes: Sequence[ViewNode], edges: Sequence[EdgeRecord]) -> dict[str, list[str]]:
    """Return the columns of the table; `Compared` is there if anything is compared.

    An isolated node is alone in `Source`, and so is a compared node, which has a class of its own."""
    names = {node.id: node.name for node in nodes}
    touched = {end for edge in edges for end in (edge.source_id, edge.sink_id)}
    alone = [node for node in nodes if node.id not in touched or node.style != "plain"]
    blank = [""] * len(alone)
    columns = {
        "Source": [names[edge.source_id] for edge in edges] + [node.name for node in alone],
        "Sign": [look_of(edge)[1] or SIGN_MARKS[edge.sign] for edge in edges] + blank,
        "Sink": [names[edge.sink_id] for edge in edges] + blank,
        "Delay": ["delay" if edge.delay else "" for edge in edges] + blank,
        "Flag": [shown_word(edge.flag) if edge.flag else "" for edge in edges]
        + [
            ", ".join(word for word in ("" if (node.id in touched) else "isolated", node.badge) if word)
            for node in alone
        ],
    }
    compared = [_class(look_of(edge)[0]) for edge in edges] + [_class(node.style) for node in alone]
    if any(compared):
        columns["Compared"] = compared
    return columns


def _class(style: Style) -> str:
    return "" if style == "plain" else style

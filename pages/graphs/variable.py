"""One node with its incoming and outgoing edges, highlighted in the figure."""

from __future__ import annotations

import streamlit as st

from components import state
from core.graphs.record import EdgeRecord, GraphRecord
from core.people import Viewer
from core.words import counted
from pages.graphs.parts import PAGE, Light, sign_mark
from services.graphs.lab import GraphSheet

BOX = state.key(PAGE, "node")
# Node clicked in the figure, until the next rerun selects it.
ASKED = state.key(PAGE, "node.asked")
LISTENING = ("Variable", "Loops", "Queries")


def ask_about(node_id: str) -> None:
    """Select this node at the next rerun."""
    st.session_state[ASKED] = node_id


def chosen_variable(record: GraphRecord, label: str, placeholder: str) -> str | None:
    """Draw the node box, also set by the link or a click in the figure; return the node ID."""
    memory = st.session_state
    clicked = memory.pop(ASKED, None)
    linked = state.read_param("node")
    if clicked in record.nodes:
        memory[BOX] = clicked
    elif memory.get(BOX) not in record.nodes:
        memory[BOX] = linked if BOX not in memory and linked in record.nodes else None
    chosen: str | None = st.selectbox(
        label,
        sorted(record.nodes, key=lambda key: record.nodes[key].name.casefold()),
        index=None,
        key=BOX,
        format_func=lambda key: record.nodes[key].name,
        placeholder=placeholder,
    )
    state.write_param("node", chosen or "")
    return chosen


def show(_viewer: Viewer, sheet: GraphSheet) -> Light:
    record = sheet.record
    node_id = chosen_variable(record, "Node", "Type a name, or click a node")
    if node_id is None:
        st.caption("The chosen node moves to the middle, with its incoming and outgoing edges highlighted.")
        return Light()
    incoming = [edge for edge in record.ordered_edges() if edge.sink_id == node_id]
    outgoing = [edge for edge in record.ordered_edges() if edge.source_id == node_id]
    _side("Incoming edges", "Source", incoming, [record.nodes[edge.source_id].name for edge in incoming])
    _side("Outgoing edges", "Sink", outgoing, [record.nodes[edge.sink_id].name for edge in outgoing])
    name = record.nodes[node_id].name
    through = sum(name in named.loop.nodes for named in sheet.loops)
    listed = " of those listed" if sheet.loops_reason else ""
    st.caption(f"On {counted(through, 'loop')}{listed}. See Loops.")
    near = {key for edge in (*incoming, *outgoing) for key in (edge.id, edge.source_id, edge.sink_id)}
    return Light(frozenset({node_id, *near}), centre=node_id)


def _side(title: str, column: str, edges: list[EdgeRecord], names: list[str]) -> None:
    st.markdown(f"**{title}** ({len(edges)})")
    if not edges:
        st.caption("No incoming edge." if column == "Source" else "No outgoing edge.")
        return
    signs = [sign_mark(edge.sign) for edge in edges]
    delays = ["delay" if edge.delay else "" for edge in edges]
    st.dataframe(
        {column: names, "Sign": signs, "Delay": delays},
        hide_index=True,
        key=state.key(PAGE, f"side.{column}"),
        column_config={name: st.column_config.TextColumn(width="small") for name in ("Sign", "Delay")},
    )

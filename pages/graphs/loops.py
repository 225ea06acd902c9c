"""Feedback loops of a graph: reinforcing, balancing or undetermined; the chosen one is highlighted."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.graph.view import ViewMark
from components.widgets.choosing import choose_line
from core.graphs.paths import elements_along
from core.people import Viewer
from core.words import counted
from pages.graphs.parts import KIND_WORDS, PAGE, Light
from pages.graphs.variable import chosen_variable
from services.graphs.lab import GraphSheet, NamedLoop

MOST_LISTED = 500
# Largest number of loops that are all marked in the figure; more would cover it.
MOST_MARKED = 8


def show(_viewer: Viewer, sheet: GraphSheet) -> Light:
    counts = {kind: sum(named.name[0] == kind for named in sheet.loops) for kind in KIND_WORDS}
    parts = [f"{count:,} {kind if kind != 'U' else 'undetermined'}" for kind, count in counts.items() if count]
    st.markdown(f"**{counted(len(sheet.loops), 'loop')}**" + (f": {', '.join(parts)}" if parts else ""))
    if sheet.loops_reason:
        st.caption(f":material/info: {shell.escaped(sheet.loops_reason[:1].upper() + sheet.loops_reason[1:])}.")
    if sheet.loops_of_figure:
        st.caption(shell.escaped(f"Also named in the figure: {', '.join(sheet.loops_of_figure)}."))
    if not sheet.loops:
        st.caption("No feedback loop: no node reaches itself along the edges.")
        return Light()
    left, right = st.columns([2, 3], gap="small")
    with left:
        kinds = [kind for kind in KIND_WORDS if any(named.name[0] == kind for named in sheet.loops)]
        kind = st.selectbox(
            "Kind",
            kinds,
            index=None,
            key=state.key(PAGE, "kind"),
            format_func=lambda kind: f"{kind} {KIND_WORDS[kind]}",
            placeholder="Any kind",
        )
    with right:
        node_id = chosen_variable(sheet.record, "Through", "Any node")
    name = sheet.record.nodes[node_id].name if node_id else None
    loops = [
        named for named in sheet.loops if kind in (None, named.name[0]) and (name is None or name in named.loop.nodes)
    ]
    chosen = _list(loops)
    ids = {node.name: key for key, node in sheet.record.nodes.items()}
    marked = [chosen] if chosen else loops if len(loops) <= MOST_MARKED else []
    marks = tuple(ViewMark(named.name, tuple(ids[name] for name in named.loop.nodes)) for named in marked)
    return Light(elements_along(sheet.record, chosen.loop.edges) if chosen else None, marks)


def _list(loops: list[NamedLoop]) -> NamedLoop | None:
    listed = loops[:MOST_LISTED]
    if len(loops) < 1:
        st.caption("No loop matches these filters.")
        return None
    if len(loops) > len(listed):
        st.caption(
            f"The {MOST_LISTED} shortest of {len(loops):,} loops are listed. Filter by kind or node to see others."
        )
    rounds = {named.name: " → ".join((*named.loop.nodes, named.loop.nodes[0])) for named in listed}
    text = st.column_config.TextColumn
    name = choose_line(
        [named.name for named in listed],
        {
            "Loop": [named.name for named in listed],
            **({"In the figure": [named.printed for named in listed]} if any(n.printed for n in listed) else {}),
            "Length": [len(named.loop.nodes) for named in listed],
            "Kind": [KIND_WORDS[named.name[0]] for named in listed],
            "Nodes": list(rounds.values()),
        },
        name=state.key(PAGE, "loop"),
        chosen=state.read_param("loop"),
        columns={
            "Loop": text(width=50),
            "In the figure": text(width=90),
            "Length": st.column_config.NumberColumn(width=50),
            "Kind": text(width=90),
            "Nodes": text(width="large"),
        },
    )
    state.write_param("loop", name or "")
    return next((named for named in listed if named.name == name), None)

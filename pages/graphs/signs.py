"""Signed paths between two nodes: the direction in which a change of one moves the other."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets.choosing import choose_line
from core.graphs.paths import CausalPaths, PathsSummary, elements_along
from core.graphs.record import GraphRecord
from core.people import Viewer
from core.sign import Sign
from core.words import counted
from pages.graphs.parts import PAGE, Light, sign_mark
from services.graphs import lab
from services.graphs.lab import GraphSheet

ICONS = {
    PathsSummary.PLUS: "add_circle",
    PathsSummary.MINUS: "do_not_disturb_on",
    PathsSummary.BOTH: "swap_vert",
    PathsSummary.UNDETERMINED: "help",
    PathsSummary.NO_PATH: "block",
}
MOST_NAMED = 3


def show(viewer: Viewer, sheet: GraphSheet) -> Light:
    left, right = st.columns(2, gap="small")
    with left:
        source = _end(sheet.record, "Source", "from")
    with right:
        sink = _end(sheet.record, "Sink", "to")
    if source is None or sink is None:
        st.caption("Choose two nodes. Every path from source to sink is listed with its sign, shortest first.")
        return Light()
    if source == sink:
        st.caption("Source and sink are the same node. See Loops.")
        return Light()
    paths = lab.signed_paths(viewer, sheet.head.id, source, sink)
    st.markdown(f":material/{ICONS[paths.verdict]}: {shell.escaped(verdict(paths))}")
    if not paths.paths:
        return Light(frozenset({source, sink}))
    ends = f"{source}.{sink}"
    ids = [str(number) for number in range(1, len(paths.paths) + 1)]
    ways = [" → ".join(path.nodes) for path in paths.paths]
    signs = [sign_mark(path.sign) for path in paths.paths]
    text = st.column_config.TextColumn
    chosen = choose_line(
        ids,
        {"Sign": signs, "Edges": [len(path.arrows) for path in paths.paths], "Path": ways},
        name=state.key(PAGE, f"path.{ends}"),
        chosen=state.read_param("path"),
        columns={
            "Sign": text(width=50),
            "Edges": st.column_config.NumberColumn(width=60),
            "Path": text(width="large"),
        },
    )
    state.write_param("path", chosen or "")
    shown = paths.paths if chosen is None else (paths.paths[int(chosen) - 1],)
    return Light(elements_along(sheet.record, [arrow for path in shown for arrow in path.arrows]))


def _end(record: GraphRecord, label: str, param: str) -> str | None:
    linked = state.read_param(param)
    options = sorted(record.nodes, key=lambda key: record.nodes[key].name.casefold())
    key = state.key(PAGE, f"end.{param}")
    if st.session_state.get(key) not in record.nodes:
        st.session_state[key] = linked if key not in st.session_state and linked in record.nodes else None
    chosen: str | None = st.selectbox(
        label,
        options,
        index=None,
        key=key,
        format_func=lambda each: record.nodes[each].name,
        placeholder="Type a name",
        on_change=lambda: state.write_param("path", ""),
    )
    state.write_param(param, chosen or "")
    return chosen


def verdict(paths: CausalPaths) -> str:
    """Summarise the effect, the paths by sign, and whether the search was complete."""
    plus, minus, unknown = (paths.count(sign) for sign in (Sign.PLUS, Sign.MINUS, None))
    counts = f"{counted(len(paths.paths), 'path')}: {plus} with +, {minus} with −, {unknown} undetermined"
    if paths.verdict is PathsSummary.NO_PATH:
        return "No path leads from source to sink, so there is no effect in this graph."
    summary = paths.verdict.value
    if paths.verdict is PathsSummary.UNDETERMINED:
        named = ", ".join(f"{source} → {sink}" for source, sink in paths.unsigned[:MOST_NAMED])
        more = len(paths.unsigned) - MOST_NAMED
        have = "has" if len(paths.unsigned) == 1 else "have"
        summary += f", because {named}{f' and {more} more' if more > 0 else ''} {have} no sign"
    bounded = f". The search was cut short: {paths.reason}" if paths.is_capped else ""
    if paths.is_capped and paths.verdict is not PathsSummary.BOTH:
        summary = f"so far {summary}"
    return f"{summary[:1].upper()}{summary[1:]} ({counts}){bounded}."

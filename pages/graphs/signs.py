"""Signed paths: which way does a change in one variable move another, along every path."""

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
    found = lab.signed_paths(viewer, sheet.head.id, source, sink)
    st.markdown(f":material/{ICONS[found.verdict]}: {shell.escaped(verdict(found))}")
    if not found.paths:
        return Light(frozenset({source, sink}))
    return _list(sheet.record, found, f"{source}.{sink}")


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
        on_change=_ends_changed,
    )
    state.write_param(param, chosen or "")
    return chosen


def _ends_changed() -> None:
    state.write_param("path", "")  # it counted the paths of other ends


def verdict(found: CausalPaths) -> str:
    """The verdict in a sentence: what the paths say together, how many they are, and whether they are all."""
    plus, minus, unknown = (found.count(sign) for sign in (Sign.PLUS, Sign.MINUS, None))
    counts = f"{counted(len(found.paths), 'path')}: {plus} with +, {minus} with −, {unknown} undetermined"
    if found.verdict is PathsSummary.NO_PATH:
        return "No path leads from source to sink, so there is no effect in this graph."
    said = found.verdict.value
    if found.verdict is PathsSummary.UNDETERMINED:
        named = ", ".join(f"{source} → {sink}" for source, sink in found.unsigned[:MOST_NAMED])
        more = len(found.unsigned) - MOST_NAMED
        said += f", because {named}{f' and {more} more' if more > 0 else ''} {_have(len(found.unsigned))} no sign"
    bounded = f". The search was cut short: {found.reason}" if found.is_capped else ""
    if found.is_capped and found.verdict is not PathsSummary.BOTH:
        said = f"so far {said}"
    return f"{said[:1].upper()}{said[1:]} ({counts}){bounded}."


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def _list(record: GraphRecord, found: CausalPaths, ends: str) -> Light:
    ids = [str(number) for number in range(1, len(found.paths) + 1)]
    ways = [" → ".join(path.nodes) for path in found.paths]
    signs = [sign_mark(path.sign) for path in found.paths]
    text = st.column_config.TextColumn
    chosen = choose_line(
        "Path",
        ids,
        {key: f"{sign} · {way}" for key, sign, way in zip(ids, signs, ways, strict=True)},
        {"Sign": signs, "Edges": [len(path.arrows) for path in found.paths], "Path": ways},
        name=state.key(PAGE, f"path.{ends}"),
        chosen=state.read_param("path"),
        columns={
            "Sign": text(width=50),
            "Edges": st.column_config.NumberColumn(width=60),
            "Path": text(width="large"),
        },
    )
    state.write_param("path", chosen or "")
    shown = found.paths if chosen is None else (found.paths[int(chosen) - 1],)
    return Light(elements_along(record, [arrow for path in shown for arrow in path.arrows]))

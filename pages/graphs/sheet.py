"""One graph: the figure, and a panel with queries whose answers are highlighted in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from components import links, shell, state
from components.graph.view import graph_table, graph_view
from components.widgets import acts
from components.widgets.copy_link import copy_link
from core.errors import EdgewiseError
from core.graphs.layouts.layout import Point
from core.people import Permission, Viewer
from core.words import counted
from pages.graphs import comparison_choice, downloads, encodings, loops, measures, queries, signs, variable
from pages.graphs.parts import PAGE, Light, all_graphs, view_of
from services.graphs import importing, lab
from services.graphs.generating import GENERATED
from services.graphs.lab import GraphSheet
from services.graphs.visibility import MOST_DRAWN

FAILED = state.key(PAGE, "failed")
HEIGHT = 680
# Labels of the graph and of a model's answer to a query in the figure.
ENDS = ("truth", "answer")


def show(viewer: Viewer, graph_id: str) -> None:
    sheet = lab.open_graph(viewer, graph_id)
    head = sheet.head
    record = sheet.record
    about = f"{head.kind}, {counted(len(record.nodes), 'node')}, {counted(len(record.edges), 'edge')}"
    with shell.top_row(head.title, note=about + (", archived" if head.is_archived else "")):
        if head.assignment_id is not None:
            links.page_link("Open transcription", "transcribe", {"transcription": head.assignment_id})
        if head.kind == GENERATED and viewer.may(Permission.CURATE):
            _archive(viewer, sheet)
        copy_link(PAGE)
        all_graphs()
    left, right = st.columns([3, 2], gap="medium")
    with right:  # first, because it determines what is highlighted
        key = state.key(PAGE, "part")
        usual = "Loops" if sheet.loops or sheet.loops_reason else "Queries"
        named = state.read_param("part").casefold()
        linked = next((part for part in PARTS if named in (part.casefold(), TITLES.get(part, part).casefold())), None)
        chosen = st.segmented_control(
            "Part",
            list(PARTS),
            format_func=lambda part: TITLES.get(part, part),
            default=linked or usual,
            key=key,
            label_visibility="collapsed",
            required=True,
            wrap=True,
        )
        part = chosen or usual
        state.write_param("part", part)
        light = Light()
        with shell.boundary():
            light = PARTS[part](viewer, sheet)
    with left:
        _figure(viewer, sheet, light)


def _archive(viewer: Viewer, sheet: GraphSheet) -> None:
    """Draw the archive button of a random graph; imports are archived under Import / export."""
    head = sheet.head
    form = state.key(PAGE, f"archive.{head.id}")
    words = "Restore" if head.is_archived else "Archive"
    if st.button(words, type="tertiary", key=state.act_key(form, "do")):
        acts.keep(
            PAGE,
            form,
            lambda act_id: importing.archive_graph(
                viewer, head.id, not head.is_archived, seen=head.version, act_id=act_id
            ),
        )


# --- at the right -------------------------------------------------------------------------------------------------


def _table(_viewer: Viewer, sheet: GraphSheet) -> Light:
    graph_table(*view_of(sheet.record), key=state.key(PAGE, f"table.{sheet.head.id}"))
    return Light()


PARTS: dict[str, Callable[[Viewer, GraphSheet], Light]] = {
    "Loops": loops.show,
    "Sign test": signs.show,
    "Variable": variable.show,
    "Queries": queries.show,
    "Encodings": encodings.show,
    "Measures": measures.show,
    "Table": _table,
    "Take away": downloads.show,
    "Compare": comparison_choice.show,
}


# Labels of parts; links use the keys of `PARTS`.
TITLES = {"Sign test": "Paths", "Variable": "Node", "Take away": "Download", "Compare": "Comparison"}


# --- at the left --------------------------------------------------------------------------------------------------


def _figure(viewer: Viewer, sheet: GraphSheet, light: Light) -> None:
    if not sheet.is_drawn:
        st.info(
            f"This graph has {len(sheet.record.nodes):,} nodes; at most {MOST_DRAWN} are drawn. Loops, paths "
            "and measures are listed here.",
            icon=":material/table:",
        )
        _table(viewer, sheet)
        return
    nodes, edges = view_of(sheet.record, light.badges, light.cut, light.styles)
    chosen = graph_view(
        nodes,
        edges,
        sheet.places,
        key=state.key(PAGE, f"figure.{sheet.head.id}"),
        height=HEIGHT,
        lit=light.ids,
        marks=light.marks,
        centre=light.centre,
        ends=ENDS,
        on_moved=partial(_moved, viewer, sheet.head.id) if sheet.head.may_move else None,
    )
    if not sheet.head.may_move:
        st.caption("You can drag nodes. In other people's graphs, the new positions are not saved.")
    failed = st.session_state.pop(FAILED, None)
    if failed:
        st.caption(f":material/error: {shell.escaped(failed)}")
    key = state.key(PAGE, "clicked")
    if chosen is None or chosen.kind != "node" or st.session_state.get(key) == chosen.n:
        return
    st.session_state[key] = chosen.n
    if state.read_param("part") in variable.LISTENING:
        variable.ask_about(chosen.id)
        st.rerun(scope="fragment")


def _moved(viewer: Viewer, graph_id: str, places: dict[str, Point]) -> None:
    # A callback runs outside the page's boundary; its error is shown by the next rerun.
    try:
        lab.keep_places(viewer, graph_id, places)
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)

"""Downloads of a graph: every format with what it omits, and pictures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from components import shell, state
from components.graph.view import interactive_html
from components.widgets.downloads import content_on_click
from core.people import Viewer
from pages.graphs.parts import PAGE, Light, view_of
from services.graphs import files
from services.graphs.lab import GraphSheet

MOST_MARKS = 12


def show(viewer: Viewer, sheet: GraphSheet) -> Light:
    forms = files.forms_of(sheet.head.title, sheet.record.graph(), files.by_name(sheet.record, sheet.places))
    if sheet.is_drawn and sheet.record.nodes:
        st.markdown("**Picture**")
        loops = {named.name: named.loop.nodes for named in sheet.loops}
        with st.container(horizontal=True):
            marked = st.toggle(
                "Show loop marks", value=len(loops) <= MOST_MARKS, key=state.key(PAGE, "marks"), disabled=not loops
            )
            for picture, media_type in files.PICTURES.items():
                st.download_button(
                    picture.upper(),
                    content_on_click(files.picture, viewer, sheet.head.id, picture, loops if marked else {}),
                    files.file_name(sheet.head.title, f".{picture}"),
                    media_type,
                    key=state.key(PAGE, f"picture.{picture}"),
                    on_click="ignore",
                )
            interactive_button(files.file_name(sheet.head.title, ".html"), partial(_interactive, viewer, sheet.head.id))
    st.markdown("**File**")
    with st.container(border=False, gap="xxsmall", key=state.key(PAGE, "forms")):
        for form in forms:
            with st.container(
                horizontal=True, vertical_alignment="center", key=state.key(PAGE, f"form.{form.form.value}")
            ):
                st.download_button(
                    form.words,
                    content_on_click(files.export_graph, viewer, sheet.head.id, form.form),
                    form.name,
                    form.media_type,
                    key=state.key(PAGE, f"get.{form.form.value}"),
                    disabled=bool(form.obstacle),
                    on_click="ignore",
                )
                left_out = f"leaves out {', '.join(form.lost)}" if form.lost else "complete"
                st.caption(shell.escaped(form.obstacle or left_out))
    return Light()


def interactive_button(name: str, write: Callable[[], str]) -> None:
    st.download_button(
        "Interactive HTML",
        write,
        name,
        "text/html",
        key=state.key(PAGE, "interactive"),
        on_click="ignore",
        help="One file that any browser opens without a network: drag nodes, zoom",
    )


def _interactive(viewer: Viewer, graph_id: str) -> str:
    title, record, places = files.open_drawn(viewer, graph_id)
    return interactive_html(*view_of(record), places, title)

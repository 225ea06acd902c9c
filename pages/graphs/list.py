"""List of visible graphs, newest first, with search by title or node."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets.work_list import thumbnail
from core.people import Permission, Viewer
from core.words import counted
from pages.graphs import adding
from pages.graphs.parts import PAGE, open_link
from services.graphs import lab
from services.graphs.lab import GraphLine

STATES = {
    "open": "in progress",
    "has feedback": "returned for correction",
    "submitted": "submitted",
    "accepted": "accepted",
    "declined": "declined",
}
MOST_MATCHED = 4
NOT_OPENED = "not opened; the search covers its title only, because you may still be asked to transcribe its figure"
HIDDEN = {
    "": "",
    "drawn": "Others' graphs of figures you are transcribing are hidden, so that your work stays blind.",
    "figures": "Imported graphs of figures that you are transcribing, or may be asked to transcribe, are hidden, so "
    "that your work "
    "stays blind.",
    "imports": "Imported graphs are hidden while figures wait for you to transcribe, so that your work stays blind.",
}


def show(viewer: Viewer) -> None:
    with shell.top_row("Graph lab"):
        if viewer.may(Permission.CURATE):
            adding.buttons(viewer)
    searched = st.text_input(
        "Search titles and nodes",
        state.read_param("search"),
        key=state.key(PAGE, "search"),
        placeholder="Example: grain output",
        icon=":material/search:",
        max_chars=200,
    )
    state.write_param("search", searched or "")
    number = state.read_param("page", "1")
    page = lab.list_graphs(viewer, searched or "", page=int(number) if number.isdecimal() else 1)
    if page.hides:
        st.caption(f":material/visibility_off: {HIDDEN[page.hides]}")
    if not page.total:
        if searched:
            st.caption(f"No graph has “{shell.escaped(searched)}” in its title or in a node.")
            return
        st.caption(
            "No graph yet. Import graphs, or transcribe figures. Reviewers see the transcriptions of others once they "
            "are submitted."
        )
        if viewer.may(Permission.TRANSCRIBE):
            links.page_button("Transcribe figures", "transcribe", {}, key=state.key(PAGE, "transcribe"))
        return
    first = (page.page - 1) * lab.PER_PAGE + 1
    total = counted(page.total, "graph")
    st.caption(total if page.pages == 1 else f"{first:,}–{first + len(page.lines) - 1:,} of {total}, newest first")
    with st.container(gap="xxsmall", key=state.key(PAGE, "lines")):
        for line in page.lines:
            _line(line)
    if page.pages > 1:
        key = state.key(PAGE, f"pages.{page.page}")
        chosen = st.pagination(page.pages, key=key, default=page.page) or page.page
        if chosen != page.page:
            state.write_param("page", str(chosen))
            st.rerun(scope="fragment")


def _line(line: GraphLine) -> None:
    key = state.key(PAGE, f"line.{line.id}")
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=key):
        if line.thumbnail:
            thumbnail(f"/image/graph/{line.id}?v={line.thumbnail}")
        with st.container(gap=None, width="stretch"):
            st.button(
                f"**{shell.escaped(line.title)}**",
                type="tertiary",
                key=state.key(PAGE, f"open.{line.id}"),
                on_click=open_link,
                kwargs={"graph": line.id},
            )
            signs = (
                " (no signs)" if not line.signed else "" if line.signed == line.edges else f" ({line.signed} signed)"
            )
            facts = (
                line.kind,
                "yours" if line.is_mine and line.kind == "transcription" else "",
                STATES.get(line.state, line.state),
                NOT_OPENED
                if line.is_unseen
                else f"{counted(line.nodes, 'node')}, {counted(line.edges, 'edge')}{signs}",
                shell.day(line.at),
            )
            st.caption(shell.escaped(" · ".join(filter(None, facts))))
            if line.matched:
                more = len(line.matched) - MOST_MATCHED
                names = ", ".join(line.matched[:MOST_MATCHED]) + (f" and {more} more" if more > 0 else "")
                st.caption(f":material/search: {shell.escaped(names)}")

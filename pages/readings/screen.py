"""Graphs from texts: the viewer's queue, own graphs, and the desk of one."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.desk.work_screen import LineWords, next_card, own_list
from components.widgets.acts import last_receipt
from core.people import Permission, Viewer
from core.words import counted
from pages.readings import desk
from pages.readings.acts import PAGE, SCREEN
from pages.work_queue.screens import done_card
from services.queue.work import waiting
from services.readings import reading
from services.readings.reading import ReadingLine
from services.readings.work_kind import TEXT_GRAPHS

FIRST_WORDS = (
    "You read the text of a paper and build the causal graph that it describes. You do not see its figure. You are "
    "told how many nodes the graph has, and for some texts their names. Every edge is saved at once. A submitted graph "
    "appears beside those of models in the tables of its run. It cannot be changed, and you cannot transcribe its "
    "figure later."
)

NO_TEXT = (
    "Texts appear when a run about texts asks people to build graphs, an option of New run. Texts whose graph you have "
    "seen are left out."
)


def show(viewer: Viewer) -> None:
    with shell.boundary():
        opened = state.read_param("reading")
        if opened:
            desk.show(viewer, opened)
        else:
            own, waits = reading.my_readings(viewer), waiting(viewer, TEXT_GRAPHS)
            shell.top_row("Graphs from texts", last_receipt(PAGE))
            free = f"{counted(waits.free, 'text')} in your queue" if waits.free else "No texts in your queue"
            if waits.unfinished or waits.free:
                next_card(viewer, SCREEN, (free, ""), "Continue graph" if waits.unfinished else "Take next text")
            else:
                done = "You have built the graphs of all texts in your queue" if waits.submitted else free
                done_card(viewer, PAGE, done, NO_TEXT)
                if viewer.may(Permission.RUN):
                    links.page_button("New run", "runs", {"show": "new"}, key=state.key(PAGE, "new"))
            if not waits.submitted:
                st.caption(FIRST_WORDS)
            own_list(viewer, SCREEN, "Your graphs", own, _words)


def _words(line: ReadingLine) -> LineWords:
    names = ", names given" if line.names_given else ""
    return LineWords(line.title, f"run {line.run}{names} · {counted(line.edges, 'edge')}")

"""Texts: the viewer's queue, own labels, and the labelling desk."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from components.desk.desk_state import DeskState
from components.desk.tab import Data, desk_key, tab_of
from components.desk.work_screen import STATES, LineWords, next_card, open_next, own_list, skip_button
from components.texts.labels.desk import label_data, label_desk
from components.widgets.acts import last_receipt
from core.people import Viewer
from core.words import counted
from pages.texts.acts import PAGE, SCREEN, Tab, apply
from pages.work_queue.screens import done_card
from services.queue.work import waiting
from services.texts import labelling
from services.texts.labelling import LabelledLine
from services.texts.work_kind import TEXTS

FIRST_WORDS = (
    "You read the text of a paper and say of each node whether the text names it (1), implies it (2) or lacks it (3). "
    "A name counts in other words of the same meaning, too. Every level is saved at once. Nobody sees your levels "
    "before you submit, and you see nobody's. Submitted levels cannot be changed."
)


def show(viewer: Viewer) -> None:
    with shell.boundary():
        opened = state.read_param("labelling")
        if opened:
            view = labelling.labelling(viewer, opened)
            with shell.top_row(f"{view.figure_label} · {view.paper_title}"):
                st.button("All texts", key=state.key(PAGE, "back"), on_click=SCREEN.leave)
                if view.is_editable:
                    skip_button(viewer, SCREEN, opened, _tab(viewer, opened))
            if view.sha256 is None:
                st.text(view.note)
            else:
                _screen(viewer, opened)
        else:
            own, waits = labelling.my_labels(viewer), waiting(viewer, TEXTS)
            shell.top_row("Texts", last_receipt(PAGE))
            free = f"{counted(waits.free, 'text')} in your queue" if waits.free else "No texts in your queue"
            if waits.unfinished or waits.free:
                next_card(viewer, SCREEN, (free, ""), "Continue labelling" if waits.unfinished else "Label next text")
            else:
                done = "All texts in your queue are labelled" if waits.submitted else free
                done_card(viewer, PAGE, done, "Texts appear here when they are ready.")
            if not waits.submitted:
                st.caption(FIRST_WORDS)
            own_list(viewer, SCREEN, "Your texts", own, _words)


def _words(line: LabelledLine) -> LineWords:
    return LineWords(line.paper_title or "Paper without a title", line.figure_label)


# --- the desk ---------------------------------------------------------------------------------------------------


@st.fragment
def _screen(viewer: Viewer, assignment_id: str) -> None:
    with shell.boundary(reload=partial(state.forget, PAGE)):
        tab = _tab(viewer, assignment_id)
        tab.serve(viewer, partial(apply, tab), partial(_data, tab))
        data = tab.mounted(viewer)
        with st.container(gap="xxsmall"):
            if tab.is_stale:
                st.markdown("**The text or its levels changed elsewhere. Your last level is kept in this tab.**")
                st.button("Use newer version", key=state.key(PAGE, "newer"), on_click=tab.use_newer)
            if tab.trouble:
                st.error(shell.escaped(tab.trouble))
        on_next = partial(open_next, viewer, SCREEN, assignment_id)
        label_desk(desk_key(PAGE, assignment_id), data, on_next=on_next)


def _tab(viewer: Viewer, assignment_id: str) -> Tab:
    def opened() -> Tab:
        view = labelling.labelling(viewer, assignment_id)
        return Tab(seen=view.version, shown=view, waits=waiting(viewer, TEXTS))

    return tab_of(PAGE, assignment_id, opened)


def _data(tab: Tab, viewer: Viewer) -> Data:
    newest = labelling.labelling(viewer, tab.shown.assignment_id)
    view = tab.show(newest.version, newest)
    return label_data(
        DeskState(
            subject=f"{viewer.person_id}/{view.assignment_id}/{view.sha256}",
            version=tab.seen,
            saved_at=tab.saved_at,
            note=STATES[view.state],
            editable=view.is_editable,
            halted=tab.is_stale,
        ),
        url=f"/text/{view.sha256}",
        nodes=view.nodes,
        levels=view.levels,
        state=view.state,
        onward="Next text",
    )

"""Adjudicate: the list of figures that two people transcribed, and the desk of one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components import shell, state
from components.widgets.work_list import WorkLine, work_list
from core.people import Viewer
from pages.adjudication import editor
from pages.adjudication.acts import PAGE
from pages.adjudication.next_case import NEXT_SCREEN_NOTE
from pages.work_queue.screens import done_card
from services.acting import consulting_once
from services.adjudication import editor as adjudication_editor
from services.adjudication import lists, rounds
from services.adjudication.lists import WaitingCase


@consulting_once()
def show(viewer: Viewer) -> None:
    opened, figure_id = state.read_param("adjudication"), state.read_param("figure")
    if opened:
        can_open = False
        with shell.boundary():
            adjudication_editor.desk(viewer, opened)
            can_open = True
        if can_open:
            editor.show(viewer, opened)
        else:
            _way_back()
    elif figure_id:
        is_open = False
        with shell.boundary():
            _begin(viewer, figure_id)
            is_open = True
        if is_open:
            st.rerun()
        _way_back()
    else:
        _list(viewer)


def _way_back() -> None:
    st.button("All figures", key=state.key(PAGE, "all"), on_click=_back)


def _back() -> None:
    state.write_param("adjudication", "")
    state.write_param("figure", "")


def _begin(viewer: Viewer, figure_id: str) -> None:
    done = next((one for one in lists.waiting(viewer) if one.figure_id == figure_id), None)
    if done is not None and done.adjudication_id and done.state == "submitted":
        adjudication_id = done.adjudication_id
    else:
        # A figure has one adjudication: the id is never spent within a session, so a second click is a repeat.
        name = state.key(PAGE, f"begin.{figure_id}")
        adjudication_id = rounds.begin(viewer, figure_id, act_id=state.act_id(name)).subject_id
    state.write_param("figure", "")
    state.write_param("adjudication", adjudication_id)


# --- the list ---------------------------------------------------------------------------------------------------


def _list(viewer: Viewer) -> None:
    cases = lists.waiting(viewer)
    own = [one for one in cases if one.state == "open" and one.is_mine]
    ready = [one for one in cases if one.state == "ready"]
    others = [one for one in cases if one.state == "open" and not one.is_mine]
    done = [one for one in cases if one.state == "submitted"]
    with shell.top_row("Adjudicate", note=st.session_state.pop(NEXT_SCREEN_NOTE, "")):
        if (case := lists.next_of(cases)) is not None:
            word = "Continue adjudicating" if case.state == "open" else "Adjudicate next figure"
            st.button(
                word,
                type="primary",
                key=state.key(PAGE, "next"),
                on_click=state.write_param,
                args=("figure", case.figure_id),
            )
    if case is None:
        words = "No figure is ready for you to adjudicate" if ready or others else "All figures are adjudicated"
        hint = "Figures appear here once two other annotators have submitted theirs."
        done_card(viewer, PAGE, words if cases else "Nothing to adjudicate yet", hint)
    _section(viewer, "In progress", own, "Continue")
    _section(viewer, "Ready to adjudicate", ready, "Adjudicate")
    _section(viewer, "Held by someone else", others, "Take over")
    _section(viewer, "Finished", done, "Open")


def _section(viewer: Viewer, title: str, cases: Sequence[WaitingCase], verb: str) -> None:
    if not cases:
        return
    st.subheader(title, anchor=False)
    lines = [
        WorkLine(
            id=one.figure_id,
            title=one.paper_title,
            detail=" · ".join(filter(None, (one.figure_label, one.place))),
            state=_state(one),
            counts="",
            comment="",
            verb="" if one.waits_until else verb,
        )
        for one in cases
    ]
    work_list(lines, key=state.key(PAGE, title), on_choose=partial(_begin, viewer))


def _state(case: WaitingCase) -> str:
    if case.state == "open":
        return f"{case.ruled} of {case.all} ruled" if case.is_mine else "started by someone else"
    if case.state == "submitted":
        return f"finished {shell.day(case.at)}" if case.at else "finished"
    if case.waits_until is not None:
        return f"annotator may change it until {shell.local_time(case.waits_until):%H:%M}"
    return "declined by one or both" if case.has_verdict else f"{case.transcriptions} transcriptions"

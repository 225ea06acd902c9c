"""Acts of managers on figures of the queue: select, set priority and number, assign, return claims."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import state
from components.widgets import acts
from components.widgets.choosing import choose_several
from core.people import Viewer
from services.queue.settings import MOST_PEOPLE
from services.queue.work import return_claim
from services.transcription import queue
from services.transcription.queue import MOST_URGENT, FigureQueue, QueueLine
from services.transcription.work_kind import FIGURES

PAGE = "queue"
CHOSEN = state.key(PAGE, "chosen")


def called(line: QueueLine) -> str:
    return line.label or line.place or "Figure without a label"


def toggle(figure_id: str) -> None:
    now: list[str] = st.session_state.get(CHOSEN, [])
    st.session_state[CHOSEN] = [each for each in now if each != figure_id] if figure_id in now else [*now, figure_id]


def chosen_figures(viewer: Viewer, figure_queue: FigureQueue, shown: Sequence[QueueLine]) -> None:
    """Draw the selected figures and their forms; filtered-out figures are deselected, so that nobody acts unseen."""
    by_id = {line.figure_id: line for line in shown}
    st.session_state[CHOSEN] = [each for each in st.session_state.get(CHOSEN, []) if each in by_id]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = choose_several(
            "Chosen figures",
            list(by_id),
            key=CHOSEN,
            placeholder="Choose in the table, or type a title",
            format_func=lambda each: f"{called(by_id[each])} · {by_id[each].paper_title}",
            width="stretch",
        )
        st.button(
            f"Choose all {len(by_id):,}",
            key=state.key(PAGE, "all"),
            on_click=st.session_state.__setitem__,
            args=(CHOSEN, list(by_id)),
        )
    if not chosen:
        return
    ids = list(chosen)
    first, second, third = st.columns([2, 3, 4], gap="medium")
    with first:
        form = state.key(PAGE, "priority")
        with st.form(state.act_key(form), border=True):
            priority = st.number_input(
                "Priority",
                -MOST_URGENT,
                MOST_URGENT,
                by_id[ids[0]].priority,
                key=state.act_key(form, "number"),
                help="Figures with a higher priority are assigned earlier. 0 is the default.",
            )
            is_set = st.form_submit_button("Set priority", key=state.act_key(form, "set"))
        if is_set:
            acts.keep(PAGE, form, lambda act_id: queue.prioritise(viewer, ids, int(priority), act_id=act_id))
    with second:
        _annotators(viewer, ids, by_id)
    with third:
        _assign(viewer, figure_queue, ids)


def _annotators(viewer: Viewer, ids: list[str], by_id: dict[str, QueueLine]) -> None:
    form = state.key(PAGE, "wanted")
    with st.form(state.act_key(form), border=True):
        annotators = st.number_input(
            "Annotators wanted",
            0,
            MOST_PEOPLE,
            by_id[ids[0]].wanted,
            key=state.act_key(form, "number"),
            help="Annotators for each chosen figure. Nobody loses a place.",
        )
        with st.container(horizontal=True):
            is_set = st.form_submit_button("Set annotators", key=state.act_key(form, "set"))
            is_rule = st.form_submit_button("Use default", key=state.act_key(form, "rule"), type="tertiary")
    if is_set or is_rule:
        number = None if is_rule else int(annotators)
        acts.keep(PAGE, form, lambda act_id: queue.want(viewer, ids, number, act_id=act_id))


def _assign(viewer: Viewer, figure_queue: FigureQueue, ids: list[str]) -> None:
    form = state.key(PAGE, "hand")
    names = dict(figure_queue.people)
    with st.form(state.act_key(form), border=True):
        person = st.selectbox(
            "Assign to",
            list(names),
            index=None,
            format_func=names.__getitem__,
            key=state.act_key(form, "person"),
            placeholder="Choose an annotator",
            disabled=len(ids) != 1,
            help="One figure at a time. It appears under My work. Guidelines and practice diagram still come first.",
        )
        is_given = st.form_submit_button("Assign figure", key=state.act_key(form, "give"), disabled=len(ids) != 1)
    if is_given and person:
        acts.keep(PAGE, form, lambda act_id: queue.assign(viewer, ids[0], person, act_id=act_id))
    elif is_given:
        st.caption("Choose an annotator.")


def free(viewer: Viewer, assignment_id: str) -> None:
    """Return someone's claim: the slot becomes free, the graph is stored, and they may resume while it is free."""
    form = state.key(PAGE, f"free.{assignment_id}")
    receipt = return_claim(viewer, FIGURES, assignment_id, act_id=state.act_id(form))
    state.spend(form)
    acts.note(PAGE, receipt)

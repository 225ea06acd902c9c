"""What stands before a person's figures: the guidelines to read, and the training to draw. One step at a time."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from core.errors import EdgewiseError
from core.people import Viewer
from services.transcription import guidelines, practice
from services.transcription.practice import Due
from services.transcription.practice_figure import training_figure

PAGE = "gate"
FAILED = state.key(PAGE, "failed")


def gate(viewer: Viewer, assignment_id: str = "") -> bool:
    """Whether the viewer's figures are open to them; if not, it has drawn what is to be done first.

    With `assignment_id`, whether that one opens: the training itself, others' work and work that is handed in do.
    """
    waits = practice.due(viewer, assignment_id)
    failed = st.session_state.pop(FAILED, "")
    if failed:
        st.error(shell.escaped(failed))
    if not waits.is_anything:
        return True
    with st.container(border=True, key=state.key(PAGE, "step")):
        if waits.guidelines:
            _guidelines(viewer, waits)
        else:
            _training(viewer, waits)
    return False


def _guidelines(viewer: Viewer, waits: Due) -> None:
    current = guidelines.guidelines(viewer)
    after = " The training comes after them." if waits.training else ""
    st.markdown(f"**Read the guidelines first (version {current.number})**")
    st.caption(
        f"They stand beside every figure too. You are asked again only when they change, then before you go on.{after}"
    )
    with st.container(border=True, height=360 if len(current.text) > 1_500 else "content", key=state.key(PAGE, "text")):
        st.markdown(shell.outline(current.text))
    name = state.key(PAGE, f"read.{current.number}")
    act = partial(guidelines.acknowledge, viewer, current.number, act_id=state.act_id(name))
    st.button("I have read them", type="primary", key=state.act_key(name), on_click=_done, args=(name, act))


def _training(viewer: Viewer, waits: Due) -> None:
    known = training_figure().graph
    st.markdown("**Draw the training figure first**")
    st.text(
        f"A small figure whose right transcription is known: {len(known.nodes)} variables and {len(known.edges)} "
        "arrows. Draw it as you would any other, then check your work: each arrow is told right, missed, reversed, "
        "not in the figure, or wrongly signed, with its place. Correct and check again until nothing is left; then "
        "figures open to you. It counts for nothing else."
    )
    st.caption(
        "In this program a variable is a **node**, an arrow is an **edge**; it runs from its **source**, where it "
        "begins, to its **sink**, where its head is. A plus or minus printed beside it is its **sign**."
    )
    begin, waive = state.key(PAGE, "begin"), state.key(PAGE, "waive")
    with st.container(horizontal=True):
        st.button(
            "Go on with the training" if waits.begun else "Begin the training",
            type="primary",
            key=state.act_key(begin),
            on_click=_begin,
            args=(viewer, begin),
        )
        if waits.may_waive:
            act = partial(practice.waive, viewer, viewer.person_id, act_id=state.act_id(waive))
            said = "An owner may waive the training: their own here, others' under People & study."
            st.button("Go on without it", key=state.act_key(waive), on_click=_done, args=(waive, act), help=said)


def _begin(viewer: Viewer, name: str) -> None:
    try:
        receipt = practice.begin(viewer, act_id=state.act_id(name))
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)
        return
    state.spend(name)
    state.write_param("figure", "")
    state.write_param("transcription", receipt.subject_id)


def _done(name: str, act: partial[object]) -> None:
    """Callbacks run outside the page's boundary: an error waits for the next drawing."""
    try:
        act()
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)
    state.spend(name)

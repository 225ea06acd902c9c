"""Requirements before transcribing: read the guidelines, then draw the practice diagram."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from components.widgets.guidelines_text import draw_guidelines
from core.errors import EdgewiseError
from core.people import Viewer
from services.transcription import guidelines, practice
from services.transcription.practice import PracticeDue
from services.transcription.practice_figure import training_figure

PAGE = "gate"
FAILED = state.key(PAGE, "failed")


def gate(viewer: Viewer, assignment_id: str = "") -> bool:
    """Return True if the viewer may transcribe; otherwise draw the next requirement.

    With `assignment_id`, return True if that work may be opened: the practice diagram, others' work and submitted
    work may be.
    """
    waits = practice.due(viewer, assignment_id)
    failed = st.session_state.pop(FAILED, "")
    if failed:
        st.error(shell.escaped(failed))
    if not waits.is_anything:
        return True
    with st.container(border=True, key=state.key(PAGE, "step")):
        if waits.guidelines:
            current = guidelines.guidelines(viewer)
            after = " The practice diagram comes after them." if waits.training else ""
            st.markdown(f"**Read the guidelines first (version {current.number})**")
            st.caption(f"They are also shown beside every figure. You are asked again only after they change.{after}")
            with st.container(
                border=True, height=360 if len(current.text) > 1_500 else "content", key=state.key(PAGE, "text")
            ):
                draw_guidelines(current.text, partial(guidelines.picture, viewer))
            name = state.key(PAGE, f"read.{current.number}")
            act = partial(guidelines.acknowledge, viewer, current.number, act_id=state.act_id(name))
            st.button("Mark as read", type="primary", key=state.act_key(name), on_click=_done, args=(name, act))
        else:
            _training(viewer, waits)
    return False


def _training(viewer: Viewer, waits: PracticeDue) -> None:
    known = training_figure().graph
    st.markdown("**Draw the practice diagram first**")
    size = f"{len(known.nodes)} nodes and {len(known.edges)} edges"
    st.text(
        f"A small figure with {size}; you are led through the first ones. Then the check shows whether each is right, "
        "and where it is not. Practice has no other effect."
    )
    st.caption(
        "A variable in the figure is a **node**; a printed arrow is an **edge**. An edge runs from its **source**, "
        "where the arrow begins, to its **sink**, at the arrowhead. A printed plus or minus is its **sign**."
    )
    begin, waive = state.key(PAGE, "begin"), state.key(PAGE, "waive")
    with st.container(horizontal=True):
        st.button(
            "Continue practice" if waits.started else "Start practice",
            type="primary",
            key=state.act_key(begin),
            on_click=_begin,
            args=(viewer, begin),
        )
        if waits.may_waive:
            act = partial(practice.waive, viewer, viewer.person_id, act_id=state.act_id(waive))
            hint = "Owners can waive the practice diagram: their own here, others' under People & study."
            st.button("Waive practice", key=state.act_key(waive), on_click=_done, args=(waive, act), help=hint)


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
    """Run an act; a callback outside the page's boundary, so an error is shown by the next rerun."""
    try:
        act()
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)
    state.spend(name)

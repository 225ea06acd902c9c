"""Freezing a run's questions as a numbered set, with confirmation."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.people import Viewer
from core.words import counted
from services.extraction import freezing
from services.extraction.freezing import FreezePlan
from services.graphs.import_reading import LONGEST_LICENCE, LONGEST_TITLE

SCOPE = "questions.of_run"
FORM = state.key(SCOPE, "freeze")
ASKS = state.key(SCOPE, "asks")


def button(viewer: Viewer, run: str) -> None:
    now = freezing.plan(viewer, run)
    if now.known is not None:
        about = {"set": str(now.known)}
        links.page_button(f"Open set {now.known}", "questions", about, key=state.key(SCOPE, "set"), is_primary=True)
        return
    st.button(
        "Freeze questions",
        type="primary",
        key=state.act_key(FORM, "ask"),
        disabled=bool(now.obstacle),
        help=now.obstacle or None,
        on_click=st.session_state.__setitem__,
        args=(ASKS, True),
    )
    if st.session_state.get(ASKS):
        _dialog(viewer, run, now)


def _stop() -> None:
    st.session_state.pop(ASKS, None)


@st.dialog("Freeze these questions?", on_dismiss=_stop)
def _dialog(viewer: Viewer, run: str, now: FreezePlan) -> None:
    with shell.boundary():
        st.text(f"{counted(now.questions, 'question')}, {now.easy:,} of them easy. A question set never changes.")
        title = st.text_input("Title", key=state.act_key(FORM, "title"), max_chars=LONGEST_TITLE)
        licence = st.text_input("Licence", key=state.act_key(FORM, "licence"), max_chars=LONGEST_LICENCE)
        without = now.waiting > 0 and st.checkbox(
            f"Freeze without {counted(now.waiting, 'question')} that not every small model has answered",
            key=state.act_key(FORM, "without"),
        )
        if st.button("Freeze permanently", type="primary", key=state.act_key(FORM, "submit")):
            receipt = freezing.freeze(
                viewer,
                run,
                title,
                licence,
                seen=now.seen,
                without_waiting=bool(without),
                act_id=state.act_id(FORM),
            )
            state.spend(FORM)
            acts.note(SCOPE, receipt)
            _stop()
            st.rerun()

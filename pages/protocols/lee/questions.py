"""Frozen question sets as what is asked: one of them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import cast

import streamlit as st

from components import links, state
from core.people import May, Viewer
from core.words import counted
from pages.runs.form import FORM as RUN
from pages.runs.parts import PAGE
from protocols.lee.tasks import WHICH
from services.protocols.lee.questions import QuestionSetOption
from services.runs.settings import ProtocolOption, RunConfig, RunOptions

CHOSEN = state.key(PAGE, "new.questions.chosen")
NONE = "No question set yet. Import a file of questions, as edgewise.py triplets questions makes it."


class QuestionsForm:
    def is_empty(self, found: RunOptions) -> bool:
        return not _offered(found)

    def empty(self, viewer: Viewer) -> None:
        st.caption(NONE)
        if viewer.may(May.CURATE):
            links.page_button("Import questions", "exchange", {}, key=state.key(PAGE, "new.questions"), is_primary=True)

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        """As `SourceForm`: at first the newest set, and every type."""
        offered = {
            str(each.number): f"{each.number} · {each.title} · {each.kept:,} of {counted(each.questions, 'question')}"
            for each in _offered(found)
        }
        if not offered:
            st.caption(NONE)
            return [task.name for task in protocol.tasks]
        held = str(st.session_state.get(RUN.key(WHICH.name)) or "")
        if held not in offered:
            held = next(iter(offered))
            st.session_state[RUN.key(WHICH.name)] = held
        st.session_state[CHOSEN] = held
        st.selectbox(
            "Question set",
            list(offered),
            key=CHOSEN,
            format_func=lambda each: offered.get(each, each),
            on_change=_chose,
            args=(keep,),
            help="Easy questions are not counted. Choose below whether they are asked too.",
        )
        return [task.name for task in protocol.tasks]

    def missing(self, wanted: RunConfig) -> str:
        return "" if wanted.options.get(WHICH.name) else "Choose a question set."


FORM = QuestionsForm()


def _offered(found: RunOptions) -> tuple[QuestionSetOption, ...]:
    return cast("tuple[QuestionSetOption, ...]", found.offers["questions"])


def _chose(keep: Callable[[], None]) -> None:
    """A callback."""
    st.session_state[RUN.key(WHICH.name)] = st.session_state[CHOSEN]
    keep()

"""Run form of questions (Lee et al.): one frozen question set."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

import streamlit as st

from core.words import counted
from pages import BenchmarkPages, SourceForm
from pages.runs import options
from pages.runs.form import FORM as RUN
from services.protocols.lee import QuestionSetOption
from services.runs.settings import ProtocolOption


def _show(offered: Collection[QuestionSetOption], protocol: ProtocolOption, keep: Callable[[], None]) -> None:
    """Draw the choice of a set (see `SourceForm`), at first the newest."""
    words = {
        str(each.number): f"{each.number} · {each.title} · {each.kept:,} of {counted(each.questions, 'question')}"
        for each in offered
    }
    help_text = "Easy questions are not counted. Choose below whether they are asked too."
    key = RUN.key("questions")
    current, store = str(st.session_state.get(key) or ""), partial(st.session_state.__setitem__, key)
    options.choose_one("Question set", words, "questions", current, store, keep, help_text)


QUESTIONS = SourceForm(
    show=_show,
    nothing="No question set yet. Import a file of questions, as edgewise.py triplets questions makes it.",
    missing=lambda wanted: "" if wanted.options.get("questions") else "Choose a question set.",
)
PAGES = BenchmarkPages(
    asks="Five types of questions about which variable causes which.",
    needs="a question set",
    get=("Make questions from abstracts", "runs", {"show": "new", "protocol": "lee-pipeline"}),
    forms={"questions": QUESTIONS},
)

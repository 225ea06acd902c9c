"""Card of a dropped file of questions, and the button that freezes it."""

from __future__ import annotations

import streamlit as st

from core.words import counted
from pages.exchange.file_cards import FileCards, and_faulty
from services.questions import sets
from services.questions.sets import QuestionsPreview


def _describe(look: QuestionsPreview) -> None:
    easy = f", {look.easy:,} of them easy" if look.easy else ""
    st.caption(f"{counted(look.questions, 'question')}{easy}{and_faulty(look, 'faulty row')}")


def _frozen(_look: QuestionsPreview) -> None:
    st.caption("A question set is frozen when it is imported: it keeps its number and never changes.")


QUESTION_CARDS: FileCards[QuestionsPreview] = FileCards(
    name="questions",
    heading=":material/quiz: questions of five types, JSON",
    verb="Freeze",
    what="question",
    row="faulty row",
    writing="Writing every question…",
    preview=sets.preview_questions,
    told=_describe,
    known=lambda look: (
        f"These questions are frozen already, as question set {look.known}." if look.known is not None else ""
    ),
    good=lambda look: look.questions,
    below=_frozen,
    bring=sets.import_questions,
)

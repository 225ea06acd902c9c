"""Declining a figure: form for verdict and reason, and the verdicts' labels."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.desk.tab import desk_key, unsaved
from core.people import Viewer
from core.transcription.declining import FigureVerdict
from pages.transcription.acts import PAGE, TranscriptionTab
from pages.transcription.next_figure import open_next
from services.transcription import declining
from services.transcription.declining import LONGEST_REASON
from services.transcription.reading import Transcription

WHAT_NEXT = (
    "A second annotator gets the figure. If they find no graph either, a researcher or the owner can exclude it from "
    "the study. If they draw one, a third person rules. Your edges are kept, and a researcher or the owner can return "
    "the figure to you."
)


def form(viewer: Viewer, work: Transcription, tab: TranscriptionTab) -> None:
    """Draw the form in a popover, so that nobody declines by accident."""
    name = state.key(PAGE, f"decline.{work.id}")
    waits = unsaved(desk_key(PAGE, work.id))
    with (
        st.popover(
            "Decline figure",
            key=state.key(PAGE, f"decline.popover.{work.id}"),
            disabled=tab.is_stale or bool(waits),
            help=waits,
        ),
        shell.boundary(),
        st.form(state.act_key(name, "form"), border=False),
    ):
        st.caption("Declining ends your work on this figure without a graph.")
        chosen = st.radio(
            "What the figure shows",
            list(FigureVerdict),
            index=None,
            format_func=words,
            key=state.act_key(name, "verdict"),
        )
        reason = st.text_area(
            "Reason",
            key=state.act_key(name, "why"),
            max_chars=LONGEST_REASON,
            height=90,
            placeholder="What you see, or which figure it is part of",
        )
        is_declined = st.form_submit_button("Decline and next", type="primary")
        if is_declined and chosen is None:
            st.caption("Choose what the figure shows.")
        elif is_declined and chosen is not None:
            act_id = state.act_id(name)
            with tab.turn:
                receipt = declining.decline(viewer, work.id, chosen, reason, seen=tab.seen, act_id=act_id)
            state.spend(name)
            open_next(viewer, "Declined", receipt)


def words(verdict: FigureVerdict) -> str:
    return verdict.value.capitalize()

"""Declined figures: verdicts of annotators, and excluding or reopening a figure."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.people import Permission, Viewer
from core.transcription.declining import FigureOutcome
from core.words import counted
from pages.transcription.declining import words
from services.transcription import declining
from services.transcription.declining import LONGEST_REASON, DeclinedFigure

PAGE = "declined"
SHOWN_AT_ONCE = 25
EMPTY = "Nobody has declined a figure. Figures appear here once an annotator declines them under “Decline figure”."


def of_study(viewer: Viewer) -> None:
    with shell.boundary():
        shell.receipt_line(acts.last_receipt(PAGE))
        listed = declining.declined_figures(viewer)
        if listed.left_out:
            st.caption(f"{counted(listed.left_out, 'figure')} hidden while you are still transcribing.")
        if not listed.figures:
            st.caption(EMPTY)
            st.button("Open queue", key=state.key(PAGE, "queue"), on_click=_open_queue)
            return
        ready = sum(one.decided is not None and not one.is_out for one in listed.figures)
        out = sum(one.is_out for one in listed.figures)
        st.caption(
            f"{counted(len(listed.figures), 'figure')} declined · {ready:,} to decide · {out:,} excluded. Anyone "
            "who has seen a reason here is not assigned that figure."
        )
        shown = listed.figures
        if len(shown) > SHOWN_AT_ONCE:
            number = st.pagination(-(-len(shown) // SHOWN_AT_ONCE), key=state.key(PAGE, "page")) or 1
            shown = shown[(number - 1) * SHOWN_AT_ONCE : number * SHOWN_AT_ONCE]
        for figure in shown:
            _figure(viewer, figure)


def _open_queue() -> None:
    st.session_state[state.key("transcribe", "part")] = "queue"


def _figure(viewer: Viewer, figure: DeclinedFigure) -> None:
    with st.container(border=True, gap="xsmall", key=state.key(PAGE, f"figure.{figure.figure_id}")):
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container(gap=None, width="stretch"):
                st.markdown(f"**{shell.escaped(figure.paper_title)}**")
                st.caption(shell.escaped(" · ".join(filter(None, (figure.label, figure.place, _outcome(figure))))))
            if figure.decided is not None and not figure.is_out:
                name = state.key(PAGE, f"out.{figure.figure_id}")
                effect = (
                    "Excludes the paper too, because it has no other figure."
                    if figure.excludes_paper
                    else "The paper stays in the study."
                )
                if st.button("Exclude figure", type="primary", key=state.act_key(name, "go"), help=effect):
                    act = partial(declining.take_out, viewer, figure.figure_id)
                    acts.keep(PAGE, name, lambda act_id: act(act_id=act_id))
            if figure.outcome is FigureOutcome.DISPUTED and not figure.is_out and viewer.may(Permission.ADJUDICATE):
                links.page_button(
                    "Adjudicate",
                    "adjudicate",
                    {"figure": figure.figure_id},
                    key=state.key(PAGE, f"rule.{figure.figure_id}"),
                )
            if figure.is_out or not figure.adjudication:
                _reopen_form(viewer, figure)
        for verdict in figure.verdicts:
            st.markdown(f"{words(verdict.verdict)}, by {shell.escaped(verdict.name)}, {shell.day(verdict.at)}")
            shell.plain(verdict.reason)


def _outcome(figure: DeclinedFigure) -> str:
    if figure.is_out:
        return "excluded"
    if figure.decided is not None:
        basis = "both agree" if figure.outcome is FigureOutcome.CLOSED else "ruled"
        return f"{basis}: {figure.decided.value}"
    if figure.outcome is FigureOutcome.WAITING:
        return "waiting for a second annotator"
    if figure.adjudication == "submitted":
        return "ruled: has a graph"
    return "in adjudication" if figure.adjudication else "waiting for adjudication"


def _reopen_form(viewer: Viewer, figure: DeclinedFigure) -> None:
    name = state.key(PAGE, f"reopen.{figure.figure_id}")
    with (
        st.popover("Reopen figure", key=state.act_key(name, "open")),
        st.form(state.act_key(name, "form"), border=False),
    ):
        hint = "Restores the figure." if figure.adjudication else "Returns the figure to those who declined it."
        comment = st.text_area(
            "What to check again", key=state.act_key(name, "text"), max_chars=LONGEST_REASON, help=hint
        )
        if st.form_submit_button("Reopen figure"):
            acts.keep(
                PAGE, name, lambda act_id: declining.reopen(viewer, figure.figure_id, comment or "", act_id=act_id)
            )

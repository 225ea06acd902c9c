"""Adjudication desk with agreement and the state of one adjudication."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import links, shell, state
from components.adjudication.desk import (
    RulingItem,
    RulingNode,
    ruling_data,
    ruling_desk,
)
from components.desk.desk_state import DeskState
from components.desk.tab import Data, desk_key
from components.graph.view import record_picture
from core.estimate import Estimate
from core.people import Permission, Viewer
from pages.adjudication import finish
from pages.adjudication.acts import PAGE, AdjudicationTab, apply, hear, held_of, read_words
from pages.transcription.figure_crops import figure_crop
from services.acting import consulting_once
from services.adjudication import editor
from services.adjudication.editor import AdjudicationView

DPI = 200
COMPUTED = """
These scores compare the two transcriptions **as submitted**. Rulings on edges do not change them; rulings on names do.

- **F1 of edges**: 2 × shared ÷ (edges of A + edges of B), over directed edges between aligned names. Signs and
  delays do not count. A reversed edge counts as one spurious and one missed edge.
- **κ**: Cohen's kappa over all ordered pairs of different nodes that A or B has: edge or no edge.
- **F1 of nodes**: 2 × shared ÷ (nodes of A + nodes of B). *As printed*: names that are equal or differ by a typo are
  shared. *Aligned*: names ruled to be one variable are shared too.
- **–** means undefined, for the reason given.
"""


@st.fragment
@consulting_once()
def show(viewer: Viewer, adjudication_id: str) -> None:
    """Draw the screen as one fragment, so that a ruling redraws nothing else."""
    with shell.boundary(reload=partial(state.forget, PAGE)):
        tab = held_of(viewer, adjudication_id)
        tab.follow_view(key := desk_key(PAGE, adjudication_id))
        tab.serve(viewer, partial(apply, adjudication_id), partial(_data, tab))
        data = tab.mounted(viewer)
        desk = tab.shown
        # In its own container, so that the desk keeps its position and focus if rows above it change.
        with st.container(gap="xxsmall"):
            finish.top(viewer, desk, tab)
            if tab.is_stale:
                with st.container(border=True, key=state.key(PAGE, "stale")):
                    st.markdown(
                        "**Another tab changed this adjudication. Nothing was overwritten. Your last change is kept "
                        "in this tab.**"
                    )
                    st.button("Use newer version", type="primary", key=state.key(PAGE, "newer"), on_click=tab.use_newer)
            if tab.trouble:
                st.error(shell.escaped(tab.trouble))
            for who, verdict, reason in zip("AB", desk.said, desk.reasons, strict=True):
                if verdict is not None:
                    shell.plain(f"{who} says: {verdict.value}. {reason}")
            _changed(tab)
        ruling_desk(key, data, on_finish=partial(finish.open_finish_dialog, desk.id))
        if tab.follow_view(key):
            st.rerun()
        _about(desk)
        if desk.state == "submitted":
            with st.container(horizontal=True, gap="medium", key=state.key(PAGE, "onward")):
                links.page_link("Ground truth in the Graph lab", "graphs", {"graph": desk.graph_id})
                links.page_link(
                    "Comparison of A and B", "graphs", {"graph": desk.first_graph, "with": desk.second_graph}
                )
                links.page_link("Agreement in the study", "agreement", {})
                if viewer.may(Permission.RELEASE):
                    links.page_link("Freeze release", "releases", {})


def _changed(tab: AdjudicationTab) -> None:
    """List what A and B changed or retained after seeing the reading."""
    changes = tab.third.changes
    if not changes:
        return
    adopted = sum(change.is_taken for change in changes)
    label = f"Changed after submitting: {adopted} · unchanged: {len(changes) - adopted}"
    with st.expander(label, key=state.key(PAGE, "changed")):
        for change in changes:
            done = "adopted the program's reading" if change.is_taken else "kept their own"
            shell.plain(f"{change.side} {done}: {change.words}")
        st.caption("You rule on the transcriptions with these changes. Agreement counts what was submitted.")


def _about(desk: AdjudicationView) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=state.key(PAGE, "about")):
        source = " · ".join(filter(None, (desk.figure.place, desk.figure.caption)))
        st.caption(shell.escaped(source), width="stretch")
        with st.popover("How this is computed", type="tertiary", key=state.key(PAGE, "computed")):
            st.markdown(COMPUTED)
            for word, estimate in (("F1 of edges", desk.figures.edge_f1), ("κ", desk.figures.kappa)):
                if estimate.value is None:
                    shell.plain(f"{word}: undefined, because {estimate.reason}.")


def _agreement(desk: AdjudicationView) -> str:
    """Summarise the current agreement; rulings on names change it."""
    figures = desk.figures
    if any(desk.said):
        return "One annotator drew no graph" if None in desk.said else "Neither annotator drew a graph"
    return (
        f"F1 of edges {_number(figures.edge_f1)} · κ {_number(figures.kappa)} · F1 of nodes: "
        f"{_number(figures.node_f1_printed)} with printed names, {_number(figures.node_f1_aligned)} with aligned names"
    )


def _number(estimate: Estimate) -> str:
    return "–" if estimate.value is None else f"{estimate.value:.2f}"


def _data(tab: AdjudicationTab, viewer: Viewer) -> Data:
    desk = editor.desk(viewer, tab.shown.id)
    third = tab.third.state
    if third == "reading" or (third == "read" and desk.version != tab.shown.version):
        hear(viewer, desk.id, tab)
    if tab.words is None:
        read_words(viewer, tab)
    desk = tab.show(desk.version, desk)
    says = tab.third.says
    return ruling_data(
        figure_crop(desk.figure, DPI),
        DeskState(
            subject=f"{viewer.person_id}/{desk.id}/{desk.round}",
            version=tab.seen,
            saved_at=desk.saved_at,
            note=_agreement(desk),
            editable=desk.may_rule,
            can_undo=desk.can_undo,
            can_redo=desk.can_redo,
            halted=tab.is_stale,
        ),
        nodes=[RulingNode(n.name, n.wording, n.in_a, n.in_b, n.box, n.at) for n in desk.nodes],
        arrows=desk.arrows,
        names=[(name.question, name.ruling) for name in desk.names],
        differences=[
            RulingItem(
                one.difference, one.ruling, one.sentence, one.a_says, one.b_says, says.get(one.difference.key, "")
            )
            for one in desk.differences
        ],
        own=desk.own,
        courses=desk.courses,
        words=[(word.text, word.box) for word in tab.words or ()],
        read=tab.third.overlooked,
        name_reads=says,
        origin=tab.third.origin,
        waiting=desk.waiting,
        drawing=record_picture(*editor.ground_truth(viewer, desk.id)) if tab.shows_graph else None,
    )

"""Alignment of names: a table of all, and a form to decide one."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import shell, state
from components.widgets import acts
from components.widgets.choosing import choose_line
from core.graphs.alignment import Kind
from core.people import Permission, Viewer
from core.words import counted, sentence_case
from pages.graphs.elements import around, node_id
from pages.graphs.parts import NONE, PAGE, Light
from services.graphs import comparing
from services.graphs.comparing import GraphComparison, NameRow

OWN = "no counterpart"
BASES: Mapping[Kind, str] = {
    "same name": "same name",
    "same after folding": "same apart from case, spacing or dashes",
    "decided": "decided",
    "decided new": f"decided: {OWN}",
    "new": OWN,
}


def scope(reference_id: str, candidate_id: str) -> str:
    return state.key(PAGE, f"align.{reference_id}.{candidate_id}")


def show(viewer: Viewer, comparison: GraphComparison) -> Light:
    decisions = scope(comparison.reference.id, comparison.candidate.id)
    shown = f"{decisions}.shown"
    # The user saw the version drawn last, not the one read during this rerun.
    seen: int = st.session_state.get(shown, comparison.version)
    rows = sorted(comparison.names, key=lambda row: row.aligned.reference is not None)
    loose = sum(row.aligned.reference is None for row in rows)
    of = f"{counted(len(rows), 'name')} in the {comparison.ends.candidate}"
    st.markdown(f"**{loose:,} of {of} without a counterpart**")
    if comparison.is_turned:
        st.caption("Derived from the decisions made in the other direction.")
    by_name = {row.aligned.name: row for row in rows}
    text = st.column_config.TextColumn
    candidate, reference = sentence_case(comparison.ends.candidate), sentence_case(comparison.ends.reference)
    name = choose_line(
        list(by_name),
        {
            candidate: list(by_name),
            reference: [row.aligned.reference or NONE for row in rows],
            "Basis": [BASES[row.aligned.kind] for row in rows],
        },
        name=f"{decisions}.name",
        columns={candidate: text(width=145), reference: text(width=145), "Basis": text(width=180)},
    )
    row = by_name.get(name or "")
    if row is not None:
        if comparison.may_align:
            _decide(viewer, comparison, row, seen)
        else:
            st.caption(f"Only people who may {Permission.REVIEW.value} align names.")
    st.session_state[shown] = comparison.version
    # The node is highlighted with its neighbours and similar nodes; the figure is not zoomed.
    if row is None:
        return Light()
    neighbours = around(comparison, row.aligned.reference or row.aligned.name)
    return Light(neighbours | {node_id(name) for name in row.offers})


def _decide(viewer: Viewer, comparison: GraphComparison, row: NameRow, seen: int) -> None:
    name = row.aligned.name
    decisions = scope(comparison.reference.id, comparison.candidate.id)
    form = f"{decisions}.{name}"
    if row.offers:
        st.caption("Similar names: " + shell.escaped(", ".join(row.offers)))
    others = [each for each in comparison.reference_names if each not in row.offers]
    options = [*row.offers, *others] if name in comparison.reference_names else [*row.offers, OWN, *others]
    current = row.aligned.reference or (row.offers[0] if row.offers else OWN)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        meant = st.selectbox(
            f"Name in the {comparison.ends.reference}",
            options,
            index=options.index(current) if current in options else None,
            key=state.act_key(form, "meant"),
        )
        is_pressed = st.button("Align names", type="primary", key=state.act_key(form, "align"), disabled=meant is None)
    if is_pressed and meant is not None:
        reference = None if meant == OWN and OWN not in comparison.reference_names else meant
        acts.keep(
            decisions,
            form,
            lambda act_id: comparing.align(
                viewer, comparison.reference.id, comparison.candidate.id, name, reference, seen=seen, act_id=act_id
            ),
            then=lambda: st.session_state.pop(f"{decisions}.shown", None),
        )

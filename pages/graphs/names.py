"""Which name of the prediction is which of the truth: all of them in a table, and one decided at a time."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import shell, state
from components.widgets import acts
from components.widgets.choosing import choose_line
from core.graphs.alignment import Kind
from core.people import May, Viewer
from core.words import counted, sentence_case
from pages.graphs.elements import around, node_id
from pages.graphs.parts import NONE, PAGE, Light
from services.graphs import comparing
from services.graphs.comparing import Ends, GraphComparison, NameRow

OWN = "no counterpart"
BASES: Mapping[Kind, str] = {
    "same name": "same name",
    "same after folding": "same apart from case, spacing or dashes",
    "decided": "decided",
    "decided new": f"decided: {OWN}",
    "new": OWN,
}


def scope(reference_id: str, candidate_id: str) -> str:
    """What the receipts of decisions about these two graphs belong to."""
    return state.key(PAGE, f"align.{reference_id}.{candidate_id}")


def show(viewer: Viewer, found: GraphComparison) -> Light:
    held = scope(found.reference.id, found.candidate.id)
    shown = f"{held}.shown"
    # What the person looked at is the version drawn last, not the one read now that they have pressed.
    seen: int = st.session_state.get(shown, found.version)
    rows = sorted(found.names, key=lambda row: row.aligned.reference is not None)
    loose = sum(row.aligned.reference is None for row in rows)
    st.markdown(f"**{loose:,} of {counted(len(rows), 'name')} in the {found.ends.candidate} without a counterpart**")
    if found.is_turned:
        st.caption("Derived from the decisions made in the other direction.")
    row = _chosen(rows, held, found.ends)
    if row is not None:
        if found.may_align:
            _decide(viewer, found, row, seen)
        else:
            st.caption(f"Only people who may {May.REVIEW.value} align names.")
    st.session_state[shown] = found.version
    return _light(found, row)


def _chosen(rows: list[NameRow], held: str, ends: Ends) -> NameRow | None:
    by_name = {row.aligned.name: row for row in rows}
    text = st.column_config.TextColumn
    theirs, ours = sentence_case(ends.candidate), sentence_case(ends.reference)
    name = choose_line(
        f"Name in the {ends.candidate}",
        list(by_name),
        {name: f"{name} = {row.aligned.reference or OWN}" for name, row in by_name.items()},
        {
            theirs: list(by_name),
            ours: [row.aligned.reference or NONE for row in rows],
            "Basis": [BASES[row.aligned.kind] for row in rows],
        },
        name=f"{held}.name",
        columns={theirs: text(width=145), ours: text(width=145), "Basis": text(width=180)},
    )
    return by_name.get(name or "")


def _decide(viewer: Viewer, found: GraphComparison, row: NameRow, seen: int) -> None:
    name = row.aligned.name
    held = scope(found.reference.id, found.candidate.id)
    form = f"{held}.{name}"
    if row.offers:
        st.caption("Similar names: " + shell.escaped(", ".join(row.offers)))
    others = [each for each in found.reference_names if each not in row.offers]
    options = [*row.offers, *others] if name in found.reference_names else [*row.offers, OWN, *others]
    current = row.aligned.reference or (row.offers[0] if row.offers else OWN)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        meant = st.selectbox(
            f"Name in the {found.ends.reference}",
            options,
            index=options.index(current) if current in options else None,
            key=state.act_key(form, "meant"),
        )
        is_pressed = st.button("Align names", type="primary", key=state.act_key(form, "align"), disabled=meant is None)
    if is_pressed and meant is not None:
        reference = None if meant == OWN and OWN not in found.reference_names else meant
        acts.keep(
            held,
            form,
            lambda act_id: comparing.align(
                viewer, found.reference.id, found.candidate.id, name, reference, seen=seen, act_id=act_id
            ),
            then=lambda: st.session_state.pop(f"{held}.shown", None),
        )


def _light(found: GraphComparison, row: NameRow | None) -> Light:
    """The variable with its neighbours, and the ones it might be; the whole figure stays in view."""
    if row is None:
        return Light()
    shown = around(found, row.aligned.reference or row.aligned.name)
    return Light(shown | {node_id(name) for name in row.offers})

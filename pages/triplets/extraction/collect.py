"""Collection of accepted candidates, and its assignment to experts."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from core.people import Permission, Receipt, Viewer
from core.triplets.forms import Rubric
from core.words import counted
from pages.triplets import assign
from services.extraction import collecting
from services.extraction.candidates import CandidateState
from services.extraction.collecting import CollectPlan

SCOPE = state.key("triplets", "extraction")


def show(viewer: Viewer, run: str) -> None:
    now = collecting.plan(viewer, run)
    st.markdown(f"**{counted(now.accepted, 'accepted candidate')}**")
    left = ", ".join(
        f"{many:,} {of.value}" for of, many in now.states.items() if many and of is not CandidateState.ACCEPTED
    )
    st.caption(f"Left out: {left}." if left else "No candidate is left out.")
    st.caption(
        f"{counted(now.on_boundary, 'candidate')} with a total of exactly 15. Decided the other way, these would "
        f"change {counted(now.differing['boundary'], 'verdict')}. With at least 2 asked of every critic instead of "
        f"the mean, or the reverse, {counted(now.differing['floor'], 'verdict')} would change."
    )
    if now.collection is None:  # a collection would be compared with itself
        for title, many in now.same.items():
            st.caption(shell.escaped(f"Word for word in {title} already: {counted(many, 'triplet')}."))
    if now.collection is not None:
        assign.assign(
            viewer,
            now.collection,
            scope=SCOPE,
            rubric=Rubric.ECONCAUSAL,
            what="triplet",
            task="Experts score on six criteria, blind to critics and each other.",
            raters=collecting.RATERS,
        )
        if viewer.may(Permission.ASSIGN):
            links.page_button("Open queue", "settings", {"show": "triplets"}, key=state.key(SCOPE, "queue"))
    elif now.accepted:
        _collect(viewer, run, now)


def _collect(viewer: Viewer, run: str, now: CollectPlan) -> None:
    def also() -> bool:
        return now.open > 0 and st.checkbox(
            f"Collect although {counted(now.open, 'candidate')} waits or is in work",
            key=state.act_key(state.key(SCOPE, "collect"), "open"),
        )

    def act(title: str, licence: str, leaves_open: bool, act_id: str) -> Receipt:
        receipt, _ = collecting.collect(viewer, run, title, licence, leaves_open=leaves_open, act_id=act_id)
        return receipt

    assign.collect(SCOPE, f"Triplets of run {now.run}", "triplets", act, also)

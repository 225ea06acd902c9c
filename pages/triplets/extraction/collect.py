"""Accepted candidates made a collection, and the collection handed out to experts."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.people import May, Viewer
from core.words import counted
from services.extraction import collecting
from services.extraction.candidates import CandidateState
from services.extraction.collecting import CollectPlan

SCOPE = state.key("triplets", "extraction")
FORM = state.key(SCOPE, "collect")
HANDED = state.key(SCOPE, "hand_out")


def show(viewer: Viewer, run: str) -> None:
    now = collecting.plan(viewer, run)
    st.markdown(f"**{counted(now.accepted, 'accepted candidate')}**")
    left = ", ".join(
        f"{many:,} {of.value}" for of, many in now.states.items() if many and of is not CandidateState.ACCEPTED
    )
    st.caption(f"Left out: {left}." if left else "No candidate is left out.")
    st.caption(
        f"{counted(now.on_boundary, 'candidate')} with a total of exactly 15. Decided the other way, these would "
        f"change {counted(now.otherwise['boundary'], 'verdict')}. With at least 2 asked of every critic instead of "
        f"the mean, or the reverse, {counted(now.otherwise['floor'], 'verdict')} would change."
    )
    if now.collection is None:  # else they would be the same as themselves
        for title, many in now.same.items():
            st.caption(shell.escaped(f"Word for word in {title} already: {counted(many, 'triplet')}."))
    if now.collection is not None:
        _hand_out(viewer, now.collection)
    elif now.accepted:
        _collect(viewer, run, now)


def _collect(viewer: Viewer, run: str, now: CollectPlan) -> None:
    with st.form(state.act_key(FORM), border=True):
        title = st.text_input("Title", f"Triplets of run {now.run}", max_chars=200, key=state.act_key(FORM, "title"))
        licence = st.text_input(
            "Licence",
            "",
            max_chars=200,
            key=state.act_key(FORM, "licence"),
            placeholder="Empty: unknown",
            help="None is assumed: it depends on the papers.",
        )
        leaves_open = now.open > 0 and st.checkbox(
            f"Collect although {counted(now.open, 'candidate')} waits or is in work", key=state.act_key(FORM, "open")
        )
        if st.form_submit_button("Collect triplets", type="primary"):
            receipt, _ = collecting.collect(
                viewer, run, title, licence, leaves_open=bool(leaves_open), act_id=state.act_id(FORM)
            )
            state.spend(FORM)
            acts.note(SCOPE, receipt)
            st.rerun()


def _hand_out(viewer: Viewer, collection: str) -> None:
    st.success("Collected.", icon=":material/check:")
    if not viewer.may(May.ASSIGN):
        return
    with st.form(state.act_key(HANDED), border=True):
        st.markdown("**Assign to experts**")
        st.caption("Experts score on six criteria, blind to critics and each other. Other collections leave the queue.")
        overlap = st.number_input("Raters per triplet", 1, 20, 2, key=state.act_key(HANDED, "overlap"))
        per_year = st.number_input(
            "Triplets per year", 1, 10_000, None, key=state.act_key(HANDED, "per_year"), placeholder="All"
        )
        if st.form_submit_button("Assign triplets", type="primary"):
            receipt = collecting.hand_out(
                viewer,
                collection,
                overlap=int(overlap),
                per_year=None if per_year is None else int(per_year),
                act_id=state.act_id(HANDED),
            )
            state.spend(HANDED)
            acts.note(SCOPE, receipt)
            st.rerun()
    links.page_button("Open queue", "triplets", {"show": "queue"}, key=state.key(SCOPE, "queue"))

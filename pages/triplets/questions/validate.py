"""A run's relations made a collection, and a sample of it handed out on the form of four points."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.people import May, Viewer
from core.triplets.forms import Rubric
from core.words import counted
from services.extraction import collecting
from services.extraction import collecting_relations as relations
from services.extraction.collecting_relations import RATERS, RelationPlan, YearSample
from services.graphs.import_reading import LONGEST_LICENCE, LONGEST_TITLE

SCOPE = state.key("triplets", "questions")
FORM = state.key(SCOPE, "collect")
HANDED = state.key(SCOPE, "hand_out")
PUBLISHED = "Lee et al.: 104 relations by two people, ICC 0.57 (0.36–0.70), 94% with at least 7 of 8 points."


def show(viewer: Viewer, run: str) -> None:
    now = relations.plan(viewer, run)
    st.markdown(f"**{counted(now.relations, 'relation')} of {counted(now.papers, 'abstract')}**")
    if now.left_out:
        st.caption(f"{counted(now.left_out, 'abstract')} without a kept relation.")
    if now.why_not:
        st.caption(shell.escaped(now.why_not))
    elif now.collection is not None:
        _hand_out(viewer, now.collection)
    elif now.relations:
        for title, many in now.same.items():
            st.caption(shell.escaped(f"Word for word in {title} already: {counted(many, 'relation')}."))
        _collect(viewer, run, now)


def _collect(viewer: Viewer, run: str, now: RelationPlan) -> None:
    if not viewer.may(May.RUN):
        return
    with st.form(state.act_key(FORM), border=True):
        title = st.text_input(
            "Title", f"Relations of run {now.run}", max_chars=LONGEST_TITLE, key=state.act_key(FORM, "title")
        )
        licence = st.text_input(
            "Licence",
            "",
            max_chars=LONGEST_LICENCE,
            key=state.act_key(FORM, "licence"),
            placeholder="Empty: unknown",
            help="None is assumed: it depends on the papers.",
        )
        if st.form_submit_button("Collect relations", type="primary"):
            receipt = relations.collect(viewer, run, title, licence, act_id=state.act_id(FORM))
            state.spend(FORM)
            acts.note(SCOPE, receipt)
            st.rerun()


def _hand_out(viewer: Viewer, collection: str) -> None:
    st.success("Collected.", icon=":material/check:")
    if viewer.may(May.ASSIGN):
        _assign(viewer, collection)
    with st.container(horizontal=True):
        links.page_button("Open queue", "triplets", {"show": "queue"}, key=state.key(SCOPE, "queue"))
        links.page_button("Open agreement", "agreement", {"part": "raters"}, key=state.key(SCOPE, "agreement"))
    st.caption(PUBLISHED)


def _assign(viewer: Viewer, collection: str) -> None:
    with st.container(border=True, key=state.key(SCOPE, "assign")):
        st.markdown("**Assign to experts**")
        st.caption(
            "Experts score entities, direction and causality beside the abstract, blind to each other. Other "
            "collections leave the queue."
        )
        overlap = st.number_input("Raters per relation", 1, 20, RATERS, key=state.act_key(HANDED, "overlap"))
        per_year = st.number_input(
            "Relations per year", 1, 10_000, relations.PER_YEAR, key=state.act_key(HANDED, "per_year")
        )
        st.caption(_sample(relations.year_sample(viewer, collection, int(per_year))))
        if st.button("Assign relations", type="primary", key=state.act_key(HANDED, "submit")):
            receipt = collecting.hand_out(
                viewer,
                collection,
                rubric=Rubric.VALIDATION,
                overlap=int(overlap),
                per_year=int(per_year),
                act_id=state.act_id(HANDED),
            )
            state.spend(HANDED)
            acts.note(SCOPE, receipt)
            st.rerun()


def _sample(found: YearSample) -> str:
    said = f"The sample has {counted(found.relations, 'relation')} of {counted(found.years, 'year')}."
    fewer = ", ".join(f"{year} ({there:,})" for year, there in found.fewer if there)
    none = ", ".join(str(year) for year, there in found.fewer if not there)
    if fewer:
        said += f" Years with fewer: {fewer}."
    return f"{said} Years without any: {none}." if none else said

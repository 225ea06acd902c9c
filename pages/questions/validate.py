"""Collection of a run's relations, and assignment of a sample on the form of four points."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from core.people import Permission, Receipt, Viewer
from core.triplets.forms import Rubric
from core.words import counted
from pages.triplets import assign
from services.extraction import collecting_relations as relations
from services.extraction.collecting_relations import RATERS, RelationPlan, RelationYear

SCOPE = "questions.of_run"
PUBLISHED = "Lee et al.: 104 relations by two people, ICC 0.57 (0.36–0.70), 94% with at least 7 of 8 points."


def show(viewer: Viewer, run: str) -> None:
    now = relations.plan(viewer, run)
    st.markdown(f"**{counted(now.relations, 'relation')} of {counted(now.papers, 'abstract')}**")
    if now.left_out:
        st.caption(f"{counted(now.left_out, 'abstract')} without a kept relation.")
    if now.obstacle:
        st.caption(shell.escaped(now.obstacle))
    elif (collection := now.collection) is not None:
        assign.assign(
            viewer,
            collection,
            scope=SCOPE,
            rubric=Rubric.VALIDATION,
            what="relation",
            task="Experts score entities, direction and causality beside the abstract, blind to each other.",
            raters=RATERS,
            per_year=relations.PER_YEAR,
            sample=lambda per_year: _sample(relations.year_sample(viewer, collection, per_year)),
        )
        with st.container(horizontal=True):
            links.page_button("Open queue", "triplets", {}, key=state.key(SCOPE, "queue"))
            links.page_button("Open agreement", "agreement", {"part": "raters"}, key=state.key(SCOPE, "agreement"))
        st.caption(PUBLISHED)
    elif now.relations:
        for title, many in now.same.items():
            st.caption(shell.escaped(f"Word for word in {title} already: {counted(many, 'relation')}."))
        _collect(viewer, run, now)


def _collect(viewer: Viewer, run: str, now: RelationPlan) -> None:
    def act(title: str, licence: str, _: bool, act_id: str) -> Receipt:
        return relations.collect(viewer, run, title, licence, act_id=act_id)

    if viewer.may(Permission.RUN):
        assign.collect(SCOPE, f"Relations of run {now.run}", "relations", act)


def _sample(sample: RelationYear) -> str:
    summary = f"The sample has {counted(sample.relations, 'relation')} of {counted(sample.years, 'year')}."
    fewer = ", ".join(f"{year} ({count:,})" for year, count in sample.fewer if count)
    none = ", ".join(str(year) for year, count in sample.fewer if not count)
    if fewer:
        summary += f" Years with fewer: {fewer}."
    return f"{summary} Years without any: {none}." if none else summary

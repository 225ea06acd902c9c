"""Collection of a run's results and its assignment to experts: forms that both pipelines share."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components import state
from components.widgets import acts
from core.people import Permission, Receipt, Viewer
from core.triplets.forms import Rubric
from services.extraction import collecting
from services.graphs.import_reading import LONGEST_LICENCE, LONGEST_TITLE

MOST_RATERS, MOST_PER_YEAR = 20, 10_000


def collect(
    scope: str, title: str, what: str, act: Callable[[str, str, bool, str], Receipt], more: Callable[[], bool] = bool
) -> None:
    """Draw the form; `what` is a plural noun. `more` draws a further field, passed to `act` after title and licence."""
    form = state.key(scope, "collect")
    with st.form(state.act_key(form), border=True):
        title = st.text_input("Title", title, max_chars=LONGEST_TITLE, key=state.act_key(form, "title"))
        licence = st.text_input(
            "Licence",
            "",
            max_chars=LONGEST_LICENCE,
            key=state.act_key(form, "licence"),
            placeholder="Empty: unknown",
            help="None is assumed: it depends on the papers.",
        )
        value = more()
        if st.form_submit_button(f"Collect {what}", type="primary"):
            receipt = act(title, licence, value, state.act_id(form))
            state.spend(form)
            acts.note(scope, receipt)
            st.rerun()


def assign(
    viewer: Viewer,
    collection: str,
    *,
    scope: str,
    rubric: Rubric,
    what: str,
    task: str,
    raters: int,
    per_year: int | None = None,
    sample: Callable[[int], str] | None = None,
) -> None:
    """Draw the form that assigns the collection to experts, for those who may.

    `what` is a singular noun, `task` describes the experts' task, `sample` the effect of a number per year.
    """
    st.success("Collected.", icon=":material/check:")
    if not viewer.may(Permission.ASSIGN):
        return
    form = state.key(scope, "hand_out")
    with st.container(border=True, key=state.key(scope, "assign")):
        st.markdown("**Assign to experts**")
        st.caption(f"{task} Other collections leave the queue.")
        overlap = st.number_input(f"Raters per {what}", 1, MOST_RATERS, raters, key=state.act_key(form, "overlap"))
        many = st.number_input(
            f"{what.capitalize()}s per year",
            1,
            MOST_PER_YEAR,
            per_year,
            key=state.act_key(form, "per_year"),
            placeholder="All",
        )
        if sample is not None and many is not None:
            st.caption(sample(int(many)))
        if st.button(f"Assign {what}s", type="primary", key=state.act_key(form, "submit")):
            receipt = collecting.assign_experts(
                viewer,
                collection,
                rubric=rubric,
                overlap=int(overlap),
                per_year=None if many is None else int(many),
                act_id=state.act_id(form),
            )
            state.spend(form)
            acts.note(scope, receipt)
            st.rerun()

"""A new run: which samples, who answers, how they are asked, what it may cost; a dry run first, then the start."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.people import Viewer
from pages import get_pages
from pages.runs import dry_run, new_models, new_samples
from pages.runs import form as run_form
from pages.runs.form import FORM
from pages.runs.parts import PAGE, SCOPE
from pages.runs.steps import redo
from services.runs import planning
from services.runs.settings import DryRun, ProtocolOption, RunConfig, RunOptions

PLANNED = FORM.key("planned")


def show(viewer: Viewer) -> None:
    """The form; filled in with a step of another run where the link names one (redo=3&step=again)."""
    if state.read_param("redo"):
        redo.show(viewer, state.read_param("redo"), state.read_param("step"))
        return
    with shell.top_row("New run"):
        links.page_button("All runs", "runs", {}, key=state.key(PAGE, "new.back"))
    found = planning.options(viewer)
    run_form.begin(viewer)
    form, dry = st.columns([5, 4], gap="large")
    with form:
        _fields(viewer, found)
    with dry, shell.boundary():
        _dry_run(viewer, found, run_form.wanted())


def _fields(viewer: Viewer, found: RunOptions) -> None:
    keep = partial(FORM.keep, viewer)
    st.text_input(
        "Title",
        key=FORM.key("title"),
        on_change=keep,
        max_chars=200,
        placeholder="Optional: the purpose of this run",
    )
    with st.container(border=True, key=FORM.key("box.samples")):
        new_samples.show(found, keep)
    with st.container(border=True, key=FORM.key("box.models")):
        new_models.who(viewer, found, keep)
    with st.container(border=True, key=FORM.key("box.budget")):
        new_models.budget(found, keep)
    with st.expander("Parameters and prompts", key=FORM.key("box.how")):
        new_models.how(found, keep)
    FORM.fault()


def _dry_run(viewer: Viewer, found: RunOptions, wanted: RunConfig) -> None:
    held: tuple[RunConfig, DryRun] | None = st.session_state.get(PLANNED)
    plan = held[1] if held is not None and held[0] == wanted else None
    missing = _missing(run_form.protocol(found), wanted)
    with st.container(horizontal=True, vertical_alignment="center", key=FORM.key("head")):
        st.subheader("Dry run", anchor=False, width="stretch")
        if plan is None or plan.faults:
            if st.button("Start dry run", type="primary", key=FORM.key("plan"), disabled=bool(missing)):
                st.session_state[PLANNED] = (wanted, planning.plan(viewer, wanted))
                st.rerun()
        elif st.button(
            "Start run", type="primary", key=state.act_key(FORM.scope, "start"), icon=":material/play_arrow:"
        ):
            _start(viewer, wanted)
    if missing:
        st.caption(missing)
    elif held is None:
        st.caption("A dry run counts the requests, tokens and cost of the run. It sends nothing.")
    elif plan is None:
        st.caption(":material/edit: Settings have changed. Run the dry run again.")
    if held is not None:
        dry_run.show(held[1], held[0].budget)
    if plan is not None and not plan.faults and (preview := get_pages(wanted.protocol).preview):
        preview(viewer, wanted)


def _missing(protocol: ProtocolOption, wanted: RunConfig) -> str:
    for source in protocol.sources:
        if missing := new_samples.form_of(protocol, source).missing(wanted):
            return missing
    if not wanted.tasks or not wanted.variants:
        return "Choose a task and a variant."
    if protocol.asks_roles_only:
        lacks = [role.title for name, role in protocol.roles.items() if role.least and not wanted.roles.get(name)]
        return f"Choose a model or a baseline for: {', '.join(lacks)}." if lacks else ""
    return "" if wanted.models or wanted.baselines else "Choose a model or a baseline."


def _start(viewer: Viewer, wanted: RunConfig) -> None:
    receipt = planning.start(viewer, wanted, act_id=state.act_id(FORM.scope))
    state.spend(FORM.scope)
    FORM.forget(viewer)
    acts.note(SCOPE, receipt)
    state.write_param("show", "")
    state.write_param("run", receipt.subject_id)
    st.rerun()

"""New run: samples, models, parameters and budget; a dry run first, then the start."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.people import Viewer
from pages import get_pages
from pages.runs import dry_run, new_models, new_samples, protocol_cards
from pages.runs import form as run_form
from pages.runs.form import FORM
from pages.runs.parts import PAGE, SCOPE
from pages.runs.steps import redo
from services.runs import planning
from services.runs.settings import DryRun, ProtocolOption, RunConfig, RunOptions

PLANNED = FORM.key("planned")


def show(viewer: Viewer) -> None:
    """Draw the form, or the form that redoes a step if the link names one (redo=3&step=again)."""
    if state.read_param("redo"):
        redo.show(viewer, state.read_param("redo"), state.read_param("step"))
        return
    with shell.top_row("New run"):
        links.page_button("All runs", "runs", {}, key=state.key(PAGE, "new.back"))
    run_options = planning.options(viewer)
    run_form.begin(viewer)
    keep = partial(FORM.keep, viewer)
    protocol = protocol_cards.show(run_options, keep)
    form, dry = st.columns([5, 4], gap="large")
    with form:
        with st.container(border=True, key=FORM.key("box.samples")):
            new_samples.show(run_options, protocol, keep)
        with st.container(border=True, key=FORM.key("box.models")):
            new_models.who(viewer, run_options, keep)
        with st.expander("Title, budget, parameters and prompts", key=FORM.key("box.how")):
            st.text_input(
                "Title",
                key=FORM.key("title"),
                on_change=keep,
                max_chars=200,
                placeholder="Optional: the purpose of this run",
            )
            new_models.budget(run_options, keep)
            new_models.how(run_options, keep)
        FORM.fault()
    with dry, shell.boundary():
        _dry_run(viewer, run_options, run_form.run_config())


def _dry_run(viewer: Viewer, run_options: RunOptions, config: RunConfig) -> None:
    planned: tuple[RunConfig, DryRun] | None = st.session_state.get(PLANNED)
    plan = planned[1] if planned is not None and planned[0] == config else None
    missing = _missing(run_form.protocol(run_options), config)
    with st.container(horizontal=True, vertical_alignment="center", key=FORM.key("head")):
        st.subheader("Dry run", anchor=False, width="stretch")
        is_planned = plan is not None and not plan.faults
        # It stays where it is, so that the second half of a double click does not start the run.
        if st.button(
            "Start dry run",
            type="secondary" if is_planned else "primary",
            key=FORM.key("plan"),
            disabled=bool(missing) or is_planned,
        ):
            st.session_state[PLANNED] = (config, planning.plan(viewer, config))
            st.rerun()
    if is_planned and st.button(
        "Start run",
        type="primary",
        key=state.act_key(FORM.scope, "start"),
        icon=":material/play_arrow:",
        width="stretch",
    ):
        receipt = planning.start(viewer, config, act_id=state.act_id(FORM.scope))
        state.spend(FORM.scope)
        FORM.forget(viewer)
        acts.note(SCOPE, receipt)
        state.write_param("show", "")
        state.write_param("run", receipt.subject_id)
        st.rerun()
    if missing:
        st.caption(missing)
    elif planned is None:
        st.caption("A dry run counts the requests, tokens and cost of the run. It sends nothing.")
    elif plan is None:
        st.caption(":material/edit: Settings have changed. Run the dry run again.")
    if planned is not None:
        dry_run.show(planned[1], planned[0].budget)
    if plan is not None and not plan.faults and (preview := get_pages(config.protocol).preview):
        preview(viewer, config)


def _missing(protocol: ProtocolOption, config: RunConfig) -> str:
    for source in protocol.sources:
        if missing := protocol_cards.form_of(protocol, source).missing(config):
            return missing
    if not config.tasks or not config.variants:
        return "Choose a task and a variant."
    if protocol.asks_roles_only:
        lacks = [role.title for name, role in protocol.roles.items() if role.least and not config.roles.get(name)]
        return f"Choose a model or a baseline for: {', '.join(lacks)}." if lacks else ""
    return "" if config.models or config.baselines else "Choose a model or a baseline."

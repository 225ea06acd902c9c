"""Form of a run that redoes a step: a copy of a run in which only that step can differ."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from components.widgets.choosing import choose_several
from components.widgets.number_table import number_table
from core.people import Viewer
from core.steps import StepKind
from core.words import counted, sentence_case
from pages.runs import options
from pages.runs.parts import PAGE, SCOPE, money_column
from pages.runs.prompts import show_prompts
from pages.runs.steps import redo_form
from pages.runs.steps.redo_form import FORM
from services.runs.steps import redo_choices, redoing
from services.runs.steps.redo_choices import RedoChoices
from services.runs.steps.redoing import RedoLine, RedoPlan, RulingForecast, StepChanges

PLANNED = FORM.key("planned")
# Largest number of groups that are listed as options.
MOST_OFFERED = 1_000
# Group keys that a dry run names.
MOST_KEYS = 12
RedoRequest = tuple[str, str, StepChanges, tuple[str, ...] | None]


def show(viewer: Viewer, run_id: str, step: str) -> None:
    choices = redo_choices.redo_choices(viewer, run_id, step)
    with shell.top_row(f"New run: redo {choices.step_title} of run {choices.run}"):
        back = {"run": str(choices.run), "part": "steps"}
        links.page_button("Back to run", "runs", back, key=state.key(PAGE, "redo.back"))
    redo_form.begin(viewer, choices)
    form, dry = st.columns([5, 4], gap="large")
    with form:
        _fields(viewer, choices)
    with dry, shell.boundary():
        _dry_run(viewer, choices)
    with st.container(border=True, key=FORM.key("box.fixed"), gap="small"):
        st.markdown(f":material/lock: **Stays as in run {choices.run}**")
        half = (len(choices.fixed) + 1) // 2
        columns = st.columns(2, gap="large")
        for column, some in zip(columns, (choices.fixed[:half], choices.fixed[half:]), strict=True):
            with column, st.container(gap="small"):
                for setting in some:
                    with st.container(gap=None):
                        st.markdown(f"{shell.escaped(setting.what)}: {shell.escaped(setting.value)}")
                        st.caption(shell.escaped(setting.why))
        st.caption("To change more than one step, use *Reuse settings* of the run.")


# --- the form ----------------------------------------------------------------------------------------------------


def _fields(viewer: Viewer, choices: RedoChoices) -> None:
    keep = partial(FORM.keep, viewer)
    with st.container(border=True, key=FORM.key("box.step")):
        st.markdown(
            f"**Step {shell.escaped(choices.step_title)}** · as in run {choices.run}; change what should differ"
        )
        if choices.kind is StepKind.ASK:
            _cards(choices, keep)
            st.text_input(
                "Prompt folder",
                key=FORM.key("prompts_folder"),
                on_change=keep,
                max_chars=500,
                placeholder=f"Empty: the prompts of run {choices.run}",
                help=(
                    "A folder on the computer that serves Edgewise. A file in it replaces the prompt of the same "
                    "name, in this step alone, and its hash is recorded."
                ),
            )
            show_prompts(choices.prompts, key=FORM.key("prompts"))
        options.show(choices.options, keep, lambda name: FORM.key(redo_form.option_field(name)))
        if choices.kind is StepKind.DECIDE:
            st.caption("People decide on every value of this step again. Earlier decisions are not taken over.")
        elif choices.kind is not StepKind.ASK and not choices.options:
            st.caption("This step has nothing to set. It is computed again with the current version of its protocol.")
        if choices.keys:
            # With very many groups, keys are typed: a list of all would be slow.
            key = FORM.key("groups")
            are_many = len(choices.keys) > MOST_OFFERED
            if not are_many:
                st.session_state[key] = [each for each in st.session_state.get(key) or () if each in choices.keys]
            choose_several(
                "Groups",
                st.session_state.get(key) or [] if are_many else choices.keys,
                key=key,
                on_change=keep,
                accept_new_options=are_many,
                placeholder=f"Empty: all {counted(len(choices.keys), 'group')}",
                help="The new run has the chosen groups only. Steps over the whole run then take only these groups.",
            )
    FORM.fault()


def _cards(choices: RedoChoices, keep: Any) -> None:
    known = [each.name for each in choices.offered]
    names = [*known, *(each for each in choices.cards if each not in known)]
    words = {each.name: f"{each.name} · {each.endpoint}" if each.endpoint else each.name for each in choices.offered}

    def label(name: str) -> str:
        return words.get(name, f"{name} · as in run {choices.run}")

    if choices.most == 1:
        key = FORM.key("model")
        if st.session_state.get(key) not in names:
            st.session_state[key] = None
        st.selectbox("Model", names, key=key, on_change=keep, format_func=label, placeholder="Choose a model")
    else:
        key = FORM.key("models")
        st.session_state[key] = [each for each in st.session_state.get(key) or () if each in names]
        choose_several("Models", names, key=key, on_change=keep, format_func=label, placeholder="Choose models")
    chosen = redo_form.cards(choices)
    for card in choices.offered:
        if card.trouble and card.name in chosen:
            st.caption(f":material/warning: {shell.escaped(card.name)}: {shell.escaped(card.trouble)}")
    if choices.changed_cards:
        named = shell.escaped(", ".join(choices.changed_cards))
        st.checkbox(f"Use the current model card: {named}", key=FORM.key("as_now"), on_change=keep)
        st.caption(f"Edited after run {choices.run} started. If not ticked, the card is used as it was then.")


# --- the dry run -------------------------------------------------------------------------------------------------


def _dry_run(viewer: Viewer, choices: RedoChoices) -> None:
    changes, groups = redo_form.changes(choices), redo_form.groups()
    request: RedoRequest = (choices.run_id, choices.step, changes, groups)
    planned: tuple[RedoRequest, RedoPlan] | None = st.session_state.get(PLANNED)
    plan = planned[1] if planned is not None and planned[0] == request else None
    missing = choices.obstacle or (
        "Choose a model." if choices.kind is StepKind.ASK and not redo_form.cards(choices) else ""
    )
    with st.container(horizontal=True, vertical_alignment="center", key=FORM.key("head")):
        st.subheader("Dry run", anchor=False, width="stretch")
        if plan is None:
            if st.button("Start dry run", type="primary", key=FORM.key("plan"), disabled=bool(missing)):
                new_plan = redoing.plan_redo(viewer, choices.run_id, choices.step, changes, groups)
                st.session_state[PLANNED] = (request, new_plan)
                st.rerun()
        elif st.button(
            "Start run", type="primary", key=state.act_key(FORM.scope, "start"), icon=":material/play_arrow:"
        ):
            receipt = redoing.redo(
                viewer, choices.run_id, choices.step, changes, groups, act_id=state.act_id(FORM.scope)
            )
            state.spend(FORM.scope)
            FORM.forget(viewer)
            acts.note(SCOPE, receipt)
            for name in ("show", *redo_form.PARAMS):
                state.write_param(name, "")
            state.forget(state.key(PAGE, "one.part"))
            state.write_param("part", "steps")
            state.write_param("run", receipt.subject_id)
            st.rerun()
    if missing:
        st.caption(shell.escaped(missing))
    elif planned is None:
        st.caption("A dry run shows what would be sent and what cached replies would answer. It sends nothing.")
    elif plan is None:
        st.caption(":material/edit: Settings have changed. Run the dry run again.")
    if planned is not None and planned[0][:2] == request[:2]:
        _plan(planned[1])


def _plan(plan: RedoPlan) -> None:
    st.markdown(f"Changed: {shell.escaped(plan.changes)}")
    if plan.changes == "nothing":
        st.caption(":material/info: Nothing is changed: cached replies answer everything that was answered before.")
    st.markdown(_sent(plan))
    costs = money_column([line.cost_usd if line.requests else 0 for line in plan.steps])
    is_about = [line.requests and line.cost_usd is not None for line in plan.steps]
    number_table(
        {
            "Step": [each.title for each in plan.steps],
            "Items": [_about(each, each.items) for each in plan.steps],
            "Requests": [_about(each, each.requests) for each in plan.steps],
            "Cached": [f"{each.cached:,}" for each in plan.steps],
            "Cost": [f"about {cost}" if about else cost for cost, about in zip(costs, is_about, strict=True)],
        },
        key=FORM.key("plan.steps"),
        words=("Step",),
    )
    unpriced = dict.fromkeys(each.cost_reason for each in plan.steps if each.cost_reason)
    if unpriced:
        st.caption(shell.escaped(f"Cost unknown: {'; '.join(unpriced)}."))
    if any(each.is_about for each in plan.steps):
        st.caption(
            f"*about*: the number of requests in run {plan.run}. What the step asks now is known once the steps before "
            "it are done; cached replies answer what is the same."
        )
    if plan.groups:
        more = f" and {len(plan.groups) - MOST_KEYS:,} more" if len(plan.groups) > MOST_KEYS else ""
        st.markdown(f"**{counted(len(plan.groups), 'group')}**")
        st.caption(shell.escaped(", ".join(plan.groups[:MOST_KEYS]) + more))
    _rulings(plan.rulings)


def _sent(plan: RedoPlan) -> str:
    now = sum(each.requests for each in plan.steps if not each.is_about)
    about = sum(each.requests for each in plan.steps if each.is_about)
    cached = sum(each.cached for each in plan.steps)
    cached_text = f"; {counted(cached, 'cached reply')} used" if cached else ""
    if not now and not about:
        return f"**No cost**: no request is sent{cached_text}."
    later = f"about {counted(about, 'request')} in later steps" if about else ""
    if not now:
        return f"**{sentence_case(later)}**{cached_text}"
    return f"**{counted(now, 'request')}** to send{f', and {later}' if later else ''}{cached_text}"


def _about(line: RedoLine, number: int) -> str:
    return f"about {number:,}" if line.is_about else f"{number:,}"


def _rulings(forecasts: tuple[RulingForecast, ...]) -> None:
    if not forecasts:
        return
    st.markdown("**People's decisions**")
    for forecast in forecasts:
        parts = []
        if forecast.taken_over:
            parts.append(f"{counted(forecast.taken_over, 'decision')} taken over, because the values are equal")
        if forecast.again:
            parts.append(f"{counted(forecast.again, 'decision')} to be decided again, because this step is redone")
        if forecast.later:
            parts.append(
                f"{counted(forecast.later, 'decision')} taken over where the value comes out equal, otherwise to be "
                "decided again; the new run lists them"
            )
        st.caption(shell.escaped(f"{forecast.title}: {'; '.join(parts)}"))

"""Dry run: items, requests and cost of a run, computed before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import shell
from components.widgets.number_table import number_table
from core.analysis.groupings import task_words
from core.words import counted, minus
from pages.runs import deviations
from pages.runs.form import FORM
from pages.runs.parts import NO_VALUE, money, money_column, tokens
from pages.runs.prompts import show_prompts
from services.runs.run_settings import variant_words
from services.runs.settings import BudgetSettings, DryRun, LeftOutRow, PlannedStep
from services.runs.steps.expected_words import all_steps

MOST_EXCLUDED = 200


def show(plan: DryRun, budget: BudgetSettings) -> None:
    for fault in plan.faults:
        st.error(shell.escaped(fault), icon=":material/block:")
    for notice in plan.notices:
        st.caption(f":material/info: {shell.escaped(notice)}")
    for embedding in plan.embeddings:
        if embedding.missing:
            missing = f"**{counted(embedding.missing, 'text')}** of {embedding.texts:,}"
            texts = f"{missing} without a vector of {shell.escaped(embedding.embedder)}"
            sent = f"About **{tokens(embedding.tokens_in)}** tokens in {counted(embedding.requests, 'request')}"
            st.markdown(
                "  \n".join((texts, sent, _cost(embedding.cost_likely, embedding.cost_most, embedding.cost_reason)))
            )
    if not plan.items and (not plan.steps or plan.faults):
        return
    if plan.items:  # a run of several steps whose first ones only baselines answer has none that can be counted
        st.markdown(f"{_most(plan)}**{counted(plan.items, 'item')}** from {counted(plan.samples, 'sample')}")
    st.markdown(_sent(plan))
    _steps(plan.steps, budget)
    if plan.models:
        models, most = plan.models, " (at most)" if plan.is_bound else ""
        columns = {
            "Model": [each.name for each in models],
            f"Items{most}": [f"{each.items:,}" for each in models],
            f"Requests{most}": [f"{each.requests:,}" for each in models],
        }
        if any(each.cached for each in models):
            columns["Cached"] = [f"{each.cached:,}" for each in models]
        columns["Cost"] = money_column([each.cost_likely if each.requests else 0 for each in models])
        number_table(columns, key=FORM.key("plan.models"), words=("Model",))
    if plan.tasks:
        _tasks(plan)
    _excluded(plan.excluded)
    if plan.deviations:
        with st.expander(f"Deviations from the protocol: {len(plan.deviations):,}"):
            st.dataframe(
                deviations.columns(plan.deviations),
                hide_index=True,
                key=FORM.key("plan.deviations"),
            )
    show_prompts(plan.prompts, key=FORM.key("plan.prompts"))


def _most(plan: DryRun) -> str:
    return "At most " if plan.is_bound else ""


def _sent(plan: DryRun) -> str:
    if not plan.requests and not plan.cached:
        if plan.vectors_missing:
            return "Only baselines answer: no request is sent except for vectors."
        return "**No cost**: only baselines answer, and no request is sent."
    cached = f"; {counted(plan.cached, 'cached reply')} used" if plan.cached else ""
    if not plan.requests:
        return f"**No cost**: {counted(plan.cached, 'cached reply')} used, and no request is sent."
    most = "" if plan.tokens_out_most is None else f" (at most {tokens(plan.tokens_out_most)})"
    about = "Up to about" if plan.is_bound else "About"
    lines = [
        f"{_most(plan)}**{counted(plan.requests, 'request')}** to send{cached}",
        f"{about} **{tokens(plan.tokens_in)}** tokens in, {tokens(plan.tokens_out_likely)} tokens out{most}",
        _cost(plan.cost_likely, plan.cost_most, plan.cost_reason, "Expected up to" if plan.is_bound else "About"),
    ]
    return "  \n".join(lines)


def _steps(steps: Sequence[PlannedStep], budget: BudgetSettings) -> None:
    if not steps:
        return
    st.markdown(f"**{shell.escaped(all_steps(steps))}**")
    costs = money_column([each.cost_usd for each in steps])
    number_table(
        {
            "Step": [_step_name(each) for each in steps],
            "Requests": [NO_VALUE if each.requests is None else _about(each, f"{each.requests:,}") for each in steps],
            "Cached": [NO_VALUE if each.is_about else f"{each.cached:,}" for each in steps],
            "Cost": [
                NO_VALUE if each.cost_usd is None else _about(each, cost)
                for each, cost in zip(steps, costs, strict=True)
            ],
        },
        key=FORM.key("plan.steps"),
        words=("Step",),
    )
    bounds = ", ".join(
        words
        for value, words in (
            (budget.usd, money(budget.usd)),
            (budget.tokens, f"{budget.tokens or 0:,} tokens"),
            (budget.requests, f"{budget.requests or 0:,} requests"),
        )
        if value is not None
    )
    budget_text = f"The budget covers all steps together: {bounds}." if bounds else "No budget is set for them."
    bases: dict[str, list[str]] = {}
    for step in steps:
        if step.is_about:
            bases.setdefault(step.basis, []).append(_step_name(step))
    basis_text = "; ".join(f"{', '.join(names)}: {basis}" for basis, names in bases.items())
    summary = f"{basis_text}. {budget_text}" if basis_text else budget_text
    st.caption(f"*about*: expected, not counted. {shell.escaped(summary)}")


def _step_name(step: PlannedStep) -> str:
    return f"{step.title}, further rounds" if step.is_further else step.title


def _about(step: PlannedStep, text: str) -> str:
    return f"about {text}" if step.is_about else text


def _cost(likely: float | None, most: float | None, reason: str, about: str = "About") -> str:
    note = f" ({shell.escaped(reason)})" if reason else ""
    if likely is None:
        return f"Cost unknown{note}"
    at_most = "" if most is None else f", at most **{shell.escaped(money(most))}**"
    return f"{about} **{shell.escaped(money(likely))}**{at_most}{note}"


def _tasks(plan: DryRun) -> None:
    tasks, most = plan.tasks, " (at most)" if plan.is_bound else ""
    labels = list(dict.fromkeys(label for each in tasks for label in each.answers))
    names = [f"{task_words(each.task)}, {variant_words(each.variant)}" for each in tasks]
    number_table(
        {"Task": names, f"Samples{most}": [f"{each.samples:,}" for each in tasks]}
        | {f"Truth: {minus(label)}": [f"{each.answers.get(label, 0):,}" for each in tasks] for label in labels},
        key=FORM.key("plan.tasks"),
        words=("Task",),
    )


def _excluded(excluded: Sequence[LeftOutRow]) -> None:
    if not excluded:
        return
    with st.expander(f"{counted(len(excluded), 'row')} left out"):
        shown = excluded[:MOST_EXCLUDED]
        st.dataframe(
            {
                "Row": [each.key for each in shown],
                "Task": [each.task for each in shown],
                "Reason": [each.reason for each in shown],
            },
            hide_index=True,
            key=FORM.key("plan.excluded"),
        )
        if len(excluded) > MOST_EXCLUDED:
            st.caption(f"The first {MOST_EXCLUDED} are listed. The run card lists them all.")

"""Progress of a run: counts, rate, tokens, cost, remaining time, and errors."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import links, shell, state
from components.widgets.charts import show_chart
from components.widgets.number_table import number_table
from core.analysis.charts import Chart, ChartKind, Point, chart_of_points
from core.people import Viewer
from core.runs.budget import account
from core.runs.states import AT_WORK, ItemStatus, RunState, ended, progress_text
from core.words import counted, sentence_case
from pages.runs.error_words import what_happened, what_helps
from pages.runs.parts import PAGE, STATES, duration, icon_of, money, reason_of, tokens
from services.readings.reading import people_asked
from services.runs import reading
from services.runs.views import ErrorGroup, RunProgress

EVERY_S = 2.0
NO_WORKER = (
    "No worker is running, so nothing is sent. `edgewise.py serve` runs one. To start a worker in a terminal, use "
    "the same study (EDGEWISE_STORE) and an environment that contains your keys:"
)
START_WORKER = "python edgewise.py worker"
WAITS = (
    "Edgewise retries the server after pauses of 2 s to 2 min, and the run continues as soon as the server "
    "answers. Requests that were not sent cost nothing and do not count as failed."
)
# Characters shown of an error's example; its item shows all.
MOST_SHOWN = 600


def show(viewer: Viewer, run_id: str, drawn_as: str) -> None:
    """Draw the progress; a fragment. `drawn_as` is the state that the page was drawn for, empty if inactive."""
    with shell.boundary():
        seen = reading.progress(viewer, run_id)
        require_state(seen, drawn_as)
        head(seen)
        people = people_asked(viewer, seen.run_id)
        if people is not None:
            in_progress = f", {people.started:,} in progress" if people.started else ""
            st.caption(f"People: {people.submitted:,} of {counted(people.wanted, 'graph')} submitted{in_progress}.")
        _counts(seen)
        look = [status for status in ItemStatus if status not in (ItemStatus.PENDING, ItemStatus.ANSWERED)]
        with st.container(horizontal=True, key=state.key(PAGE, "looks")):
            for status in look:
                number = seen.by_status.get(status, 0)
                if number:
                    link = {"run": seen.run_id, "status": status.value, "only": "all"}
                    links.page_button(
                        f"Show {number:,} {status.value}",
                        "failures",
                        link,
                        key=state.key(PAGE, f"look.{status.value}"),
                    )
        _spent(seen)
        if seen.errors:
            st.subheader("Errors", anchor=False)
            for place, group in enumerate(seen.errors):
                _error(seen, group, place)


def is_live(seen: RunProgress) -> bool:
    """Return True if the numbers change: the run is active, waits, or has open requests."""
    return seen.state in AT_WORK or seen.in_flight > 0


def require_state(seen: RunProgress, drawn_as: str) -> None:
    """Rerun the page if the run's state is no longer the one that the page was drawn for."""
    if drawn_as and (seen.state.value != drawn_as or not is_live(seen)):
        st.rerun()  # the page's buttons belong to another state


def head(seen: RunProgress) -> None:
    done = ended(seen.by_status)
    parts = [progress_text(seen.by_status)]
    if seen.state is RunState.RUNNING:
        if seen.rate_per_s:
            per_s = seen.rate_per_s
            parts.append(f"{per_s:,.0f} per s" if per_s >= 2 else f"{60 * per_s:,.0f} per min")
        if seen.left_s is not None:
            parts.append(f"about {duration(seen.left_s)} left{' in this step' if seen.has_steps else ''}")
    again = "retrying" if seen.state in AT_WORK else "to retry"
    counts = ((seen.retrying, again), (seen.in_flight, "in flight"))
    parts += [f"{number:,} {word}" for number, word in counts if number]
    st.progress(done / seen.total if seen.total else 0.0, text=" · ".join(parts))
    reason = reason_of(seen)
    if seen.state in AT_WORK and not seen.has_worker and not seen.is_held:
        st.warning(NO_WORKER, icon=":material/power_off:")
        st.code(START_WORKER, language=None)
    if reason:
        st.markdown(f"{icon_of(seen)} **{STATES[seen.state].capitalize()}**: {shell.escaped(reason)}")
    if seen.state is RunState.WAITING and seen.blockers:
        st.caption(WAITS)
    elif seen.state is RunState.PAUSED and seen.in_flight:
        st.caption("No new request is sent. Replies to requests in flight are kept.")


def _counts(seen: RunProgress) -> None:
    """Draw the items of each model by status; counts add up, and `INCOMPLETE` is shown only if it occurs."""
    show_chart(_models_chart(seen.by_model), state.key(PAGE, "chart"))
    lines = [*seen.by_model.values(), seen.by_status] if len(seen.by_model) > 1 else [seen.by_status]
    models = {"Model": [*seen.by_model, "All models"]} if len(seen.by_model) > 1 else {}
    number_table(
        models
        | {
            sentence_case(status.value): [f"{line.get(status, 0):,}" for line in lines]
            for status in ItemStatus
            if status is not ItemStatus.INCOMPLETE or seen.by_status.get(status)
        }
        | {"All": [f"{sum(line.values()):,}" for line in lines]},
        key=state.key(PAGE, "counts"),
        words=("Model",),
        wide="Model" if models else "",
    )


def _models_chart(by_model: Mapping[str, Mapping[ItemStatus, int]]) -> Chart:
    """Bars of the items of each model, those that wait last. A status without an item has no part."""
    order = [*(status for status in ItemStatus if status is not ItemStatus.PENDING), ItemStatus.PENDING]
    points = [
        Point(row=name, column=sentence_case(status.value), value=of_model[status], text=f"{of_model[status]:,}")
        for name, of_model in by_model.items()
        for status in order
        if of_model[status]
    ]
    return chart_of_points(
        points,
        kind=ChartKind.BARS,
        title="Items of each model by status",
        row_title="Model",
        column_title="Status",
        value_title="Items",
    )


def _spent(seen: RunProgress) -> None:
    if not seen.requests and not seen.cached:
        waits = seen.by_status.get(ItemStatus.PENDING, 0)
        st.caption("No request sent yet." if waits else "No request was sent. Baselines need none.")
        return
    parts = [counted(seen.requests, "request") + " sent"]
    if seen.unsent:
        parts.append(f"{counted(seen.unsent, 'attempt')} that sent nothing")
    if seen.cached:
        parts.append(f"{counted(seen.cached, 'cached reply')}")
    if seen.tokens_in or seen.tokens_out:
        parts.append(f"{tokens(seen.tokens_in)} tokens in, {tokens(seen.tokens_out)} tokens out")
    cost = "cost unknown" if seen.unpriced or seen.implausible else "no cost yet"
    parts.append(cost if seen.cost_usd is None else money(seen.cost_usd))
    st.caption(shell.escaped(" · ".join(parts)))
    for line in account(seen.budget, seen.spending):
        if line not in seen.reason:  # unless the reason contains it
            st.caption(shell.escaped(line))
    if seen.unpriced:
        st.caption(
            f"No price for {counted(seen.unpriced, 'reply')}: neither the provider nor the model card gives one."
        )
    if seen.implausible:
        st.caption(
            f":material/warning: Reported usage of {counted(seen.implausible, 'reply')} cannot be true. It is counted "
            "neither as tokens nor as cost; the budget holds the most that each request can cost. The card lists them."
        )
    if seen.uncertain:
        st.caption(
            f":material/help: Outcome unknown for {counted(seen.uncertain, 'request')}: a worker ended before the "
            "reply came. The provider may have answered and charged. The card lists them."
        )


def _error(seen: RunProgress, group: ErrorGroup, place: int) -> None:
    still = f"{counted(group.items, 'item')} still without a reply" if group.items else "all answered since then"
    title = f"{what_happened(group.kind)}: {counted(group.attempts, 'attempt')}, {still}"
    with st.expander(
        shell.escaped(title), key=state.key(PAGE, f"error.{group.kind}"), expanded=place == 0 and bool(group.items)
    ):
        helps = what_helps(group.kind)
        if helps:
            st.caption(helps)
        status = f"HTTP {group.example_status} · " if group.example_status else ""
        at = f"{shell.local_time(group.last_at):%H:%M:%S}"
        st.caption(shell.escaped(f"Example: {status}{group.example_model} · last at {at}"))
        st.code(group.example[:MOST_SHOWN] or "(the provider gave no message)", language=None, wrap_lines=True)
        with st.container(horizontal=True):
            if group.example_item:
                link = {"run": seen.run_id, "only": "all", "item": group.example_item}
                links.page_button("Open item", "failures", link, key=state.key(PAGE, f"error.open.{group.kind}"))
            link = {"show": "endpoints", "endpoint": group.example_endpoint}
            links.page_button("Open endpoint", "runs", link, key=state.key(PAGE, f"error.endpoint.{group.kind}"))

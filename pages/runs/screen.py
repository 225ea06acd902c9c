"""Runs: list, one run, a new run, models and endpoints."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from components.widgets.number_table import number_table
from components.widgets.work_list import WorkLine, pages_of_work
from core.people import Permission, Viewer
from core.runs.states import progress_text
from core.words import counted
from pages.drafts import stored
from pages.runs import detail, endpoints, models, new
from pages.runs.parts import PAGE, SCOPE, STATES, money, money_column, reason_of, title_of, who_answers
from services.runs import cache, reading
from services.runs.run_settings import protocol_title
from services.runs.views import RunLine

PARTS = {"runs": "Runs", "models": "Models", "endpoints": "Endpoints"}


def show(viewer: Viewer) -> None:
    with stored.settling(viewer):
        run = state.read_param("run")
        if run:
            detail.show(viewer, run)
            return
        if state.read_param("show") == "new" and viewer.may(Permission.RUN):
            new.show(viewer)
            return
        top = shell.top_row("Runs", acts.last_receipt(SCOPE))
        parts = [part for part in PARTS if part != "endpoints" or viewer.may(Permission.RUN)]
        key, linked = state.key(PAGE, "part"), state.read_param("show")
        if st.session_state.get(key) not in parts:
            st.session_state[key] = linked if linked in parts else "runs"
        part = str(
            st.segmented_control(
                "Part", parts, format_func=PARTS.__getitem__, key=key, label_visibility="collapsed", required=True
            )
        )
        for name in ("models", "endpoints"):
            if part != name:
                state.write_param(name.rstrip("s"), "")
        state.write_param("show", "" if part == "runs" else part)
        if part != "runs":
            (models if part == "models" else endpoints).show(viewer, top)
            return
        if viewer.may(Permission.RUN):
            with top:
                links.page_button("New run", "runs", {"show": "new"}, key=state.key(PAGE, "begin"), is_primary=True)
        _list(viewer)


def _list(viewer: Viewer) -> None:
    in_use, archived = reading.how_many(viewer)
    with_archived = bool(
        archived and st.toggle(f"Show {counted(archived, 'archived run')}", key=state.key(PAGE, "archived"))
    )
    shown = in_use + archived if with_archived else in_use
    if not shown:
        if archived:
            st.caption("All runs are archived.")
        else:
            st.caption(
                "No run yet. A run asks models and baselines about triplets, relations, texts, graphs or figures of "
                "the study. Every reply is stored as it arrives, so a run that is paused or interrupted continues "
                "where it stopped."
            )
            if viewer.may(Permission.RUN):
                st.caption("Baselines need no key: they run on this computer.")
        return

    def lines(start: int, end: int) -> list[WorkLine]:
        return [
            _line(run) for run in reading.page(viewer, with_archived=with_archived, offset=start, limit=end - start)
        ]

    pages_of_work(shown, lines, key=state.key(PAGE, "list"), on_choose=partial(state.write_param, "run"))
    _cached_replies(viewer)


def _cached_replies(viewer: Viewer) -> None:
    """Draw the cached replies; baselines are not cached."""
    replies = cache.count(viewer)
    if not replies:
        return
    with st.expander(f"{counted(replies, 'cached reply')}", key=state.key(PAGE, "kept"), on_change="rerun") as opened:
        if not opened.open:  # counting uses of replies scans every item of every run
            return
        stats = [each for each in cache.stats(viewer) if each.endpoint]
        number_table(
            {
                "Model ID": [each.model for each in stats],
                "Endpoint": [each.endpoint for each in stats],
                "Replies": [f"{each.replies:,}" for each in stats],
                "Items answered": [f"{each.uses:,}" for each in stats],
                "Runs": [f"{each.runs:,}" for each in stats],
                "Tokens in": [f"{each.tokens_in:,}" for each in stats],
                "Tokens out": [f"{each.tokens_out:,}" for each in stats],
                "Cost": money_column([each.cost_usd for each in stats]),
            },
            key=state.key(PAGE, "kept.table"),
            words=("Model ID", "Endpoint"),
        )
        st.caption("A request with the same messages, model and parameters is answered from the cache, in any run.")


def _asked(run: RunLine) -> str:
    """Samples and those who answer; a product where all of them answer every sample."""
    samples, answering = counted(run.samples, "sample"), who_answers(run)
    if run.samples * (len(run.models) * run.repeats + len(run.baselines)) == run.total:
        return f"{samples} × {answering}{f' × {run.repeats} repeats' if run.repeats > 1 and run.models else ''}"
    return f"{samples} · {answering}, not each of every sample"


def _line(run: RunLine) -> WorkLine:
    words = STATES[run.state]
    if run.is_archived:
        words += ", archived"
    reason = reason_of(run)
    parts = [progress_text(run.by_status)]
    if run.cost_usd:
        parts.append(money(run.cost_usd))
    return WorkLine(
        id=str(run.number),
        title=title_of(run.number, run.title, run.tasks),
        detail=f"{protocol_title(run.protocol)} · {_asked(run)}",
        state=f"{words}: {reason}" if reason else words,
        counts=" · ".join([*parts, shell.moment(run.created_at)]),
        comment="",
        verb="Open run",
    )

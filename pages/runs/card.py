"""Card of a run: settings and inputs with hashes, and its ledger."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components import links, shell, state
from components.widgets.moments import moment_column
from components.widgets.number_table import number_table
from core.people import Viewer
from core.runs.states import ItemStatus, ModelKind
from core.words import counted, quoted, sentence_case
from pages.runs import deviations
from pages.runs.parts import NO_VALUE, PAGE, money, money_column, tokens
from pages.runs.prompts import show_prompts
from services.runs import reading
from services.runs.run_settings import find_protocol, protocol_title
from services.runs.settings import BudgetSettings
from services.runs.views import AttemptLine, ModelInRun, RunCard

MOST_ROWS = 200


def show(viewer: Viewer, run_id: str) -> None:
    card = reading.card(viewer, run_id)
    st.caption(shell.escaped(_about(card)))
    _version(card)
    for notice in card.notices:
        st.caption(f":material/info: {shell.escaped(notice)}")
    if card.open_cells is not None:
        cells, least, most = card.open_cells
        many = f"{least:,}" if least == most else f"{least:,} to {most:,}"
        st.caption(
            f":material/grid_view: {counted(cells, 'cell')} {'is' if cells == 1 else 'are'} not full: each model has "
            f"{many} items ended in each."
        )
    _models(card.models)
    for model, flag, items in card.unknown_reasons:
        st.caption(shell.escaped(f"{model}: {flag} in {counted(items, 'reply')}, read like complete ones."))
    _ledger(card)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _attempts(card.uncertain, "Outcome unknown", card.run.id, "uncertain")
        _attempts(card.resends, "Re-sent after unknown outcome", card.run.id, "resends")
        _implausible(card)
        with st.expander("Model cards used", key=state.key(PAGE, "card.snapshots")):
            for used in card.models:
                st.caption(shell.escaped(used.name))
                snapshot = json.dumps(used.snapshot, indent=2, ensure_ascii=False, default=str)
                st.code(snapshot, language="json", wrap_lines=True)
        show_prompts(card.prompts, key=state.key(PAGE, "card.prompts"))
        _excluded(card.excluded)
        with st.expander("History", key=state.key(PAGE, "card.acts")):
            st.dataframe(
                {"Time": [shell.local_time(at) for at, _ in card.acts], "Act": [what for _, what in card.acts]},
                hide_index=True,
                column_config={"Time": moment_column()},
                key=state.key(PAGE, "card.acts.table"),
            )
    with right:
        _deviations(card)
        _values("Parameters", card.parameters)
        _values("Budget", _bounds(card.budget))
    st.markdown("**Hashes (SHA-256)**")
    st.dataframe(
        {
            "Part": [_part(part) for part in card.hashes],
            "Hash": [value or NO_VALUE for value in card.hashes.values()],
        },
        hide_index=True,
        height="content",
        key=state.key(PAGE, "card.hashes"),
    )


def _about(card: RunCard) -> str:
    run = card.run
    started = f"started {shell.moment(run.started_at)}" if run.started_at else "not started"
    over = f", ended {shell.moment(run.finished_at)}" if run.finished_at else ""
    repeated = f" ({counted(card.repeated, 'duplicate')} left out)" if card.repeated else ""
    return (
        f"{protocol_title(run.protocol)} ({run.protocol_version}) · {counted(run.samples, 'sample')}{repeated}, "
        f"{counted(run.total, 'item')} · created {shell.moment(run.created_at)}, {started}{over}"
    )


def _version(card: RunCard) -> None:
    """Note a different protocol version, which may request, parse or score differently."""
    run, protocol = card.run, find_protocol(card.run.protocol)
    if protocol is not None and protocol.version != run.protocol_version:
        st.caption(
            f":material/history: Asked as version {shell.escaped(run.protocol_version)}. This Edgewise has version "
            f"{shell.escaped(protocol.version)}."
        )


def _models(models: Sequence[ModelInRun]) -> None:
    st.markdown("**Models and baselines**")
    statuses = [status for status in ItemStatus if any(each.by_status.get(status) for each in models)]
    number_table(
        {"Model": [each.name for each in models]}
        | {
            sentence_case(status.value): [f"{each.by_status.get(status, 0):,}" for each in models]
            for status in statuses
        }
        | {
            "Requests": [f"{each.requests:,}" for each in models],
            "Cached": [f"{each.cached:,}" for each in models],
            **(
                {"Asked again": [f"{each.asked_again:,}" for each in models]}
                if any(each.asked_again for each in models)
                else {}
            ),
            "Tokens in": [tokens(each.tokens_in) for each in models],
            "Tokens out": [tokens(each.tokens_out) for each in models],
            "Cost": money_column([0 if each.kind is ModelKind.BASELINE else each.cost_usd for each in models]),
        },
        key=state.key(PAGE, "card.models"),
        words=("Model",),
        wide="Model",
    )


def _ledger(card: RunCard) -> None:
    parts = [f"{counted(card.requests, 'request')} sent"]
    if card.unsent:
        parts.append(f"{counted(card.unsent, 'attempt')} that sent nothing")
    parts.append(f"{tokens(card.tokens_in)} tokens in, {tokens(card.tokens_out)} tokens out")
    unpriced = "cost unknown" if card.requests else "no cost"
    parts.append(unpriced if card.cost_usd is None else money(card.cost_usd))
    if card.uncertain:
        parts.append(f"{counted(len(card.uncertain), 'request')} with an unknown outcome")
    if card.implausible:
        parts.append(f"reported usage of {counted(card.implausible, 'reply')} cannot be true and is not counted")
    if card.resends:
        parts.append(f"{counted(len(card.resends), 'request')} re-sent after an unknown outcome")
    st.caption(shell.escaped(f"Ledger: {', '.join(parts)}."))


def _attempts(lines: Sequence[AttemptLine], title: str, run_id: str, name: str) -> None:
    if not lines:
        return
    with st.expander(f"{title}: {len(lines):,}", key=state.key(PAGE, f"card.{name}")):
        shown = lines[:MOST_ROWS]
        st.dataframe(
            {
                "Sent": [shell.local_time(each.sent_at) for each in shown],
                "Model": [each.model for each in shown],
                "Attempt": [str(each.number) for each in shown],
                "Item": [each.item_id for each in shown],
                "State": [each.state.value for each in shown],
            },
            hide_index=True,
            column_config={"Sent": moment_column()},
            key=state.key(PAGE, f"card.{name}.table"),
        )
        st.caption("The provider may have answered and charged these requests more than once.")
        links.page_button(
            "Open first item",
            "failures",
            {"run": run_id, "only": "all", "item": shown[0].item_id},
            key=state.key(PAGE, f"card.{name}.open"),
        )


def _implausible(card: RunCard) -> None:
    if not card.implausible:
        return
    lines = card.implausible_usage
    with st.expander(f"Usage that cannot be true: {card.implausible:,}", key=state.key(PAGE, "card.implausible")):
        st.dataframe(
            {
                "Sent": [shell.local_time(each.sent_at) for each in lines],
                "Model": [each.model for each in lines],
                "Item": [each.item_id for each in lines],
                "Reported": [each.message for each in lines],
            },
            hide_index=True,
            column_config={"Sent": moment_column()},
            key=state.key(PAGE, "card.implausible.table"),
        )
        st.caption("The budget holds the most that each of these requests can cost.")
        links.page_button(
            "Open first item",
            "failures",
            {"run": card.run.id, "only": "all", "item": lines[0].item_id},
            key=state.key(PAGE, "card.implausible.open"),
        )


def _excluded(excluded: Sequence[tuple[str, str]]) -> None:
    if not excluded:
        return
    with st.expander(f"{counted(len(excluded), 'row')} left out", key=state.key(PAGE, "card.excluded")):
        st.dataframe(
            {"Row": [key for key, _ in excluded], "Reason": [reason for _, reason in excluded]},
            hide_index=True,
            key=state.key(PAGE, "card.excluded.table"),
        )


def _deviations(card: RunCard) -> None:
    if not card.deviations:
        st.caption("All settings follow the protocol.")
        return
    st.markdown(f"**Deviations from the protocol: {len(card.deviations):,}**")
    st.dataframe(
        deviations.columns(card.deviations),
        hide_index=True,
        key=state.key(PAGE, "card.deviations"),
    )


def _values(title: str, values: Mapping[str, Any]) -> None:
    st.markdown(f"**{title}**")
    if not values:
        st.caption("none")
        return
    st.dataframe(
        {
            "Name": list(values),
            "Value": [
                each if isinstance(each, str) else json.dumps(each, ensure_ascii=False, default=str)
                for each in values.values()
            ],
        },
        hide_index=True,
        key=state.key(PAGE, f"card.{title}"),
    )


def _bounds(budget: BudgetSettings) -> dict[str, str]:
    named = {
        "Dollars": None if budget.usd is None else money(budget.usd),
        "Tokens": budget.tokens,
        "Requests": budget.requests,
    }
    return {
        name: f"{bound:,}" if isinstance(bound, int) else bound for name, bound in named.items() if bound is not None
    }


def _part(part: str) -> str:
    """Label a hash; a source by the first digits of its file's hash."""
    if part.startswith("source "):
        return f"collection {quoted(part.removeprefix('source '))} (first 16 hex digits)"
    return "settings" if part == "wanted" else part

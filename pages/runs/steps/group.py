"""One group of a step: inputs, rounds of its items, outputs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from components import links, shell, state
from components.widgets.long_text import long_text
from core.people import Permission, Viewer
from core.runs.states import ItemStatus
from core.steps import GroupState, StepKind
from core.words import counted, sentence_case
from pages.runs.parts import NO_VALUE, PAGE, money, tokens
from pages.runs.steps import redo_links, rulings, texts
from pages.runs.steps.group_words import KINDS, STATES, key_words
from protocols.step_values import Value
from services.runs.steps import lists as steps
from services.runs.steps.lists import GroupItem, GroupView
from services.runs.views import RunProgress

PER_PAGE = 10
# Values shown per step or source; an export has all.
MOST_VALUES = 20
# Items of a group that are expanded at first.
MOST_OPEN = 3
TALL_PX = 260
ICONS = {
    GroupState.WAITING: ":material/schedule:",
    GroupState.OPEN: ":material/play_circle:",
    GroupState.DONE: ":material/check_circle:",
    GroupState.BLOCKED: ":material/block:",
    GroupState.DECIDING: ":material/gavel:",
}


def show(viewer: Viewer, seen: RunProgress, step: str, key: str, *, back: Callable[[], None]) -> None:
    """Draw the group that the link names; `back` opens the table of groups."""
    run_id = seen.run_id
    top = st.container(horizontal=True, key=_key("top"))
    top.button("Back to steps", icon=":material/arrow_back:", key=_key("back"), on_click=back)
    page_key = _key(f"page.{step}.{key}")
    number: int = st.session_state.get(page_key) or 1
    view = steps.group(viewer, run_id, step, key, offset=(number - 1) * PER_PAGE, limit=PER_PAGE)
    if viewer.may(Permission.RUN):
        with top:
            redo_links.redo_button(seen, step, view.key)
    st.subheader(shell.escaped(f"{view.title} · {key_words(view.key)}"), anchor=False)
    why = f": {shell.escaped(view.reason)}" if view.reason else ""
    st.markdown(f"{ICONS[view.state]} **{STATES[view.state].capitalize()}**{why}")
    if view.kind is not StepKind.DECIDE or view.ended_at:
        st.caption(KINDS[view.kind] + (f" · ended {shell.moment(view.ended_at)}" if view.ended_at else ""))
    if view.kind is StepKind.ASK:
        left, middle, right = st.columns([3, 5, 3], gap="large")
        with middle:
            _items(view.items, view.items_total)
            if view.items_total > PER_PAGE:
                st.pagination(-(-view.items_total // PER_PAGE), default=number, key=page_key)
    elif view.kind is StepKind.DECIDE and view.made:
        texts.show_group(viewer, run_id, view.key)
        _before_people(viewer, view)
        return
    else:
        left, right = st.columns(2, gap="large")
    with left:
        _inputs(view.inputs, view)
    with right:
        _outputs(view)


def _before_people(viewer: Viewer, view: GroupView) -> None:
    """Draw the values to decide; further inputs of the step are next to them."""
    further_inputs = dict(list(view.inputs.items())[1:])
    if not further_inputs:
        rulings.show(viewer, view)
        return
    left, right = st.columns([3, 1], gap="large")
    with left:
        rulings.show(viewer, view)
    with right:
        _inputs(further_inputs, view)


# --- what went in ------------------------------------------------------------------------------------------------


def _inputs(inputs: Mapping[str, Sequence[Value]], view: GroupView) -> None:
    st.markdown("**What went in**")
    if not inputs:
        st.caption("Nothing yet. The steps before it are not done.")
    for name, values in inputs.items():
        title = view.titles.get(name) or sentence_case(name)
        st.caption(shell.escaped(f"{title}: {counted(len(values), 'value')}"))
        for value in values[:MOST_VALUES]:
            # A value is named by its key, if that differs from the group's, its model and repeat.
            parts = [
                key_words(value.key) if value.key != view.key else "",
                value.model,
                f"repeat {value.repeat + 1}" if value.model else "",
            ]
            name = ", ".join(filter(None, parts))
            _value(name, value.value, value.flags)
        _more(len(values))


def _value(name: str, value: Any, flags: Sequence[str]) -> None:
    if name:
        st.caption(shell.escaped(name))
    long_text(value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False), TALL_PX)
    for flag in flags:
        st.caption(f":material/flag: {shell.escaped(flag)}")


def _more(number: int) -> None:
    if number > MOST_VALUES:
        st.caption(f"{number - MOST_VALUES:,} more. The export of the run has all.")


# --- rounds ------------------------------------------------------------------------------------------------------


def _items(items: Sequence[GroupItem], total: int) -> None:
    st.markdown(f"**{counted(total, 'item')}**")
    if not items:
        st.caption("No request was sent.")
    for place, item in enumerate(items):
        title = f"{item.sample} · {item.model}, repeat {item.repeat + 1}: {item.status.value}"
        is_open = place < MOST_OPEN or item.status not in (ItemStatus.ANSWERED, ItemStatus.PENDING)
        with st.expander(shell.escaped(title), expanded=is_open, key=_key(f"item.{item.id}")):
            for turn in item.rounds:
                st.markdown(f"**Round {turn.number}: {shell.escaped(turn.purpose)}** · {shell.escaped(turn.model)}")
                for role, text in turn.messages:
                    st.caption(role)
                    long_text(text, TALL_PX)
                if turn.raw:
                    cost = "cost unknown" if turn.cost_usd is None else money(turn.cost_usd)
                    used = f"{tokens(turn.tokens_in)} tokens in, {tokens(turn.tokens_out)} tokens out"
                    st.caption(
                        shell.escaped(f"Reply · {used} · {cost} · finish reason: {turn.finish_reason or NO_VALUE}")
                    )
                    long_text(turn.text or "(empty)", TALL_PX)
                else:
                    st.caption(f"No reply stored: {turn.status.value}.")
                if turn.fault:
                    _fault(turn.fault)
            if item.fault and not any(one.fault == item.fault for one in item.rounds):
                _fault(item.fault)
            link = {"item": item.id, "only": "all"}
            links.page_button("Open item", "failures", link, key=_key(f"open.{item.id}"))


def _fault(fault: str) -> None:
    st.markdown(f"**Fault:** {shell.escaped(fault)}")


# --- what came out -----------------------------------------------------------------------------------------------


def _outputs(view: GroupView) -> None:
    st.markdown("**What came out**")
    if view.kind is StepKind.ASK:
        answered = [each for each in view.items if each.status is ItemStatus.ANSWERED]
        for item in answered:
            _value(f"{item.model}, repeat {item.repeat + 1}", item.value, ())
        if not answered:
            st.caption("No answer yet." if view.state is not GroupState.DONE else "No answer.")
        return
    for output in view.made[:MOST_VALUES]:
        _value(key_words(output.key) if output.key != view.key else "", output.value, output.flags)
    _more(len(view.made))
    if not view.made:
        st.caption("No value." if view.state is GroupState.DONE else "No value yet.")


def _key(name: str) -> str:
    return state.key(PAGE, f"group.{name}")

"""Decisions of people on values of a step: a form for each value, and past decisions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import streamlit as st

from components import shell, state
from components.widgets import acts
from components.widgets.long_text import long_text
from core.errors import BadInput
from core.people import Permission, Viewer
from core.steps import GroupState
from core.words import counted
from pages.drafts import stored
from pages.runs.draft_form import DraftForm
from pages.runs.parts import PAGE, SCOPE
from pages.runs.steps.group_words import key_words
from pages.runs.steps.older_rulings import ruling_text
from services.runs.steps import ruling
from services.runs.steps.lists import GroupValue, GroupView

PER_PAGE = 10
TALL_PX = 260
KEEP, CHANGE, LEAVE_OUT = "keep", "change", "leave out"
ACTS: Mapping[str, str] = {KEEP: "Keep", CHANGE: "Change", LEAVE_OUT: "Leave out"}


def show(viewer: Viewer, view: GroupView) -> None:
    """Draw open decisions first; until the group is done, decisions can be changed."""
    left = [each for each in view.made if each.ruling is None]
    decided = [each for each in view.made if each.ruling is not None]
    is_open = view.state is GroupState.DECIDING
    may_decide = is_open and viewer.may(Permission.RUN)
    heading = f"{len(left):,} of {counted(len(view.made), 'value')} to decide"
    st.markdown(f"**{heading}**" if is_open else f"**{counted(len(decided), 'value')} decided**")
    if is_open and not may_decide:
        st.caption("Researchers and the owner decide.")
    elif is_open and not left:
        st.caption("All values are decided. The run continues when a worker picks it up.")
    elif is_open and not decided:
        st.caption("The run continues after the last decision. Until then, each can be changed.")
    listed = [*left, *decided]
    pages = -(-len(listed) // PER_PAGE)
    key = state.key(PAGE, f"rulings.page.{view.step}.{view.key}")
    number = min(st.session_state.get(key) or 1, pages)
    names = _names(view)
    first = left[0].id if left else ""
    with stored.settling(viewer):
        for each in listed[(number - 1) * PER_PAGE : number * PER_PAGE]:
            with st.container(border=True, key=_key(each, "box")):
                value, decision = st.columns(2, gap="medium")
                with value:
                    st.markdown(f"**{shell.escaped(names[each.id])}**")
                    long_text(_text(each.value), TALL_PX)
                    for flag in each.flags:
                        st.caption(f":material/flag: {shell.escaped(flag)}")
                with decision:
                    if may_decide and (each.ruling is None or st.session_state.get(_key(each, "again"))):
                        _form(viewer, each, names[each.id], is_first=each.id == first)
                    elif each.ruling is None:
                        st.caption("Waiting for a decision.")
                    else:
                        _decided(each, may_decide=may_decide)
    if pages > 1:
        st.pagination(pages, default=number, key=key)


def _names(view: GroupView) -> dict[str, str]:
    """Return a name by value ID: the key, numbered if several values share it."""
    many = Counter(each.key for each in view.made)
    so_far: Counter[str] = Counter()
    name_by_id = {}
    for value in view.made:
        so_far[value.key] += 1
        number = f" · {so_far[value.key]} of {many[value.key]}" if many[value.key] > 1 else ""
        name_by_id[value.id] = f"{key_words(value.key)}{number}"
    return name_by_id


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


def _decided(value: GroupValue, *, may_decide: bool) -> None:
    ruling = value.ruling
    is_same = not ruling.get("left_out") and ruling["value"] == value.value
    words = "kept" if is_same else shell.escaped(ruling_text(ruling))
    st.markdown(f":material/gavel: **Decided:** {words}")
    when = shell.moment(datetime.fromisoformat(ruling["at"]))
    source = "" if value.ruled_in is None else f" · taken over from run {value.ruled_in}"
    st.caption(shell.escaped(f"{value.ruled_by}, {when}{source}"))
    if ruling.get("why"):
        st.caption(f"Reason: {shell.escaped(ruling['why'])}")
    if may_decide:
        key = _key(value, "again")
        st.button(
            "Decide again",
            type="tertiary",
            icon=":material/edit:",
            key=_key(value, "reopen"),
            on_click=st.session_state.__setitem__,
            args=(key, True),
        )


# --- the form ----------------------------------------------------------------------------------------------------


def _form(viewer: Viewer, value: GroupValue, name: str, *, is_first: bool) -> None:
    """Draw the form. Not an `st.form`: the value field depends on the choice, and Enter must not save."""
    form = DraftForm(_key(value, "form"), f"run.rule.{value.id}", {"act": KEEP, "value": _text(value.value), "why": ""})
    form.begin(viewer)

    def keep() -> None:
        form.keep(viewer)

    act = st.radio(
        f"Decision on {shell.escaped(name)}",
        list(ACTS),
        format_func=ACTS.__getitem__,
        horizontal=True,
        label_visibility="collapsed",
        key=form.key("act"),
        on_change=keep,
    )
    if act == CHANGE:
        words = "Value" if isinstance(value.value, str) else "Value (JSON)"
        st.text_area(words, key=form.key("value"), on_change=keep, max_chars=100_000)
    st.text_input(
        "Reason",
        key=form.key("why"),
        on_change=keep,
        max_chars=ruling.LONGEST_WHY,
        placeholder="optional" if act == KEEP else "required: why the value is not kept",
    )
    with shell.boundary():
        if st.button(
            "Save decision", type="primary" if is_first else "secondary", key=state.act_key(form.scope, "save")
        ):
            _save(viewer, value, form)
    form.fault()


def _save(viewer: Viewer, each: GroupValue, form: DraftForm) -> None:
    values = form.values()
    value = each.value
    if values["act"] == CHANGE:
        value = values["value"]
        if not isinstance(each.value, str):
            try:
                value = json.loads(value)
            except ValueError as error:
                raise BadInput(
                    f"Value: not valid JSON ({error}); expected JSON of the same form as before, such as "
                    '{"sign": "+"}.'
                ) from error
    receipt = ruling.rule(
        viewer,
        each.id,
        value,
        values["why"] or "",
        seen=state.seen(form.scope, each.version),
        is_left_out=values["act"] == LEAVE_OUT,
        act_id=state.act_id(form.scope),
    )
    state.spend(form.scope)
    form.forget(viewer)
    st.session_state.pop(_key(each, "again"), None)
    acts.note(SCOPE, receipt)
    st.rerun()


def _key(value: GroupValue, name: str) -> str:
    return state.key(PAGE, f"ruling.{value.id}.{name}")

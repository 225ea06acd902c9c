"""Decisions on candidates, one at a time by keys: the sign of a tie, evidence that is not found."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.errors import EdgewiseError
from core.people import Viewer
from core.triplets.passages import Match
from core.words import counted
from services.extraction import decisions
from services.extraction.candidates import CandidateLine, CandidateState

SCOPE = state.key("triplets", "extraction.decide")
SIGNS = (("+", "1", "Outcome rises"), ("-", "2", "Outcome falls"), ("None", "0", "No effect"), ("mixed", "M", "Mixed"))
REASONS = (
    "as the paper's main estimate has it",
    "the extractions differ in wording only",
    "not a claim of the authors",
    "the evidence is worded otherwise in the paper",
)
AT, FAILED, WHY = (state.key(SCOPE, name) for name in ("at", "failed", "why"))


def show(viewer: Viewer, run: str) -> None:
    found = decisions.decisions(viewer, run)
    waiting = [each for each in found if each.state is CandidateState.DECIDING]
    failed = st.session_state.pop(FAILED, "")
    if failed:
        st.error(shell.escaped(failed))
    if not found:
        st.caption("No candidate needs a decision. A tie of signs, or evidence that is not found, would wait here.")
        return
    st.caption(f"{counted(len(waiting), 'candidate')} to decide, {len(found) - len(waiting):,} decided.")
    if waiting:
        at = int(st.session_state.get(AT, 0)) % len(waiting)
        _one(viewer, waiting[at], at, len(waiting))
    _decided([each for each in found if each.ruling is not None])


def _one(viewer: Viewer, each: CandidateLine, at: int, many: int) -> None:
    value = each.value
    with st.container(border=True, key=state.key(SCOPE, "card")):
        st.markdown(f"**{shell.escaped(value['treatment'])}** → **{shell.escaped(value['outcome'])}**")
        votes = (
            ", ".join(f"{number} × {label}" for label, number in value["votes"].items()) or "no extraction has a vote"
        )
        st.caption(shell.escaped(f"{value['title']} · candidate {each.number} · votes: {votes} · {each.reason}"))
        for member in value["members"]:
            said = f"Extraction {member['run']}: {member['treatment']} → {member['outcome']} ({member['sign']})"
            st.text(said)
        for one in value["evidence"]:
            place = f", page {', '.join(map(str, one['pages']))}" if one["pages"] else ""
            mark = ":material/warning: " if one["match"] == Match.NOT_FOUND.value else ""
            st.caption(f"{mark}Evidence {shell.escaped(one['match'])}{place}")
            st.text(one["text"])
        st.selectbox("Reason", REASONS, key=WHY, accept_new_options=True)
        with st.container(horizontal=True, key=state.key(SCOPE, "signs")):
            for sign, key, words in SIGNS:
                _button(viewer, each, f"{words} ({sign})", key, sign=sign)
            if value["sign"] is not None:
                _button(viewer, each, "Accept evidence", "E", sign=None)
            _button(viewer, each, "Leave out", "D", is_dropped=True)
            st.button(
                "Next", key=state.key(SCOPE, "next"), shortcut="N", disabled=many < 2, on_click=_turn, args=(at + 1,)
            )


def _button(
    viewer: Viewer, each: CandidateLine, words: str, key: str, *, sign: str | None = None, is_dropped: bool = False
) -> None:
    name = state.key(SCOPE, f"{each.made}.{key}")
    st.button(
        words,
        key=state.act_key(name),
        shortcut=key,
        on_click=_decide,
        args=(viewer, each, sign, name, is_dropped),
    )


def _decide(viewer: Viewer, each: CandidateLine, sign: str | None, name: str, is_dropped: bool) -> None:
    """A callback: the decision and its reason."""
    try:
        why = str(st.session_state.get(WHY) or REASONS[0])
        decisions.decide(viewer, each, sign, why, is_dropped=is_dropped, act_id=state.act_id(name))
        state.spend(name)
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)


def _turn(to: int) -> None:
    st.session_state[AT] = to


def _decided(found: list[CandidateLine]) -> None:
    if not found:
        return
    with st.expander(f"Decided ({len(found):,})", key=state.key(SCOPE, "decided")):
        st.dataframe(
            {
                "Paper": [each.paper for each in found],
                "Treatment": [each.value["treatment"] for each in found],
                "Outcome": [each.value["outcome"] for each in found],
                "Decision": [
                    "left out" if each.ruling.get("left_out") else f"sign {each.value['sign']}" for each in found
                ],
                "Reason": [each.ruling["why"] for each in found],
            },
            hide_index=True,
            key=state.key(SCOPE, "table"),
        )
        st.caption("A decision that later steps have used is changed by a redo of the step *Decisions*.")

"""Decisions on candidates with shortcuts: the sign of a tie, evidence that is not found."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from core.errors import EdgewiseError, Refused
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
    "the evidence is worded otherwise in the paper",
)
WHY_LEFT_OUT = ("not a claim of the authors", "the paper does not say it", "the sign cannot be told")
AT, FAILED, WHY, WHY_OUT, LAST = (state.key(SCOPE, name) for name in ("at", "failed", "why", "why_out", "last"))


def show(viewer: Viewer, run: str) -> None:
    candidates = decisions.decisions(viewer, run)
    waiting = [each for each in candidates if each.state is CandidateState.DECIDING]
    failed = st.session_state.pop(FAILED, "")
    if failed:
        st.error(shell.escaped(failed))
    if not candidates:
        st.caption("No candidate needs a decision. A tie of signs, or evidence that is not found, would wait here.")
        return
    head = st.container(horizontal=True, vertical_alignment="center", key=state.key(SCOPE, "head"))
    if waiting:
        at = int(st.session_state.get(AT, 0)) % len(waiting)
        _one(viewer, waiting[at], at, len(waiting))
    with head:  # drawn last, so that a changed count means that the shortcuts belong to the next candidate
        st.caption(
            f"{counted(len(waiting), 'candidate')} to decide, {len(candidates) - len(waiting):,} decided.",
            width="content",
        )
        ruled = (each for each in candidates if each.ruling is not None)
        last = next((each for each in ruled if each.made == st.session_state.get(LAST)), None)
        name = state.key(SCOPE, "undo")
        st.button(
            "Undo",
            key=state.act_key(name),
            shortcut="U",
            disabled=last is None,
            on_click=_undo_last,
            args=(viewer, last, name),
            help="Takes your last decision back, until the next step has used it.",
        )
    _decided([each for each in candidates if each.ruling is not None])


def _one(viewer: Viewer, candidate: CandidateLine, at: int, many: int) -> None:
    value = candidate.value
    with st.container(border=True, key=state.key(SCOPE, "card")):
        st.markdown(f"**{shell.escaped(value['treatment'])}** → **{shell.escaped(value['outcome'])}**")
        votes = (
            ", ".join(f"{number} × {label}" for label, number in value["votes"].items()) or "no extraction has a vote"
        )
        st.caption(
            shell.escaped(f"{value['title']} · candidate {candidate.number} · votes: {votes} · {candidate.reason}")
        )
        for member in value["members"]:
            where = f"Extraction {member['run']}" if member["run"] else "From a file"
            st.text(f"{where}: {member['treatment']} → {member['outcome']} ({member['sign'] or 'tie'})")
        for evidence in value["evidence"]:
            place = f", page {', '.join(map(str, evidence['pages']))}" if evidence["pages"] else ""
            mark = ":material/warning: " if evidence["match"] == Match.NOT_FOUND.value else ""
            st.caption(f"{mark}Evidence {shell.escaped(evidence['match'] or 'not searched')}{place}")
            st.text(evidence["text"])
        with st.container(horizontal=True, key=state.key(SCOPE, "reasons")):
            st.selectbox("Reason for the sign or the evidence", REASONS, key=WHY, accept_new_options=True)
            st.selectbox("Reason for leaving out", WHY_LEFT_OUT, key=WHY_OUT, accept_new_options=True)
        with st.container(horizontal=True, key=state.key(SCOPE, "signs")):
            for sign, key, words in SIGNS:
                _button(viewer, candidate, f"{words} ({sign})", key, sign=sign)
            if value["sign"] is not None:
                _button(viewer, candidate, "Accept evidence", "E", sign=None)
            _button(viewer, candidate, "Leave out", "D", is_dropped=True)
            st.button(
                "Next",
                key=state.key(SCOPE, "next"),
                shortcut="N",
                disabled=many < 2,
                on_click=st.session_state.__setitem__,
                args=(AT, at + 1),
            )


def _button(
    viewer: Viewer, candidate: CandidateLine, words: str, key: str, *, sign: str | None = None, is_dropped: bool = False
) -> None:
    name = state.key(SCOPE, f"{candidate.made}.{key}")
    st.button(
        words,
        key=state.act_key(name),
        shortcut=key,
        on_click=_decide,
        args=(viewer, candidate, sign, name, is_dropped),
    )


def _decide(viewer: Viewer, candidate: CandidateLine, sign: str | None, name: str, is_dropped: bool) -> None:
    try:
        usual = WHY_LEFT_OUT[0] if is_dropped else REASONS[0]
        why = str(st.session_state.get(WHY_OUT if is_dropped else WHY) or usual)
        decisions.decide(viewer, candidate, sign, why, is_dropped=is_dropped, act_id=state.act_id(name))
        state.spend(name)
        st.session_state[LAST] = candidate.made
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)


def _undo_last(viewer: Viewer, last: CandidateLine | None, name: str) -> None:
    if last is None:
        return
    try:
        decisions.undo(viewer, last, act_id=state.act_id(name))
    except Refused:
        st.session_state[FAILED] = "The next step has used this decision. Redo the step Decisions to change it."
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)
    st.session_state.pop(LAST, None)
    state.spend(name)


def _decided(candidates: list[CandidateLine]) -> None:
    if not candidates:
        return
    with st.expander(f"Decided ({len(candidates):,})", key=state.key(SCOPE, "decided")):
        st.dataframe(
            {
                "Paper": [each.paper for each in candidates],
                "Treatment": [each.value["treatment"] for each in candidates],
                "Outcome": [each.value["outcome"] for each in candidates],
                "Decision": [
                    "left out" if each.ruling.get("left_out") else f"sign {each.value['sign']}" for each in candidates
                ],
                "Reason": [each.ruling["why"] for each in candidates],
            },
            hide_index=True,
            key=state.key(SCOPE, "table"),
        )
        st.caption("A decision that later steps have used is changed by a redo of the step *Decisions*.")

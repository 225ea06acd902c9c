"""Codes of an open answer: a key for each code of the codebook, a note, and what others coded."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from components.widgets import acts
from core.people import Viewer
from core.runs.codebook import ACCEPT, REJECT
from pages.failures import neighbours
from pages.failures.neighbours import Neighbours
from pages.failures.parts import PAGE
from services.failures import codes
from services.failures.codes import AnswerCodes, Coding, CodingAct

HEADS = {
    CodingAct.CODE: "Codes:",
    CodingAct.CODE_IN_LIST: "Codes:",
    CodingAct.SETTLE: "The coders differ. Settle the codes:",
    CodingAct.READ: "Codes:",
}
NONE = "no code"
PROPOSED = "A model proposes: **{}**, since “{}”"


def show(viewer: Viewer, item_id: str, steps: Neighbours) -> None:
    """Draw the codes, of which any number can hold; nothing in a study without a codebook. In a list of failures,
    Enter opens the next answer, and stores that no code fits where none was chosen."""
    view = codes.answer_codes(viewer, item_id)
    if not view.codebook.number:
        return
    for each in view.others:
        st.caption(shell.escaped(_words(each)))
    if view.act is CodingAct.READ:
        own = f"Your codes: {', '.join(view.codes) or NONE}. " if view.is_coded else ""
        st.caption(shell.escaped(f"{own}{view.reason}"))
        return
    form = state.key(PAGE, f"codes.{item_id}")
    seen, pressed, is_done = state.seen(form, view.version), "", False
    _proposals(viewer, item_id, view, form, seen)
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(PAGE, "codes")):
        st.caption(HEADS[view.act], width="content")
        for code in view.codebook.codes:
            if st.button(
                shell.escaped(code.name),
                key=state.act_key(form, code.key),
                icon=":material/check:" if code.name in view.codes else None,
                shortcut=code.key,
                help=shell.escaped(code.definition),
            ):
                pressed = code.name
        if view.act is CodingAct.CODE_IN_LIST:
            label = "Done" if view.is_coded else "No code fits"
            is_done = st.button(label, key=state.act_key(form, "next"), shortcut="Enter", type="primary")
    note = st.text_input("Note on the codes", view.note, key=state.act_key(form, "note"), max_chars=codes.LONGEST_NOTE)
    chosen = set(view.codes) ^ ({pressed} if pressed else set())
    if pressed or note.strip() != view.note or (is_done and not view.is_coded):
        write = codes.settle if view.act is CodingAct.SETTLE else codes.code
        acts.keep(
            form,
            form,
            lambda act_id: write(viewer, item_id, chosen, note, seen=seen, act_id=act_id),
            reload=partial(state.spend, form),
            then=partial(_open_next, steps) if is_done else None,
        )
    elif is_done:
        _open_next(steps)
        st.rerun()


def _proposals(viewer: Viewer, item_id: str, view: AnswerCodes, form: str, seen: int) -> None:
    """Draw the first proposed code without a decision, and what was decided on the others."""
    for words, is_accepted in (("Accepted", True), ("Rejected", False)):
        if names := [each.code for each in view.proposals if each.is_accepted is is_accepted]:
            st.caption(shell.escaped(f"{words}: {', '.join(names)}"))
    open_ones = [each for each in view.proposals if each.is_accepted is None]
    if not open_ones:
        return
    first, left = open_ones[0], f" ({len(open_ones)} left)" if len(open_ones) > 1 else ""
    used, chosen = {code.key for code in view.codebook.codes}, None
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(PAGE, "proposal")):
        st.markdown(PROPOSED.format(shell.escaped(first.code), shell.escaped(first.quotation)) + left, width="content")
        for words, shortcut, accept in (("Accept", ACCEPT, True), ("Reject", REJECT, False)):
            key = state.act_key(form, f"{words}.{first.code}")
            if st.button(words, key=key, shortcut=None if shortcut in used else shortcut):
                chosen = accept
    if chosen is not None:
        acts.keep(
            form,
            form,
            lambda act_id: codes.decide(viewer, item_id, first.code, accept=chosen, seen=seen, act_id=act_id),
            reload=partial(state.spend, form),
        )


def _open_next(steps: Neighbours) -> None:
    """Open the next answer; after the last, the screen of codes."""
    if steps.after is None:
        neighbours.close()
    else:
        neighbours.go(steps.after)


def _words(coding: Coding) -> str:
    verb = f"{'Settled' if coding.is_ruling else 'Coded'}{' to an earlier answer' if coding.is_earlier else ''} by"
    note = f" ({coding.note})" if coding.note else ""
    return f"{verb} {coding.who}: {', '.join(coding.codes) or NONE}{note}"

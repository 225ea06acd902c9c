"""Texts: what waits for one's labels, what one labelled, and the desk on which nodes are labelled."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from components.desk.desk_state import DeskState
from components.desk.tab import desk_key
from components.texts.labels.desk import label_desk
from components.widgets.acts import keep, last_receipt
from components.widgets.work_list import WorkLine, work_list
from core.people import Viewer
from core.words import counted
from pages.texts.acts import PAGE, Tab, asked_next, held_of, take_acts
from services.queue.work import claim_next, resume, skip, waiting
from services.texts import labelling
from services.texts.labelling import LabelledLine, LabellingView
from services.texts.work_kind import TEXTS

STATES = {"open": "Unfinished", "lapsed": "Expired", "skipped": "Skipped", "submitted": "Submitted"}
FIRST_WORDS = (
    "You read the text of a paper and say of each node whether the text names it (1), implies it (2) or lacks it (3). "
    "A name counts in other words of the same meaning, too. Every level is saved at once. Nobody sees your levels "
    "before you submit, and you see nobody's. Submitted levels cannot be changed."
)


def show(viewer: Viewer) -> None:
    """The list, or the text that the link names."""
    with shell.boundary():
        opened = state.read_param("labelling")
        if opened:
            _desk(viewer, opened)
        else:
            _list(viewer)


# --- the list ---------------------------------------------------------------------------------------------------


def _list(viewer: Viewer) -> None:
    mine, waits = labelling.my_labels(viewer), waiting(viewer, TEXTS)
    with shell.top_row("Texts", last_receipt(PAGE)):
        if waits.unfinished or waits.free:
            form = state.key(PAGE, "take")
            word = "Continue labelling" if waits.unfinished else "Label next text"
            if st.button(word, type="primary", key=state.act_key(form)):
                _taken(viewer, form)
    st.text(f"{counted(waits.free, 'text')} in your queue." if waits.free else "No text is free for you now.")
    if not waits.submitted:
        st.caption(FIRST_WORDS)
    by_id = {line.assignment_id: line for line in mine}
    if mine:
        st.subheader("Your texts", anchor=False)
        lines = [_line(line) for line in mine]
        work_list(lines, key=state.key(PAGE, "mine"), on_choose=lambda chosen: _open(viewer, by_id[chosen]))


def _taken(viewer: Viewer, form: str) -> None:
    keep(
        PAGE,
        form,
        lambda act: claim_next(viewer, TEXTS, act_id=act),
        then=lambda: state.write_param("labelling", _subject()),
    )


def _subject() -> str:
    receipt = last_receipt(PAGE)
    return receipt.subject_id if receipt is not None else ""


def _line(line: LabelledLine) -> WorkLine:
    at = shell.moment(line.submitted_at or line.claimed_at)
    return WorkLine(
        id=line.assignment_id,
        title=line.paper_title or "Paper without a title",
        detail=line.figure_label,
        state="" if line.submitted_at else STATES[line.state].lower(),
        counts=f"{'submitted' if line.submitted_at else 'taken'} {at}",
        comment="",
        verb={"open": "Continue", "submitted": "Open"}.get(line.state, "Resume"),
    )


def _open(viewer: Viewer, line: LabelledLine) -> None:
    """One that was skipped or lapsed is taken up again first, if there is still room."""
    if line.state in ("skipped", "lapsed"):
        name = state.key(PAGE, f"resume.{line.assignment_id}")
        resume(viewer, TEXTS, line.assignment_id, act_id=state.act_id(name))
        state.spend(name)
    state.write_param("labelling", line.assignment_id)


# --- the desk ---------------------------------------------------------------------------------------------------


def _desk(viewer: Viewer, assignment_id: str) -> None:
    view = labelling.labelling(viewer, assignment_id)
    with shell.top_row(f"{view.figure_label} · {view.paper_title}"):
        st.button("All texts", key=state.key(PAGE, "back"), on_click=partial(state.write_param, "labelling", ""))
        if view.is_editable:
            _skip(viewer, view)
    if view.sha256 is None:
        st.text(view.note)
        return
    _screen(viewer, assignment_id)


@st.fragment
def _screen(viewer: Viewer, assignment_id: str) -> None:
    with shell.boundary(reload=partial(state.forget, PAGE)):
        view = labelling.labelling(viewer, assignment_id)
        held = held_of(assignment_id, view)
        shown = held.show(view.version, view)
        with st.container(gap="xxsmall"):
            if held.is_stale:
                st.markdown("**The text or its levels changed elsewhere. Your last level is kept in this tab.**")
                st.button("Use newer version", key=state.key(PAGE, "newer"), on_click=held.go_on)
            if held.trouble:
                st.error(shell.escaped(held.trouble))
        _placed(viewer, shown, held)


def _placed(viewer: Viewer, view: LabellingView, held: Tab) -> None:
    label_desk(
        desk_key(PAGE, view.assignment_id),
        DeskState(
            subject=f"{viewer.person_id}/{view.assignment_id}/{view.sha256}",
            ledger=held.ledger,
            version=held.seen,
            receipt=shell.saved(held.receipt) if held.receipt is not None else "",
            note=STATES[view.state],
            editable=view.is_editable,
            halted=held.is_stale,
        ),
        url=f"/text/{view.sha256}",
        nodes=view.nodes,
        levels=view.levels,
        state=view.state,
        onward="Next text",
        on_acts=partial(take_acts, viewer, view.assignment_id),
        on_next=partial(asked_next, viewer, view.assignment_id),
    )


def _skip(viewer: Viewer, view: LabellingView) -> None:
    form = state.key(PAGE, f"skip.{view.assignment_id}")
    with st.popover("Skip", key=state.key(PAGE, "skip")):
        reason = st.text_input("Reason", key=state.act_key(form, "reason"))
        if st.button("Skip text", key=state.act_key(form, "submit"), disabled=not reason.strip()):
            keep(
                PAGE,
                form,
                lambda act: skip(viewer, TEXTS, view.assignment_id, reason, seen=view.version, act_id=act),
                then=partial(state.write_param, "labelling", ""),
            )

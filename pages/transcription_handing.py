"""The row on top of a transcription: hand it in, accept it, return it with a comment, or leave it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from core.graphs.checks import Doubt
from core.graphs.record import GraphRecord
from core.people import Viewer
from pages.transcription_acts import FAILED, PAGE, Held, tried
from services import transcribing
from services.transcribing import Transcription

SAID = state.key(PAGE, "said")
"""What the list should say once after an act that leaves this screen."""


def top(viewer: Viewer, work: Transcription, held: Held) -> None:
    """What this is, whose and in which state, and the one thing to do with it as a whole."""
    label = work.figure.label or work.figure.place
    note = "" if work.is_mine else f"by {work.annotator}, {work.state}"
    with shell.top_row(f"{label} · {work.figure.paper_title}", note=note or _state_note(work)):
        st.button("Return later" if work.may_edit else "Back", key=state.key(PAGE, "back"), on_click=leave)
        if work.may_edit:
            st.button(
                "Submit",
                type="primary",
                key=state.key(PAGE, "submit"),
                disabled=not work.record.edges or held.stale is not None,
                on_click=partial(_ask_submit, work.id),
            )
        elif work.may_return:
            name = state.key(PAGE, f"accept.{work.id}")
            # The id is bound as drawn: the second half of a double click is then a repeat, not a second act.
            act = partial(transcribing.accept, viewer, work.id, act_id=state.act_id(name))
            st.button("Accept", type="primary", key=state.act_key(name), on_click=tried, args=(act,))
    if work.state == "returned" and work.comment:
        with st.container(border=True, key=state.key(PAGE, "comment")):
            st.caption("Came back with this comment")
            shell.plain(work.comment)
    failed = st.session_state.pop(FAILED, "")
    if failed:
        st.error(shell.escaped(failed))
    if work.may_return:
        _give_back_form(viewer, work)
    if st.session_state.get(state.key(PAGE, "asks")) == work.id and work.may_edit:
        _submit_dialog(viewer, work, held)


def _state_note(work: Transcription) -> str:
    return {"submitted": "Submitted and locked", "accepted": "Accepted"}.get(work.state, "")


def leave() -> None:
    """Back to the lists, with nothing held of the transcription."""
    state.write_param("transcription", "")
    state.forget(PAGE)


def _ask_submit(assignment_id: str) -> None:
    st.session_state[state.key(PAGE, "asks")] = assignment_id


def _stop_asking() -> None:
    st.session_state.pop(state.key(PAGE, "asks"), None)


@st.dialog("Submit this transcription?", width="medium", on_dismiss=_stop_asking)
def _submit_dialog(viewer: Viewer, work: Transcription, held: Held) -> None:
    with shell.boundary():
        st.text(f"{counted(work.record)}. After submitting it is locked.")
        if work.doubts:
            st.text("Look at these once more, or submit as it is:")
            with st.container(height=320 if len(work.doubts) > 8 else "content", border=False, gap="xsmall"):
                doubt_lines(work.doubts)
        if work.faults:
            lines = "1 faulty line is" if len(work.faults) == 1 else f"{len(work.faults)} faulty lines are"
            st.text(f"{lines} not in the list yet.")
        name = state.key(PAGE, f"submit.{work.id}")
        with st.container(horizontal=True):
            is_wanted = st.button("Submit", type="primary", key=state.act_key(name))
            if st.button("Go on drawing", key=state.act_key(name, "cancel")):
                _stop_asking()
                st.rerun()
        if is_wanted:
            transcribing.submit(viewer, work.id, seen=held.seen, act_id=state.act_id(name))
            state.spend(name)
            _stop_asking()
            st.rerun()


def _give_back_form(viewer: Viewer, work: Transcription) -> None:
    name = state.key(PAGE, f"return.{work.id}")
    with shell.boundary(), st.expander("Return with a comment"), st.form(state.act_key(name, "form")):
        comment = st.text_area("What should be looked at again", key=state.act_key(name, "text"), max_chars=5_000)
        if st.form_submit_button("Return"):
            receipt = transcribing.give_back(viewer, work.id, comment, act_id=state.act_id(name))
            state.spend(name)
            leave()  # it is its annotator's again, so there is nothing left to see here
            st.session_state[SAID] = f"Returned {shell.local_time(receipt.at):%H:%M:%S}: {work.figure.paper_title}"
            st.rerun()


def doubt_lines(doubts: tuple[Doubt, ...], most: int = 30) -> None:
    """The first doubts as plain lines, and how many more there are."""
    for doubt in doubts[:most]:
        shell.plain(f"• {doubt.message}")
    if len(doubts) > most:
        st.caption(f"and {len(doubts) - most} more")


def counted(record: GraphRecord) -> str:
    """How much there is, in words."""
    nodes, edges = len(record.nodes), len(record.edges)
    return f"{nodes} node{'' if nodes == 1 else 's'}, {edges} edge{'' if edges == 1 else 's'}"

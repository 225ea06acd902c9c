"""Row above a desk: finish the adjudication, reopen it, or leave."""

from __future__ import annotations

from collections import Counter
from functools import partial

import streamlit as st

from components import shell, state
from components.desk.tab import desk_key, tab_key, unsaved
from components.widgets.copy_link import copy_link
from core.adjudication.differences import parts_of
from core.people import Viewer
from core.words import counted
from pages.adjudication.acts import PAGE, AdjudicationTab, held_of
from pages.adjudication.next_case import NEXT_SCREEN_NOTE, leave, open_next
from services.adjudication import editor, rounds
from services.adjudication.editor import AdjudicationView

_ASKS = state.key(PAGE, "asks")


def top(viewer: Viewer, desk: AdjudicationView, tab: AdjudicationTab) -> None:
    figure = desk.figure
    state_word = "" if desk.may_rule else "Finished" if desk.state == "submitted" else "Held by someone else, read-only"
    round_word = f"round {desk.round}" if desk.round > 1 else ""
    note = " · ".join(filter(None, (st.session_state.pop(NEXT_SCREEN_NOTE, ""), state_word, round_word)))
    with shell.top_row(f"{figure.label or figure.place} · {figure.paper_title}", note=note):
        copy_link(PAGE)
        if st.button("All figures", key=state.key(PAGE, "back")):
            leave()
            st.rerun()  # of the whole page: a callback would draw this fragment alone again
        if desk.may_rule:
            ruled, total = _counts(desk)
            left = total - ruled
            obstacle = f"{counted(left, 'difference')} to rule on." if left else unsaved(desk_key(PAGE, desk.id))
            st.button(
                "Finish adjudication",
                type="primary",
                key=state.key(PAGE, "finish"),
                disabled=bool(obstacle) or tab.is_stale,
                help=obstacle,
                on_click=partial(_ask, desk.id),
            )
        elif desk.may_reopen:
            if st.button("Next figure", type="primary", key=state.key(PAGE, "further")):
                open_next(viewer)
            name = state.key(PAGE, f"reopen.{desk.id}.{desk.round}")
            with st.popover("More", key=state.key(PAGE, "more")), shell.boundary():
                with st.form(state.act_key(name, "form"), border=False):
                    hint = "The reason and the earlier ground truth are kept in the figure's history."
                    why = st.text_area(
                        "Reason for reopening", key=state.act_key(name, "why"), max_chars=5_000, help=hint
                    )
                    is_confirmed = st.form_submit_button("Reopen adjudication")
                if is_confirmed:
                    rounds.reopen(viewer, desk.id, why, act_id=state.act_id(name))
                    state.spend(name)
                    state.forget(PAGE)
                    st.rerun()
    if st.session_state.get(_ASKS) == desk.id and desk.may_rule:
        if desk.waiting:
            _stop_asking()
        else:
            _finish_dialog(viewer, desk.id)


def _counts(desk: AdjudicationView) -> tuple[int, int]:
    total = len(desk.differences) + sum(
        name.ruling is not None or name.question.key in desk.waiting for name in desk.names
    )
    return total - len(desk.waiting), total


def _ask(adjudication_id: str) -> None:
    st.session_state[_ASKS] = adjudication_id


def _stop_asking() -> None:
    st.session_state.pop(_ASKS, None)


def open_finish_dialog(adjudication_id: str) -> None:
    """Open the finish dialog when the desk asks for it; its state counts the presses."""
    tab: AdjudicationTab = st.session_state[tab_key(PAGE, adjudication_id)]
    if tab.asks(desk_key(PAGE, adjudication_id), "finish"):
        _ask(adjudication_id)


@st.dialog("Finish this adjudication?", width="medium", on_dismiss=_stop_asking)
def _finish_dialog(viewer: Viewer, adjudication_id: str) -> None:
    with shell.boundary():
        tab, desk = held_of(viewer, adjudication_id), editor.desk(viewer, adjudication_id)
        _ruled, all_asked = _counts(desk)
        outcome = (
            f"The ground truth of this figure has {counted(desk.variables, 'node')} and "
            f"{counted(len(desk.arrows), 'edge')}."
            if desk.has_graph
            else "The figure has no ground truth. Exclude it under *Transcribe*, *Declined*."
        )
        settled = {parts_of(ruling.key)[1] for ruling in desk.own}
        left = Counter(
            one.other_marks for one in tab.third.overlooked if (one.read.source, one.read.sink) not in settled
        )
        read = [f"- **{_read_differently(left[marks], marks)}**\n" for marks in sorted(left)]
        st.markdown(
            f"- {outcome}\n"
            + "".join(read)
            + ("- You find them under *Read differently* in the list.\n" if read else "")
            + f"- Both annotators see the {counted(all_asked, 'ruling')} with reasons and comments, under "
            "*What changed in your work*. Neither sees the other's name, nor yours.\n"
            "- You can reopen it later, with a reason."
        )
        name = state.key(PAGE, f"finish.{desk.id}.{desk.round}")
        with st.container(horizontal=True):
            is_next = st.button("Finish and next", type="primary", key=state.act_key(name, "next"))
            is_confirmed = st.button("Finish", key=state.act_key(name))
            if st.button("Continue ruling", key=state.act_key(name, "cancel")):
                _stop_asking()
                st.rerun()
        if is_confirmed or is_next:
            with tab.turn:
                receipt = rounds.finish(viewer, desk.id, seen=tab.seen, act_id=state.act_id(name))
            state.spend(name)
            _stop_asking()
            if is_next:
                open_next(viewer, receipt)
            st.rerun()


def _read_differently(count: int, marks: str) -> str:
    """Count the edges that differ from the reading, only in these marks or as a whole."""
    if marks:
        differ = "differs" if count == 1 else "differ"
        return f"{counted(count, 'edge')} {differ} from the program's reading only in the {marks}."
    are = "edge that the program read is" if count == 1 else "edges that the program read are"
    return f"{count} {are} in neither transcription."

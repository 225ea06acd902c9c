"""One run: how far it is, while it runs; what made it; and what can be done with it."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.people import May, Viewer
from core.runs.states import AT_WORK, ItemStatus, RunState
from pages.runs import acts as run_acts
from pages.runs import card, progress
from pages.runs.parts import PAGE, SCOPE, STATES, title_of
from services.runs import reading
from services.runs.views import RunProgress

PARTS = {"progress": "Progress", "card": "Card"}


def show(viewer: Viewer, asked: str) -> None:
    """`asked` is the run's number, or its id, and comes from the link."""
    seen = reading.progress(viewer, asked)
    state.write_param("run", str(seen.number))
    receipt = acts.last_receipt(SCOPE)
    mine = receipt if receipt is not None and receipt.subject_id == seen.run_id else None
    with shell.top_row(title_of(seen.number, seen.title), mine, STATES[seen.state]):
        links.page_button("Back to runs", "runs", {}, key=state.key(PAGE, "back"))
        if viewer.may(May.RUN):
            run_acts.more(viewer, seen)
            run_acts.steer(viewer, seen)
    failed = run_acts.failed()
    if failed:
        st.error(shell.escaped(failed))
    run_acts.difference()
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(PAGE, "one.row")):
        part = _part()
        _ways(seen)
    if part == "card":
        card.show(viewer, seen.run_id)
    else:
        _progress(viewer, seen)


def _part() -> str:
    key = state.key(PAGE, "one.part")
    if st.session_state.get(key) not in PARTS:
        asked = state.read_param("part")
        st.session_state[key] = asked if asked in PARTS else "progress"
    part = st.segmented_control(
        "Part", list(PARTS), format_func=PARTS.__getitem__, key=key, label_visibility="collapsed", required=True
    )
    state.write_param("part", "" if part == "progress" else str(part))
    return str(part)


def _ways(seen: RunProgress) -> None:
    """To the answers, and to the tables; the latter is what to do next with a run that is done."""
    links.page_button("Show items", "failures", {"run": seen.run_id, "only": "all"}, key=state.key(PAGE, "answers"))
    failed = seen.by_status.get(ItemStatus.FAILED, 0)
    links.page_button(
        "Show results",
        "results",
        {"run": seen.run_id},
        key=state.key(PAGE, "results"),
        is_primary=seen.state is RunState.DONE and not failed,
    )


def _progress(viewer: Viewer, seen: RunProgress) -> None:
    """While it runs, or waits for a worker, or its last requests are still out, the part draws itself anew."""
    is_live = seen.state in AT_WORK or seen.in_flight > 0
    every = progress.EVERY_S if is_live else None
    st.fragment(progress.show, run_every=every)(viewer, seen.run_id, seen.state.value if is_live else "")

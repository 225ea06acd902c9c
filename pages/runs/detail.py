"""One run: how far it is, while it runs; what made it; and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.people import May, Viewer
from core.runs.filters import Order
from core.runs.states import ItemStatus, RunState
from pages.runs import acts as run_acts
from pages.runs import card, progress, verdicts
from pages.runs.parts import PAGE, SCOPE, STATES, title_of
from pages.runs.steps import redo_links
from pages.runs.steps import table as steps
from services.runs import reading, results
from services.runs.views import RunProgress
from services.verdicts import tables
from services.verdicts.tables import VerdictPart

PARTS = {"steps": "Steps", "progress": "Progress", "verdicts": "Verdicts", "card": "Card"}
"""*Steps* is a part of runs of several, *Verdicts* of those of judges and those that can be judged."""
OVER = (RunState.DONE, RunState.CANCELLED)


def show(viewer: Viewer, asked: str) -> None:
    """`asked` is the run's number, or its id, and comes from the link."""
    seen = reading.progress(viewer, asked)
    state.write_param("run", str(seen.number))
    receipt = acts.last_receipt(SCOPE)
    mine = receipt if receipt is not None and receipt.subject_id == seen.run_id else None
    with shell.top_row(title_of(seen.number, seen.title), mine, STATES[seen.state]):
        links.page_button("All runs", "runs", {}, key=state.key(PAGE, "back"))
        if viewer.may(May.RUN):
            run_acts.more(viewer, seen)
            run_acts.steer(viewer, seen)
    failed = run_acts.failed()
    if failed:
        st.error(shell.escaped(failed))
    run_acts.difference()
    if seen.has_steps:
        redo_links.related(viewer, seen.run_id)
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(PAGE, "one.row")):
        about = tables.part_of(viewer, seen.run_id)
        part = _part(seen, about)
        _ways(seen, about)
    if part == "card":
        card.show(viewer, seen.run_id)
    else:
        _live(_SHOW[part], viewer, seen)


_SHOW = {"steps": steps.show, "progress": progress.show, "verdicts": verdicts.show}


def _part(seen: RunProgress, about: VerdictPart) -> str:
    """As the link says; at first *Steps* of a run of several that is not over. The part of such a run
    stands in the link, so that it restores the same when the run is over."""
    there = {"steps": seen.has_steps, "verdicts": bool(about)}
    parts = [part for part in PARTS if there.get(part, True)]
    key = state.key(PAGE, "one.part")
    if st.session_state.get(key) not in parts:
        asked = state.read_param("part")
        usual = "steps" if seen.has_steps and seen.state not in OVER else "progress"
        st.session_state[key] = asked if asked in parts else usual
    part = str(
        st.segmented_control(
            "Part", parts, format_func=PARTS.__getitem__, key=key, label_visibility="collapsed", required=True
        )
    )
    state.write_param("part", part if part != "progress" or seen.has_steps else "")
    if part != "steps":
        steps.forget_link()
    return part


def _ways(seen: RunProgress, about: VerdictPart) -> None:
    """To the answers, and to the tables; the latter is what to do next with a run that is done. Verdicts have theirs
    here."""
    asked = {"run": seen.run_id, "only": "all"} | (
        {"order": Order.LOWEST.value} if results.is_graded(seen.protocol) else {}
    )
    links.page_button("Show items", "failures", asked, key=state.key(PAGE, "answers"))
    failed = seen.by_status.get(ItemStatus.FAILED, 0)
    if not results.has_tables(seen.protocol) or about is VerdictPart.JUDGES:
        return
    links.page_button(
        "Show results",
        "results",
        {"run": seen.run_id},
        key=state.key(PAGE, "results"),
        is_primary=seen.state is RunState.DONE and not failed,
    )


def _live(show: Callable[[Viewer, str, str], None], viewer: Viewer, seen: RunProgress) -> None:
    """While it runs, or waits for a worker, or its last requests are still out, the part draws itself anew."""
    is_live = progress.is_live(seen)
    every = progress.EVERY_S if is_live and not seen.is_held else None
    st.fragment(show, run_every=every)(viewer, seen.run_id, seen.state.value if is_live else "")

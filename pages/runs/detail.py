"""One run: progress, card, steps, verdicts and actions."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.people import Permission, Viewer
from core.runs.filters import ItemOrder
from core.runs.states import ItemStatus, RunState
from pages.runs import actions as run_acts
from pages.runs import card, progress, verdicts
from pages.runs.parts import PAGE, SCOPE, STATES, title_of
from pages.runs.steps import redo_links
from pages.runs.steps import table as steps
from services.results import results
from services.runs import reading
from services.runs.run_settings import protocol_title
from services.runs.views import RunProgress
from services.verdicts import run_verdicts
from services.verdicts.run_verdicts import VerdictPart

# *Steps* is a part of runs of several steps, *Verdicts* of runs that judge or can be judged.
PARTS = {"steps": "Steps", "progress": "Progress", "verdicts": "Verdicts", "card": "Card"}
OVER = (RunState.DONE, RunState.CANCELLED)


def show(viewer: Viewer, run: str) -> None:
    seen = reading.progress(viewer, run)
    state.write_param("run", str(seen.number))
    receipt = acts.last_receipt(SCOPE)
    own_receipt = receipt if receipt is not None and receipt.subject_id == seen.run_id else None
    about = f"{protocol_title(seen.protocol)} · {STATES[seen.state]}"
    with shell.top_row(title_of(seen.number, seen.title), own_receipt, about):
        links.page_button("All runs", "runs", {}, key=state.key(PAGE, "back"))
        if viewer.may(Permission.RUN):
            run_acts.more(viewer, seen)
            run_acts.steer(viewer, seen)
    failed = run_acts.failed()
    if failed:
        st.error(shell.escaped(failed))
    run_acts.difference()
    if seen.has_steps:
        redo_links.related(viewer, seen.run_id)
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(PAGE, "one.row")):
        verdict_part = run_verdicts.part_of(viewer, seen.run_id)
        part = _part(seen, verdict_part)
        params = {"run": seen.run_id, "only": "all"} | (
            {"order": ItemOrder.LOWEST.value} if results.is_graded(seen.protocol) else {}
        )
        links.page_button("Show items", "failures", params, key=state.key(PAGE, "answers"))
        failed_items = seen.by_status.get(ItemStatus.FAILED, 0)
        if results.has_tables(seen.protocol) and verdict_part is not VerdictPart.JUDGES:
            links.page_button(
                "Show results",
                "results",
                {"run": seen.run_id},
                key=state.key(PAGE, "results"),
                is_primary=seen.state is RunState.DONE and not failed_items,
            )
    if part == "card":
        card.show(viewer, seen.run_id)
    else:
        # Drawn repeatedly while the run is active, waits for a worker, or has open requests.
        is_live = progress.is_live(seen)
        every = progress.EVERY_S if is_live and not seen.is_held else None
        st.fragment(_SHOW[part], run_every=every)(viewer, seen.run_id, seen.state.value if is_live else "")


_SHOW = {"steps": steps.show, "progress": progress.show, "verdicts": verdicts.show}


def _part(seen: RunProgress, about: VerdictPart) -> str:
    """Draw the choice of part, from the link; *Steps* at first for an unfinished run of several steps.
    The link of such a run always names the part, so that it restores the same part later.
    """
    is_available = {"steps": seen.has_steps, "verdicts": bool(about)}
    parts = [part for part in PARTS if is_available.get(part, True)]
    key = state.key(PAGE, "one.part")
    if st.session_state.get(key) not in parts:
        linked = state.read_param("part")
        usual = "steps" if seen.has_steps and seen.state not in OVER else "progress"
        st.session_state[key] = linked if linked in parts else usual
    part = str(
        st.segmented_control(
            "Part", parts, format_func=PARTS.__getitem__, key=key, label_visibility="collapsed", required=True
        )
    )
    state.write_param("part", part if part != "progress" or seen.has_steps else "")
    if part != "steps":
        steps.forget_link()
    return part

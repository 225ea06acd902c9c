"""Links between runs that redo each other, and to the form that redoes a step."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from core.people import Viewer
from core.runs.states import AT_WORK
from pages.runs.parts import PAGE
from services.runs.steps import redo_choices
from services.runs.views import RunProgress


def redo_button(seen: RunProgress, step: str, key: str = "") -> None:
    """Draw the link to the form for a step, or one group of it; disabled while the run is active."""
    is_busy = seen.state in AT_WORK and not seen.is_held
    about = "this group, from this step on," if key else "from this step on"
    if st.button(
        "Redo group" if key else "Redo step",
        type="tertiary",
        icon=":material/replay:",
        key=state.key(PAGE, f"redo.of.{step}.{key}"),
        disabled=is_busy,
        help="Pause the run first, or wait until it ends." if is_busy else f"Redo {about} as a new run.",
    ):
        link = {"show": "new", "redo": str(seen.number), "step": step}
        links.go_to("runs", link | ({"key": key} if key else {}))


def related(viewer: Viewer, run_id: str) -> None:
    redos = redo_choices.redos(viewer, run_id)
    if redos.source is None and not redos.later:
        return
    with st.container(horizontal=True, key=state.key(PAGE, "related")):
        if redos.source is not None:
            label = f"Redone from run {redos.source.run}, step {redos.source.step}"
            links.page_link(shell.escaped(label), "runs", {"run": str(redos.source.run), "part": "steps"})
        for run in redos.later:
            label = f"Redone as run {run.run}, step {run.step}"
            links.page_link(shell.escaped(label), "runs", {"run": str(run.run), "part": "steps"})

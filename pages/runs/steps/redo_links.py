"""Ways between runs that redo each other, and to the form that redoes a step."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from core.people import Viewer
from core.runs.states import AT_WORK
from pages.runs.parts import PAGE
from services.runs.steps import redo_choices
from services.runs.views import RunProgress


def redo_button(seen: RunProgress, step: str, key: str = "") -> None:
    """Opens New run filled in with a step, of a group's `key` alone where it is given; while the run is at work it says
    what has to be first."""
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
    """Which run this one redoes, and which redo it, each a link; nothing where there is none."""
    found = redo_choices.redos(viewer, run_id)
    if found.source is None and not found.later:
        return
    with st.container(horizontal=True, key=state.key(PAGE, "related")):
        if found.source is not None:
            said = f"Redone from run {found.source.run}, step {found.source.step}"
            links.page_link(shell.escaped(said), "runs", {"run": str(found.source.run), "part": "steps"})
        for each in found.later:
            said = f"Redone as run {each.run}, step {each.step}"
            links.page_link(shell.escaped(said), "runs", {"run": str(each.run), "part": "steps"})

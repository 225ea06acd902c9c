"""The owner's checklist of a new study, on Overview; and the way back to it, above the screens that its steps open."""

from __future__ import annotations

import streamlit as st

from components import links, state
from core.people import Viewer
from services import drafts
from services.setup_steps import HIDDEN, SetupStep, setup

KEY = "setup"
PARAM = "setup"
"""Parameter of a step's link: the screen was opened from the checklist."""


def checklist(viewer: Viewer, steps: tuple[SetupStep, ...]) -> None:
    """Draw the steps. The first open one is the screen's primary button, but for the last: until a release is frozen,
    work of every day comes first."""
    if not steps:
        return
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(KEY, "head")):
        st.subheader(f"Set up the study: {_so_far(steps)}", anchor=False, width="stretch")
        if st.button("Hide this list", type="tertiary", key=state.key(KEY, "hide")):
            drafts.keep_draft(viewer, HIDDEN, "hidden")
            st.rerun()
    first = next(place for place, step in enumerate(steps) if not step.is_done)
    with st.container(border=True, gap="xsmall", key=state.key(KEY, "steps")):
        for place, step in enumerate(steps):
            with st.container(horizontal=True, vertical_alignment="center", key=state.key(KEY, f"step.{place}")):
                icon, words = ("check_circle", step.sentence) if step.is_done else ("circle", f"**{step.sentence}**")
                with st.container(width="stretch"):
                    links.page_link(f":material/{icon}: {words}", step.page, _link(step))
                if not step.is_done:
                    is_primary = place == first and step is not steps[-1]
                    key = state.key(KEY, f"open.{place}")
                    links.page_button("Open", step.page, _link(step), key=key, is_primary=is_primary)


def way_back(viewer: Viewer) -> None:
    """Draw how far the setup is above a screen that a step opened, with the way back and the next open step."""
    if not state.read_param(PARAM):
        return
    steps = setup(viewer)
    if not steps:
        return
    opened = next((step for step in steps if step.key == state.read_param(PARAM)), None)
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(KEY, "back")):
        done = "" if opened is None or not opened.is_done else f" {opened.sentence}: done."
        st.caption(f"Setup of the study: {_so_far(steps)} steps done.{done}", width="stretch")
        links.page_button("Back to setup", "overview", {}, key=state.key(KEY, "return"))
        following = next((step for step in steps if not step.is_done), None)
        if opened is not None and opened.is_done and following is not None:
            links.page_button(f"Next: {following.sentence}", following.page, _link(following), key=state.key(KEY, "on"))


def _so_far(steps: tuple[SetupStep, ...]) -> str:
    return f"{sum(step.is_done for step in steps)} of {len(steps)}"


def _link(step: SetupStep) -> dict[str, str]:
    return {**step.link, PARAM: step.key}

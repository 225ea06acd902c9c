"""Overview: next steps of the viewer, progress of the study, recent events."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets.moments import moment_column
from core.people import Permission, Viewer
from core.words import sentence_case
from services import drafts
from services.overview import overview
from services.overview_contributions import NextStep
from services.setup_steps import HIDDEN, SetupStep

PAGE = "overview"


def show(viewer: Viewer) -> None:
    shell.top_row("Overview")
    seen = overview(viewer)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _setup(viewer, seen.setup)
        _next(seen.next_steps, has_setup=any(not step.is_done for step in seen.setup[:-1]))
        st.subheader("Recent events", anchor=False)
        if not seen.happenings:
            st.caption("No events yet.")
        else:
            st.dataframe(
                [
                    {"When": shell.local_time(event.at), "Who": event.who, "What": event.what}
                    for event in seen.happenings
                ],
                hide_index=True,
                column_config={"When": moment_column()},
                key=state.key(PAGE, "events"),
            )
    with right:
        st.subheader("Progress of the study" if viewer.may(Permission.OPEN_WORK) else "Your progress", anchor=False)
        most = max((step.count for step in seen.funnel if step.is_stage), default=0)
        with st.container(border=True, gap="xxsmall", key=state.key(PAGE, "funnel")):
            for step in seen.funnel:
                with st.container(
                    horizontal=True, vertical_alignment="center", key=state.key(PAGE, f"funnel.{step.label}")
                ):
                    with st.container(width="stretch"):
                        if step.page:
                            links.page_link(sentence_case(step.label), step.page, step.link)
                        else:
                            # A caption has the width and colour of a link, so that all lines are aligned.
                            st.caption(sentence_case(step.label))
                    st.text(f"{step.count:,}", width=36)
                    if step.is_stage:
                        st.progress(step.count / most if most else 0.0, width=90)
                    else:
                        st.space(90)
        if viewer.may(Permission.CURATE):
            links.page_link("Active time", "transcribe", {"show": "pace"})


def _setup(viewer: Viewer, steps: tuple[SetupStep, ...]) -> None:
    """Draw the owner's checklist. Its first open step is the screen's primary button, but for the last: until a
    release is frozen, work of every day comes first."""
    if not steps:
        return
    with st.container(horizontal=True, vertical_alignment="center", key=state.key(PAGE, "setup.head")):
        done = sum(step.is_done for step in steps)
        st.subheader(f"Set up the study: {done} of {len(steps)}", anchor=False, width="stretch")
        if st.button("Hide this list", type="tertiary", key=state.key(PAGE, "setup.hide")):
            drafts.keep_draft(viewer, HIDDEN, "hidden")
            st.rerun()
    first = next(place for place, step in enumerate(steps) if not step.is_done)
    with st.container(border=True, gap="xsmall", key=state.key(PAGE, "setup")):
        for place, step in enumerate(steps):
            with st.container(horizontal=True, vertical_alignment="center", key=state.key(PAGE, f"setup.{place}")):
                icon, words = ("check_circle", step.sentence) if step.is_done else ("circle", f"**{step.sentence}**")
                with st.container(width="stretch"):
                    links.page_link(f":material/{icon}: {words}", step.page, step.link)
                if place == first:
                    key = state.key(PAGE, "setup.go")
                    links.page_button("Open", step.page, step.link, key=key, is_primary=step is not steps[-1])


def _next(steps: tuple[NextStep, ...], *, has_setup: bool) -> None:
    st.subheader("Next for you", anchor=False)
    if not steps:
        st.caption("Your queue is empty. New work appears here.")
    for place, step in enumerate(steps):
        key = state.key(PAGE, f"next.{place}")
        with st.container(horizontal=True, vertical_alignment="center", border=True, key=key):
            with st.container(gap=None, width="stretch"):
                st.markdown(f"**{shell.escaped(step.sentence)}**")
                st.caption(shell.escaped(step.detail))
            links.page_button(
                "Open",
                step.page,
                step.link,
                key=state.key(PAGE, f"go.{place}"),
                is_primary=place == 0 and not has_setup,
            )

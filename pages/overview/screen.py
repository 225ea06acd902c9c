"""Overview: next steps of the viewer, progress of the study, recent events."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets.moments import moment_column
from core.people import Permission, Viewer
from core.words import sentence_case
from pages.overview.setup import checklist
from services.overview import overview
from services.overview_contributions import NextStep

PAGE = "overview"


def show(viewer: Viewer) -> None:
    shell.top_row("Overview")
    seen = overview(viewer)
    left, right = st.columns([3, 2], gap="large")
    with left:
        checklist(viewer, seen.setup)
        _next(seen.next_steps, has_setup=any(not step.is_done for step in seen.setup[:-1]))
        st.subheader("Recent events", anchor=False)
        if not seen.happenings:
            st.caption("No events yet.")
        else:
            # People who work blind see no names: a column of blanks would only ask what is missing.
            who = [event.who for event in seen.happenings]
            st.dataframe(
                {"When": [shell.local_time(event.at) for event in seen.happenings]}
                | ({"Who": who} if any(who) else {})
                | {"What": [event.what for event in seen.happenings]},
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
                            st.text(sentence_case(step.label))
                    st.text(f"{step.count:,}", width=36)
                    if step.is_stage:
                        st.progress(step.count / most if most else 0.0, width=90)
                    else:
                        st.space(90)
        if viewer.may(Permission.CURATE):
            links.page_link("Active time", "transcribe", {"show": "pace"})


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

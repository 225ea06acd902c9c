"""Detection of figures on all papers: progress, and the button that starts or stops it."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets.acts import note
from core.errors import EdgewiseError
from core.people import Viewer
from core.words import counted
from pages.papers.links import PAGE
from services.papers import finding
from services.papers.finding import FindingProgress

EVERY_S = 2.0
FAILED = state.key(PAGE, "finding.failed")
SCOPE = state.key(PAGE, "finding")
MOST_FAULTS = 20


def show_finding(viewer: Viewer, *, always: bool = True) -> FindingProgress:
    """Draw the progress, every two seconds while detection runs. Not `always`: only while it runs."""
    seen = finding.progress(viewer)
    if seen.is_running:
        st.fragment(_running, run_every=EVERY_S)(viewer)
    elif always:
        if not seen.pages:
            st.caption("No paper in use has a file. Add papers first.")
        elif not seen.is_done:
            with st.container(horizontal=True, vertical_alignment="center", key="papers.finding"):
                left = counted(seen.papers - seen.papers_done, "paper")
                is_started = bool(seen.papers_done)
                state_of = "more to look through" if is_started else "to look through"
                st.text(f"{left} {state_of}. The search goes on if you close this page.", width="stretch")
                _button("Find all figures", "find", viewer, is_next=True)
        else:
            faults = finding.faults(viewer)
            if faults:
                with st.expander(f"{counted(len(faults), 'page')} could not be read", type="compact"):
                    for fault in faults[:MOST_FAULTS]:
                        st.text(f"{fault.paper_title}, page {fault.page}: {fault.reason}")
                    if len(faults) > MOST_FAULTS:
                        st.text(f"and {len(faults) - MOST_FAULTS:,} more")
    failed = st.session_state.pop(FAILED, "")
    if failed:
        st.error(shell.escaped(failed))
    return seen


def _running(viewer: Viewer) -> None:
    with shell.boundary():
        seen = finding.progress(viewer)
        if not seen.is_running:
            st.rerun()  # it has ended or was stopped: the page shows the results
        with st.container(horizontal=True, vertical_alignment="center", key="papers.finding"):
            parts = [
                f"Finding figures: {seen.papers_done:,} of {counted(seen.papers, 'paper')}",
                f"{seen.pages_done:,} of {counted(seen.pages, 'page')}",
            ]
            if seen.now is not None:
                title, done, pages = seen.now
                parts.append(f"page {min(done + 1, pages)} of {pages} of {shell.escaped(title[:80])}")
            st.progress(seen.pages_done / seen.pages if seen.pages else 1.0, text=" · ".join(parts), width="stretch")
            _button("Stop finding", "stop", viewer)


def _button(label: str, act: str, viewer: Viewer, *, is_next: bool = False) -> None:
    form = state.key(PAGE, f"finding.{act}")
    st.button(
        label,
        key=state.act_key(form, "submit"),
        on_click=_press,
        args=(viewer, form, act),
        type="primary" if is_next else "secondary",
    )


def _press(viewer: Viewer, form: str, act: str) -> None:
    """Start or stop; a callback, so that the fragment's redraws do not lose the click."""
    do = finding.find_all if act == "find" else finding.stop
    try:
        note(SCOPE, do(viewer, act_id=state.act_id(form)))
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)
    state.spend(form)

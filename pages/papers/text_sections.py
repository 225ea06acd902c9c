"""Sections that the guard of words refuses: each is accepted with a reason, or an acceptance is taken back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from components import shell, state
from core.people import Permission, Receipt, Viewer
from core.texts.views import TextView
from core.words import counted
from pages.papers.links import PAGE
from services.texts import accept_section


def show_sections(viewer: Viewer, view: TextView, done: Callable[[str, Callable[..., Receipt]], None]) -> None:
    """Draw a row for each refused section. `done` performs an act of a form."""
    if not view.refused:
        return
    still = sum(each.accepted is None for each in view.refused)
    title = f"{counted(still, 'section')} to accept or change" if still else "Sections that were accepted"
    with st.expander(title, expanded=bool(still), key=state.key(PAGE, "text.sections")):
        for each in view.refused:
            form = state.key(PAGE, f"text.section.{view.figure_id}.{each.number}")
            with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
                if each.accepted is not None:
                    st.text(f"{each.number}. {each.why} Accepted: {each.accepted.reason}", width="stretch")
                    if viewer.may(Permission.CURATE) and st.button("Take back", key=state.act_key(form, "withdraw")):
                        act = partial(accept_section.withdraw, viewer, view.figure_id, each.number, seen=view.version)
                        done(form, act)
                    continue
                reason = st.text_input(
                    shell.escaped(f"{each.number}. {each.why}"),
                    placeholder="Why it is accepted, such as: formulas",
                    max_chars=accept_section.LONGEST_REASON,
                    key=state.act_key(form, "reason"),
                    disabled=not viewer.may(Permission.CURATE),
                )
                if viewer.may(Permission.CURATE) and st.button(
                    "Accept section", key=state.act_key(form, "submit"), disabled=not reason.strip()
                ):
                    act = partial(accept_section.accept, viewer, view.figure_id, each.number, reason, seen=view.version)
                    done(form, act)

"""Whether annotators see imported graphs that belong to no figure: the owner's switch, with what is hidden anyway."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets import acts
from core.people import May, Viewer
from pages.transcription.queue_acts import PAGE
from services.graphs import blind_settings

FORM = state.key(PAGE, "blindness")
HOW = """\
- An import that is attached to a figure is hidden from annotators who draw the figure or may be asked to. So is one
  that is attached to none and has three or more names in common with what was drawn of the figure.
- Reviewers, researchers and the owner see it, but for the figures they are drawing themselves. Whoever opened it is not
  asked to draw its figure.
- Work that was submitted after such a look is listed under **Not fully blind** above, and marked under *Agreement*.
"""


def blindness(viewer: Viewer) -> None:
    """The setting, for the owner; for nobody else anything."""
    if not viewer.may(May.MANAGE):
        return
    with st.expander("Imported graphs and blindness"):
        with shell.boundary(_reload):
            _form(viewer)
        st.markdown(HOW)


def _form(viewer: Viewer) -> None:
    now = blind_settings.settings(viewer)
    seen = state.seen(FORM, now.version)
    with st.form(state.act_key(FORM), border=False):
        shows = st.checkbox(
            "Annotators see imported graphs that belong to no figure",
            now.shows_imports,
            key=state.act_key(FORM, "shows"),
            help="Off: they see none while there are figures for them to draw.",
        )
        is_saved = st.form_submit_button("Save", key=state.act_key(FORM, "save"))
    if is_saved:
        acts.keep(PAGE, FORM, lambda act_id: blind_settings.save_settings(viewer, shows, seen=seen, act_id=act_id))


def _reload() -> None:
    state.spend(FORM)

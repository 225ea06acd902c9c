"""Whether annotators see imported graphs that belong to no figure: the owner's switch, with what is hidden anyway."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets import acts
from core.people import May, Viewer
from pages.transcription.queue.acts import PAGE
from services.graphs import blind_settings

FORM = state.key(PAGE, "blindness")
HOW = """\
- An import attached to a figure is hidden from annotators who transcribe the figure or may be assigned it. An import
  attached to no figure is hidden if it shares 3 or more node names with a transcription of the figure.
- Reviewers, researchers and the owner see imports, except those of figures they are transcribing. Anyone who opened an
  import is not assigned its figure.
- Transcriptions submitted after such a view are listed under **Not fully blind** above and marked under *Agreement*.
"""


def blindness(viewer: Viewer) -> None:
    """The setting, for the owner; for nobody else anything."""
    if not viewer.may(May.MANAGE):
        return
    with st.expander("Blinding to imported graphs"):
        with shell.boundary(_reload):
            _form(viewer)
        st.markdown(HOW)


def _form(viewer: Viewer) -> None:
    now = blind_settings.settings(viewer)
    seen = state.seen(FORM, now.version)
    with st.form(state.act_key(FORM), border=False):
        shows = st.checkbox(
            "Show annotators imported graphs that belong to no figure",
            now.shows_imports,
            key=state.act_key(FORM, "shows"),
            help="Off: annotators see no imported graphs while figures are free for them.",
        )
        is_saved = st.form_submit_button("Save setting", key=state.act_key(FORM, "save"))
    if is_saved:
        acts.keep(PAGE, FORM, lambda act_id: blind_settings.save_settings(viewer, shows, seen=seen, act_id=act_id))


def _reload() -> None:
    state.spend(FORM)

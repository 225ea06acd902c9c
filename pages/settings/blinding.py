"""Owner's setting: whether annotators see imported graphs without a figure."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import state
from components.desk.work_screen import settings_form
from core.people import Viewer
from pages.settings.study import PAGE
from services.graphs import blind_settings

FORM = state.key(PAGE, "blindness")
HOW = """\
- An import attached to a figure is hidden from annotators who transcribe the figure or may be assigned it. An import
  attached to no figure is hidden if it shares 3 or more node names with a transcription of the figure.
- Reviewers, researchers and the owner see imports, except those of figures they are transcribing. Anyone who opened an
  import is not assigned its figure.
- Transcriptions submitted after such a view are listed under **Not fully blind** in the queue and marked under
  *Agreement*.
"""


def show_blinding(viewer: Viewer) -> None:
    now = blind_settings.settings(viewer)
    save = partial(blind_settings.save_settings, viewer)
    settings_form(PAGE, FORM, now.version, partial(_widget, now.shows_imports), save, HOW, verb="Save setting")


def _widget(shows: bool) -> bool:
    return st.checkbox(
        "Show annotators imported graphs that belong to no figure",
        shows,
        key=state.act_key(FORM, "shows"),
        help="Off: annotators see no imported graphs while figures are free for them.",
    )

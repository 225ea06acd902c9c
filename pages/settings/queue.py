"""Assignment of figures in this study: overlap, share, seed and idle hours."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import state
from components.desk.work_screen import settings_form
from core.people import Viewer
from pages.settings.study import PAGE
from pages.work_queue.screens import idle_hours
from services.queue import settings
from services.queue.settings import LARGEST_SEED, MOST_PEOPLE, QueueSettings

FORM = state.key(PAGE, "queue")
HOW = """\
- Each figure needs the number of **annotators** set here, unless a number is set for that figure. Each submitted or
  open transcription takes a place. Nobody gets a place beyond that number, the same figure twice, or a figure they
  have ruled on.
- The **next** figure has the highest priority. Among equals, a figure that someone has started comes first, then the
  oldest.
- The **double-annotated share** is drawn from the seed and the figure IDs. The same seed always draws the same
  figures, and a larger share contains the smaller one.
- A claim **expires** this many hours after it was taken, or after its last edit. The graph is kept. The annotator is
  told and can resume while a place is free. Submitted transcriptions never expire.
"""


def show_queue(viewer: Viewer) -> None:
    """Draw the settings; existing claims are unaffected."""
    now = settings.settings(viewer)
    save = partial(settings.save_settings, viewer)
    # Presets that were never saved are a choice too: it is made by keeping them.
    verb = "Save settings" if now.version else "Keep these settings"
    settings_form(PAGE, FORM, now.version, partial(_widgets, now), save, HOW, verb=verb)


def _widgets(now: QueueSettings) -> QueueSettings:
    people, share, seed, hours = st.columns([2, 3, 2, 2], vertical_alignment="bottom", gap="medium")
    with people:
        overlap = st.number_input(
            "Annotators per figure", 1, MOST_PEOPLE, now.overlap, key=state.act_key(FORM, "overlap")
        )
    with share:
        percent = st.slider(
            "Double-annotated share",
            0,
            100,
            round(100 * now.share),
            5,
            "%d%%",
            key=state.act_key(FORM, "share"),
            help="Each remaining figure gets one annotator.",
        )
    with seed:
        drawn = st.number_input("Random seed", 0, LARGEST_SEED, now.seed, key=state.act_key(FORM, "seed"))
    with hours:
        idle = idle_hours(FORM, now.idle_hours)
    # The slider has steps of 5 %; a finer share, set from the command line, is retained unless it is moved.
    new_share = now.share if percent == round(100 * now.share) else percent / 100
    return QueueSettings(int(overlap), new_share, int(drawn), idle)

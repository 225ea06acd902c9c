"""How figures are handed out in this study: overlap, share, seed and idle hours."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets import acts
from core.people import Viewer
from pages.transcription.queue_acts import PAGE
from services.queue import settings
from services.queue.settings import LARGEST_SEED, MOST_HOURS, MOST_PEOPLE, QueueSettings

FORM = state.key(PAGE, "rules")
HOW = """\
- A figure is **wanted** by as many people as stand here, or by its own number. A place is taken by whoever has handed
  in or is at it. Nobody gets a place beyond that, the same figure twice, or one they have judged.
- **Next** is the figure with the highest priority; among equals one that somebody has begun before an untouched one,
  then the oldest.
- The **share** is drawn by the seed and each figure's id, so the same seed always draws the same figures, and a larger
  share keeps those of a smaller one.
- A claim **lapses** so long after it was taken, or after the last edit if that is later. Its drawing is kept, its
  person is told and can resume while a place is free. What is submitted never lapses.
"""


def rules(viewer: Viewer, now: QueueSettings) -> None:
    """The settings that hold from now on; nobody loses a place by them."""
    with st.expander("How figures are handed out"):
        with shell.boundary(_reload):
            _form(viewer, now)
        st.markdown(HOW)


def _form(viewer: Viewer, now: QueueSettings) -> None:
    seen = state.seen(FORM, now.version)
    with st.form(state.act_key(FORM), border=False):
        people, share, seed, hours = st.columns([2, 3, 2, 2], vertical_alignment="bottom", gap="large")
        with people:
            overlap = st.number_input(
                "People a figure", 1, MOST_PEOPLE, now.overlap, key=state.act_key(FORM, "overlap")
            )
        with share:
            percent = st.slider(
                "Share of figures for more than one",
                0,
                100,
                round(100 * now.share),
                5,
                "%d %%",
                key=state.act_key(FORM, "share"),
                help="The rest is transcribed by one person.",
            )
        with seed:
            lot = st.number_input("Seed of the lot", 0, LARGEST_SEED, now.seed, key=state.act_key(FORM, "seed"))
        with hours:
            idle = st.number_input(
                "Idle hours until it lapses", 1, MOST_HOURS, now.idle_hours, key=state.act_key(FORM, "hours")
            )
        is_saved = st.form_submit_button("Save", key=state.act_key(FORM, "save"))
    if is_saved:
        # The slider goes by five; a finer share, set from the command line, stands unless it is moved.
        kept = now.share if percent == round(100 * now.share) else percent / 100
        wanted = QueueSettings(int(overlap), kept, int(lot), int(idle))
        acts.keep(PAGE, FORM, lambda act_id: settings.save_settings(viewer, wanted, seen=seen, act_id=act_id))


def _reload() -> None:
    state.spend(FORM)

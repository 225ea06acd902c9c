"""Settings of proposals: edges that the program proposes, and its reading shown after submitting."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import state
from components.desk.work_screen import settings_form
from core.people import Viewer
from pages.settings.study import PAGE
from services.transcription import proposal_settings
from services.transcription.post_submission import settings as late_settings
from services.transcription.post_submission.settings import LateSettings
from services.transcription.proposal_settings import ProposalSettings

FORM = state.key(PAGE, "proposals")
LATE = state.key(PAGE, "late")
HOW = "These settings apply to figures taken from now on."
HOW_LATE = """\
Annotators who worked without proposals see, after submitting, where the program read the figure differently, and may
then change their transcription. Agreement uses the transcription as submitted. Adjudicators see the program's reading
next to A and B. The setting applies to transcriptions submitted from now on.
"""


def show_proposals(viewer: Viewer) -> None:
    now = proposal_settings.settings(viewer)
    save = partial(proposal_settings.save_settings, viewer)
    settings_form(PAGE, FORM, now.version, partial(_proposals, now), save, HOW)


def _proposals(now: ProposalSettings) -> ProposalSettings:
    is_on = st.toggle("Propose edges", now.on, key=state.act_key(FORM, "on"))
    share, seed, second = st.columns([2, 1, 3], vertical_alignment="bottom", gap="large")
    with share:
        percent = st.slider(
            "Random share without proposals",
            0,
            100,
            round(100 * now.share_without),
            5,
            "%d%%",
            key=state.act_key(FORM, "share"),
            help="Measures how proposals affect omissions.",
        )
    with seed:
        drawn = st.number_input("Random seed", 0, 2**31 - 1, now.seed, key=state.act_key(FORM, "seed"))
    with second:
        for_second = st.checkbox(
            "Propose edges for second transcriptions too",
            now.for_second,
            key=state.act_key(FORM, "second"),
            help="The two transcriptions are then no longer independent.",
        )
    return ProposalSettings(is_on, percent / 100, int(drawn), for_second)


def show_late(viewer: Viewer) -> None:
    """Draw whether the program's reading is shown after submitting."""
    now = late_settings.settings(viewer)
    save = partial(late_settings.save_settings, viewer)
    settings_form(PAGE, LATE, now.version, partial(_late, now.on), save, HOW_LATE, verb="Save setting")


def _late(shows: bool) -> LateSettings:
    label = "Show the program's reading after submitting"
    return LateSettings(st.toggle(label, shows, key=state.act_key(LATE, "on")))

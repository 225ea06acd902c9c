"""Settings of proposals: edges that the program proposes, and its reading shown after submitting."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from components.widgets import acts
from core.people import Viewer
from pages.settings.study import PAGE
from services.transcription import proposal_settings
from services.transcription.post_submission import settings as late_settings
from services.transcription.post_submission.settings import LateSettings
from services.transcription.proposal_settings import ProposalSettings

FORM = state.key(PAGE, "proposals")
LATE = state.key(PAGE, "late")
WHAT_IS_LATE = (
    "Annotators who worked without proposals see, after submitting, where the program read the figure differently, and "
    "may then change their transcription. Agreement uses the transcription as submitted. Adjudicators see the "
    "program's reading beside A and B."
)


def show_proposals(viewer: Viewer) -> None:
    now = proposal_settings.settings(viewer)
    seen = state.seen(FORM, now.version)
    shell.receipt_line(acts.last_receipt(FORM), "These settings apply to figures taken from now on")
    with st.form(state.act_key(FORM), border=True):
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
        is_saved = st.form_submit_button("Save settings", key=state.act_key(FORM, "save"))
    if is_saved:
        new = ProposalSettings(is_on, percent / 100, int(drawn), for_second)
        acts.keep(
            FORM,
            FORM,
            lambda act_id: proposal_settings.save_settings(viewer, new, seen=seen, act_id=act_id),
            reload=partial(state.spend, FORM),
        )


def show_late(viewer: Viewer) -> None:
    """Draw whether the program's reading is shown after submitting."""
    now = late_settings.settings(viewer)
    seen = state.seen(LATE, now.version)
    shell.receipt_line(acts.last_receipt(LATE), "This setting applies to transcriptions submitted from now on")
    with st.form(state.act_key(LATE), border=True):
        is_on = st.toggle(
            "Show the program's reading after submitting",
            now.on,
            key=state.act_key(LATE, "on"),
            help=WHAT_IS_LATE,
        )
        is_saved = st.form_submit_button("Save setting", key=state.act_key(LATE, "save"))
    if is_saved:
        new = LateSettings(is_on)
        acts.keep(
            LATE,
            LATE,
            lambda act_id: late_settings.save_settings(viewer, new, seen=seen, act_id=act_id),
            reload=partial(state.spend, LATE),
        )

"""Owner's setting: whether a figure's only transcription is its ground truth."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import state
from components.desk.work_screen import settings_form
from core.papers.releases import SingleTruths
from core.people import Viewer
from pages.settings.study import PAGE
from services.releases import settings

FORM = state.key(PAGE, "releases")
CHOICES = {
    SingleTruths.NEVER: "Never: every figure needs two transcriptions and an adjudication",
    SingleTruths.REVIEWED: "Once a reviewer has accepted it",
    SingleTruths.SUBMITTED: "Once it is submitted",
}
HOW = """\
- It applies to a figure with **one** finished transcription and no other ground truth. A second one
  needs an adjudication.
- Texts, runs and releases then use the transcription as it is now. Releases and results mark each figure as
  *adjudicated*, *single* or *imported*.
- Agreement and credit say how many figures they do not cover. Frozen releases do not change.
"""


def show_releases(viewer: Viewer) -> None:
    now = settings.settings(viewer)
    save = partial(settings.save_settings, viewer)
    settings_form(PAGE, FORM, now.version, partial(_widget, now.single), save, HOW, verb="Save choice")


def _widget(single: SingleTruths) -> str:
    return st.radio(
        "A single transcription is ground truth",
        [each.value for each in CHOICES],
        index=list(CHOICES).index(single),
        format_func=lambda value: CHOICES[SingleTruths(value)],
        key=state.act_key(FORM, "single"),
    )

"""Assignment of verdicts and visibility of labels; set by those who assign work."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from components.desk.work_screen import settings_form
from core.people import Viewer
from core.verdicts.settings import VerdictSettings
from pages.settings.study import PAGE
from pages.work_queue.screens import idle_hours
from services.queue.settings import MOST_PEOPLE
from services.verdicts import settings
from services.verdicts.settings import MOST_ON_A_SHEET

FORM = state.key(PAGE, "verdicts")
HOW = """\
- **Label first**: a judge's labels of an item are sent to a reviewer when all of their own are set. Without it they are
  visible from the start, and labels given so count in no agreement.
- **Hide judged models' names**: reviewers see which model drew a graph when every item of the sheet is compared.
- Both are told beside every number that rests on people's labels. Sheets that are drawn keep their items.
"""


def show_verdicts(viewer: Viewer) -> None:
    with shell.boundary():
        now = settings.settings(viewer)
        settings_form(PAGE, FORM, now.version, partial(_widgets, now), partial(settings.save_settings, viewer), HOW)


def _widgets(now: VerdictSettings) -> VerdictSettings:
    label_first = st.checkbox("Label first", now.label_first, key=state.act_key(FORM, "first"))
    hides = st.checkbox("Hide judged models' names", now.hides_models, key=state.act_key(FORM, "hides"))
    left, right = st.columns(2)
    with left:
        size = st.number_input(
            "Items per sheet", 1, MOST_ON_A_SHEET, now.sheet_size, key=state.act_key(FORM, "size"), format="%d"
        )
        hours = idle_hours(FORM, now.idle_hours)
    with right:
        share = st.number_input(
            "Sheets for several reviewers (%)",
            0,
            100,
            round(100 * now.share),
            key=state.act_key(FORM, "share"),
            help="Drawn at random. On these, what people agree on among themselves is the ceiling of a judge.",
        )
        overlap = st.number_input("Reviewers of these", 1, MOST_PEOPLE, now.overlap, key=state.act_key(FORM, "overlap"))
    return VerdictSettings(
        sheet_size=int(size),
        overlap=int(overlap),
        share=int(share) / 100,
        label_first=label_first,
        hides_models=hides,
        idle_hours=hours,
    )

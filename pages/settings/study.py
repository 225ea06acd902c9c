"""Name of the study."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import state
from components.widgets import acts
from core.people import Viewer
from services.people import study_name

PAGE = "settings"
FORM = state.key(PAGE, "name")


def show_name(viewer: Viewer) -> None:
    now = study_name.study_name(viewer)
    seen = state.seen(FORM, now.version)
    with st.form(state.act_key(FORM), border=False).container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(
            "Name of the study",
            now.name,
            key=state.act_key(FORM, "name"),
            max_chars=study_name.LONGEST,
            help="Appears in the menu, on the pages for signing in and joining, and in reports. The names of "
            "downloaded files begin with that of the study's file.",
        )
        is_saved = st.form_submit_button("Save name", key=state.act_key(FORM, "save"))
    if is_saved:
        acts.keep(
            PAGE,
            FORM,
            lambda act_id: study_name.rename(viewer, name, seen=seen, act_id=act_id),
            reload=partial(state.spend, FORM),
        )

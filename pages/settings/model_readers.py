"""Models that may be sent figures: a setting of the owner."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from components.widgets.choosing import choose_several
from core.people import Viewer
from pages.settings.study import PAGE
from services.transcription import model_reader

FORM = state.key(PAGE, "models")
OFF = "No model may be sent figures. The edges of one would be proposals, marked and counted as a model's."


def show_model_readers(viewer: Viewer) -> None:
    now = model_reader.settings(viewer)
    seen = state.seen(FORM, now.version)
    named, usable = [each.card for each in now.named], [each for each in now.offered if not each.trouble]
    words = {each.card: f"{each.card} · {each.model} at {each.endpoint}" for each in usable}
    words = {**{each.card: f"{each.card} · {each.model} at {each.endpoint}" for each in now.named}, **words}
    note = "These models may be sent figures, by whoever runs models" if named else OFF
    shell.receipt_line(acts.last_receipt(FORM), note)
    if not words:
        with st.container(border=True):
            st.caption("A model card that accepts pictures, at an endpoint in use, is needed first.")
            links.page_button("Models", "runs", {"show": "models"}, key=state.key(FORM, "cards"))
        return
    with st.form(state.act_key(FORM), border=True):
        chosen = choose_several(
            "Models that may be sent figures",
            list(words),
            named,
            key=state.act_key(FORM, "cards"),
            format_func=lambda card: words.get(card, card),
            placeholder="No model",
        )
        agreed = st.checkbox(shell.escaped(model_reader.LEAVES), key=state.act_key(FORM, "agreed"))
        is_saved = st.form_submit_button("Save models", key=state.act_key(FORM, "save"))
    if is_saved:
        acts.keep(
            FORM,
            FORM,
            lambda act_id: model_reader.save_settings(viewer, chosen, agreed=agreed, seen=seen, act_id=act_id),
        )

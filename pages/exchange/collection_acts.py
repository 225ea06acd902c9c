"""Actions on a whole collection: licence, archive and restore, match papers."""

from __future__ import annotations

import streamlit as st

from components import state
from components.widgets import acts
from core.people import Viewer
from pages.exchange.sources import PAGE
from pages.exchange.triplet_importing import SCOPE
from services.graphs.import_reading import LONGEST_LICENCE
from services.triplets import importing
from services.triplets.lists import Collection


def collection_acts(viewer: Viewer, chosen: Collection) -> None:
    with st.popover("Edit collection", icon=":material/edit:"):
        licence_form = state.key(PAGE, f"licence.{chosen.id}")
        with st.form(state.act_key(licence_form, "form"), border=False):
            licence = st.text_input(
                "Licence",
                chosen.licence,
                key=state.act_key(licence_form, "text"),
                max_chars=LONGEST_LICENCE,
                placeholder="Example: CC-BY-4.0; empty if unknown",
            )
            licence_seen = acts.seen_since(SCOPE, licence_form, chosen.id, chosen.version)
            if st.form_submit_button("Save licence"):
                acts.keep(
                    SCOPE,
                    licence_form,
                    lambda act_id: importing.set_licence(viewer, chosen.id, licence, seen=licence_seen, act_id=act_id),
                )
        form = state.key(PAGE, "link.papers")
        st.caption("The papers of the triplets are matched with the papers of this study by DOI, address or title.")
        if st.button("Match papers again", key=state.act_key(form, "do")):
            acts.keep(SCOPE, form, lambda act_id: importing.link_papers(viewer, act_id=act_id))
        archive_form = state.key(PAGE, f"archive.{chosen.id}")
        st.caption(
            "An archived collection disappears from lists and the queue. Its scores are kept, and it can be restored."
        )
        seen = acts.seen_since(SCOPE, archive_form, chosen.id, chosen.version)
        if st.button("Restore" if chosen.is_archived else "Archive", key=state.act_key(archive_form, "do")):
            acts.keep(
                SCOPE,
                archive_form,
                lambda act_id: importing.archive_collection(
                    viewer, chosen.id, not chosen.is_archived, seen=seen, act_id=act_id
                ),
            )

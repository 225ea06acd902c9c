"""Collections of triplets in the study: contents, licence, and a triplet list."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from components.widgets.choosing import choose_line
from components.widgets.moments import day_column
from core.people import Permission, Viewer
from core.words import counted
from pages.exchange.abstracts import show_corpora
from pages.exchange.collection_acts import collection_acts
from pages.exchange.sources import COLLECTION, PAGE
from pages.exchange.triplet_cards import count_tables
from pages.exchange.triplet_exporting import collection_files
from pages.exchange.triplet_importing import SCOPE
from pages.exchange.triplet_list import show_triplets
from services.triplets import lists
from services.triplets.lists import Collection

RIGHT = st.column_config.TextColumn(alignment="right")


def show_collections(viewer: Viewer) -> None:
    every = lists.collections(viewer, with_archived=True)
    has_corpora = show_corpora(viewer)
    if not every and has_corpora:
        st.caption("No triplets yet.")
        return
    if not every:
        st.caption(
            "No triplets yet. Import a triplet file under Import: an EconCausal task file, or your own file with "
            "treatment, outcome and sign, and critics' scores if there are any."
        )
        return
    shell.receipt_line(acts.last_receipt(SCOPE))
    archived = [each for each in every if each.is_archived]
    shown = [each for each in every if not each.is_archived]
    if archived and (not shown or _with_archived(archived)):
        shown = list(every)
    chosen = _choose(shown)
    if chosen is None:
        return
    state.write_param("collection", chosen.id)
    _about(chosen)
    with st.container(horizontal=True, key=state.key(PAGE, "collection.acts")):
        if viewer.may(Permission.EXPORT):
            with st.popover("Download", icon=":material/download:"):
                collection_files(viewer, chosen)
        if viewer.may(Permission.CURATE):
            collection_acts(viewer, chosen)
        if viewer.may(Permission.SCORE):
            links.page_button("Score triplets", "triplets", {}, key=state.key(PAGE, "collection.score"))
        if viewer.may(Permission.RUN):
            links.page_button("New run", "runs", {"show": "new"}, key=state.key(PAGE, "collection.run"))
        if viewer.may(Permission.REVIEW):
            links.page_button(
                "Show agreement", "agreement", {"part": "raters"}, key=state.key(PAGE, "collection.agreement")
            )
    with shell.boundary():
        show_triplets(viewer, chosen)


def _with_archived(archived: list[Collection]) -> bool:
    """Draw the toggle for archived collections, on at first if the link names one of them."""
    is_linked = state.read_param("collection") in {each.id for each in archived}
    words = f"Show {counted(len(archived), 'archived collection')}"
    return st.toggle(words, is_linked, key=state.key(PAGE, "collections.archived"))


def _choose(shown: list[Collection]) -> Collection | None:
    by_id = {each.id: each for each in shown}
    linked = state.read_param("collection")
    first = linked if linked in by_id else next(iter(by_id))
    if len(shown) == 1:
        return shown[0]
    chosen_id = choose_line(
        list(by_id),
        {
            "Collection": [each.title for each in shown],
            "Triplets": [f"{each.triplets:,}" for each in shown],
            "Papers": [f"{each.papers:,}" for each in shown],
            "Critics": [", ".join(each.critics) or "none" for each in shown],
            "Licence": [each.licence or "unknown" for each in shown],
            "Imported": [shell.local_time(each.imported_at) for each in shown],
            "State": ["archived" if each.is_archived else "active" for each in shown],
        },
        name=COLLECTION,
        chosen=first,
        columns={
            "Collection": st.column_config.TextColumn(width="medium"),
            "Triplets": RIGHT,
            "Papers": RIGHT,
            "Imported": day_column(),
        },
    )
    return by_id.get(chosen_id or "")


def _about(chosen: Collection) -> None:
    st.markdown(f"**{shell.escaped(chosen.title)}**{' · archived' if chosen.is_archived else ''}")
    critics = f"scored by {', '.join(chosen.critics)}" if chosen.critics else "without critics' scores"
    origin = f"Made by run {chosen.run}, collected"
    if chosen.form is not None:
        origin = f"File: {chosen.file_name} ({chosen.form.words}), imported"
    st.caption(
        shell.escaped(
            f"{counted(chosen.triplets, 'triplet')} from {counted(chosen.papers, 'paper')}, {critics}. "
            f"{origin} {shell.moment(chosen.imported_at)}. Licence: {chosen.licence or 'unknown'}."
        )
    )
    with st.expander("Counts by sign, year and venue", key=state.key(PAGE, f"collection.counts.{chosen.id}")):
        venues = {name or "unknown": [f"{number:,}"] for name, number in chosen.venues.items()}
        count_tables(chosen.signs, chosen.years, venues, state.key(PAGE, f"collection.{chosen.id}"))

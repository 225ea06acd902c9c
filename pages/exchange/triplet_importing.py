"""Importing triplets: the cards of what was dropped, and a button that keeps each file's good rows as a collection."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets import acts
from core.errors import BadRow
from core.people import Viewer
from core.words import counted
from pages.exchange.sources import PAGE, Given, clear, open_collection
from pages.exchange.triplet_cards import Wanted, jel_card, triplet_card
from pages.exchange.triplets import TripletSource, key_of, look_anew, triplet_sources
from services.triplets import importing
from services.triplets import repeats as triplet_repeats

FORM = state.key(PAGE, "import.triplets")
SCOPE = state.key(PAGE, "triplets.kept")


def triplet_cards(viewer: Viewer, those: list[Given], tables: list[Given]) -> tuple[list[Wanted], list[BadRow]]:
    """Draw the files of triplets; returns what is to be imported, and every faulty row."""
    sources = triplet_sources(viewer, those, tables)
    if tables and not sources:
        jel_card(tables[-1])
    wanted = []
    for place, source in enumerate(sources):
        above = {each.name: each.look.contents for each in sources[:place]}
        repeats = triplet_repeats.compared(source.look.contents, {**source.look.elsewhere, **above})
        if (found := triplet_card(source, repeats)) is not None:
            wanted.append(found)
    return wanted, _faults(sources)


def _faults(sources: list[TripletSource]) -> list[BadRow]:
    """Each row once: those of the JEL table belong to every file beside it."""
    looks = [source.look for source in sources if not source.look.known]
    found = [fault for look in looks for fault in look.faults] + [look.fault for look in looks if look.fault]
    return list({(row.file, row.line, row.field, row.value, row.expected): row for row in found}.values())


def triplet_button(viewer: Viewer, wanted: list[Wanted], *, is_last: bool) -> None:
    """The button that keeps them all, file by file. `is_last`: nothing else waits to be imported."""
    triplets = sum(each.source.look.triplets for each in wanted)
    left_out = sum(fault.file == each.source.name for each in wanted for fault in each.source.look.faults)
    words, said = f"Import {counted(triplets, 'triplet')}", list[str]()
    if left_out:
        said.append(f"{counted(left_out, 'faulty row')} left out")
    if repeated := sum(each.repeated for each in wanted):
        said.append(f"{counted(repeated, 'duplicate')} included")
    if said:
        st.caption("; ".join(said) + ".")
    if wanted and st.button(words, type="primary", key=state.act_key(FORM, "keep")):
        with shell.boundary(), st.spinner("Writing every triplet…"):
            collection = _import(viewer, wanted)
            state.spend(FORM)
            if is_last:
                clear(viewer)
                open_collection(collection)
            st.rerun()


def _import(viewer: Viewer, wanted: list[Wanted]) -> str:
    """One act a file, so that a file which is refused takes no other with it; returns the last collection."""
    collection = ""
    for each in wanted:
        source, form = each.source, key_of(each.source, "import")
        receipt = importing.import_triplets(
            viewer,
            source.name,
            source.content,
            with_faulty=True,
            title=each.title,
            licence=each.licence,
            jel=source.jel,
            encoding=source.encoding,
            act_id=state.act_id(form),
        )
        state.spend(form)
        acts.note(SCOPE, receipt)
        look_anew()
        collection = receipt.subject_id
    return collection

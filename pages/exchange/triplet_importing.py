"""Import of triplets: cards of the files, and the button that stores each file's good rows as a collection."""

from __future__ import annotations

import streamlit as st

from components import shell, state
from components.widgets import acts
from core.errors import BadRow
from core.people import Viewer
from core.words import counted
from pages.exchange.sources import PAGE, UploadedSource, clear, open_collection
from pages.exchange.triplet_cards import TripletImportChoice, jel_card, triplet_card
from pages.exchange.triplets import key_of, refresh, triplet_sources
from services.triplets import importing
from services.triplets import repeats as triplet_repeats

FORM = state.key(PAGE, "import.triplets")
SCOPE = state.key(PAGE, "triplets.kept")


def triplet_cards(
    viewer: Viewer, files: list[UploadedSource], tables: list[UploadedSource]
) -> tuple[list[TripletImportChoice], list[BadRow]]:
    sources = triplet_sources(viewer, files, tables)
    if tables and not sources:
        jel_card(tables[-1])
    choices = []
    for place, source in enumerate(sources):
        above = {each.name: each.look.contents for each in sources[:place]}
        repeats = triplet_repeats.compared(source.look.contents, {**source.look.elsewhere, **above})
        if (choice := triplet_card(source, repeats)) is not None:
            choices.append(choice)
    previews = [source.look for source in sources if not source.look.known]
    faults = [fault for look in previews for fault in look.faults] + [look.fault for look in previews if look.fault]
    return choices, list({(row.file, row.line, row.field, row.value, row.expected): row for row in faults}.values())


def triplet_button(viewer: Viewer, choices: list[TripletImportChoice], *, is_last: bool) -> None:
    """Draw the button that stores all files. `is_last`: no other kind of file waits."""
    triplets = sum(each.source.look.triplets for each in choices)
    left_out = sum(fault.file == each.source.name for each in choices for fault in each.source.look.faults)
    words, notes = f"Import {counted(triplets, 'triplet')}", list[str]()
    if left_out:
        notes.append(f"{counted(left_out, 'faulty row')} left out")
    if repeated := sum(each.repeated for each in choices):
        notes.append(f"{counted(repeated, 'duplicate')} included")
    if notes:
        st.caption("; ".join(notes) + ".")
    if choices and st.button(words, type="primary", key=state.act_key(FORM, "keep")):
        with shell.boundary(), st.spinner("Writing every triplet…"):
            # Each file is an act of its own, so that a refused file does not affect the others.
            collection = ""
            for choice in choices:
                source, form = choice.source, key_of(choice.source, "import")
                receipt = importing.import_triplets(
                    viewer,
                    source.name,
                    source.content,
                    with_faulty=True,
                    title=choice.title,
                    licence=choice.licence,
                    jel=source.jel,
                    encoding=source.encoding,
                    act_id=state.act_id(form),
                )
                state.spend(form)
                st.session_state[key_of(source, "imported")] = True
                acts.note(SCOPE, receipt)
                refresh()
                collection = receipt.subject_id
            state.spend(FORM)
            if is_last:
                clear(viewer)
                open_collection(collection)
            st.rerun()

"""Export of triplets: a collection as imported, and experts' scores by pseudonym."""

from __future__ import annotations

import re

import streamlit as st

from components import state
from components.widgets.downloads import content_on_click
from core.people import Permission, Viewer
from core.triplets.forms import Rubric
from core.words import counted
from exchange.econcausal_writing import MEDIA
from exchange.triplet_rows import TripletForm
from pages.exchange.sources import PAGE
from services.triplets import exporting, lists
from services.triplets.lists import Collection

# (form, safe for spreadsheets, words).
FORMS: tuple[tuple[TripletForm, bool, str], ...] = (
    (TripletForm.JSONL, False, "JSON lines"),
    (TripletForm.CSV, False, "CSV"),
    (TripletForm.CSV, True, "CSV for spreadsheets"),
    (TripletForm.PARQUET, False, "Parquet"),
)


def collection_files(viewer: Viewer, chosen: Collection) -> None:
    st.caption("Every cell as imported, with critics' scores.")
    if viewer.may(Permission.SCORE) and chosen.critics:
        withheld = exporting.count_withheld(viewer, chosen.id)
        are = "is" if withheld == 1 else "are"
        left_out = f"{counted(withheld, 'triplet')} that you are scoring {are} left out. " if withheld else ""
        st.caption(
            f":material/visibility_off: {left_out}The download is recorded: scores of this collection that you "
            "submit later are marked as not fully blind."
        )
    packed = st.toggle("As ZIP, with the licence", key=_key("packed", chosen.id))
    stem = "-".join(re.findall("[a-z0-9]+", chosen.title.casefold()))[:80] or "triplets"
    with st.container(horizontal=True):
        for form, is_safe, words in FORMS:
            name, media = (f"{stem}.zip", "application/zip") if packed else (f"{stem}.{form.value}", MEDIA[form])
            st.download_button(
                words,
                content_on_click(
                    exporting.export_triplets, viewer, chosen.id, form, spreadsheet=is_safe, with_licence=packed
                ),
                name,
                media,
                on_click="ignore",
                key=_key(f"get.{form.value}.{is_safe}", chosen.id),
            )


def triplet_exports(viewer: Viewer) -> None:
    collections = {each.id: each for each in lists.collections(viewer)}
    if not collections:
        return
    st.markdown("**Triplets**")
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True):
        chosen = st.selectbox(
            "Collection",
            list(collections),
            format_func=lambda key: collections[key].title,
            key=_key("collection", "export"),
        )
        collection_files(viewer, collections[chosen])
    with right, st.container(border=True):
        every = {each.value: each for each in Rubric}
        form_of_scores = st.selectbox(
            "Form of the experts' scores",
            list(every),
            format_func=lambda key: every[key].label,
            key=_key("rubric", "export"),
        )
        rubric = every[form_of_scores]
        st.caption(
            "Submitted scores, one row per score; experts by pseudonym. Triplets you are still scoring are left out."
        )
        with st.container(horizontal=True):
            for form, is_safe, words in FORMS:
                st.download_button(
                    words,
                    content_on_click(exporting.export_scores, viewer, rubric, form, spreadsheet=is_safe),
                    f"{rubric.value}-scores.{form.value}",
                    MEDIA[form],
                    on_click="ignore",
                    key=_key(f"scores.{form.value}.{is_safe}", "export"),
                )


def _key(name: str, of: str) -> str:
    return state.key(PAGE, f"triplets.{name}.{of}")

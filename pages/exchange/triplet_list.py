"""Triplets of a collection, paged, searched and filtered; without scores, which could bias later scoring."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import streamlit as st

from components import state
from core.people import Viewer
from core.sign import Sign
from core.words import counted, minus
from pages.exchange.sources import PAGE
from services.triplets import lists
from services.triplets.lists import Collection, TripletLine

PER_PAGE = 50
ANY = ""


def show_triplets(viewer: Viewer, chosen: Collection) -> None:
    if chosen.is_archived:
        st.caption("Restore the collection to see its triplets.")
        return
    name = state.key(PAGE, f"list.{chosen.id}")
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"{name}.filters"):
        text = st.text_input(
            "Search",
            state.read_param("search"),
            key=f"{name}.search",
            width=260,
            placeholder="Words from treatment, outcome or title",
        )
        state.write_param("search", text.strip())
        search = text.strip()
        sign = _one("sign", "Sign", {each.value: each.value for each in Sign}, name, 130)
        years = {str(year): str(year) for year in chosen.years if year is not None}
        year = _one("year", "Year", years, name, 130)
        venue = _one("venue", "Venue", {venue: venue for venue in chosen.venues if venue}, name, 260)
    filters = (search, sign, year, venue)
    pages_key = f"{name}.page.{zlib.crc32(repr(filters).encode())}"
    number = st.session_state.get(pages_key) or 1
    page = lists.triplets_of(
        viewer,
        chosen.id,
        search=search,
        sign=Sign(sign) if sign else None,
        year=int(year) if year else None,
        venue=venue,
        offset=(number - 1) * PER_PAGE,
        limit=PER_PAGE,
    )
    of = f" of {chosen.triplets:,}" if any(filters) else ""
    st.caption(f"{counted(page.total, 'triplet')}{of}")
    if page.lines:
        _table(page.lines, f"{name}.table")
    elif any(filters):
        st.caption(
            "No triplet matches. Every word of the search must occur in the treatment, the outcome or the paper's "
            "title."
        )
    if page.total > PER_PAGE:
        st.pagination(-(-page.total // PER_PAGE), key=pages_key)


def _one(param: str, label: str, options: Mapping[str, str], name: str, width: int) -> str:
    linked, listed = state.read_param(param), [ANY, *options]
    selected = st.selectbox(
        label,
        listed,
        listed.index(linked) if linked in listed else 0,
        key=f"{name}.{param}",
        width=width,
        format_func=lambda each: options.get(each, "any"),
    )
    state.write_param(param, selected)
    return selected


def _table(lines: tuple[TripletLine, ...], key: str) -> None:
    small = st.column_config.TextColumn(width="small")
    st.dataframe(
        {
            "No.": [str(line.place) for line in lines],
            "Treatment": [line.treatment for line in lines],
            "Sign": [minus(line.sign.value) for line in lines],
            "Outcome": [line.outcome for line in lines],
            "Year": ["–" if line.year is None else str(line.year) for line in lines],
            "Venue": [line.venue for line in lines],
            "JEL": [" ".join(line.jel_letters) for line in lines],
            "Paper": [line.paper_title for line in lines],
        },
        hide_index=True,
        key=key,
        height=min(35 * len(lines) + 37, 562),
        column_config={
            "No.": st.column_config.TextColumn(width=60, alignment="right"),
            "Sign": small,
            "Year": small,
            "JEL": small,
            "Treatment": st.column_config.TextColumn(width="medium"),
            "Outcome": st.column_config.TextColumn(width="medium"),
        },
    )

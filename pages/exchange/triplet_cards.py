"""Card of a triplet file: format, counts by sign, year and venue, title and licence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import streamlit as st

from components import shell
from core.words import counted, minus
from pages.exchange.encoding import NOT_UTF_8, choose_encoding
from pages.exchange.sources import UploadedSource, open_collection
from pages.exchange.triplets import TripletSource, key_of, take_encoding
from services.graphs.import_reading import LONGEST_LICENCE, LONGEST_TITLE
from services.triplets.preview import TripletPreview, collection_id
from services.triplets.repeats import Repeats

SHOWN_NOTICES = 5
MOST_ROWS, TALLEST_PX = 6, 247
RIGHT = st.column_config.TextColumn(alignment="right")


@dataclass(frozen=True, slots=True)
class TripletImportChoice:
    """Import choices for one file: all its good rows, under this title and licence.

    Attributes:
        repeated: rows that another file has too
    """

    source: TripletSource
    title: str
    licence: str
    repeated: int = 0


def triplet_card(source: TripletSource, repeats: Repeats) -> TripletImportChoice | None:
    """Draw one file; `repeats` are its rows that are in the study or in a file above.

    None if it has nothing to import.
    """
    look = source.look
    with st.container(border=True, gap="small", key=key_of(source, "card")):
        if look.error:
            st.markdown(f":material/block: **{shell.escaped(source.name)}** cannot be read yet")
            shell.plain(NOT_UTF_8 if look.encodings else look.error)
        if look.encodings or source.encoding:
            chosen = choose_encoding(source.look.encodings, source.encoding, key_of(source, "encoding"))
            if chosen != source.encoding:
                take_encoding(source, chosen)
                st.rerun()
        if look.error:
            return None
        st.markdown(f":material/table_rows: **{shell.escaped(source.name)}** · {shell.escaped(look.form)}")
        st.caption(shell.escaped(facts(look)))
        if source.jel is not None:
            st.caption(f"Papers without JEL codes get those from {shell.escaped(source.jel[0])}.")
        if look.known:
            if st.session_state.get(key_of(source, "imported")):
                st.markdown(f":material/check_circle: Imported as “{shell.escaped(look.known)}”.")
            else:
                st.text(f"This file is already in the study as “{look.known}”. It is not imported again.")
            collection = (collection_id(source.content),)
            st.button("Open collection", key=key_of(source, "open"), on_click=open_collection, args=collection)
            return None
        if repeats.words:
            st.markdown(shell.escaped(f"{repeats.words[0].upper()}{repeats.words[1:]}. In a run each counts once."))
        choices = replace(_about(source), repeated=repeats.repeated)
        venues = {
            name or "unknown": [", ".join(look.spellings.get(name, ())), f"{number:,}"]
            for name, number in look.venues.items()
        }
        count_tables(look.signs, look.years, venues, key_of(source, "counts"))
        for notice in look.notices[:SHOWN_NOTICES]:
            st.caption(shell.escaped(notice))
        if len(look.notices) > SHOWN_NOTICES:
            with st.expander(counted(len(look.notices) - SHOWN_NOTICES, "more notice")):
                shell.plain("\n".join(look.notices[SHOWN_NOTICES:]))
        return choices if look.triplets else None


def jel_card(table: UploadedSource) -> None:
    """Draw a JEL table that was dropped without a triplet file."""
    with st.container(border=True):
        st.markdown(f":material/table_rows: **{shell.escaped(table.name)}** · papers and their JEL codes")
        st.caption("Add it together with a triplet file. Papers without JEL codes get theirs from it.")


def facts(look: TripletPreview) -> str:
    of_study = f" ({look.in_study:,} in this study)" if look.in_study else ""
    parts = [f"{counted(look.triplets, 'triplet')} from {counted(look.papers, 'paper')}{of_study}"]
    if look.critics:
        parts.append(f"{counted(look.scores, 'score')} by {', '.join(look.critics)}")
    parts += [counted(look.faulty, "faulty row")] if look.faulty else []
    return f"{'; '.join(parts)}; {counted(look.rows, 'row')} read"


def count_tables(
    signs: Mapping[Any, int], years: Mapping[int | None, int], venues: Mapping[str, list[str]], key: str
) -> None:
    """Draw triplets by sign, year and venue; `venues` maps a name to its cells, the count last."""
    left, middle, right = st.columns([1, 1, 3], gap="small")
    with left:
        _table(
            {"Sign": [minus(sign.value) for sign in signs], "Triplets": [f"{n:,}" for n in signs.values()]},
            f"{key}.signs",
        )
    with middle:
        _table(
            {
                "Year": ["unknown" if year is None else str(year) for year in years],
                "Triplets": [f"{number:,}" for number in years.values()],
            },
            f"{key}.years",
        )
    with right:
        rows = list(venues.values())
        spelled = {"Spelling in the file": [row[0] for row in rows]} if rows and len(rows[0]) > 1 else {}
        _table({"Venue": list(venues), **spelled, "Triplets": [row[-1] for row in rows]}, f"{key}.venues")


def _table(columns: dict[str, list[str]], key: str) -> None:
    rows = len(columns["Triplets"])
    height: Literal["content"] | int = "content" if rows <= MOST_ROWS else TALLEST_PX
    st.dataframe(columns, hide_index=True, key=key, height=height, column_config={"Triplets": RIGHT}, placeholder="–")


def _about(source: TripletSource) -> TripletImportChoice:
    left, right = st.columns([3, 2])
    plain = source.name.rsplit(".", 1)[0]
    title = left.text_input("Title", plain, key=key_of(source, "title"), max_chars=LONGEST_TITLE)
    licence = right.text_input(
        "Licence",
        source.look.licence,
        key=key_of(source, "licence"),
        max_chars=LONGEST_LICENCE,
        placeholder="Example: CC-BY-4.0; empty if unknown",
    )
    return TripletImportChoice(source, title, licence)

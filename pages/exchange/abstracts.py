"""Abstracts on Import / export: a dropped file's card, the button that keeps it, and the study's corpora."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from components import shell, state
from components.widgets import acts
from components.widgets.moments import day_column
from components.widgets.number_table import number_table
from core.errors import BadRow
from core.people import May, Viewer
from core.triplets.corpus import LeftOut
from core.words import counted
from pages.exchange.sources import PAGE, Given, clear, open_part
from services.graphs.import_reading import LONGEST_LICENCE, LONGEST_TITLE
from services.triplets import corpora
from services.triplets.corpora import CorpusLine, CorpusPreview

FORM = state.key(PAGE, "import.abstracts")
SCOPE = state.key(PAGE, "abstracts.kept")
LOOKS = state.key(PAGE, "abstracts.looks")


@dataclass(frozen=True, slots=True)
class WantedCorpus:
    """What a person takes of one file: all its good entries, under this title and licence."""

    given: Given
    look: CorpusPreview
    title: str
    licence: str


# --- dropped files ----------------------------------------------------------------------------------------------


def abstract_cards(viewer: Viewer, those: list[Given]) -> tuple[list[WantedCorpus], list[BadRow]]:
    """Draw the files of abstracts; returns what is to be imported, and every faulty entry."""
    before: dict[str, CorpusPreview] = st.session_state.get(LOOKS, {})
    looks = {}
    wanted: list[WantedCorpus] = []
    for each in those:
        mark = hashlib.sha256(each.content).hexdigest()
        look = before.get(mark) or corpora.preview_corpus(viewer, each.name, each.content)
        looks[mark] = look
        if (found := _card(each, look)) is not None:
            wanted.append(found)
    st.session_state[LOOKS] = looks
    return wanted, [fault for look in looks.values() if not look.known for fault in look.faults]


def _card(each: Given, look: CorpusPreview) -> WantedCorpus | None:
    with st.container(border=True, gap="small", key=_key(each, "card")):
        if look.error:
            st.markdown(f":material/block: **{shell.escaped(each.name)}** cannot be read")
            shell.plain(look.error)
            return None
        st.markdown(f":material/notes: **{shell.escaped(each.name)}** · papers with abstracts")
        repeats = f"; {counted(look.repeats, 'entry')} repeated" if look.repeats else ""
        faulty = f"; {counted(len(look.faults), 'faulty entry')}" if look.faults else ""
        st.caption(f"{counted(look.papers, 'paper')}{repeats}{faulty}")
        st.caption(taken_words(look.taken, look.left_out))
        if look.known:
            st.text(f"This file is already in the study as “{look.known}”. It is not imported again.")
            return None
        left, right = st.columns([3, 2])
        title = left.text_input("Title", each.name.rsplit(".", 1)[0], key=_key(each, "title"), max_chars=LONGEST_TITLE)
        licence = right.text_input(
            "Licence",
            "",
            key=_key(each, "licence"),
            max_chars=LONGEST_LICENCE,
            placeholder="Example: CC-BY-4.0; empty if unknown",
        )
        return WantedCorpus(each, look, title, licence) if look.papers else None


def taken_words(taken: int, left_out: Mapping[LeftOut, int]) -> str:
    """ "112 taken by runs; left out: 2 no abstract, 1 another journal"."""
    others = ", ".join(f"{many:,} {why.value}" for why, many in left_out.items())
    return f"{taken:,} taken by runs" + (f"; left out unless a run wants them: {others}" if others else "")


def abstract_button(viewer: Viewer, wanted: list[WantedCorpus], *, is_last: bool) -> None:
    """The button that keeps them all, file by file. `is_last`: nothing else waits to be imported."""
    papers = sum(each.look.papers for each in wanted)
    if left_out := sum(len(each.look.faults) for each in wanted):
        st.caption(f"{counted(left_out, 'faulty entry')} left out.")
    words = f"Import {counted(papers, 'abstract')}"
    if wanted and st.button(words, type="primary", key=state.act_key(FORM, "keep")):
        with shell.boundary(), st.spinner("Writing every paper…"):
            for each in wanted:
                form = _key(each.given, "import")
                receipt = corpora.import_corpus(
                    viewer,
                    each.given.name,
                    each.given.content,
                    with_faulty=True,
                    title=each.title,
                    licence=each.licence,
                    act_id=state.act_id(form),
                )
                state.spend(form)
                acts.note(SCOPE, receipt)
                st.session_state.pop(LOOKS, None)
            state.spend(FORM)
            if is_last:
                clear(viewer)
                open_part("triplets")
            st.rerun()


def _key(each: Given, name: str) -> str:
    return state.key(PAGE, f"source.{each.id}.abstracts.{name}")


# --- corpora of the study ---------------------------------------------------------------------------------------


def show_corpora(viewer: Viewer) -> bool:
    """The corpora of the study; whether there are any."""
    every = corpora.corpora(viewer, with_archived=True)
    if not every:
        return False
    st.markdown("**Abstracts**")
    shell.receipt_line(acts.last_receipt(SCOPE))
    number_table(
        {
            "Corpus": [each.title for each in every],
            "Papers": [f"{each.papers:,}" for each in every],
            "Taken by runs": [f"{each.taken:,}" for each in every],
            **{why.value.capitalize(): [f"{each.left_out.get(why, 0):,}" for each in every] for why in LeftOut},
            "Licence": [each.licence or "unknown" for each in every],
            "Imported": [shell.local_time(each.imported_at) for each in every],
            "State": ["archived" if each.is_archived else "active" for each in every],
        },
        key=state.key(PAGE, "corpora"),
        words=("Corpus", "Licence", "State"),
        wide="Corpus",
        config={"Imported": day_column()},
    )
    if viewer.may(May.CURATE):
        _edit(viewer, every)
    return True


def _edit(viewer: Viewer, every: tuple[CorpusLine, ...]) -> None:
    with st.popover("Edit abstracts", icon=":material/edit:"):
        by_id = {each.id: each for each in every}
        chosen = st.selectbox(
            "Corpus", list(by_id), format_func=lambda key: by_id[key].title, key=state.key(PAGE, "corpora.chosen")
        )
        corpus = by_id[chosen]
        st.caption("An archived corpus disappears from new runs. Runs that took it stay, and it can be restored.")
        form = state.key(PAGE, f"corpora.archive.{corpus.id}")
        seen = acts.seen_since(SCOPE, form, corpus.id, corpus.version)
        if st.button("Restore" if corpus.is_archived else "Archive", key=state.act_key(form, "do")):
            acts.keep(
                SCOPE,
                form,
                lambda act_id: corpora.archive_corpus(
                    viewer, corpus.id, not corpus.is_archived, seen=seen, act_id=act_id
                ),
            )

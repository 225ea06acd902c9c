"""Abstracts on Import / export: a dropped file's card, the button that keeps it, and the study's corpora."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import shell, state
from components.widgets import acts
from components.widgets.moments import day_column
from components.widgets.number_table import number_table
from core.people import Permission, Viewer
from core.triplets.corpus import LeftOut
from core.words import counted
from pages.exchange.file_cards import FileCards, and_faulty, known_as
from pages.exchange.sources import PAGE
from services.graphs.import_reading import LONGEST_LICENCE, LONGEST_TITLE
from services.triplets import corpora, study_abstracts
from services.triplets.corpora import CorpusLine, CorpusPreview

# --- dropped files ----------------------------------------------------------------------------------------------


def _describe(look: CorpusPreview) -> None:
    repeats = f"; {counted(look.repeats, 'entry')} repeated" if look.repeats else ""
    st.caption(f"{counted(look.papers, 'paper')}{repeats}{and_faulty(look, 'faulty entry')}")
    st.caption(taken_words(look.taken, look.left_out))


def taken_words(accepted: int, left_out: Mapping[LeftOut, int]) -> str:
    """Return, for example, "112 taken by runs; left out unless a run wants them: 2 without an abstract"."""
    others = ", ".join(f"{many:,} {why.text}" for why, many in left_out.items())
    return f"{accepted:,} taken by runs" + (f"; left out unless a run wants them: {others}" if others else "")


ABSTRACT_CARDS: FileCards[CorpusPreview] = FileCards(
    name="abstracts",
    heading=":material/notes: papers with abstracts",
    verb="Import",
    what="abstract",
    row="faulty entry",
    writing="Writing every paper…",
    preview=corpora.preview_corpus,
    told=_describe,
    known=lambda look: known_as(look.known),
    good=lambda look: look.papers,
    bring=corpora.import_corpus,
)
SCOPE = ABSTRACT_CARDS.scope


# --- corpora of the study ---------------------------------------------------------------------------------------


def show_corpora(viewer: Viewer) -> bool:
    """Draw the corpora of the study; return True if there are any. Without any, its papers can become the first."""
    every = corpora.corpora(viewer, with_archived=True)
    if not every:
        if viewer.may(Permission.CURATE):
            _take_papers(viewer)
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
    if viewer.may(Permission.CURATE):
        with st.container(horizontal=True, key=state.key(PAGE, "corpora.acts")):
            _edit(viewer, every)
            _take_papers(viewer)
    return True


def _take_papers(viewer: Viewer) -> None:
    now = study_abstracts.study_abstracts(viewer)
    if not now.papers:
        return
    form = state.key(PAGE, "corpora.take")
    with st.popover("Use study papers", icon=":material/library_add:"):
        st.caption(f"{counted(now.papers, 'paper')} of the study with an abstract, {now.without:,} without.")
        st.caption(taken_words(now.taken, now.left_out))
        if now.known:
            st.caption(shell.escaped(f"These papers are the corpus {now.known}."))
            return
        title = st.text_input("Title", study_abstracts.TITLE, max_chars=LONGEST_TITLE, key=state.act_key(form, "title"))
        licence = st.text_input(
            "Licence", max_chars=LONGEST_LICENCE, key=state.act_key(form, "licence"), placeholder="Empty: unknown"
        )
        if st.button("Make corpus", type="primary", key=state.act_key(form, "do")):
            acts.keep(
                SCOPE,
                form,
                lambda act_id: study_abstracts.take_papers(viewer, title=title, licence=licence, act_id=act_id),
            )


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

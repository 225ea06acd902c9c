"""Corpora of abstracts that relations are extracted from: those that are chosen, or all; then journals and years."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import cast

import streamlit as st

from components import links, state
from components.widgets.choosing import choose_several
from core.people import May, Viewer
from core.words import counted
from pages.runs import options
from pages.runs.form import FORM as RUN
from pages.runs.parts import PAGE
from protocols.lee_pipeline.source_options import ANY_JOURNAL, CORPUS
from services.protocols.lee_pipeline.abstracts import CorpusOption
from services.runs.settings import ProtocolOption, RunConfig, RunOptions

CHOSEN = state.key(PAGE, "new.corpora.chosen")
NONE = "No corpus of abstracts yet. Import a file of papers with abstracts."


class AbstractsForm:
    def is_empty(self, found: RunOptions) -> bool:
        return not _offered(found)

    def empty(self, viewer: Viewer) -> None:
        st.caption(NONE)
        if viewer.may(May.CURATE):
            links.page_button("Import abstracts", "exchange", {}, key=state.key(PAGE, "new.corpora"), is_primary=True)

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        """As `SourceForm`: both tasks go together. At first every corpus is chosen."""
        there = {each.id: each for each in _offered(found)}
        if not there:
            st.caption(NONE)
        st.session_state[CHOSEN] = [
            each for each in str(st.session_state.get(RUN.key(CORPUS.name)) or "").split(",") if each in there
        ]
        choose_several(
            "Corpora",
            list(there),
            key=CHOSEN,
            on_change=_chose,
            args=(keep,),
            placeholder="All corpora",
            format_func=lambda each: (
                f"{there[each].title} · {counted(there[each].papers, 'paper')}" if each in there else each
            ),
        )
        _any_journal([there[each] for each in st.session_state[CHOSEN] or there])
        options.show([each for each in protocol.options_of("abstracts") if each.name != CORPUS.name], keep)
        return [task.name for task in protocol.tasks]

    def missing(self, wanted: RunConfig) -> str:
        return ""


FORM = AbstractsForm()


def _offered(found: RunOptions) -> tuple[CorpusOption, ...]:
    return cast("tuple[CorpusOption, ...]", found.offers["abstracts"])


def _any_journal(chosen: Sequence[CorpusOption]) -> None:
    """Of corpora without a paper of the eight journals, at first papers of any are taken."""
    journals = RUN.key("journals")
    if (
        not st.session_state.get(journals)
        and not any(each.taken for each in chosen)
        and any(each.elsewhere for each in chosen)
    ):
        st.session_state[journals] = ANY_JOURNAL


def _chose(keep: Callable[[], None]) -> None:
    """A callback: the option holds the ids as a text, as the command line gives them."""
    st.session_state[RUN.key(CORPUS.name)] = ",".join(st.session_state[CHOSEN])
    keep()

"""Run form of relations from abstracts (Lee et al.): corpora, journals, years, and JEL codes."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from core.words import counted
from pages import BenchmarkPages, SourceForm
from pages.runs import options
from pages.runs.form import FORM as RUN
from services.protocols.lee_pipeline import CorpusOption
from services.runs.settings import ProtocolOption


def _show(offered: Collection[CorpusOption], protocol: ProtocolOption, keep: Callable[[], None]) -> None:
    """Draw the choice of corpora (see `SourceForm`), at first all."""
    words = {each.id: f"{each.title} · {counted(each.papers, 'paper')}" for each in offered}
    chosen = options.choose_ids("Corpora", words, "corpus", keep, "All corpora")
    # If no corpus has a paper of the eight journals, all journals are selected at first.
    used = [each for each in offered if not chosen or each.id in chosen]
    journals = RUN.key("journals")
    is_elsewhere = any(each.elsewhere for each in used) and not any(each.taken for each in used)
    if is_elsewhere and not st.session_state.get(journals):
        st.session_state[journals] = "any"
    options.show([each for each in protocol.options_of("abstracts") if each.name != "corpus"], keep)


def _show_codes(offered: None, protocol: ProtocolOption, keep: Callable[[], None]) -> None:
    """Draw a field for JEL codes, whose titles are compared with variables."""
    with st.expander("JEL codes", on_change="rerun") as fold:
        if fold.open:
            st.text_area(
                "Codes and titles, with the heading code,title",
                key=RUN.key("codes"),
                on_change=keep,
                height=160,
                max_chars=100_000,
                placeholder="code,title\nJ2,Demand and Supply of Labor",
                help="Each variable gets the code of the nearest title. Without codes, questions are grouped by "
                "the JEL letters of the papers.",
            )


PAGES = BenchmarkPages(
    asks="Causal relations in abstracts; questions are made of them.",
    needs="a corpus of abstracts",
    get=("Import abstracts", "exchange", {}),
    forms={
        "abstracts": SourceForm(
            show=_show, nothing="No corpus of abstracts yet. Import a file of papers with abstracts."
        ),
        "jel_titles": SourceForm(show=_show_codes, is_empty=lambda offered: False),
    },
)

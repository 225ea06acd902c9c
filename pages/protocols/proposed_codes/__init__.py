"""Run form of proposed codes: one list of failures that nobody codes yet."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from pages import BenchmarkPages, SourceForm
from pages.runs.form import FORM
from services.protocols.proposed_codes import OFF, CodingListOption
from services.runs.settings import ProtocolOption, RunConfig

HELP = "Lists that nobody codes yet, drawn while proposals were on. Coders accept or reject what the model proposes."


def _show(offered: Collection[CodingListOption], protocol: ProtocolOption, keep: Callable[[], None]) -> None:
    (option,) = protocol.options_of("failures")
    key, words = FORM.key(option.name), {each.id: each.words for each in offered}
    if st.session_state.get(key) not in words:
        st.session_state[key] = next(iter(words))
    st.selectbox(option.title, list(words), format_func=words.__getitem__, key=key, on_change=keep, help=HELP)


def _missing(config: RunConfig) -> str:
    return "" if config.options.get("coding_list") else "Choose a list."


FAILURES = SourceForm(show=_show, nothing=OFF, missing=_missing)
PAGES = BenchmarkPages(
    asks="Why answers fail: codes of the codebook with quotations, which coders accept or reject.",
    needs="a list of failures drawn while proposals are on",
    get=("Open codes", "failures", {"show": "codes"}),
    forms={"failures": FAILURES},
)

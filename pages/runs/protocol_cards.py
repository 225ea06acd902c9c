"""Form of a new run: the choice of the protocol, as cards that say what each asks and needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from components import links, shell
from pages import SourceForm, get_pages
from pages.runs.form import FORM
from services.runs.settings import ProtocolOption, RunOptions

KEY, IS_CHOSEN = FORM.key("protocol"), FORM.key("protocol.chosen")
COLUMNS = 4


def form_of(protocol: ProtocolOption, source: str) -> SourceForm:
    """Return the form of a source; the default draws the source's options and is never empty."""
    return get_pages(protocol.name).forms.get(source) or SourceForm(is_empty=lambda offered: False)


def show(run_options: RunOptions, keep: Callable[[], None]) -> ProtocolOption:
    """Draw the cards, folded once one is chosen; at first the form is of the first protocol that can be asked."""
    by_name = {each.name: each for each in run_options.protocols}
    empty = {name for name, each in by_name.items() if _is_empty(each, run_options)}
    memory = st.session_state
    memory[IS_CHOSEN] = memory.get(IS_CHOSEN, memory.get(KEY) in by_name)
    if memory.get(KEY) not in by_name:
        memory[KEY] = next((name for name in by_name if name not in empty), next(iter(by_name)))
    chosen = by_name[memory[KEY]]
    words = f"Protocol: {shell.escaped(chosen.title)}"
    with st.expander(words, expanded=not memory[IS_CHOSEN], key=FORM.key(f"box.protocol.{memory[IS_CHOSEN]}")):
        protocols = list(by_name.values())
        for start in range(0, len(protocols), COLUMNS):
            for column, protocol in zip(st.columns(COLUMNS), protocols[start : start + COLUMNS], strict=False):
                with column:
                    _card(protocol, protocol is chosen, protocol.name in empty, keep)
    return chosen


def _is_empty(protocol: ProtocolOption, run_options: RunOptions) -> bool:
    """Return whether the study has nothing that the protocol asks about, which is its first source."""
    return any(form_of(protocol, name).is_empty(run_options.offers.get(name)) for name in protocol.sources[:1])


def _card(protocol: ProtocolOption, is_chosen: bool, is_empty: bool, keep: Callable[[], None]) -> None:
    pages = get_pages(protocol.name)
    with st.container(border=True, height="stretch", gap="xxsmall", key=FORM.key(f"card.{protocol.name}")):
        st.markdown(f"**{shell.escaped(protocol.title)}**")
        st.caption(pages.asks)
        if is_empty:
            st.caption(f":material/block: Missing: {pages.needs}.")
            text, page, params = pages.get
            if page:
                links.page_link(text, page, params)
        elif pages.needs:
            st.caption(f":material/check: In this study: {pages.needs}.")
        # The chosen one folds the cards again: a disabled button would look like one that cannot be chosen.
        st.button(
            "Chosen" if is_chosen else "Choose",
            key=FORM.key(f"choose.{protocol.name}"),
            icon=":material/check:" if is_chosen else None,
            on_click=partial(st.session_state.__setitem__, IS_CHOSEN, True)
            if is_chosen
            else partial(_choose, protocol.name, keep),
        )


def _choose(name: str, keep: Callable[[], None]) -> None:
    st.session_state[KEY], st.session_state[IS_CHOSEN] = name, True
    for field in ("collections", "way", "tasks", "variants", "baselines", "baselines_off", "baselines_on"):
        st.session_state[FORM.key(field)] = FORM.fields[field]
    keep()

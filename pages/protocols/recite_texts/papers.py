"""Papers as what samples are made of: those that are chosen, or all."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import cast

import streamlit as st

from components import links, state
from components.widgets.choosing import choose_several
from core.people import May, Viewer
from pages.runs.form import FORM as RUN
from pages.runs.parts import PAGE
from services.protocols.recite_texts.papers import PaperOption
from services.runs.settings import ProtocolOption, RunConfig, RunOptions

CHOSEN = state.key(PAGE, "new.papers.chosen")


class PapersForm:
    def is_empty(self, found: RunOptions) -> bool:
        return not _offered(found)

    def empty(self, viewer: Viewer) -> None:
        st.caption("No paper with a file and a located figure yet. Add papers and locate their figures first.")
        if viewer.may(May.CURATE):
            links.page_button("Add papers", "papers", {}, key=state.key(PAGE, "new.add"), is_primary=True)

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        """As `SourceForm`: a paper whose figure has no ground truth is only converted."""
        if not _offered(found):
            st.caption("No paper has a file and a located figure.")
        by_id = {each.id: each for each in _offered(found)}
        held = str(st.session_state.get(RUN.key("papers")) or "").split(",")
        st.session_state[CHOSEN] = [each for each in by_id if each in held]
        chosen = choose_several(
            "Papers",
            list(by_id),
            key=CHOSEN,
            on_change=_chose,
            args=(keep,),
            placeholder="All papers with a file and a located figure",
            format_func=lambda each: by_id[each].title if each in by_id else each,
        )
        has_truth = any(each.has_truth for each in _offered(found) if not chosen or each.id in chosen)
        return [task.name for task in (protocol.tasks if has_truth else protocol.tasks[:1])]

    def missing(self, wanted: RunConfig) -> str:
        return ""


FORM = PapersForm()


def _offered(found: RunOptions) -> tuple[PaperOption, ...]:
    return cast("tuple[PaperOption, ...]", found.offers["papers"])


def _chose(keep: Callable[[], None]) -> None:
    """A callback: the option holds the ids as a text, as the command line gives them."""
    st.session_state[RUN.key("papers")] = ",".join(st.session_state[CHOSEN])
    keep()

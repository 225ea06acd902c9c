"""Papers with text that triplets are extracted from: those that are chosen, or all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

import streamlit as st

from components import links, shell, state
from components.widgets.choosing import choose_several
from core.people import May, Viewer
from core.words import counted
from pages.runs.form import FORM as RUN
from pages.runs.parts import PAGE
from services.runs.settings import ProtocolOption, RunConfig, RunOptions

CHOSEN = state.key(PAGE, "new.pipeline.chosen")
FIELD = "pipeline_papers"


class PipelinePapersForm:
    def is_empty(self, found: RunOptions) -> bool:
        return not any(not each.why_not for each in found.text_papers)

    def empty(self, viewer: Viewer) -> None:
        st.caption("No paper with text yet. Add papers first.")
        if viewer.may(May.CURATE):
            links.page_button("Add papers", "papers", {}, key=state.key(PAGE, "new.add.text"), is_primary=True)

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        """As `SourceForm`: all tasks go together. At first every paper that can be read is chosen."""
        able = {each.id: each for each in found.text_papers if not each.why_not}
        held = [each for each in str(st.session_state.get(RUN.key(FIELD)) or "").split(",") if each in able]
        st.session_state[CHOSEN] = held
        choose_several(
            "Papers",
            list(able),
            key=CHOSEN,
            on_change=_chose,
            args=(keep,),
            placeholder=f"All {counted(len(able), 'paper')} with text",
            format_func=lambda each: (
                f"{able[each].title} · {counted(able[each].pages, 'page')}" if each in able else each
            ),
        )
        others = Counter(each.why_not for each in found.text_papers if each.why_not)
        if others:
            said = ", ".join(f"{many:,} × {why}" for why, many in others.items())
            st.caption(shell.escaped(f"Without text: {said}."))
        return [task.name for task in protocol.tasks]

    def missing(self, wanted: RunConfig) -> str:
        return ""


FORM = PipelinePapersForm()


def _chose(keep: Callable[[], None]) -> None:
    """A callback: the option holds the ids as a text, as the command line gives them."""
    st.session_state[RUN.key(FIELD)] = ",".join(st.session_state[CHOSEN])
    keep()

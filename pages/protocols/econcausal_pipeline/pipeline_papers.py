"""Papers with text that triplets are extracted from: those that are chosen, or all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import cast

import streamlit as st

from components import links, shell, state
from components.widgets.choosing import choose_several
from core.people import May, Viewer
from core.words import counted
from pages.runs.form import FORM as RUN
from pages.runs.parts import PAGE
from protocols.econcausal_pipeline.tasks import PDF as AS_PDF
from services.protocols.econcausal_pipeline.pipeline_papers import NO_TEXT, TextPaper
from services.runs.settings import ProtocolOption, RunConfig, RunOptions

CHOSEN = state.key(PAGE, "new.pipeline.chosen")
FIELD = "pipeline_papers"
FILTER = state.key(PAGE, "new.pipeline.filter")
FILTERS: Mapping[str, Callable[[TextPaper], bool]] = {
    "Included": lambda each: each.is_included,
    "Not in a run yet": lambda each: not each.was_asked,
}


class PipelinePapersForm:
    def is_empty(self, found: RunOptions) -> bool:
        return not any(not each.why_not for each in _offered(found))

    def empty(self, viewer: Viewer) -> None:
        st.caption("No paper with text yet. Add papers first.")
        if viewer.may(May.CURATE):
            links.page_button("Add papers", "papers", {}, key=state.key(PAGE, "new.add.text"), is_primary=True)

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        """As `SourceForm`: all tasks go together. At first every paper that can be read is chosen."""
        is_pdf = st.session_state.get(RUN.key("paper_as")) == AS_PDF
        able = {each.id: each for each in _offered(found) if not each.why_not or (is_pdf and each.why_not == NO_TEXT)}
        _filters(list(able.values()), keep)
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
        others = Counter(each.why_not for each in _offered(found) if each.id not in able)
        if others:
            said = ", ".join(f"{many:,} × {why}" for why, many in others.items())
            hint = " As PDFs, papers without a text layer can be sent." if NO_TEXT in others else ""
            st.caption(shell.escaped(f"Cannot be sent: {said}.{hint}"))
        return [task.name for task in protocol.tasks]

    def missing(self, wanted: RunConfig) -> str:
        return ""


FORM = PipelinePapersForm()


def _offered(found: RunOptions) -> tuple[TextPaper, ...]:
    return cast("tuple[TextPaper, ...]", found.offers["pipeline_papers"])


def _filters(able: Sequence[TextPaper], keep: Callable[[], None]) -> None:
    """One press chooses the papers that a filter leaves; with none, all."""
    counts = {name: sum(holds(each) for each in able) for name, holds in FILTERS.items()}
    st.pills(
        "Choose",
        list(FILTERS),
        selection_mode="multi",
        format_func=lambda name: f"{name} ({counts[name]:,})",
        key=FILTER,
        on_change=_filtered,
        args=(able, keep),
        label_visibility="collapsed",
    )


def _filtered(able: Sequence[TextPaper], keep: Callable[[], None]) -> None:
    """A callback: what all pressed filters leave is chosen; where it is nothing, nothing changes but a notice."""
    names = st.session_state[FILTER]
    left = [each.id for each in able if all(FILTERS[name](each) for name in names)]
    if names and not left:
        st.toast("No paper fits these filters.")
        return
    st.session_state[RUN.key(FIELD)] = ",".join(left) if names else ""
    keep()


def _chose(keep: Callable[[], None]) -> None:
    """A callback: the option holds the ids as a text, as the command line gives them."""
    st.session_state[RUN.key(FIELD)] = ",".join(st.session_state[CHOSEN])
    keep()

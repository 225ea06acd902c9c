"""Run form of triplets from papers (EconCausal): papers with text, and files of another run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

import streamlit as st

from components import shell
from core.words import counted
from pages import BenchmarkPages, SourceForm
from pages.runs import options
from pages.runs.form import FORM as RUN
from services.protocols.econcausal_pipeline.pipeline_papers import NO_TEXT, TextPaper
from services.runs.settings import ProtocolOption

FIELD = "pipeline_papers"
FILTER = RUN.key(f"{FIELD}.filter")
FILTERS: Mapping[str, Callable[[TextPaper], bool]] = {
    "Included": lambda each: each.is_included,
    "Not in a run yet": lambda each: not each.was_asked,
}


def _show_papers(offered: Collection[TextPaper], protocol: ProtocolOption, keep: Callable[[], None]) -> None:
    """Draw the choice of papers (see `SourceForm`), at first all that can be sent."""
    is_pdf = st.session_state.get(RUN.key("paper_as")) == "pdf"
    able = [each for each in offered if not each.obstacle or (is_pdf and each.obstacle == NO_TEXT)]
    fitting = {name: sum(holds(each) for each in able) for name, holds in FILTERS.items()}
    st.pills(
        "Choose",
        list(FILTERS),
        selection_mode="multi",
        format_func=lambda name: f"{name} ({fitting[name]:,})",
        key=FILTER,
        on_change=_filtered,
        args=(able, keep),
        label_visibility="collapsed",
    )
    words = {each.id: f"{each.title} · {counted(each.pages, 'page')}" for each in able}
    options.choose_ids("Papers", words, FIELD, keep, f"All {counted(len(able), 'paper')} with text")
    others = Counter(each.obstacle for each in offered if each.id not in words)
    if others:
        counts = ", ".join(f"{many:,} × {why}" for why, many in others.items())
        hint = " As PDFs, papers without a text layer can be sent." if NO_TEXT in others else ""
        st.caption(shell.escaped(f"Cannot be sent: {counts}.{hint}"))


def _filtered(able: Sequence[TextPaper], keep: Callable[[], None]) -> None:
    """Select papers that match all filters; if there are none, keep the selection and notify; a callback."""
    names = st.session_state[FILTER]
    left = [each.id for each in able if all(FILTERS[name](each) for name in names)]
    if names and not left:
        st.toast("No paper fits these filters.")
        return
    st.session_state[RUN.key(FIELD)] = ",".join(left) if names else ""
    keep()


def _show_steps(offered: None, protocol: ProtocolOption, keep: Callable[[], None]) -> None:
    """Draw a notice of imported files (see `SourceForm`), which only the command line can set."""
    if st.session_state.get(RUN.key("step_files")):
        st.caption("This run took in files of an earlier one, which are not kept. Start it with: run --from FILE.")


PAGES = BenchmarkPages(
    asks="Triplets in the text of papers, each scored by critics.",
    needs="papers with text",
    get=("Open papers", "papers", {}),
    forms={
        "pipeline_papers": SourceForm(
            show=_show_papers, is_empty=lambda offered: all(each.obstacle for each in offered)
        ),
        "pipeline_steps": SourceForm(show=_show_steps, is_empty=lambda offered: False),
    },
)

"""The user's JEL codes, pasted: their titles are compared with variables."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from core.people import Viewer
from pages.runs.form import FORM as RUN
from protocols.lee_pipeline.source_options import CODES
from services.runs.settings import ProtocolOption, RunConfig, RunOptions


class JelTitlesForm:
    def is_empty(self, found: RunOptions) -> bool:
        return False

    def empty(self, viewer: Viewer) -> None:
        raise AssertionError("a run needs no codes")

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        with st.expander("JEL codes", on_change="rerun") as fold:
            if fold.open:
                st.text_area(
                    "Codes and titles, with the heading code,title",
                    key=RUN.key(CODES.name),
                    on_change=keep,
                    height=160,
                    max_chars=100_000,
                    placeholder="code,title\nJ2,Demand and Supply of Labor",
                    help="Each variable gets the code of the nearest title. Without codes, questions are grouped by "
                    "the JEL letters of the papers.",
                )
        return [task.name for task in protocol.tasks]

    def missing(self, wanted: RunConfig) -> str:
        return ""


FORM = JelTitlesForm()

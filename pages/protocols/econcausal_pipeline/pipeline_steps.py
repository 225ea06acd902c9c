"""Files that steps of another run wrote: given on the command line, and told here where a run is set up from one."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from core.people import Viewer
from pages.protocols.econcausal_pipeline.pipeline_papers import FORM as PAPERS
from pages.runs.form import FORM as RUN
from services.runs.settings import ProtocolOption, RunConfig, RunOptions

FIELD = "step_files"


class PipelineStepsForm:
    def is_empty(self, found: RunOptions) -> bool:
        """Without papers there is nothing that a file could be about."""
        return PAPERS.is_empty(found)

    def empty(self, viewer: Viewer) -> None:
        """What papers lack is said by their form."""

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        if st.session_state.get(RUN.key(FIELD)):
            st.caption("This run took in files of an earlier one, which are not kept. Start it with: run --from FILE.")
        return [task.name for task in protocol.tasks]

    def missing(self, wanted: RunConfig) -> str:
        return ""


FORM = PipelineStepsForm()

"""Answers of finished runs, for a judge: which runs, and which of their models."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from core.people import Viewer
from pages.runs import options
from pages.runs.form import FORM as RUN
from protocols.recite.judge.tasks import JUDGE
from protocols.recite.source_options import OF_RUNS
from services.runs.settings import ProtocolOption, RunConfig, RunOptions


class AnswersForm:
    def is_empty(self, found: RunOptions) -> bool:
        """It never makes the form of a new run appear: there is nothing to judge before a first run."""
        return True

    def empty(self, viewer: Viewer) -> None:
        """Said by the form of releases."""

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        """As `SourceForm`: as soon as runs are named, judging them is the only task."""
        is_judging = bool(str(st.session_state.get(RUN.key(OF_RUNS.name)) or "").strip())
        with st.expander("Judge the answers of a run", expanded=is_judging):
            options.show(protocol.options_of("answers"), keep)
        names = [task.name for task in protocol.tasks]
        return [name for name in names if (name == JUDGE) == is_judging]

    def missing(self, wanted: RunConfig) -> str:
        return ""


FORM = AnswersForm()

"""Figures as what samples are made of: those that wait, all, or some; none before an owner named a model."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import cast

import streamlit as st

from components import shell
from components.widgets.choosing import choose_several
from core.people import Viewer
from pages.runs import options
from pages.runs.form import FORM as RUN
from protocols.figures.tasks import ALL, DPI, WAITING, WHICH
from services.protocols.figures.figures import OFF, FigureOption
from services.runs.settings import ProtocolOption, RunConfig, RunOptions
from services.transcription.model_reader import LEAVES

CHOSEN = "chosen"
WAYS = {WAITING: "Waiting in the queue", ALL: "All located", CHOSEN: "Chosen figures"}
WAY, SOME = RUN.key("figures.way"), RUN.key("figures.some")
HELP = "Waiting in the queue: figures for which a transcription is still wanted. Excluded papers are left out."


class FiguresForm:
    def is_empty(self, found: RunOptions) -> bool:
        return not _offered(found)

    def empty(self, viewer: Viewer) -> None:
        st.caption(OFF)

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        """As `SourceForm`: any task of any figure."""
        if not _offered(found):
            st.caption(f"{OFF} An owner does so under Transcribe, Proposals.")
            return [task.name for task in protocol.tasks]
        st.caption(shell.escaped(LEAVES))
        _which(_offered(found), keep)
        options.show([each for each in protocol.options_of("figures") if each.name == DPI.name], keep)
        return [task.name for task in protocol.tasks]

    def missing(self, wanted: RunConfig) -> str:
        return "Choose a figure." if wanted.options.get(WHICH.name) == CHOSEN else ""


FORM = FiguresForm()


def _offered(found: RunOptions) -> tuple[FigureOption, ...]:
    return cast("tuple[FigureOption, ...]", found.offers["figures"])


def _which(figures: Collection[FigureOption], keep: Callable[[], None]) -> None:
    """The option's text is what is kept; the widgets follow it."""
    held = str(st.session_state.get(RUN.key(WHICH.name)) or WAITING)
    known = {each.id: each for each in figures}
    some = [each for each in held.split(",") if each in known]
    st.session_state[WAY] = held if held in (WAITING, ALL) else CHOSEN
    waiting = sum(each.is_waiting for each in figures)
    counts = {WAITING: f" ({waiting:,})", ALL: f" ({len(known):,})", CHOSEN: ""}
    st.segmented_control(
        "Figures",
        list(WAYS),
        format_func=lambda each: WAYS[each] + counts[each],
        key=WAY,
        label_visibility="collapsed",
        required=True,
        on_change=_turned,
        args=(keep,),
        help=HELP,
    )
    if st.session_state[WAY] == CHOSEN:
        st.session_state[SOME] = some
        choose_several(
            "Chosen figures",
            list(known),
            key=SOME,
            format_func=lambda each: _words(known[each]),
            placeholder="Choose figures",
            on_change=_chosen,
            args=(keep,),
        )


def _turned(keep: Callable[[], None]) -> None:
    """A callback."""
    st.session_state[RUN.key(WHICH.name)] = st.session_state[WAY]
    keep()


def _chosen(keep: Callable[[], None]) -> None:
    """A callback."""
    st.session_state[RUN.key(WHICH.name)] = ",".join(st.session_state[SOME]) or CHOSEN
    keep()


def _words(each: FigureOption) -> str:
    return f"{each.label} · {each.title}{'' if each.is_waiting else ' · complete'}"

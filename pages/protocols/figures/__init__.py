"""Run form of the reading of figures: those that wait, all, or a selection; disabled until a model is named."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from components import shell
from pages import BenchmarkPages, SourceForm
from pages.runs import options
from services.protocols.figures import OFF, FigureOption
from services.runs.settings import ProtocolOption
from services.transcription.model_reader import LEAVES

HELP = "Waiting in the queue: figures for which a transcription is still wanted. Excluded papers are left out."


def _show(offered: Collection[FigureOption], protocol: ProtocolOption, keep: Callable[[], None]) -> None:
    st.caption(shell.escaped(LEAVES))
    which, *others = protocol.options_of("figures")
    waiting = sum(each.is_waiting for each in offered)
    ways = {
        "waiting": f"Waiting in the queue ({waiting:,})",
        "all": f"All located ({len(offered):,})",
        options.CHOSEN: "Chosen figures",
    }
    words = {each.id: f"{each.label} · {each.title}{'' if each.is_waiting else ' · complete'}" for each in offered}
    options.choose_way("Figures", ways, words, which, keep, HELP)
    options.show(others, keep)


FIGURES = SourceForm(
    show=_show,
    nothing=f"{OFF} An owner does so under Transcribe, Proposals.",
    missing=lambda wanted: "Choose a figure." if wanted.options.get("figures") == options.CHOSEN else "",
)
PAGES = BenchmarkPages(
    asks="The graph of a figure, by models that accept pictures.",
    needs="located figures that the owner allows to send",
    get=("Open proposals", "transcribe", {"show": "proposals"}),
    forms={"figures": FIGURES},
)

"""Run form of graphs from texts and their judges (ReCITE): a release, a table, the study's texts, or runs to judge."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from core.words import counted
from pages import BenchmarkPages, SourceForm
from pages.protocols.recite import verdicts_of_answer
from pages.runs import options
from pages.runs.form import FORM as RUN
from protocols.recite.judge.tasks import JUDGE
from services.protocols.recite.release import ReleaseOption
from services.protocols.recite.study_texts import StudyTexts
from services.protocols.recite.table import TableOption
from services.runs.settings import ProtocolOption, RunConfig

SOURCES = RELEASE, TABLE, TEXTS = "release", "table", "texts"
Offered = Collection[ReleaseOption | StudyTexts | TableOption]


def _show(offered: Offered, protocol: ProtocolOption, keep: Callable[[], None]) -> None:
    """Draw the choice of samples (see `SourceForm`), at first the newest; nothing when runs are judged."""
    words = _words(offered)
    if _is_judging():
        return
    if not words:
        st.caption("No text of this study is ready, no release holds one, and no table of samples is imported.")
        return
    options_now = (f"{name}={st.session_state.get(RUN.key(name))}" for name in SOURCES)
    current = next((each for each in options_now if each in words), "")
    options.choose_one("Samples from", words, "samples", current, _store, keep)


def _words(offered: Offered) -> dict[str, str]:
    """Return labels by "option=value": releases with texts, the study's texts, then tables."""
    words = {}
    for option in offered:
        if isinstance(option, TableOption):
            of = f"{option.title} · {option.texts:,} of {counted(option.samples, 'sample')}"
            words[f"table={option.id}"] = f"{of} with a text"
        elif isinstance(option, StudyTexts):
            if option.ready:
                words[f"{TEXTS}=ready"] = f"Texts of this study · {option.ready:,} ready, also without a licence"
        elif option.texts:
            title = f"Release {option.number}{f' · {option.title}' if option.title else ''}"
            words[f"release={option.number}"] = (
                f"{title} · {option.texts:,} of {counted(option.figures, 'figure')} with a text"
            )
    return words


def _store(chosen: str) -> None:
    name, _, value = chosen.partition("=")
    st.session_state[RUN.key(RELEASE)] = int(value) if name == RELEASE else None
    for other in (TABLE, TEXTS):
        st.session_state[RUN.key(other)] = value if name == other else ""


def _missing(config: RunConfig) -> str:
    is_there = JUDGE in config.tasks or any(config.options.get(name) for name in SOURCES)
    return "" if is_there else "Choose a release, a table, or the texts of this study."


def _is_judging() -> bool:
    return bool(str(st.session_state.get(RUN.key("of")) or "").strip())


def _show_answers(offered: None, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
    """Draw the choice of runs to judge (see `SourceForm`); once runs are named, judging is the only task."""
    with st.expander("Judge the answers of a run", expanded=_is_judging()):
        options.show(protocol.options_of("answers"), keep)
    return [task.name for task in protocol.tasks if (task.name == JUDGE) == _is_judging()]


PAGES = BenchmarkPages(
    asks="The whole causal graph that a text describes; judges compare it with the figure's.",
    needs="a ready text, a release with texts, or a table of samples",
    get=("Open papers", "papers", {}),
    forms={
        "release": SourceForm(show=_show, is_empty=lambda offered: not _words(offered), missing=_missing),
        "answers": SourceForm(show=_show_answers),  # empty: there is nothing to judge before a first run
    },
    item_view=verdicts_of_answer.show,
)

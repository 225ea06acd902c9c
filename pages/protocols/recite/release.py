"""Releases and imported tables as what samples are made of: one of them, chosen in one list."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import cast

import streamlit as st

from components import links, state
from core.people import May, Viewer
from core.words import counted
from pages.runs.form import FORM as RUN
from pages.runs.parts import PAGE
from protocols.recite.judge.tasks import JUDGE
from protocols.recite.source_options import OF_RUNS
from services.protocols.recite.release import ReleaseOption
from services.protocols.recite.table import TableOption
from services.runs.settings import ProtocolOption, RunConfig, RunOptions

CHOSEN = state.key(PAGE, "new.samples.chosen")
NONE = "No release holds a text, and no table of samples is imported."


class ReleaseForm:
    def is_empty(self, found: RunOptions) -> bool:
        return not _offered(found)

    def empty(self, viewer: Viewer) -> None:
        st.caption(f"{NONE} Make texts ready and freeze a release, or import ReCITE's default table.")
        if viewer.may(May.CURATE):
            links.page_button("Import samples", "exchange", {}, key=state.key(PAGE, "new.samples"), is_primary=True)

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        """As `SourceForm`: at first the newest release, and the task that asks as the paper does."""
        offered = _offered(found)
        names = [task.name for task in protocol.tasks]
        if st.session_state.get(RUN.key(OF_RUNS.name)):  # answers of runs are judged
            return names
        if not offered:
            st.caption(NONE)
            return names
        held = _held()
        if held not in offered:
            held = next(iter(offered))
            _put(held)
        st.session_state[CHOSEN] = held
        st.selectbox(
            "Release or table of samples",
            list(offered),
            key=CHOSEN,
            format_func=lambda each: offered.get(each, each),
            on_change=_chose,
            args=(keep,),
        )
        if st.session_state.get(RUN.key("tasks")) is None:
            st.session_state[RUN.key("tasks")] = names[:1]
        return names

    def missing(self, wanted: RunConfig) -> str:
        if JUDGE in wanted.tasks:
            return ""
        return "" if wanted.options.get("release") or wanted.options.get("table") else "Choose a release or a table."


FORM = ReleaseForm()


def _offered(found: RunOptions) -> dict[str, str]:
    """Field and value → words: releases with texts, then tables, each the newest first."""
    releases = {
        f"release={each.number}": f"Release {each.number}{f' · {each.title}' if each.title else ''} · "
        f"{each.texts:,} of {counted(each.figures, 'figure')} with a text"
        for each in cast("tuple[ReleaseOption, ...]", found.offers["release"])
        if each.texts
    }
    tables = {
        f"table={each.id}": f"{each.title} · {each.texts:,} of {counted(each.samples, 'sample')} with a text"
        for each in cast("tuple[TableOption, ...]", found.offers["table"])
    }
    return {**releases, **tables}


def _held() -> str:
    for field in ("release", "table"):
        if value := st.session_state.get(RUN.key(field)):
            return f"{field}={value}"
    return ""


def _put(chosen: str) -> None:
    field, _, value = chosen.partition("=")
    st.session_state[RUN.key("release")] = int(value) if field == "release" else None
    st.session_state[RUN.key("table")] = value if field == "table" else ""


def _chose(keep: Callable[[], None]) -> None:
    """A callback: the two options hold what is chosen, as the command line gives them."""
    _put(st.session_state[CHOSEN])
    keep()

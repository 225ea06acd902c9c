"""Graphs as what queries are asked about: the paper's set in one click, or chosen ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import cast

import streamlit as st

from components.widgets.choosing import choose_several
from core.people import Viewer
from core.words import counted
from pages.runs.form import FORM as RUN
from protocols.causalgraph2llm.tasks import ALL_DENSITIES, PAPER_SET, WHICH
from services.graphs.published import published_networks
from services.protocols.causalgraph2llm.graphs import GraphOption
from services.runs.settings import ProtocolOption, RunConfig, RunOptions

CHOSEN = "chosen"
WAYS = {PAPER_SET: "Paper's set", ALL_DENSITIES: "Paper's set, all densities", CHOSEN: "Chosen graphs"}
WAY, SOME = RUN.key("graphs.way"), RUN.key("graphs.some")
HELP = (
    "Paper's set: Insurance, Alarm and one random graph each of 10, 20 and 30 nodes with 1.5 edges per node. All "
    "densities: random graphs with 1 and 2 edges per node besides."
)


class GraphsForm:
    def is_empty(self, found: RunOptions) -> bool:
        """Never: published networks are always there."""
        return False

    def empty(self, viewer: Viewer) -> None:
        raise AssertionError("there are always graphs")

    def show(self, found: RunOptions, protocol: ProtocolOption, keep: Callable[[], None]) -> Collection[str]:
        """As `SourceForm`: any kind of query of any graph."""
        _which(_offered(found), keep)
        return [task.name for task in protocol.tasks]

    def missing(self, wanted: RunConfig) -> str:
        return "Choose a graph." if wanted.options.get(WHICH.name) == CHOSEN else ""


FORM = GraphsForm()


def _offered(found: RunOptions) -> tuple[GraphOption, ...]:
    return cast("tuple[GraphOption, ...]", found.offers["graphs"])


def _which(graphs: Sequence[GraphOption], keep: Callable[[], None]) -> None:
    """The option's text is what is kept; the widgets follow it."""
    held = str(st.session_state.get(RUN.key(WHICH.name)) or PAPER_SET)
    if held.startswith("["):
        st.caption("The graphs are those of the run that this form was filled from.")
        st.button("Choose other graphs", key=RUN.key("graphs.other"), on_click=_turn_to, args=(PAPER_SET, keep))
        return
    known = {each.id: each for each in graphs}
    words = {
        **{key: _words(each) for key, each in known.items()},
        **{name: _published(name) for name in published_networks()},
    }
    st.session_state[WAY] = held if held in (PAPER_SET, ALL_DENSITIES) else CHOSEN
    st.segmented_control(
        "Graphs",
        list(WAYS),
        format_func=WAYS.__getitem__,
        key=WAY,
        label_visibility="collapsed",
        required=True,
        on_change=_turned,
        args=(keep,),
        help=HELP,
    )
    if st.session_state[WAY] == CHOSEN:
        st.session_state[SOME] = [each for each in held.split(",") if each in words]
        choose_several(
            "Chosen graphs",
            list(words),
            key=SOME,
            format_func=lambda each: words.get(each, each),
            placeholder="Choose graphs",
            on_change=_chosen,
            args=(keep,),
        )


def _turned(keep: Callable[[], None]) -> None:
    """A callback."""
    _turn_to(st.session_state[WAY], keep)


def _turn_to(way: str, keep: Callable[[], None]) -> None:
    """A callback."""
    st.session_state[RUN.key(WHICH.name)] = way
    keep()


def _chosen(keep: Callable[[], None]) -> None:
    """A callback."""
    _turn_to(",".join(st.session_state[SOME]) or CHOSEN, keep)


def _words(each: GraphOption) -> str:
    return f"{each.title} · {counted(each.nodes, 'node')}, {counted(each.edges, 'edge')} · {each.id[-4:]}"


def _published(name: str) -> str:
    return f"{name.title()} · published network"

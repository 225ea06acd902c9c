"""Choice of graphs to query: the paper's set, or individual graphs."""

from __future__ import annotations

from collections.abc import Callable, Collection

import streamlit as st

from core.words import counted
from pages import SourceForm
from pages.runs import options
from pages.runs.form import FORM as RUN
from services.graphs.published import published_networks
from services.protocols.causalgraph2llm.graphs import GraphOption
from services.runs.settings import ProtocolOption

WAYS = {
    "paper-set": "Paper's set",
    "paper-set-densities": "Paper's set, all densities",
    options.CHOSEN: "Chosen graphs",
}
HELP = (
    "Paper's set: Insurance, Alarm and one random graph each of 10, 20 and 30 nodes with 1.5 edges per node. All "
    "densities: random graphs with 1 and 2 edges per node besides."
)


def _show(graphs: Collection[GraphOption], protocol: ProtocolOption, keep: Callable[[], None]) -> None:
    (which,) = protocol.options_of("graphs")
    if str(st.session_state.get(RUN.key("graphs")) or "").startswith("["):
        st.caption("The graphs are those of the run that this form was filled from.")
        st.button("Choose other graphs", key=RUN.key("graphs.other"), on_click=_choose_others, args=(keep,))
        return
    words = {
        **{
            each.id: f"{each.title} · {counted(each.nodes, 'node')}, {counted(each.edges, 'edge')} · {each.id[-4:]}"
            for each in graphs
        },
        **{name: f"{name.title()} · published network" for name in published_networks()},
    }
    options.choose_way("Graphs", WAYS, words, which, keep, HELP)


def _choose_others(keep: Callable[[], None]) -> None:
    st.session_state[RUN.key("graphs")] = ""
    keep()


GRAPHS = SourceForm(
    show=_show,
    is_empty=lambda offered: False,  # published networks are always available
    missing=lambda wanted: "Choose a graph." if wanted.options.get("graphs") == options.CHOSEN else "",
)

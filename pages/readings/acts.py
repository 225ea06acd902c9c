"""What a tab holds of a graph that is built from a text, and the acts of its edge list handed to the service."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from components.desk.tab import DeskTab, desk_key, tab_key, tab_of
from components.edge_list.acts import EdgeListAct, read_edge_list_act
from core.graphs.record import GraphRecord
from core.people import Receipt, Viewer
from pages.transcription.applying import applied
from pages.work_queue.screens import screen_of
from services.readings.reading import TextReading
from services.readings.work_kind import TEXT_GRAPHS

PAGE = "readings"
SCREEN = screen_of(PAGE, "reading", TEXT_GRAPHS)


@dataclass(kw_only=True)
class ReadingTab(DeskTab[GraphRecord]):
    """What this tab remembers of one graph. `notices` say what became of typed lines."""

    notices: tuple[str, ...] = ()


def held_of(work: TextReading) -> ReadingTab:
    """What this tab holds; `work` when it is first opened."""
    return tab_of(PAGE, work.assignment_id, lambda: ReadingTab(seen=work.version, shown=work.record))


def take_acts(viewer: Viewer, assignment_id: str) -> None:
    """Apply what the list sent, in order. An act without an answer stays in the browser and is sent again."""
    held: ReadingTab = st.session_state[tab_key(PAGE, assignment_id)]
    with held.ledger.turn():
        held.notices = ()
        held.apply_acts(
            {desk_key(PAGE, assignment_id): read_edge_list_act}, partial(_applied, viewer, assignment_id, held)
        )


def _applied(viewer: Viewer, assignment_id: str, held: ReadingTab, act: EdgeListAct, /, **to: Any) -> Receipt | None:
    receipt, notices = applied(viewer, assignment_id, act, **to)
    held.notices = (*held.notices, *notices)
    return receipt

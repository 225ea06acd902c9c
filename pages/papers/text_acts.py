"""What a tab holds of a figure's text, and the acts of its desk handed to the service one by one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from components import state
from components.desk.tab import DeskTab, desk_key, tab_key, tab_of
from components.texts.acts import (
    MakeReady,
    RedoChange,
    RejectChange,
    ReplaceStretch,
    RestoreChange,
    TextAct,
    UndoChange,
    read_text_act,
)
from core.people import Receipt, Viewer
from core.texts.views import TextView
from pages.papers.links import PAGE
from services.texts import changing, deciding

HELD = state.key(PAGE, "text")
"""Under which a tab's texts are held."""


def held_of(figure_id: str, view: TextView) -> DeskTab[TextView]:
    """What this tab holds of a text; `view` when it is first opened."""
    return tab_of(HELD, figure_id, lambda: DeskTab(seen=view.version, shown=view))


def take_acts(viewer: Viewer, figure_id: str) -> None:
    """Apply what the desk sent, in order. An act without an answer stays in the browser and is sent again."""
    held: DeskTab[TextView] = st.session_state[tab_key(HELD, figure_id)]
    held.apply_acts({desk_key(HELD, figure_id): read_text_act}, partial(_applied, viewer, figure_id))


def _applied(viewer: Viewer, figure_id: str, act: TextAct, /, **to: Any) -> Receipt:
    do: Callable[..., Receipt]
    match act:
        case RejectChange(text_id, number):
            do = partial(changing.reject, viewer, figure_id, text_id, number)
        case RestoreChange(text_id, number):
            do = partial(changing.restore, viewer, figure_id, text_id, number)
        case ReplaceStretch(text_id, start, end, was, replacement):
            do = partial(changing.replace, viewer, figure_id, text_id, start, end, replacement, was=was)
        case MakeReady():
            do = partial(deciding.ready, viewer, figure_id)
        case UndoChange():
            do = partial(changing.undo, viewer, figure_id)
        case RedoChange():
            do = partial(changing.redo, viewer, figure_id)
    return do(**to)

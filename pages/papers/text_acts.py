"""State of a figure's text in a tab, and dispatch of desk acts to the service."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from components import state
from components.desk.posting.acts import Act
from components.desk.tab import DeskTab, tab_key
from components.texts.acts import (
    MakeReady,
    RedoChange,
    RejectChange,
    ReplaceStretch,
    RestoreChange,
    UndoChange,
    read_text_act,
)
from core.people import Receipt, Viewer
from core.texts.views import TextView
from pages.papers.links import PAGE
from services.texts import edits, mark_ready, reading

# Prefix of the state keys of a tab's texts.
HELD = state.key(PAGE, "text")


def held_of(viewer: Viewer, figure_id: str) -> DeskTab[TextView] | None:
    """Return this tab's state of a text, read from the store when first opened; None while there is no text."""
    key = tab_key(HELD, figure_id)
    if key not in st.session_state:
        view = reading.view(viewer, figure_id)
        if view is None:
            return None
        st.session_state[key] = DeskTab(seen=view.version, shown=view)
    tab: DeskTab[TextView] = st.session_state[key]
    return tab


def apply(figure_id: str, viewer: Viewer, act: Act, /, **to: Any) -> Receipt:
    do: Callable[..., Receipt]
    match read_text_act(act):
        case RejectChange(text_id, number):
            do = partial(edits.reject, viewer, figure_id, text_id, number)
        case RestoreChange(text_id, number):
            do = partial(edits.restore, viewer, figure_id, text_id, number)
        case ReplaceStretch(text_id, start, end, was, replacement):
            do = partial(edits.replace, viewer, figure_id, text_id, start, end, replacement, was=was)
        case MakeReady():
            do = partial(mark_ready.ready, viewer, figure_id)
        case UndoChange():
            do = partial(edits.undo, viewer, figure_id)
        case RedoChange():
            do = partial(edits.redo, viewer, figure_id)
    return do(**to)

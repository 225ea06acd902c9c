"""What a tab holds of one piece of labelling, and the acts of its desk handed to the service one by one."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from components import state
from components.desk.tab import DeskTab, desk_key, tab_key, tab_of
from components.texts.labels.acts import LabelAct, LabelNode, SubmitLevels, read_label_act
from core.errors import EdgewiseError
from core.people import Receipt, Viewer
from services.queue.work import claim_next
from services.texts import labelling
from services.texts.labelling import LabellingView
from services.texts.work_kind import TEXTS

PAGE = "texts"
Tab = DeskTab[LabellingView]


def held_of(assignment_id: str, view: LabellingView) -> Tab:
    """What this tab holds of a piece of labelling; `view` when it is first opened."""
    return tab_of(PAGE, assignment_id, lambda: DeskTab(seen=view.version, shown=view))


def take_acts(viewer: Viewer, assignment_id: str) -> None:
    """Apply what the desk sent, in order. An act without an answer stays in the browser and is sent again."""
    held: Tab = st.session_state[tab_key(PAGE, assignment_id)]
    applied = partial(_applied, viewer, assignment_id, held.shown.sha256 or "")
    held.apply_acts({desk_key(PAGE, assignment_id): read_label_act}, applied)


def _applied(viewer: Viewer, assignment_id: str, text: str, act: LabelAct, /, **to: Any) -> Receipt:
    match act:
        case LabelNode(node, level):
            return labelling.label(viewer, assignment_id, node, level, text_sha256=text, **to)
        case SubmitLevels():
            return labelling.submit(viewer, assignment_id, text_sha256=text, **to)


def asked_next(viewer: Viewer, assignment_id: str) -> None:
    """The desk's wish to go on: its state counts how often it was asked. Nothing left leads back to the list."""
    held: Tab = st.session_state[tab_key(PAGE, assignment_id)]
    if not held.asks(desk_key(PAGE, assignment_id), "next"):
        return
    name = state.key(PAGE, f"after.{assignment_id}")
    try:
        receipt = claim_next(viewer, TEXTS, act_id=state.act_id(name))
    except EdgewiseError:
        state.write_param("labelling", "")
        return
    state.spend(name)
    state.write_param("labelling", receipt.subject_id)

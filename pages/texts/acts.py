"""What a tab holds of one piece of labelling, and the acts of its desk handed to the service one by one."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from components.desk.tab import QueueTab, desk_key, tab_key
from components.texts.labels.acts import LabelAct, LabelNode, SubmitLevels, read_label_act
from core.people import Receipt, Viewer
from pages.work_queue.screens import screen_of
from services.texts import labelling
from services.texts.labelling import LabellingView
from services.texts.work_kind import TEXTS

PAGE = "texts"
SCREEN = screen_of(PAGE, "labelling", TEXTS)
Tab = QueueTab[LabellingView]


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

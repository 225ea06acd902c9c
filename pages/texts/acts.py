"""Dispatch of acts of the labelling desk to the service."""

from __future__ import annotations

from typing import Any

from components.desk.posting.acts import Act
from components.desk.tab import QueueTab
from components.texts.labels.acts import LabelNode, SubmitLevels, read_label_act
from core.people import Receipt, Viewer
from pages.work_queue.screens import screen_of
from services.texts import labelling
from services.texts.labelling import LabellingView
from services.texts.work_kind import TEXTS

PAGE = "texts"
SCREEN = screen_of(PAGE, "labelling", TEXTS)
Tab = QueueTab[LabellingView]


def apply(tab: Tab, viewer: Viewer, act: Act, /, **to: Any) -> Receipt:
    assignment_id, text = tab.shown.assignment_id, tab.shown.sha256 or ""
    match read_label_act(act):
        case LabelNode(node, level):
            return labelling.label(viewer, assignment_id, node, level, text_sha256=text, **to)
        case SubmitLevels():
            return labelling.submit(viewer, assignment_id, text_sha256=text, **to)

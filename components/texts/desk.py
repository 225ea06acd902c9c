"""The desk on which a paper's text is checked: on the left a stage with its changes in place, on the right their list.

It draws the page's data, shows unanswered acts at once, and posts them to its tab. The browser fetches the texts
themselves by their hash, once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components.desk.desk_state import DeskState
from components.desk.tab import Data, redrawn
from components.sources import script, sheets
from components.texts.acts import LONGEST_REPLACEMENT
from core.texts.leaks import LeakFinding
from core.texts.redline import TextChange

_mount = st.components.v2.component(
    "edgewise_text_desk",
    html="<div data-desk></div>",
    css=sheets("figure/panzoom.css", "canvas/canvas.css", "texts/desk.css"),
    js=script("texts/desk.js"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskStage:
    """A stage: the address of the text in which its changes have their places, and its guard's result in words."""

    text_id: str
    label: str
    url: str
    size: str
    guard: str = ""
    has_passed: bool | None = None  # None without a guard, or if there is nothing to decide by yet
    changes: tuple[TextChange, ...] = ()


def text_desk(key: str, data: Data) -> Any:
    return _mount(key=key, data=data, on_answered_change=redrawn, on_unsaved_change=redrawn)


def text_data(
    desk_state: DeskState,
    *,
    stages: Sequence[DeskStage],
    findings: Sequence[LeakFinding],
    unmet_requirements: Sequence[str],
    is_ready: bool,
) -> Data:
    """Return the desk's data. `findings` are of the last stage's text, by its places. `unmet_requirements`: sentences
    about what *Ready* needs. Acts: reject_change {text, number}; restore_change {text, number}; replace_stretch {text,
    start, end, was, replacement}; ready {}; undo {}; redo {}."""
    return {
        "stages": [_stage_data(stage) for stage in stages],
        "findings": [
            {
                "kind": each.kind.value,
                "start": each.start,
                "end": each.end,
                "line": each.line,
                "text": each.text,
                "edges": len(each.edges),
                "is_structural": each.is_structural,
            }
            for each in findings
        ],
        "hindrances": list(unmet_requirements),
        "is_ready": is_ready,
        "longest": LONGEST_REPLACEMENT,
        **desk_state.as_data(),
    }


def _stage_data(stage: DeskStage) -> dict[str, Any]:
    return {
        "id": stage.text_id,
        "label": stage.label,
        "url": stage.url,
        "size": stage.size,
        "guard": stage.guard,
        "has_passed": stage.has_passed,
        # Without their original words, which are in the text.
        "changes": [
            {
                "number": each.number,
                "start": each.start,
                "end": each.end,
                "put": each.replacement,
                "kind": each.kind,
                "page": each.page,
                "flagged": list(each.flagged),
                "is_rejected": each.is_rejected,
            }
            for each in sorted(stage.changes, key=lambda each: (each.start, each.end))
        ],
    }

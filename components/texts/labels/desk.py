"""The desk on which a person labels how explicit each node of a ground truth is in its text, blind to all others.

The text is fetched by its hash. The data reaches the browser: it must not contain others' levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from components.desk.desk_state import DeskState
from components.desk.tab import Data, redrawn
from components.sources import script, sheets
from core.texts.explicitness import ExplicitnessLevel

_mount = st.components.v2.component(
    "edgewise_label_desk",
    html="<div data-desk></div>",
    css=sheets("figure/panzoom.css", "canvas/canvas.css", "texts/desk.css"),
    js=script("texts/labels/desk.js"),
)


def label_desk(key: str, data: Data, *, on_next: Callable[[], None]) -> Any:
    """Place the desk; `st.session_state[key]["next"]` grows with each request for the next text."""
    return _mount(key=key, data=data, on_answered_change=redrawn, on_unsaved_change=redrawn, on_next_change=on_next)


def label_data(
    desk_state: DeskState,
    *,
    url: str,
    nodes: Sequence[str],
    levels: Mapping[str, ExplicitnessLevel],
    state: str,
    onward: str,
) -> Data:
    """Return the desk's data. `onward`: label of the button to the next text.

    Acts: label {node, level or null}; submit_levels {}."""
    return {
        "url": url,
        "nodes": list(nodes),
        "levels": {node: int(level) for node, level in levels.items()},
        "state": state,
        "onward": onward,
        **desk_state.as_data(),
    }

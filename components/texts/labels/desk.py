"""The desk on which a person says how explicit each node of a ground truth is in its text, blind to everybody else.

The text is fetched by its hash. What is given here reaches the browser: nobody else's levels may be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from components.desk.desk_state import DeskState
from components.desk.tab import Data, redrawn
from components.sources import script, sheets
from core.texts.explicitness import Level

_mount = st.components.v2.component(
    "edgewise_label_desk",
    html="<div data-desk></div>",
    css=sheets("figure/panzoom.css", "canvas/canvas.css", "texts/desk.css"),
    js=script("texts/labels/desk.js"),
)


def label_desk(key: str, data: Data, *, on_next: Callable[[], None]) -> Any:
    """Place the desk; `st.session_state[key]["next"]` grows when the person asks for the next text."""
    return _mount(key=key, data=data, on_answered_change=redrawn, on_unsaved_change=redrawn, on_next_change=on_next)


def label_data(
    standing: DeskState, *, url: str, nodes: Sequence[str], levels: Mapping[str, Level], state: str, onward: str
) -> Data:
    """The desk's data. `onward` is what the button says that leads on from here.

    Acts: label {node, level or null}; submit_levels {}.
    """
    return {
        "url": url,
        "nodes": list(nodes),
        "levels": {node: int(level) for node, level in levels.items()},
        "state": state,
        "onward": onward,
        **standing.as_data(),
    }

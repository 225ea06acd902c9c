"""The contact sheet: detected figures as thumbnails with page and caption; Enter locates one, X leaves it out.

It draws the page's data, shows unanswered acts at once, and posts them to its tab (`components/desk/tab.py`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from components.desk.desk_state import DeskState
from components.desk.tab import Data, redrawn
from components.figure.crop import check_extent
from components.sources import script, sheets
from core.papers.detected_figures import FigureDecision
from core.papers.pages import Box

_mount = st.components.v2.component(
    "edgewise_contact_sheet",
    html="<div data-desk></div>",
    css=sheets("figure/panzoom.css", "canvas/canvas.css", "contact_sheet/sheet.css"),
    js=script("contact_sheet/sheet.js"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFigure:
    """A detected figure. Every text may come from outside."""

    id: str
    paper: str
    page: int
    label: str
    caption: str
    image_url: str  # of its thumbnail
    page_url: str  # of a picture of its page, of width x height points
    width: float
    height: float
    box: Box
    link: str  # where its rectangle can be corrected
    decision: FigureDecision


def sheet_data(desk_state: DeskState, *, figures: Sequence[SheetFigure], onward: str) -> Data:
    """Return the sheet's data. `onward`: label of the button to the next sheet. Acts: decide_figure {figure, decision,
    was}. Raises BadInput for a page without extent."""
    return {"figures": [_as_data(each) for each in figures], "onward": onward, **desk_state.as_data()}


def contact_sheet(key: str, data: Data, *, on_next: Callable[[], None]) -> Any:
    """Place the sheet; `st.session_state[key]["next"]` grows with each request for the next sheet."""
    return _mount(key=key, data=data, on_answered_change=redrawn, on_unsaved_change=redrawn, on_next_change=on_next)


def _as_data(figure: SheetFigure) -> dict[str, Any]:
    check_extent(figure.width, figure.height)
    box = figure.box
    return {
        "id": figure.id,
        "paper": figure.paper,
        "page": figure.page,
        "label": figure.label,
        "caption": figure.caption,
        "image_url": figure.image_url,
        "page_url": figure.page_url,
        "width": figure.width,
        "height": figure.height,
        "box": [box.x0, box.y0, box.x1, box.y1],
        "link": figure.link,
        "decision": figure.decision.value,
    }

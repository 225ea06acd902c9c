"""A figure cut from a page, with zoom, pan and clickable marks; returns the clicked mark."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, TypeGuard

import streamlit as st

from components.figure.crop import Crop
from components.sources import script, sheets
from core.errors import BadInput
from core.papers.pages import Box

MarkKind = Literal["node", "word", "box"]
MarkState = Literal["plain", "chosen", "dimmed", "attested"]

LARGEST_N = 2**53  # beyond this a browser's numbers are not whole

_mount = st.components.v2.component(
    "edgewise_figure_view",
    html="<div data-figure-view></div>",
    css=sheets("figure/panzoom.css", "figure/figure_view.css"),
    js=script("figure/figure_view.js"),
)


@dataclass(frozen=True, slots=True)
class FigureMark:
    """An outlined mark: a node, a `word` of the text layer proposed as a name, or a `box`.

    `attested` marks a node of the coverage sweep with a tick; `chosen` adds a thick outline and the label."""

    kind: MarkKind
    id: str
    label: str  # shown as plain text
    box: Box  # points of the page
    state: MarkState = "plain"
    path: Sequence[tuple[float, float]] = ()  # from tail to tip, in points: drawn as this arrow instead of the box


@dataclass(frozen=True, slots=True)
class FigureClick:
    """A clicked mark. `n` grows with every click, so the page ignores a click that it has already handled."""

    id: str
    n: int


def figure_view(
    crop: Crop,
    *,
    key: str,
    marks: Sequence[FigureMark] = (),
    height_px: int = 560,
) -> FigureClick | None:
    """Draw the crop with `marks` over it; return the last click on one of these marks.

    `height_px`: greatest height of the window (and at most 72 % of the screen); a flat figure takes less.
    Zoom and position survive while only marks change, and reset with another size or origin."""
    data = {**crop.as_data(height_px), "marks": [_mark_data(mark) for mark in marks]}
    # Streamlit returns a state value only if it has a callback; the page reads the result itself.
    result = _mount(key=key, data=data, on_click_change=lambda: None)
    return read_click(result.get("click"), {mark.id for mark in marks})


def read_click(value: object, mark_ids: Collection[str]) -> FigureClick | None:
    """Return the click the browser sent ({"id", "n"}), None if there was none or its mark is no longer on the figure.
    Raises BadInput for a value that Edgewise's script cannot have sent."""
    if value is None:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("id"), str) or not is_count(value.get("n")):
        raise BadInput("The click on the figure could not be read. Reload the page and click again.")
    if value["id"] not in mark_ids:
        return None
    return FigureClick(id=value["id"], n=int(value["n"]))


def is_count(value: object) -> TypeGuard[int | float]:
    """Return True if a browser's value is a whole number from 0 to 2^53."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and 0 <= value <= LARGEST_N and value == int(value)


def _mark_data(mark: FigureMark) -> dict[str, object]:
    box = mark.box
    return {
        "kind": mark.kind,
        "id": mark.id,
        "label": mark.label,
        "box": [box.x0, box.y0, box.x1, box.y1],
        "state": mark.state,
        "path": [list(point) for point in mark.path],
    }

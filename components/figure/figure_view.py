"""Shows a figure cut from a page, with zoom, pan and clickable marks, and returns which mark was clicked."""

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
    """Something outlined on the figure: an accepted `node`, a `word` of the text layer offered as a name, or a `box`.

    `box` is in points of the page, like the figure's origin. `label` is shown as plain text whatever it holds.
    `attested` marks a node of the coverage sweep with a tick; `chosen` gets a thick outline and its label. With a
    `path`, from tail to tip in points of the page, it is drawn as that arrow and not as its box.
    """

    kind: MarkKind
    id: str
    label: str
    box: Box
    state: MarkState = "plain"
    path: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True, slots=True)
class FigureClick:
    """A clicked mark. `n` grows with every click, also after the figure was away from the screen: the page keeps the
    last one it has acted on and ignores a click that is not newer."""

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

    height_px: the window is at most this high (and at most 72 % of the screen); a flat figure takes less.
    Zoom and place are kept while only marks change, and start anew with another size or origin.
    """
    data = {**crop.as_data(height_px), "marks": [_mark_data(mark) for mark in marks]}
    result = _mount(key=key, data=data, on_click_change=_keep)
    return read_click(result.get("click"), {mark.id for mark in marks})


def read_click(value: object, mark_ids: Collection[str]) -> FigureClick | None:
    """The click the browser sent ({"id", "n"}), None if there was none or its mark is no longer on the figure.

    Raises BadInput for a value that our own script cannot have sent.
    """
    if value is None:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("id"), str) or not is_count(value.get("n")):
        raise BadInput("The click on the figure could not be read. Reload the page and click again.")
    if value["id"] not in mark_ids:
        return None
    return FigureClick(id=value["id"], n=int(value["n"]))


def is_count(value: object) -> TypeGuard[int | float]:
    """Whether a browser's value is a whole number from 0 to 2^53."""
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


def _keep() -> None:
    """Streamlit lists a state value in the result only if it has a callback; the page reads the result itself."""

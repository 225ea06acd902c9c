"""A page with its figures outlined; the user chooses one or draws a rectangle."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from components.figure.figure_view import is_count
from components.sources import script, sheets
from core.errors import BadInput
from core.papers.pages import Box

SMALLEST_PT = 12.0  # of each side; region_picker.js refuses less while drawing
LONGEST_ID = 200
_ROUNDING_PT = 0.01  # a browser's arithmetic; not a smaller rectangle

_mount = st.components.v2.component(
    "edgewise_region_picker",
    html="<div data-region-picker></div>",
    css=sheets("figure/panzoom.css", "figure/region_picker.css"),
    js=script("figure/region_picker.js"),
)


@dataclass(frozen=True, slots=True)
class PickRegion:
    """A detected figure. `box` in points of the page; an empty `label` is shown as "Region 1" etc."""

    id: str
    label: str
    box: Box


@dataclass(frozen=True, slots=True)
class PickedRegion:
    """A finished choice. `n` grows with every choice."""

    box: Box
    region_id: str | None  # the outlined region it began from, possibly with moved corners; None for a drawn rectangle
    n: int


def region_picker(
    *,
    key: str,
    image_url: str,
    page_width: float,
    page_height: float,
    regions: Sequence[PickRegion],
    chosen: Box | None,
    alt: str,
    height_px: int = 640,
) -> PickedRegion | None:
    """Draw the page at `image_url` with `regions` outlined and `chosen` selected; return the last finished choice.
    Sizes in points. Changes of `chosen` are shown; passing back the returned box is fine. Use another key for another
    page: Streamlit stores the last choice under its key. Raises BadInput as `read_picked`."""
    result = _mount(
        key=key,
        data={
            "image_url": image_url,
            "page_width": page_width,
            "page_height": page_height,
            "regions": [{"id": each.id, "label": each.label, "box": _corners(each.box)} for each in regions],
            "chosen": None if chosen is None else _corners(chosen),
            "alt": alt,
            "height_px": height_px,
            "seen_n": _seen_n(key),
        },
        # Streamlit returns a state value only if it has a callback; the page reads the result itself.
        on_picked_change=lambda: None,
    )
    picked = read_picked(result.get("picked"), page_width, page_height)
    if picked is not None and picked.region_id not in {each.id for each in regions}:
        return replace(picked, region_id=None)  # the outline disappeared since; the rectangle itself is still valid
    return picked


def read_picked(value: object, page_width: float, page_height: float) -> PickedRegion | None:
    """Return the choice the browser sent ({"box": [x0, y0, x1, y1], "region_id", "n"}), cut to the page; None if none.
    Points of the page. Raises BadInput for a value that Edgewise's script cannot have sent, and for a rectangle with
    less than 12 points a side on the page."""
    if value is None:
        return None
    if not isinstance(value, Mapping) or not is_count(value.get("n")):
        raise _unreadable()
    region_id = value.get("region_id")
    if region_id is not None and not (isinstance(region_id, str) and len(region_id) <= LONGEST_ID):
        raise _unreadable()
    whole = _read_box(value.get("box"))
    box = Box(
        min(max(whole.x0, 0.0), page_width),
        min(max(whole.y0, 0.0), page_height),
        min(max(whole.x1, 0.0), page_width),
        min(max(whole.y1, 0.0), page_height),
    )
    if min(box.width, box.height) < SMALLEST_PT - _ROUNDING_PT:
        raise BadInput(
            f"The rectangle covers {box.width:.0f} by {box.height:.0f} points of the page; "
            f"draw at least {SMALLEST_PT:.0f} by {SMALLEST_PT:.0f}."
        )
    return PickedRegion(box=box, region_id=region_id, n=int(value["n"]))


def _read_box(value: object) -> Box:
    if not isinstance(value, list | tuple) or len(value) != 4:
        raise _unreadable()
    if not all(isinstance(each, int | float) and not isinstance(each, bool) and math.isfinite(each) for each in value):
        raise _unreadable()
    x0, y0, x1, y1 = (float(each) for each in value)
    if x1 < x0 or y1 < y0:
        raise _unreadable()
    return Box(x0, y0, x1, y1)


def _unreadable() -> BadInput:
    return BadInput("The rectangle on the page could not be read. Reload the page and draw it again.")


def _seen_n(key: str) -> int:
    """Return the number of the last choice known to this run; the browser ignores answers to an older one."""
    value = st.session_state.get(key)
    picked = value.get("picked") if isinstance(value, Mapping) else None
    number = picked.get("n") if isinstance(picked, Mapping) else None
    return int(number) if is_count(number) else 0


def _corners(box: Box) -> list[float]:
    return [box.x0, box.y0, box.x1, box.y1]

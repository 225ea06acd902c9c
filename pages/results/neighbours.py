"""Previous and next answer of the cell that the link names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from components import state
from core.people import Viewer
from pages.failures.neighbours import Neighbour, Neighbours
from pages.results import slice as result_slice
from services.results import results
from services.runs import failures

T = TypeVar("T")
BACK = "Back to table"


def around(viewer: Viewer, item_id: str) -> Neighbours:
    """The neighbours within the cell of the link; none where the link names no such cell."""
    at, ids = state.read_param("at"), _ids(viewer)
    if not at.isdecimal() or len(at) > 9 or item_id not in ids:
        return Neighbours(None, None, "", BACK)
    begin = max(0, int(at) - 1)
    page = failures.lines(viewer, ids, offset=begin, limit=3)
    listed = [line.item_id for line in page.lines]
    if item_id not in listed:
        return Neighbours(None, None, "", BACK)
    place = listed.index(item_id)
    steps = [Neighbour(each, begin + number) for number, each in enumerate(listed)]
    before = steps[place - 1] if place else None
    after = steps[place + 1] if place + 1 < len(steps) else None
    return Neighbours(before, after, f"{begin + place + 1:,} of {page.total:,}", BACK)


def _ids(viewer: Viewer) -> tuple[str, ...]:
    runs = state.read_params("run")
    if not runs:
        return ()
    presets = {view.key: view for view in results.presets_of(viewer, runs)}
    preset = state.read_param("table") or next(iter(presets))
    if preset not in presets:
        return ()
    wanted = result_slice.linked(viewer, runs, presets[preset])
    tables = results.results(viewer, runs, preset, wanted, with_interval=False)
    table = _at(tables, "part")
    row = None if table is None else _at(table.row_labels, "line")
    column = None if table is None else _at(table.column_labels, "column")
    return () if table is None or row is None or column is None else table.cells[row, column].item_ids


def _at(listed: Sequence[T], name: str) -> T | None:
    text = state.read_param(name) or "0"
    return listed[int(text)] if text.isdecimal() and int(text[:6]) < len(listed) else None

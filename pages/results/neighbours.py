"""Previous and next answer of the cell that the link names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from components import state
from core.analysis.tables import ResultCell
from core.people import Viewer
from pages.failures.neighbours import Neighbour, Neighbours, between
from pages.results import slice as result_slice
from services.failures import failures
from services.results import results

T = TypeVar("T")
BACK = "Back to table"


def around(viewer: Viewer, item_id: str) -> Neighbours:
    """The neighbours within the cell of the link; none where the link names no such cell."""
    at, cell = state.read_param("at"), _cell(viewer)
    ids = () if cell is None else cell.item_ids
    if not at.isdecimal() or len(at) > 9 or item_id not in ids:
        return Neighbours(None, None, "", BACK)
    begin = max(0, int(at) - 1)
    if cell is not None and cell.places:
        window = enumerate(cell.questions[begin : begin + 3], begin)
        steps = [Neighbour(one[0], place, two[0]) for place, (one, two) in window]
        return between(steps, item_id, len(cell.questions), back=BACK)
    page = failures.lines(viewer, ids, offset=begin, limit=3)
    steps = [Neighbour(line.item_id, begin + place) for place, line in enumerate(page.lines)]
    return between(steps, item_id, page.total, back=BACK)


def _cell(viewer: Viewer) -> ResultCell | None:
    runs = state.read_params("run")
    if not runs:
        return None
    presets = {view.key: view for view in results.presets_of(viewer, runs)}
    preset = state.read_param("table") or next(iter(presets))
    if preset not in presets:
        return None
    wanted = result_slice.linked(viewer, runs, presets[preset])
    tables = results.results(viewer, runs, preset, wanted, with_interval=False)
    table = _at(tables, "part")
    row = None if table is None else _at(table.row_labels, "line")
    column = None if table is None else _at(table.column_labels, "column")
    return None if table is None or row is None or column is None else table.cells[row, column]


def _at(listed: Sequence[T], name: str) -> T | None:
    text = state.read_param(name) or "0"
    return listed[int(text)] if text.isdecimal() and int(text[:6]) < len(listed) else None

"""Locations of rulings in the figure: the annotator's own placement of the variables, else the printed names."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import UnreadableDocument
from core.graphs.names import fold_name
from core.graphs.record import NodeRecord
from core.papers.pages import Box
from core.people import Viewer
from services.adjudication.feedback import FeedbackRow
from services.transcription import proposals, reading

AROUND = 4.0  # margin around the names of a row, in points


def places(viewer: Viewer, assignment_id: str, rows: Sequence[FeedbackRow]) -> tuple[Box | None, ...]:
    """Return, for each row, the box around its variables in points of the page; None if none has a place.

    Slow if the figure was not read yet. Raises Refused for anyone else's work.
    """
    try:
        printed = proposals.open_proposals(viewer, assignment_id).names
    except UnreadableDocument:
        printed = ()
    boxes = {fold_name(name.text): name.box for name in reversed(printed)}  # of two prints the first counts
    record = reading.transcription(viewer, assignment_id).record
    own = {fold_name(node.name): box for node in record.nodes.values() if (box := _box(node)) is not None}
    known = {**boxes, **own}
    return tuple(_around([known[name] for name in map(fold_name, row.names) if name in known]) for row in rows)


def _box(node: NodeRecord) -> Box | None:
    if node.box is not None:
        return Box(*node.box)
    if node.x is None or node.y is None:
        return None
    return Box(node.x, node.y, node.x, node.y)


def _around(boxes: Sequence[Box]) -> Box | None:
    if not boxes:
        return None
    return Box(
        min(box.x0 for box in boxes) - AROUND,
        min(box.y0 for box in boxes) - AROUND,
        max(box.x1 for box in boxes) + AROUND,
        max(box.y1 for box in boxes) + AROUND,
    )

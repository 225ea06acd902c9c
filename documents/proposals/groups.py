"""Frames around other nodes: their titles are no names, and lines run through them. Pure; lengths in letters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from documents.proposals.labels import PrintedLabel
from documents.proposals.shapes import Outline, area_of
from documents.rects import Rect, is_inside

AT_RIM = 1.5  # letters between the title of a group and the upper or lower side of its frame
SLACK = 0.5  # points: a node may be drawn on its frame's line


def without_titles(
    labels: Sequence[PrintedLabel], outlines: Iterable[Outline], letter: float
) -> tuple[list[PrintedLabel], list[PrintedLabel]]:
    """Return the names and the titles of groups. A title is in a frame that contains whole nodes as well: alone in a
    shape of a name's size, as the header of a frame, or as the only words at the rim of a larger one."""
    nodes = [label.shape for label in labels if label.shape is not None]
    frames = [outline for outline in outlines if _is_frame(outline, nodes)]
    boxes = [frame.box for frame in frames]
    titles = [label for label in labels if label.shape is not None and _heads(label.shape.box, boxes)]
    for box in boxes:
        own = [label for label in labels if label.shape is None and _smallest_around(label.box, boxes) == box]
        if len(own) == 1 and min(own[0].box[1] - box[1], box[3] - own[0].box[3]) < AT_RIM * letter:
            titles += own
    return [label for label in labels if label not in titles], titles


def _heads(box: Rect, frames: Sequence[Rect]) -> bool:
    """Return True for a frame or the header of one, which shares three of its sides."""
    alike = (sum(abs(a - b) < SLACK for a, b in zip(box, frame, strict=True)) for frame in frames)
    return any(sides >= 3 for sides in alike)


def _is_frame(outline: Outline, nodes: Sequence[Outline]) -> bool:
    box = outline.box
    if not outline.closed or area_of(outline.points) < 0.45 * (box[2] - box[0]) * (box[3] - box[1]):
        return False
    return any(node.box != box and _holds(box, node.box) for node in nodes)


def _holds(outer: Rect, inner: Rect) -> bool:
    """Return True if a box contains another and is much larger, unlike a second rim."""
    is_large = (outer[2] - outer[0]) * (outer[3] - outer[1]) > 1.5 * (inner[2] - inner[0]) * (inner[3] - inner[1])
    return is_large and is_inside(inner, outer, SLACK)


def _smallest_around(box: Rect, frames: Sequence[Rect]) -> Rect | None:
    around = [frame for frame in frames if is_inside(box, frame, SLACK)]
    return min(around, key=lambda one: (one[2] - one[0]) * (one[3] - one[1]), default=None)

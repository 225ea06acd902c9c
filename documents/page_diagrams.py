"""Diagrams of a page: what names and arrows connect, as rectangles. Pure geometry, no PDF library.

A page is read as one figure first. Its arrows join names to groups; groups close to each other are one diagram, unless
running text or a caption lies between them. Boxes are (x0, y0, x1, y1) in points of the displayed page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from core.transcription.proposals import FigureProposals, PrintedArrow
from documents.proposals.captions import TextLine
from documents.proposals.clusters import InkShape
from documents.proposals.matching import NEAR as AT_NAME
from documents.rects import Rect, area, grown, is_inside, join, meet, touch, union

LEAST_JOINED = 2  # arrows between two names; a lone one may be an arrow in a sentence or a chart
NEAR = 3.0  # letters between groups of one diagram
NEAR_SHARE = 0.5  # or this share of the shorter side of the smaller group
SMALL = 0.05  # share of a diagram that a picture at one of its arrows covers at most
LABEL_REACH = 1.0  # letters between a diagram and the signs, loop marks and names around it


@dataclass(frozen=True, slots=True)
class _Group:
    box: Rect
    joined: int  # arrows between two of its names


def diagram_boxes(
    reading: FigureProposals, shapes: Sequence[InkShape], lines: Sequence[TextLine], walls: Sequence[Rect]
) -> list[Rect]:
    """Return the boxes of the page's diagrams with their nodes' shapes and the short lines of text around them.
    `walls`, the boxes of running text and captions, part diagrams."""
    if not any(arrow.has_line for arrow in reading.arrows):
        return []
    letter = median(name.box.height / max(1, len(name.lines)) for name in reading.names)
    groups = [group for group in _merged(_groups(reading), letter, walls) if group.joined >= LEAST_JOINED]
    return [_with_labels(_with_shapes(group.box, reading, shapes), lines, letter) for group in groups]


def _groups(reading: FigureProposals) -> list[_Group]:
    """Return one group for all names that arrows connect, directly or through others."""
    home = list(range(len(reading.names)))

    def root(name: int) -> int:
        while home[name] != name:
            name = home[name]
        return name

    arrows = [(arrow, ends) for arrow in reading.arrows if arrow.has_line and (ends := _ends(arrow))]
    for _, ends in arrows:
        home[root(ends[0])] = root(ends[-1])
    members: dict[int, list[tuple[PrintedArrow, tuple[int, ...]]]] = {}
    for arrow, ends in arrows:
        members.setdefault(root(ends[0]), []).append((arrow, ends))
    groups = []
    for own in members.values():
        boxes = [reading.names[end].box for _, ends in own for end in ends]
        points = [(x, y, x, y) for arrow, _ in own for x, y in arrow.path]
        box = union([*((box.x0, box.y0, box.x1, box.y1) for box in boxes), *points])
        groups.append(_Group(box, sum(_is_joining(arrow) for arrow, _ in own)))
    return groups


def _ends(arrow: PrintedArrow) -> tuple[int, ...]:
    """Return the names at which an arrow most likely begins and ends, as far as there are any."""
    return tuple(end[0][0] for end in (arrow.tails, arrow.tips) if end)


def _is_joining(arrow: PrintedArrow) -> bool:
    """Return True if an arrow runs from one name to another, close to both; the axes of a chart end anywhere."""
    nearest = [end[0] for end in (arrow.tails, arrow.tips) if end and end[0][1] < AT_NAME]
    return len({name for name, _ in nearest}) == 2


def _merged(groups: list[_Group], letter: float, walls: Sequence[Rect]) -> list[_Group]:
    merged: list[_Group] = []
    for group in groups:
        while near := next((other for other in merged if _are_one(group, other, letter, walls)), None):
            merged.remove(near)
            group = _Group(join(group.box, near.box), group.joined + near.joined)
        merged.append(group)
    return merged


def _are_one(one: _Group, other: _Group, letter: float, walls: Sequence[Rect]) -> bool:
    shorter = min(min(box[2] - box[0], box[3] - box[1]) for box in (one.box, other.box))
    if not touch(grown(one.box, max(NEAR * letter, NEAR_SHARE * shorter)), other.box):
        return False
    both = join(one.box, other.box)
    return not any(touch(wall, both) and not touch(wall, one.box) and not touch(wall, other.box) for wall in walls)


def _with_shapes(box: Rect, reading: FigureProposals, shapes: Sequence[InkShape]) -> Rect:
    """Extend a box by the shapes around its names, by what lies mostly in it, and by small pictures at its arrows, as
    a cloud of stocks and flows may be one."""
    names = [(name.box.x0, name.box.y0, name.box.x1, name.box.y1) for name in reading.names]
    inside = [name for name in names if is_inside(name, box, 1.0)]
    own = [
        shape.box
        for shape in shapes
        if is_mostly_inside(shape.box, box)
        or (area(shape.box) < area(box) and any(is_inside(name, shape.box, 1.0) for name in inside))
        or (shape.kind == "raster" and touch(shape.box, box) and area(shape.box) < SMALL * area(box))
    ]
    return union([box, *own])


def is_mostly_inside(inner: Rect, outer: Rect) -> bool:
    padded = grown(inner, 0.5)  # lines have no area
    return area(meet(padded, outer)) >= 0.5 * area(padded)


def _with_labels(box: Rect, lines: Sequence[TextLine], letter: float) -> Rect:
    reach = grown(box, LABEL_REACH * letter)
    near = [line.box for line in lines if not line.is_prose and is_mostly_inside(line.box, reach)]
    return union([box, *near])

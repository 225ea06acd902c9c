"""Edges that a person draws take the course of the printed arrow they mean, as marks of the same act."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.graphs.record import Change, EdgeRecord, GraphRecord
from core.sign import Sign
from core.transcription.bare_ink import courses_of
from core.transcription.ink import PrintedInk, arrow_id
from core.transcription.marks import MarkChange, Marks
from core.transcription.proposals import FigureProposals, PrintedArrow


@dataclass(frozen=True, slots=True)
class PrintedMarks:
    """What is printed beside the arrow that an edge lies on, and what the edge lacks: offered, never set by itself."""

    sign: Sign | None
    delay: bool


def snapped(
    found: FigureProposals, record: GraphRecord, marks: Marks, changes: Iterable[Change], *, lit: str = ""
) -> tuple[MarkChange, ...]:
    """The marks that put new edges, and those that got another end, on the printed arrows they mean. `record` and
    `marks` are the state after `changes`. `lit`: the id of the arrow that was shown without an edge when the one new
    edge was drawn; the edge is then its, whatever else lies near. An edge that means no arrow, or that lies on one
    already, gets no mark.
    """
    courses = courses_of(record, marks)
    moved = [each for each in map(_with_new_ends, changes) if each is not None and each.id not in courses]
    if not moved or not found.arrows:
        return ()
    ink = PrintedInk(found, record, marks)
    made: list[MarkChange] = []
    for edge in moved:
        path = _path_of(ink, edge, lit if len(moved) == 1 else "", courses.values())
        if path:
            courses[edge.id] = path
            made += marks.setting("on print", edge.id, {"path": [[x, y] for x, y in path]})
    return tuple(made)


def offered_marks(found: FigureProposals, record: GraphRecord, marks: Marks) -> dict[str, PrintedMarks]:
    """By edge id, the sign and delay printed beside the arrow that an edge drawn by hand lies on and lacks."""
    ink = PrintedInk(found, record, marks)
    courses = courses_of(record, marks)
    offered = {}
    for edge_id in marks.of("on print"):
        course, edge = courses.get(edge_id), record.edges.get(edge_id)
        if course is None or edge is None:
            continue
        arrow = next(iter(ink.along(course)), None)
        if arrow is not None and (missing := _missing(edge, arrow)) is not None:
            offered[edge_id] = missing
    return offered


def _with_new_ends(change: Change) -> EdgeRecord | None:
    """The edge after a change that made it or led it elsewhere."""
    before, after = change.before, change.after
    if not isinstance(after, EdgeRecord):
        return None
    ends = (after.source_id, after.sink_id)
    return None if isinstance(before, EdgeRecord) and (before.source_id, before.sink_id) == ends else after


def _path_of(
    ink: PrintedInk, edge: EdgeRecord, lit: str, taken: Iterable[tuple[tuple[float, float], ...]]
) -> tuple[tuple[float, float], ...]:
    asked = next((arrow for arrow in ink.arrows if lit and arrow.has_line and arrow_id(arrow) == lit), None)
    if asked is None:
        meant = ink.meant(edge.source_id, edge.sink_id, edge.sign, taken)
        return () if meant is None else meant.path
    is_against = ink.off(asked, edge.source_id, edge.sink_id) is None and (
        ink.off(asked, edge.sink_id, edge.source_id) is not None
    )
    return asked.path[::-1] if is_against else asked.path


def _missing(edge: EdgeRecord, arrow: PrintedArrow) -> PrintedMarks | None:
    sign = Sign(arrow.sign) if arrow.sign and edge.sign is None else None
    delay = arrow.delay and not edge.delay
    return PrintedMarks(sign, delay) if sign is not None or delay else None

"""Snapping of drawn edges to the paths of the printed arrows they match, as marks of the same act."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.graphs.record import Change, EdgeRecord, GraphRecord
from core.sign import Sign
from core.transcription.arrow_matching import PrintedInk, arrow_id
from core.transcription.marks import MarkChange, Marks
from core.transcription.proposals import FigureProposals
from core.transcription.unmatched_arrows import courses_of


@dataclass(frozen=True, slots=True)
class PrintedMarks:
    """The marks printed at an edge's arrow that the edge lacks: suggested, never set automatically."""

    sign: Sign | None
    delay: bool


def snapped(
    proposals: FigureProposals, record: GraphRecord, marks: Marks, changes: Iterable[Change], *, highlighted: str = ""
) -> tuple[MarkChange, ...]:
    """Return the marks that snap new edges, and those with a new end, to their printed arrows.

    `record` and `marks` are the state after `changes`. `highlighted`: the id of the arrow that was highlighted as
    having no edge when the one new edge was drawn; the edge is then snapped to it, regardless of others nearby. An edge
    without a matching arrow, or with a path already, gets no mark."""
    courses = courses_of(record, marks)
    moved = [each for each in map(_with_new_ends, changes) if each is not None and each.id not in courses]
    if not moved or not proposals.arrows:
        return ()
    ink = PrintedInk(proposals, record, marks)
    mark_changes: list[MarkChange] = []
    for edge in moved:
        path = _path_of(ink, edge, highlighted if len(moved) == 1 else "", courses.values())
        if path:
            courses[edge.id] = path
            mark_changes += marks.setting("on print", edge.id, {"path": [[x, y] for x, y in path]})
    return tuple(mark_changes)


def offered_marks(proposals: FigureProposals, record: GraphRecord, marks: Marks) -> dict[str, PrintedMarks]:
    """Return edge id → the sign and delay printed at the edge's arrow that a manually drawn edge lacks."""
    ink = PrintedInk(proposals, record, marks)
    courses = courses_of(record, marks)
    offered = {}
    for edge_id in marks.of("on print"):
        course, edge = courses.get(edge_id), record.edges.get(edge_id)
        if course is None or edge is None:
            continue
        arrow = next(iter(ink.along(course)), None)
        if arrow is None:
            continue
        sign = Sign(arrow.sign) if arrow.sign and edge.sign is None else None
        delay = arrow.delay and not edge.delay
        if sign is not None or delay:
            offered[edge_id] = PrintedMarks(sign, delay)
    return offered


def _with_new_ends(change: Change) -> EdgeRecord | None:
    before, after = change.before, change.after
    if not isinstance(after, EdgeRecord):
        return None
    ends = (after.source_id, after.sink_id)
    return None if isinstance(before, EdgeRecord) and (before.source_id, before.sink_id) == ends else after


def _path_of(
    ink: PrintedInk, edge: EdgeRecord, highlighted: str, other_paths: Iterable[tuple[tuple[float, float], ...]]
) -> tuple[tuple[float, float], ...]:
    highlighted_arrow = next(
        (arrow for arrow in ink.arrows if highlighted and arrow.has_line and arrow_id(arrow) == highlighted), None
    )
    if highlighted_arrow is None:
        meant = ink.meant(edge.source_id, edge.sink_id, edge.sign, other_paths)
        return () if meant is None else meant.path
    is_against = ink.off(highlighted_arrow, edge.source_id, edge.sink_id) is None and (
        ink.off(highlighted_arrow, edge.sink_id, edge.source_id) is not None
    )
    return highlighted_arrow.path[::-1] if is_against else highlighted_arrow.path

"""Bare ink: printed arrows that no edge stands on, to be looked at before a transcription is submitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.graphs.record import GraphRecord
from core.transcription.ink import PrintedInk, arrow_id
from core.transcription.marks import Marks
from core.transcription.open_proposals import by_id, is_accepted, open_proposals_of
from core.transcription.proposals import FigureKind, FigureProposals, Point
from core.transcription.sweep import refused_certain

Course = tuple[Point, ...]

BOTH_ENDS: tuple[FigureKind, ...] = ("picture", "stocks and flows")
"""Kinds of figure in which an arrow that ends at no name is no edge: what is read of pictures holds pieces of letters
and of lines, and a pipe may begin or end in a cloud."""

MOST_LOOSE = 0.5
"""Of a graph's edges: with more that stand on no arrow, what the arrows' ends lie at was read wrong."""


@dataclass(frozen=True, slots=True)
class BareArrow:
    """A printed arrow without an edge: its course from tail to tip, in points of the page; `is_dismissed`: its
    annotator said that it is no edge. It names no variables: whoever looks at it reads them in the figure."""

    id: str
    path: Course
    is_dismissed: bool


def courses_of(record: GraphRecord, marks: Marks) -> dict[str, Course]:
    """The printed courses of edges by edge id: those that were accepted as proposed, and those drawn by hand on an
    arrow. They were kept with the act, and stay as they are when the figure is read another time."""
    accepted = (value for value in marks.of("proposal").values() if is_accepted(value))
    kept = {
        **{value["edge"]: value.get("path") for value in accepted},
        **{edge_id: value["path"] for edge_id, value in marks.of("on print").items()},
    }
    return {
        edge_id: tuple((x, y) for x, y in path) for edge_id, path in kept.items() if path and edge_id in record.edges
    }


def bare_arrows(
    found: FigureProposals, record: GraphRecord, marks: Marks, *, is_offered: bool
) -> tuple[BareArrow, ...]:
    """The figure's arrows on which no edge stands, from top to bottom, dismissed ones too; none where most edges stand
    on no arrow, for then the figure was not understood. `is_offered`: its proposals are shown; those that wait for an
    answer, or that are asked about since they were refused, are then left out. In figures of `BOTH_ENDS` only arrows
    between two names are listed."""
    ink = PrintedInk(found, record, marks)
    covered, loose = _covered(ink, record, courses_of(record, marks))
    if loose > MOST_LOOSE * len(record.edges):
        return ()
    asked = _asked_about(found, record, marks) if is_offered else ()
    dismissed = [tuple((x, y) for x, y in value["path"]) for value in marks.of("not an edge").values()]
    bare = [arrow for arrow in ink.arrows if arrow_id(arrow) not in covered and arrow.path not in asked]
    if found.kind in BOTH_ENDS:
        bare = [arrow for arrow in bare if ink.joins_names(arrow)]
    return tuple(BareArrow(arrow_id(arrow), arrow.path, ink.is_on(arrow.path, dismissed)) for arrow in bare)


def both_printed(found: FigureProposals, record: GraphRecord, marks: Marks) -> set[frozenset[str]]:
    """Pairs of names with an edge either way, each of which stands on a printed arrow of its own."""
    pairs = {(edge.source_id, edge.sink_id) for edge in record.edges.values()}
    if not found.arrows or not any(pair[::-1] in pairs for pair in pairs if pair[0] != pair[1]):
        return set()
    _, loose = _standing(PrintedInk(found, record, marks), record, courses_of(record, marks))
    stand = {(edge.source_id, edge.sink_id) for edge in record.edges.values() if edge.id not in loose}
    both = [pair for pair in stand if pair[0] != pair[1] and pair[::-1] in stand]
    return {frozenset(record.nodes[end].name for end in pair) for pair in both}


def _covered(ink: PrintedInk, record: GraphRecord, courses: Mapping[str, Course]) -> tuple[set[str], int]:
    """Ids of the arrows on which an edge stands, and how many edges stand on none."""
    covered, loose = _standing(ink, record, courses)
    return covered, len(loose)


def _standing(ink: PrintedInk, record: GraphRecord, courses: Mapping[str, Course]) -> tuple[set[str], set[str]]:
    """Ids of the arrows on which an edge stands, and of the edges that stand on none, or on another edge's."""
    covered: set[str] = set()
    shared: set[str] = set()
    for edge_id, course in courses.items():
        # An edge may run against its arrow: its annotator turned it round.
        own = set(map(arrow_id, ink.along(course) or ink.along(course[::-1])))
        shared |= {edge_id} if own & covered else set()
        covered |= own
    without = {edge.id: edge for edge in record.ordered_edges() if edge.id not in courses}
    pairs = [
        (not arrow.has_line, off, edge_id, place)  # a head of which no line was read may be a piece of another arrow
        for edge_id, edge in without.items()
        for place, arrow in enumerate(ink.arrows)
        if (off := ink.off(arrow, edge.source_id, edge.sink_id)) is not None
    ]
    for _is_head, _off, edge_id, place in sorted(pairs):
        arrow = ink.arrows[place]
        if edge_id in without and arrow_id(arrow) not in covered:
            covered.update(map(arrow_id, (arrow, *ink.along(arrow.path))))  # an arrow may be drawn twice
            del without[edge_id]
    return covered, shared | set(without)


def _asked_about(found: FigureProposals, record: GraphRecord, marks: Marks) -> set[Course]:
    """Courses of proposals that wait for an answer, or were refused against all appearance."""
    waiting = {proposal.path for proposal in open_proposals_of(found, record, marks)}
    refused = set(refused_certain(record.graph(), marks).values())
    return waiting | {edge.path for key, edge in by_id(found).items() if key in refused}

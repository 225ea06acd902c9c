"""Printed arrows without an edge, for the annotator to check before submitting a transcription."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.graphs.record import EdgeRecord, GraphRecord
from core.transcription.arrow_matching import PrintedInk, arrow_id
from core.transcription.marks import Marks
from core.transcription.open_proposals import by_id, is_accepted, open_proposals_of
from core.transcription.proposals import FigureKind, FigureProposals, Point
from core.transcription.sweep import refused_certain

Course = tuple[Point, ...]

# Kinds of figure in which an arrow that ends at no name is no edge: the reading of a picture contains pieces of letters
# and lines, and a pipe may begin or end in a cloud.
BOTH_ENDS: tuple[FigureKind, ...] = ("picture", "stocks and flows")

MOST_LOOSE = 0.5  # share of a graph's edges without an arrow above which the arrows' ends were misread


@dataclass(frozen=True, slots=True)
class UnmatchedArrow:
    """A printed arrow without an edge. It names no variables; the annotator reads them in the figure."""

    id: str
    path: Course  # from tail to tip, in points of the page
    is_dismissed: bool  # its annotator marked it as no edge


def courses_of(record: GraphRecord, marks: Marks) -> dict[str, Course]:
    """Return edge id → printed path, for edges that were accepted as proposed or drawn manually over an arrow. The
    paths are stored with the act, and do not change with a new reading of the figure."""
    accepted = (value for value in marks.of("proposal").values() if is_accepted(value))
    stored_paths = {
        **{value["edge"]: value.get("path") for value in accepted},
        **{edge_id: value["path"] for edge_id, value in marks.of("on print").items()},
    }
    return {
        edge_id: tuple((x, y) for x, y in path)
        for edge_id, path in stored_paths.items()
        if path and edge_id in record.edges
    }


def unmatched_arrows(
    proposals: FigureProposals, record: GraphRecord, marks: Marks, *, is_offered: bool
) -> tuple[UnmatchedArrow, ...]:
    """Return the figure's arrows without an edge, from top to bottom, dismissed ones too; none if most edges have no
    arrow, since then the reading is unusable.

    `is_offered`: its proposals are shown; those waiting for an answer, or questioned after a rejection, are then left
    out. In figures of `BOTH_ENDS` only arrows between two names are listed."""
    ink = PrintedInk(proposals, record, marks)
    covered, loose = _match_arrows(ink, record, courses_of(record, marks))
    if len(loose) > MOST_LOOSE * len(record.edges):
        return ()
    asked_paths: set[Course] = set()  # of proposals that wait for an answer, or were rejected although certain
    if is_offered:
        refused = set(refused_certain(record.graph(), marks).values())
        asked_paths = {proposal.path for proposal in open_proposals_of(proposals, record, marks)}
        asked_paths |= {edge.path for key, edge in by_id(proposals).items() if key in refused}
    dismissed = [tuple((x, y) for x, y in value["path"]) for value in marks.of("not an edge").values()]
    bare = [arrow for arrow in ink.arrows if arrow_id(arrow) not in covered and arrow.path not in asked_paths]
    if proposals.kind in BOTH_ENDS:
        bare = [arrow for arrow in bare if ink.joins_names(arrow)]
    return tuple(UnmatchedArrow(arrow_id(arrow), arrow.path, ink.is_on(arrow.path, dismissed)) for arrow in bare)


def both_printed(proposals: FigureProposals, record: GraphRecord, marks: Marks) -> set[frozenset[str]]:
    """Return pairs of names with edges in both directions, each of which has a printed arrow of its own."""
    pairs = {(edge.source_id, edge.sink_id) for edge in record.edges.values()}
    if not proposals.arrows or not any(pair[::-1] in pairs for pair in pairs if pair[0] != pair[1]):
        return set()
    _, loose = _match_arrows(PrintedInk(proposals, record, marks), record, courses_of(record, marks))
    matched = {(edge.source_id, edge.sink_id) for edge in record.edges.values() if edge.id not in loose}
    both = [pair for pair in matched if pair[0] != pair[1] and pair[::-1] in matched]
    return {frozenset(record.nodes[end].name for end in pair) for pair in both}


def _match_arrows(ink: PrintedInk, record: GraphRecord, courses: Mapping[str, Course]) -> tuple[set[str], set[str]]:
    """Return ids of the arrows with an edge, and of the edges without an arrow of their own."""
    covered: set[str] = set()
    shared: set[str] = set()
    for edge_id, course in courses.items():
        # An edge may run against its arrow if its annotator reversed it.
        own = set(map(arrow_id, ink.along(course) or ink.along(course[::-1])))
        shared |= {edge_id} if own & covered else set()
        covered |= own
    without = {edge.id: edge for edge in record.ordered_edges() if edge.id not in courses}
    by_sink: dict[str, list[EdgeRecord]] = {}
    for edge in without.values():
        by_sink.setdefault(edge.sink_id, []).append(edge)
    pairs = [
        (not arrow.has_line, off, edge.id, place)  # a head without a line may be a piece of another arrow
        for place, arrow in enumerate(ink.arrows)
        for sink_id in ink.sinks_near(arrow)
        for edge in by_sink.get(sink_id, ())
        if (off := ink.off(arrow, edge.source_id, edge.sink_id)) is not None
    ]
    for _is_head, _off, edge_id, place in sorted(pairs):
        arrow = ink.arrows[place]
        if edge_id in without and arrow_id(arrow) not in covered:
            covered.update(map(arrow_id, (arrow, *ink.along(arrow.path))))  # an arrow may be drawn twice
            del without[edge_id]
    return covered, shared | set(without)

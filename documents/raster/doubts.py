"""Doubts about edges read from a picture, in addition to those about any edge. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.transcription.proposals import CERTAIN, FigureProposals, ProposedEdge, ranked
from documents.proposals.shapes import Point, nearest_of_line
from documents.rects import grown

TOO_FEW = "No edges are proposed: too few arrows were found for a diagram."
NO_SIGN = "Other arrows have a sign; none was found at this one."
MOST = CERTAIN - 0.01
"""Highest confidence of an edge read from a picture at one size: only the agreement of sizes makes one certain."""
SHARE = 0.8  # of the confidence that each doubt leaves
LEGENDS = ("legend", "key")  # samples of lines follow these words
LEAST_MARKS = 4  # names of one and the same letter
LEAST_EDGES = 0.2  # edges a name, below which the picture is no diagram but a chart or a page of text
NEAR = 0.35  # letters between a doubtful place and the line it is about
SIGNED = 0.5  # share of arrows with a sign from which on one without is odd


@dataclass(frozen=True, slots=True)
class Seam:
    """A place where a figure's lines or names are doubtful, and the sentence that says why."""

    place: Point
    reason: str


def doubted(
    proposals: FigureProposals, seams: Sequence[Seam], general: Sequence[str], letter: float
) -> FigureProposals:
    """Return proposals with the doubts of a picture, none of them certain. `letter`: the size of its letters, in
    points."""
    marks = _marks(proposals) | {
        place for place, name in enumerate(proposals.names) if name.text.casefold().strip(" :") in LEGENDS
    }
    proposals = replace(
        proposals, edges=tuple(edge for edge in proposals.edges if not {edge.source, edge.sink} & marks)
    )
    if 0 < len(proposals.edges) < LEAST_EDGES * len(proposals.names):
        return replace(proposals, edges=(), origin="raster", notice=" ".join(filter(None, (proposals.notice, TOO_FEW))))
    signed = sum(edge.sign != "" for edge in proposals.edges)
    wants_sign = signed >= max(2, SIGNED * len(proposals.edges))
    edges = []
    for edge in proposals.edges:
        reasons = [seam.reason for seam in seams if _is_about(seam.place, edge, proposals, letter)]
        reasons += [NO_SIGN] if wants_sign and not edge.sign else []
        fresh = dict.fromkeys([*reasons, *general])
        confidence = round(min(MOST, edge.confidence * SHARE ** len(fresh)), 3)
        edges.append(replace(edge, confidence=confidence, reasons=(*edge.reasons, *fresh)))
    return replace(proposals, edges=ranked(edges), origin="raster")


def _marks(proposals: FigureProposals) -> set[int]:
    """Return names of one letter, or a row of it, of which the picture has several: a chart's marks, read as "o" and "o
    o". Nodes such as S, I and R are each printed once or twice."""
    letters = [set(name.text.casefold().replace(" ", "")) for name in proposals.names]
    single = {place: letter.pop() for place, letter in enumerate(letters) if len(letter) == 1}
    many = {letter for letter, count in Counter(single.values()).items() if count >= LEAST_MARKS}
    return {place for place, letter in single.items() if letter in many}


def _is_about(place: Point, edge: ProposedEdge, proposals: FigureProposals, letter: float) -> bool:
    for name in (proposals.names[edge.source], proposals.names[edge.sink]):
        x0, y0, x1, y1 = grown((name.box.x0, name.box.y0, name.box.x1, name.box.y1), 0.1 * letter)
        if x0 <= place[0] <= x1 and y0 <= place[1] <= y1:
            return True
    if len(edge.path) < 2:
        return False
    near = nearest_of_line(edge.path, place)
    return abs(near[0] - place[0]) < NEAR * letter and abs(near[1] - place[1]) < NEAR * letter

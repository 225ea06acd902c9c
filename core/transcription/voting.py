"""Combination of several readings of one figure: their proposals for one pair of names are merged.

A reader is anything that gives `FigureProposals`: a PDF's lines and words, its lines with words read from pixels, a
picture's pixels, or one that knows names only by their places in a list and returns no paths."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import TypeVar

from core.papers.pages import Box
from core.transcription.proposals import (
    LIKELY,
    FigureProposals,
    PrintedArrow,
    ProposedEdge,
    ProposedName,
    ranked,
)

T = TypeVar("T")

DIRECTION = "Two readings disagree about the direction."
SIGN = "Two readings disagree about the sign."
DISAGREEING = 0.8  # share of the confidence that a disagreement leaves, as any other doubt
MOST_AGREED = 0.99
SAME_PLACE = 0.3  # share of the smaller of two boxes that both cover, from which they may be one name
SAME_TEXT = 0.5  # of difflib: the minimum similarity of two readings of one name
SAME_TIP = 1.0  # letters between the tips of two readings of one arrow


def vote(readings: Sequence[FigureProposals]) -> FigureProposals:
    """Merge readings into one; the first takes precedence for names, paths, kind and fit.

    Names are the first reading's, then those of others at a new place or with an edge. An edge that several propose has
    a higher confidence, but is certain only if one of them is by itself: agreement was measured on no figure. If they
    differ in its direction it is doubtful, in the direction with the higher confidence; if they differ in its sign,
    likewise.

    Raises ValueError without readings."""
    if not readings:
        raise ValueError("A vote needs at least one reading.")
    merged, *others = readings
    for other in others:
        merged = _joined(merged, other)
    return merged


def _joined(first: FigureProposals, other: FigureProposals) -> FigureProposals:
    if not other.edges and not other.arrows:
        return first
    names, places = one_list(first.names, other)
    other = moved(replace(other, edges=_with_origin(other)), places)
    leading = first if first.edges or not other.edges else other
    edges = ranked(_merged(_with_origin(first), other.edges))
    telling = [one for one in (first, other) if one.edges] or [first]
    return replace(
        leading,
        names=names,
        edges=edges,
        notice=" ".join(dict.fromkeys(one.notice for one in telling if one.notice)),
        arrows=all_arrows(first, other, edges),
    )


def _with_origin(reading: FigureProposals) -> tuple[ProposedEdge, ...]:
    return tuple(replace(edge, origins=edge.origins or (reading.origin,)) for edge in reading.edges)


def moved(reading: FigureProposals, places: Mapping[int, int]) -> FigureProposals:
    """Return a reading whose edges and arrows have the ends that `places` give them in another list of names. Edges
    that become loops join two parts of one name, and are left out."""
    ends = [(edge, places[edge.source], places[edge.sink]) for edge in reading.edges]
    return replace(
        reading,
        edges=tuple(
            replace(edge, source=source, sink=sink)
            for edge, source, sink in ends
            if source != sink or edge.source == edge.sink
        ),
        arrows=tuple(
            replace(arrow, tails=_at(arrow.tails, places), tips=_at(arrow.tips, places)) for arrow in reading.arrows
        ),
    )


# --- names ----------------------------------------------------------------------------------------------------------


def one_list(names: Sequence[ProposedName], other: FigureProposals) -> tuple[tuple[ProposedName, ...], dict[int, int]]:
    """Return all names, and for each name of `other` its place among them; a name without an edge that overlaps another
    name gets no place."""
    all_names = list(names)
    places: dict[int, int] = {}
    joined = {end for edge in other.edges for end in (edge.source, edge.sink)}
    for place, name in enumerate(other.names):
        same = same_place(name, names)
        if same is not None:
            places[place] = same
        elif place in joined or not any(_shared(name.box, one.box) for one in names):
            places[place] = len(all_names)
            all_names.append(name)
    return tuple(all_names), places


def same_place(name: ProposedName, names: Sequence[ProposedName]) -> int | None:
    """Return the place of the name that is printed where `name` is: of several, that of the most similar text. A name
    that is printed nowhere equals another of its text."""
    if not name.is_printed:
        unprinted = (place for place, one in enumerate(names) if not one.is_printed)
        return next((place for place in unprinted if names[place].text.casefold() == name.text.casefold()), None)
    shares = [(place, _shared(name.box, one.box)) for place, one in enumerate(names)]
    near = [(likeness(name.text, names[place].text), share, place) for place, share in shares if share >= SAME_PLACE]
    if not near:
        return None
    alike, share, place = max(near)
    return place if alike >= SAME_TEXT or share > 1 - SAME_PLACE else None


def _shared(a: Box, b: Box) -> float:
    wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
    smaller = min((one.x1 - one.x0) * (one.y1 - one.y0) for one in (a, b))
    return max(wide, 0.0) * max(high, 0.0) / smaller if smaller > 0 else 0.0


def likeness(a: str, b: str) -> float:
    """Return the similarity of two texts, 0 to 1, in any case."""
    return difflib.SequenceMatcher(None, a.casefold(), b.casefold(), autojunk=False).ratio()


# --- edges ----------------------------------------------------------------------------------------------------------


def _merged(first_edges: Sequence[ProposedEdge], other_edges: Sequence[ProposedEdge]) -> list[ProposedEdge]:
    rest, merged = list(other_edges), []
    first_pairs, other_pairs = {pair_of(edge) for edge in first_edges}, {pair_of(edge) for edge in other_edges}
    for edge in first_edges:
        same = _pop_edge(rest, pair_of(edge))
        # Two names that one reader joins both ways and the other one way are no disagreement about an arrow.
        turned = pair_of(edge)[::-1]
        is_opposed = same is None and turned not in first_pairs and pair_of(edge) not in other_pairs
        against = _pop_edge(rest, turned) if is_opposed else None
        merged.append(_agreed(edge, same) if same else _opposed(edge, against) if against else edge)
    return [*merged, *rest]


def _pop_edge(edges: list[ProposedEdge], pair: tuple[int, int]) -> ProposedEdge | None:
    removed = next((edge for edge in edges if pair_of(edge) == pair), None)
    if removed is not None:
        edges.remove(removed)
    return removed


def pair_of(edge: ProposedEdge) -> tuple[int, int]:
    return edge.source, edge.sink


def _agreed(a: ProposedEdge, b: ProposedEdge) -> ProposedEdge:
    raised = round(min(MOST_AGREED, 1 - (1 - a.confidence) * (1 - b.confidence)), 3)
    alone = max(a.confidence, b.confidence)
    merged = replace(
        a,
        sign=a.sign or b.sign,
        delay=a.delay or b.delay,
        confidence=raised if a.is_certain or b.is_certain else max(alone, min(raised, LIKELY)),
        is_direction_doubtful=a.is_direction_doubtful and b.is_direction_doubtful,
        reasons=_united(a.reasons, b.reasons),
        origins=_united(a.origins, b.origins),
        path=a.path or b.path,
    )
    if not (a.sign and b.sign and a.sign != b.sign):
        return merged
    surer = b if b.confidence > a.confidence else a
    return replace(merged, sign=surer.sign, confidence=_lowered(alone), reasons=(*merged.reasons, SIGN))


def _opposed(a: ProposedEdge, b: ProposedEdge) -> ProposedEdge:
    """Merge one edge that two readers see in opposite directions, in that of the higher confidence."""
    surer, other = (b, a) if b.confidence > a.confidence else (a, b)
    return replace(
        surer,
        confidence=_lowered(surer.confidence),
        is_direction_doubtful=True,
        reasons=(*surer.reasons, DIRECTION),
        origins=_united(a.origins, b.origins),
        path=surer.path or other.path[::-1],
    )


def _united(a: Sequence[T], b: Sequence[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys([*a, *b]))


def _lowered(confidence: float) -> float:
    """Return the confidence after a disagreement: at most one of two is right, so none is certain."""
    return round(min(LIKELY, DISAGREEING * confidence), 3)


# --- printed arrows -------------------------------------------------------------------------------------------------


def all_arrows(
    first: FigureProposals, other: FigureProposals, edges: Sequence[ProposedEdge]
) -> tuple[PrintedArrow, ...]:
    """Return the printed arrows of the first reading, and those of the other that end elsewhere; of two readings of one
    arrow the one of an edge."""
    names = [name for name in (*first.names, *other.names) if name.is_printed]
    heights = [(name.box.y1 - name.box.y0) / max(len(name.lines), 1) for name in names]
    reach = SAME_TIP * (median(heights) if heights else 1.0)
    lying = {edge.path for edge in edges}
    other_arrows = [
        arrow
        for arrow in other.arrows
        if arrow.path in lying or not any(_is_one(arrow, one, reach) for one in first.arrows)
    ]
    drawn = [arrow for arrow in other_arrows if arrow.path in lying]
    first_arrows = [
        arrow for arrow in first.arrows if arrow.path in lying or not any(_is_one(arrow, one, reach) for one in drawn)
    ]
    return tuple(sorted([*first_arrows, *other_arrows], key=lambda arrow: arrow.path[-1][::-1]))


def _is_one(a: PrintedArrow, b: PrintedArrow, reach: float) -> bool:
    return math.dist(a.path[-1], b.path[-1]) <= reach


def _at(meetings: Sequence[tuple[int, float]], places: Mapping[int, int]) -> tuple[tuple[int, float], ...]:
    return tuple((places[place], away) for place, away in meetings if place in places)

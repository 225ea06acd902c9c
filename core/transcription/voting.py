"""Several readers of one figure: their proposals for one pair of names become one, with all that they say of it.

A reader is anything that gives `FigureProposals`: a PDF's lines and words, its lines with words read from pixels, a
picture's pixels, or one that knows names only by their places in a list and draws no paths.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
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
SAME_TEXT = 0.5  # of difflib: the least likeness of two readings of one name
SAME_TIP = 1.0  # letters between the tips of two readings of one arrow


def vote(readings: Sequence[FigureProposals]) -> FigureProposals:
    """One reading of all; what the first says of names, courses, kind and fit comes before what the others say.

    Names are the first reading's, then those of others that lie where none of it does or that an edge joins. An edge
    that several propose is surer, but only certain if one of them is by itself: agreement was measured on no figure. If
    they differ in its direction it is doubtful, and the surer direction is kept; if they differ in its sign, the
    surer sign.

    Raises ValueError for no reading at all.
    """
    if not readings:
        raise ValueError("A vote needs at least one reading.")
    found, *others = readings
    for other in others:
        found = _joined(found, other)
    return found


def _joined(first: FigureProposals, other: FigureProposals) -> FigureProposals:
    if not other.edges and not other.arrows:
        return first
    names, places = _one_list(first.names, other)
    theirs = [_moved(edge, places, other) for edge in other.edges]
    theirs = [one for was, one in zip(other.edges, theirs, strict=True) if _is_loop(was) or not _is_loop(one)]
    ours = [replace(edge, origins=edge.origins or (first.origin,)) for edge in first.edges]
    leading = first if first.edges or not theirs else other
    edges = ranked(_merged(ours, theirs))
    telling = [one for one in (first, other) if one.edges] or [first]
    return replace(
        leading,
        names=names,
        edges=edges,
        notice=" ".join(dict.fromkeys(one.notice for one in telling if one.notice)),
        arrows=_all_arrows(first, other, places, edges),
    )


# --- names ----------------------------------------------------------------------------------------------------------


def _one_list(names: Sequence[ProposedName], other: FigureProposals) -> tuple[tuple[ProposedName, ...], dict[int, int]]:
    """All names, and for each name of `other` its place among them: one that no edge needs has none if it only
    overlaps with another."""
    found = list(names)
    places: dict[int, int] = {}
    joined = {end for edge in other.edges for end in (edge.source, edge.sink)}
    for place, name in enumerate(other.names):
        same = same_place(name, names)
        if same is not None:
            places[place] = same
        elif place in joined or not any(_shared(name.box, one.box) for one in names):
            places[place] = len(found)
            found.append(name)
    return tuple(found), places


def same_place(name: ProposedName, names: Sequence[ProposedName]) -> int | None:
    """The place of the name that is printed where `name` is: of several, that of the nearest text. A name that is
    printed nowhere is one with another of its text."""
    if not name.is_printed:
        unprinted = (place for place, one in enumerate(names) if not one.is_printed)
        return next((place for place in unprinted if names[place].text.casefold() == name.text.casefold()), None)
    there = [(place, _shared(name.box, one.box)) for place, one in enumerate(names)]
    near = [(likeness(name.text, names[place].text), share, place) for place, share in there if share >= SAME_PLACE]
    if not near:
        return None
    alike, share, place = max(near)
    return place if alike >= SAME_TEXT or share > 1 - SAME_PLACE else None


def _shared(a: Box, b: Box) -> float:
    """The share of the smaller of two boxes that both cover."""
    wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
    smaller = min((one.x1 - one.x0) * (one.y1 - one.y0) for one in (a, b))
    return max(wide, 0.0) * max(high, 0.0) / smaller if smaller > 0 else 0.0


def likeness(a: str, b: str) -> float:
    """How much two texts have in common, 0 to 1, in any case."""
    return difflib.SequenceMatcher(None, a.casefold(), b.casefold(), autojunk=False).ratio()


# --- edges ----------------------------------------------------------------------------------------------------------


def _moved(edge: ProposedEdge, places: dict[int, int], found: FigureProposals) -> ProposedEdge:
    return replace(edge, source=places[edge.source], sink=places[edge.sink], origins=edge.origins or (found.origin,))


def _is_loop(edge: ProposedEdge) -> bool:
    """Whether it joins a name to itself; one that did not before joins two parts of one name, and is none."""
    return edge.source == edge.sink


def _merged(ours: Sequence[ProposedEdge], theirs: Sequence[ProposedEdge]) -> list[ProposedEdge]:
    rest, found = list(theirs), []
    here, there = {_pair(edge) for edge in ours}, {_pair(edge) for edge in theirs}
    for edge in ours:
        same = _taken(rest, _pair(edge))
        # Two names that one reader joins both ways and the other one way are no disagreement about an arrow.
        turned = _pair(edge)[::-1]
        is_opposed = same is None and turned not in here and _pair(edge) not in there
        against = _taken(rest, turned) if is_opposed else None
        found.append(_agreed(edge, same) if same else _opposed(edge, against) if against else edge)
    return [*found, *rest]


def _taken(edges: list[ProposedEdge], pair: tuple[int, int]) -> ProposedEdge | None:
    """The first edge of this pair, which leaves the list."""
    found = next((edge for edge in edges if _pair(edge) == pair), None)
    if found is not None:
        edges.remove(found)
    return found


def _pair(edge: ProposedEdge) -> tuple[int, int]:
    return edge.source, edge.sink


def _agreed(a: ProposedEdge, b: ProposedEdge) -> ProposedEdge:
    """One edge that two readers propose."""
    raised = round(min(MOST_AGREED, 1 - (1 - a.confidence) * (1 - b.confidence)), 3)
    alone = max(a.confidence, b.confidence)
    made = replace(
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
        return made
    surer = b if b.confidence > a.confidence else a
    return replace(made, sign=surer.sign, confidence=_lowered(alone), reasons=(*made.reasons, SIGN))


def _opposed(a: ProposedEdge, b: ProposedEdge) -> ProposedEdge:
    """One edge whose two readers see it run opposite ways: the surer's."""
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
    """Of two that differ at most one is right, so nothing about them is certain."""
    return round(min(LIKELY, DISAGREEING * confidence), 3)


# --- printed arrows -------------------------------------------------------------------------------------------------


def _all_arrows(
    first: FigureProposals, other: FigureProposals, places: dict[int, int], edges: Sequence[ProposedEdge]
) -> tuple[PrintedArrow, ...]:
    """The printed arrows of the first reading, and those of the other that end where none of it does; of two readings
    of one arrow the one that an edge lies on."""
    reach = SAME_TIP * _letter([*first.names, *other.names])
    lying = {edge.path for edge in edges}
    theirs = [
        replace(arrow, tails=_at(arrow.tails, places), tips=_at(arrow.tips, places))
        for arrow in other.arrows
        if arrow.path in lying or not any(_is_one(arrow, one, reach) for one in first.arrows)
    ]
    drawn = [arrow for arrow in theirs if arrow.path in lying]
    ours = [
        arrow for arrow in first.arrows if arrow.path in lying or not any(_is_one(arrow, one, reach) for one in drawn)
    ]
    return tuple(sorted([*ours, *theirs], key=lambda arrow: arrow.path[-1][::-1]))


def _is_one(a: PrintedArrow, b: PrintedArrow, reach: float) -> bool:
    return math.dist(a.path[-1], b.path[-1]) <= reach


def _at(meetings: Sequence[tuple[int, float]], places: dict[int, int]) -> tuple[tuple[int, float], ...]:
    return tuple((places[place], away) for place, away in meetings if place in places)


def _letter(names: Sequence[ProposedName]) -> float:
    heights = [(one.box.y1 - one.box.y0) / max(len(one.lines), 1) for one in names if one.is_printed]
    return median(heights) if heights else 1.0

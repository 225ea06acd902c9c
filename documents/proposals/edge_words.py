"""Words printed at lines ("strong", "in dry years", "delay"): they describe an edge and name no node. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from core.transcription.proposals import ProposedEdge, ProposedName
from documents.proposals.labels import PrintedLabel
from documents.proposals.matching import NEAR, LineEndMatch, Scene, meetings
from documents.proposals.shapes import Point, cross, holds, length_of
from documents.rects import Rect, grown

DELAY = re.compile(r"\W*(?:time[ -])?(?:delay(?:ed)?|lag(?:ged)?)\W*", re.IGNORECASE)
WORD_REACH = 0.9  # letters between a line and the words next to it
FROM_END = 1.0  # letters of a line at either end, where names are printed (of a short line a third)
MOST = 0.8  # share of the names that show how names are printed
SMALLER = 0.93  # of a name's letters
AS_NEAR = 0.25  # letters by which another name may be nearer to an end that could mean both


@dataclass(frozen=True, slots=True)
class _Way:
    path: tuple[Point, ...]
    ends: tuple[Sequence[LineEndMatch], Sequence[LineEndMatch]]


def edge_words(scene: Scene, names: int) -> set[int]:
    """Return the places of the words at lines, among the first `names` labels.

    A line runs through or next to them, none ends at them, and they are printed differently from names."""
    if not any(_is_loose(label) for label in scene.labels[:names]):
        return set()
    ways: list[_Way] = []
    for fit in scene.fits:
        shaft = scene.shafts[fit.shaft]
        path = (*shaft.towards(fit.which), fit.tip)
        tails = meetings(path[0], shaft.heading(1 - fit.which, scene.letter), scene)
        tips = meetings(fit.tip, shaft.heading(fit.which, scene.letter), scene)
        ways.append(_Way(path, (tails, tips)))
    claimed = {meeting.label for way in ways for end in way.ends for meeting in _meant(end, way.path, scene)}
    sure = [label for place, label in enumerate(scene.labels[:names]) if place in claimed]
    return {
        place
        for place, label in enumerate(scene.labels[:names])
        if place not in claimed and _is_other(label, sure) and any(_passes(way, label, scene) for way in ways)
    }


def _is_other(label: PrintedLabel, names: Sequence[PrintedLabel]) -> bool:
    """Return True if words are printed differently from the names at which lines end: without a glyph where these have
    one, in smaller letters, or beginning small where they begin with capitals. So a name that no line meets stays one.
    """
    if not names or not _is_loose(label):
        return False
    if sum(not _is_loose(name) for name in names) > MOST * len(names) or says_delay(label):
        return True
    if label.size < SMALLER * median(name.size for name in names):
        return True
    return label.text[:1].islower() and sum(name.text[:1].isupper() for name in names) > MOST * len(names)


def says_delay(label: PrintedLabel) -> bool:
    return DELAY.fullmatch(label.text) is not None


def without_words(
    names: Sequence[ProposedName], edges: Sequence[ProposedEdge], words: Collection[int]
) -> tuple[tuple[ProposedName, ...], list[ProposedEdge]]:
    """Return the names that are no words at a line, and the edges between them."""
    remaining = [place for place in range(len(names)) if place not in words]
    moved = {place: number for number, place in enumerate(remaining)}
    return tuple(names[place] for place in remaining), [
        replace(edge, source=moved[edge.source], sink=moved[edge.sink]) for edge in edges
    ]


def _meant(end: Sequence[LineEndMatch], path: Sequence[Point], scene: Scene) -> list[LineEndMatch]:
    """Return the names that an end of a line could mean: about as near as the nearest, not crossed by the line itself,
    and not in smaller letters than another one close by."""
    close = [one for one in end if one.cost < 2 * NEAR and not _crosses(path, scene.labels[one.label].box)]
    largest = max((scene.labels[one.label].size for one in close), default=0.0)
    meant = [one for one in close if scene.labels[one.label].size >= SMALLER * largest]
    least = min((one.cost for one in meant), default=math.inf)
    return [one for one in meant if one.cost < least + AS_NEAR]


def _is_loose(label: PrintedLabel) -> bool:
    """Return True for words alone, or on paint without a rim; with a valve it would be a flow."""
    has_more = label.shape is None and len(label.bodies) > len(label.lines)
    return not label.is_apart and not has_more and (label.shape is None or not label.shape.stroked)


def _passes(way: _Way, label: PrintedLabel, scene: Scene) -> bool:
    if _crosses(way.path, label.box):
        return True
    reach = grown(label.box, WORD_REACH * scene.letter)
    start, tip = way.path[0], way.path[-1]
    margin = min(FROM_END * scene.letter, length_of(way.path) / 3)
    return any(
        holds(reach, point) and min(math.dist(point, start), math.dist(point, tip)) > margin
        for point in _walked(way.path, 0.5 * scene.letter)
    )


def _crosses(path: Sequence[Point], box: Rect) -> bool:
    if holds(box, path[0]) or holds(box, path[-1]):
        return False
    x0, y0, x1, y1 = box
    diagonals = (((x0, y0), (x1, y1)), ((x0, y1), (x1, y0)))
    return any(cross(a, b, c, d) is not None for a, b in pairwise(path) for c, d in diagonals)


def _walked(path: Sequence[Point], step: float) -> Iterator[Point]:
    for (x0, y0), (x1, y1) in pairwise(path):
        count = max(1, math.ceil(math.dist((x0, y0), (x1, y1)) / step))
        for k in range(count):
            yield x0 + (x1 - x0) * k / count, y0 + (y1 - y0) * k / count
    yield path[-1]

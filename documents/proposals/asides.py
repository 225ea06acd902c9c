"""Texts of a figure that name no variable and lie at no arrow: its title, legend, loops' titles, page numbers. Pure;
lengths in letters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from statistics import median

from core.transcription.proposals import LoopLabel
from documents.proposals.edge_words import says_delay
from documents.proposals.labels import PrintedLabel
from documents.proposals.matching import Scene, along, meetings
from documents.proposals.shapes import Point
from documents.rects import Rect, touch, union

LOOP_REACH = 3.0  # between the middle of a loop's mark and its title above or below it
LARGER, SMALLER = 1.25, 0.8  # of the letters of names: titles, and notes and legends
SAYS_LOOP = re.compile(r"\b(?:loop|reinforcing|balancing)\b", re.IGNORECASE)
LEGEND = re.compile(r"\W*legend\W*", re.IGNORECASE)
MOST = 0.8  # share of the names that shows how names are printed


def legends(texts: Iterable[str]) -> set[int]:
    """Return the places of headings of legends among texts; a sample arrow below one is no edge."""
    return {place for place, text in enumerate(texts) if LEGEND.fullmatch(text)}


def find_asides(
    labels: Sequence[PrintedLabel], words: Collection[int], scene: Scene, loops: Sequence[Point]
) -> frozenset[int]:
    """Return the places of the labels that are no variables: no arrow ends at them, and they are the title of a loop,
    outside a figure that has a legend, or printed differently from the names at which arrows end. `words`: places of
    words at lines."""
    headings = legends(label.text for label in labels)
    named = _at_arrows(scene, headings)
    names = [label for place, label in enumerate(labels) if place in named]
    if len(names) < 2:
        return frozenset()
    free = {
        place: label
        for place, label in enumerate(labels)
        if place not in words and (place not in named or says_delay(label))
    }
    size, within = median(label.size for label in names), union(label.box for label in names)
    are_boxed = sum(label.shape is not None and not label.is_apart for label in names) > MOST * len(names)
    titles = {_title_at(loop, list(free.values())) for loop in loops}

    def is_aside(label: PrintedLabel) -> bool:
        if label in titles or says_delay(label) or SAYS_LOOP.search(label.text):
            return True
        if headings and not touch(label.box, within):
            return True
        return not SMALLER * size <= label.size <= LARGER * size or (are_boxed and label.shape is None)

    return frozenset(place for place, label in free.items() if is_aside(label))


def with_titles(loops: Sequence[LoopLabel], asides: Sequence[PrintedLabel]) -> tuple[LoopLabel, ...]:
    """Return the names of the loops with their titles, from top to bottom. `asides`: texts that name no variable."""
    titled = []
    for loop in loops:
        title = _title_at(loop.place, asides)
        titled.append(LoopLabel(loop.text if title is None else f"{loop.text} {title.text}", _rounded(loop.place)))
    return tuple(sorted(titled, key=lambda loop: loop.place[::-1]))


def _at_arrows(scene: Scene, headings: Collection[int]) -> set[int]:
    """Return the places of the labels nearest to the ends of arrows, without the samples of legends."""
    ends: set[int] = set()
    for fit in scene.fits:
        shaft = scene.shafts[fit.shaft]
        path = along(shaft, fit)
        sides = ((path[0], 1 - fit.which), (path[-1], fit.which))
        both = [meetings(end, shaft.heading(side, scene.letter), scene)[:1] for end, side in sides]
        own = {meeting.label for nearest in both for meeting in nearest}
        ends |= own if own.isdisjoint(headings) else set()
    return ends


def _title_at(loop: Point, labels: Sequence[PrintedLabel]) -> PrintedLabel | None:
    """Return the nearest text above or below a loop's mark, bare as the mark is; rather one that says so."""
    near = [
        (SAYS_LOOP.search(label.text) is None, away, place)
        for place, label in enumerate(labels)
        if label.shape is None
        and label.box[0] <= loop[0] <= label.box[2]
        and (away := _away(loop, label.box)) < LOOP_REACH * label.size
    ]
    return labels[min(near)[2]] if near else None


def _away(point: Point, box: Rect) -> float:
    return max(box[1] - point[1], point[1] - box[3], 0.0)


def _rounded(point: Point) -> Point:
    return round(point[0], 1), round(point[1], 1)

"""The nodes of a figure: names with the glyphs at which their lines end. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from statistics import median

from documents.proposals.glyphs import dots
from documents.proposals.groups import without_titles
from documents.proposals.labels import Cut, Label, LabelReading, read_labels
from documents.proposals.placing import LEAST, Placing, joined, placed
from documents.proposals.shapes import Outline, Point, centre, holds, node_shapes, size
from documents.proposals.words import Mark, PrintedWord
from documents.rects import Rect

MOST_DOTS = 0.5  # least share of the dots that have a label where dots are nodes
SMALLER = 0.5  # of the least dot with a name: a smaller one without is no node, but a piece of a head
MOST_NAMES = 0.8  # share of the names with a glyph from which words without one are no ends of lines


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeReading:
    """Names in reading order; `nameless` are glyphs without a name, at which lines may end too; `blank` are small
    shapes that were taken for no nodes; `titles` are those of groups."""

    labels: tuple[Label, ...]
    nameless: tuple[Label, ...]
    blank: tuple[Outline, ...]
    titles: tuple[Label, ...]
    signs: tuple[Mark, ...]
    loop_marks: tuple[Point, ...]
    left_out: tuple[str, ...]


def read_nodes(
    words: Sequence[PrintedWord], lines: Sequence[Outline], frame: Rect, vocabulary: Collection[str]
) -> NodeReading:
    """Names, glyphs and signs of a figure."""
    letter = median(word.size for word in words) if words else 1.0
    shapes, every = node_shapes(lines, frame), dots(lines, words, letter)
    cuts: list[Cut] = []
    for _ in range(2):  # again if names were joined that stand at two dots
        reading = read_labels(words, shapes, vocabulary, every, cuts)
        labels, titles = without_titles(reading.labels, lines, letter)
        labels, blank = _over_glyphs(labels, every)
        bare = [place for place, label in enumerate(labels) if label.shape is None]
        places = [labels[place].box for place in bare]
        found = placed(places, [dot.box for dot in blank], letter)
        cuts = list(joined(found, places, [dot.box for dot in blank], [word.box for word in words], letter))
        if not cuts:
            break
    if not _are_nodes(found, len(bare), len(blank)):
        return _reading(reading, labels, [], blank, titles)
    given = {bare[label]: blank[glyph] for label, glyph in found.glyphs.items()}
    unsure = {bare[label] for label in found.unsure}
    is_dotted = len(given) >= MOST_NAMES * len(bare)
    nodes = [
        replace(_at_glyph(label, given.get(place), is_dotted), is_unsure=place in unsure)
        for place, label in enumerate(labels)
    ]
    taken = set(found.glyphs.values())
    least = SMALLER * min((size(blank[place].box) for place in taken), default=0.0)
    nameless = [_nameless(dot) for place, dot in enumerate(blank) if place not in taken and size(dot.box) > least]
    return _reading(reading, nodes, nameless, [], titles)


def _over_glyphs(labels: Sequence[Label], blank: Sequence[Outline]) -> tuple[list[Label], list[Outline]]:
    """Names printed over shapes that are too small for them, and the shapes under none."""
    under: dict[int, Outline] = {}
    for place, label in enumerate(labels):
        own = [
            dot
            for dot in blank
            if label.shape is None and holds(dot.box, centre(label.box)) and holds(label.box, centre(dot.box))
        ]
        if len(own) == 1:
            under[place] = own[0]
    over = [
        replace(label, shape=under[place], bodies=(under[place].points,)) if place in under else label
        for place, label in enumerate(labels)
    ]
    return over, [dot for dot in blank if not any(dot is glyph for glyph in under.values())]


def _reading(
    reading: LabelReading,
    labels: Sequence[Label],
    nameless: Sequence[Label],
    blank: Sequence[Outline],
    titles: Sequence[Label],
) -> NodeReading:
    return NodeReading(
        labels=tuple(labels),
        nameless=tuple(nameless),
        blank=tuple(blank),
        titles=tuple(titles),
        signs=reading.signs,
        loop_marks=reading.loop_marks,
        left_out=reading.left_out,
    )


def _are_nodes(found: Placing, names: int, blank: int) -> bool:
    """Whether the shapes without a name inside are nodes with their names beside them, and not the furniture of another
    kind of figure: most of them have a name at the figure's habitual place, or nearly all are paired off."""
    if found.by_habit >= LEAST and found.by_habit >= MOST_DOTS * blank:
        return True
    return len(found.glyphs) > LEAST and len(found.glyphs) >= MOST_NAMES * max(names, blank)


def _at_glyph(label: Label, glyph: Outline | None, is_dotted: bool) -> Label:
    if glyph is not None:
        return replace(label, shape=glyph, bodies=(glyph.points,), is_apart=True)
    return replace(label, bodies=()) if is_dotted and label.shape is None else label


def _nameless(dot: Outline) -> Label:
    return Label(text="", lines=(), box=dot.box, size=0.0, shape=dot, bodies=(dot.points,), is_apart=True)

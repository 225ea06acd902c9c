"""The nodes of a figure: names with the glyphs at which their lines end. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from statistics import median

from documents.proposals.glyphs import dots
from documents.proposals.groups import without_titles
from documents.proposals.labels import Label, LabelReading, read_labels
from documents.proposals.placing import LEAST, Placing, placed
from documents.proposals.shapes import Outline, Point, node_shapes
from documents.proposals.words import Mark, PrintedWord
from documents.rects import Rect

MOST_DOTS = 0.5  # least share of the dots that have a label where dots are nodes
MOST_NAMES = 0.8  # share of the names with a glyph from which words without one are no ends of lines


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeReading:
    """Names in reading order; `nameless` are glyphs without a name, at which lines may end too; `titles` are those of
    groups."""

    labels: tuple[Label, ...]
    nameless: tuple[Label, ...]
    titles: tuple[Label, ...]
    signs: tuple[Mark, ...]
    loop_marks: tuple[Point, ...]
    left_out: tuple[str, ...]


def read_nodes(
    words: Sequence[PrintedWord], lines: Sequence[Outline], frame: Rect, vocabulary: Collection[str]
) -> NodeReading:
    """Names, glyphs and signs of a figure."""
    letter = median(word.size for word in words) if words else 1.0
    blank = dots(lines, words, letter)
    reading = read_labels(words, node_shapes(lines, frame), vocabulary, blank)
    labels, titles = without_titles(reading.labels, lines, letter)
    bare = [place for place, label in enumerate(labels) if label.shape is None]
    found = placed([labels[place].box for place in bare], [dot.box for dot in blank], letter)
    if not _are_nodes(found, len(bare), len(blank)):
        return _reading(reading, labels, [], titles)
    given = {bare[label]: blank[glyph] for label, glyph in found.glyphs.items()}
    unsure = {bare[label] for label in found.unsure}
    is_dotted = len(given) >= MOST_NAMES * len(bare)
    nodes = [
        replace(_at_glyph(label, given.get(place), is_dotted), is_unsure=place in unsure)
        for place, label in enumerate(labels)
    ]
    taken = set(found.glyphs.values())
    nameless = [_nameless(dot) for place, dot in enumerate(blank) if place not in taken]
    return _reading(reading, nodes, nameless, titles)


def _reading(
    reading: LabelReading,
    labels: Sequence[Label],
    nameless: Sequence[Label],
    titles: Sequence[Label],
) -> NodeReading:
    return NodeReading(
        labels=tuple(labels),
        nameless=tuple(nameless),
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
    return Label("", (), dot.box, 0.0, dot, (dot.points,), True)

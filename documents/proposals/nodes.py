"""The nodes of a figure: names with the glyphs at which their lines end. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from statistics import median

from core.transcription.proposals import LoopLabel
from documents.proposals.glyphs import dots
from documents.proposals.groups import without_titles
from documents.proposals.labels import Cut, LabelReading, PrintedLabel, read_labels
from documents.proposals.placing import LEAST, Placing, joined, placed
from documents.proposals.shapes import Outline, centre, holds, node_shapes, size
from documents.proposals.words import PrintedMark, PrintedWord
from documents.rects import Rect

MOST_DOTS = 0.5  # least share of the dots that have a label where dots are nodes
SMALLER = 0.5  # of the least dot with a name: a smaller one without is no node, but a piece of a head
MOST_NAMES = 0.8  # share of the names with a glyph from which words without one are no ends of lines


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeReading:
    labels: tuple[PrintedLabel, ...]  # in reading order
    nameless: tuple[PrintedLabel, ...]  # glyphs without a name, at which lines may end too
    blank: tuple[Outline, ...]  # small shapes that are no nodes
    titles: tuple[PrintedLabel, ...]  # of groups
    signs: tuple[PrintedMark, ...]
    loop_marks: tuple[LoopLabel, ...]
    left_out: tuple[str, ...]


def read_nodes(
    words: Sequence[PrintedWord],
    lines: Sequence[Outline],
    frame: Rect,
    vocabulary: Collection[str],
) -> NodeReading:
    letter = median(word.size for word in words) if words else 1.0
    shapes, every = node_shapes(lines, frame), dots(lines, words, letter)
    cuts: list[Cut] = []
    for _ in range(2):  # again if names were joined that are at two dots
        reading = read_labels(words, shapes, vocabulary, every, cuts)
        labels, titles = without_titles(reading.labels, lines, letter)
        labels, blank = _over_glyphs(labels, every)
        bare = [place for place, label in enumerate(labels) if label.shape is None]
        places = [labels[place].box for place in bare]
        placing = placed(places, [dot.box for dot in blank], letter)
        cuts = list(joined(placing, places, [dot.box for dot in blank], [word.box for word in words], letter))
        if not cuts:
            break
    if not _are_nodes(placing, len(bare), len(blank)):
        return _reading(reading, labels, [], blank, titles)
    glyph_of = {bare[label]: blank[glyph] for label, glyph in placing.glyphs.items()}
    unsure = {bare[label] for label in placing.unsure}
    is_dotted = len(glyph_of) >= MOST_NAMES * len(bare)
    nodes = [
        replace(_at_glyph(label, glyph_of.get(place), is_dotted), is_unsure=place in unsure)
        for place, label in enumerate(labels)
    ]
    used_glyphs = set(placing.glyphs.values())
    least = SMALLER * min((size(blank[place].box) for place in used_glyphs), default=0.0)
    nameless = [
        PrintedLabel(text="", lines=(), box=dot.box, size=0.0, shape=dot, bodies=(dot.points,), is_apart=True)
        for place, dot in enumerate(blank)
        if place not in used_glyphs and size(dot.box) > least
    ]
    return _reading(reading, nodes, nameless, [], titles)


def _over_glyphs(labels: Sequence[PrintedLabel], blank: Sequence[Outline]) -> tuple[list[PrintedLabel], list[Outline]]:
    """Assign names to the shapes beneath them that are too small to contain them; return also the other shapes."""
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
    labels: Sequence[PrintedLabel],
    nameless: Sequence[PrintedLabel],
    blank: Sequence[Outline],
    titles: Sequence[PrintedLabel],
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


def _are_nodes(placing: Placing, names: int, blank: int) -> bool:
    """Return True if the blank shapes are nodes with adjacent names, not parts of another kind of figure: most have a
    name at the figure's habitual place, or nearly all are paired."""
    if placing.by_habit >= LEAST and placing.by_habit >= MOST_DOTS * blank:
        return True
    return len(placing.glyphs) > LEAST and len(placing.glyphs) >= MOST_NAMES * max(names, blank)


def _at_glyph(label: PrintedLabel, glyph: Outline | None, is_dotted: bool) -> PrintedLabel:
    if glyph is not None:
        return replace(label, shape=glyph, bodies=(glyph.points,), is_apart=True)
    return replace(label, bodies=()) if is_dotted and label.shape is None else label

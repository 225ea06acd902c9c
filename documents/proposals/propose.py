"""Names and edges proposed from a figure's words and lines. Pure: `reading` reads them from the page."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import median
from typing import cast

from core.papers.pages import Box
from core.transcription.proposals import (
    FigureFit,
    FigureKind,
    FigureProposals,
    PrintedArrow,
    ProposedEdge,
    ProposedName,
    Sign,
    of_kind,
    ranked,
)
from documents.proposals.asides import find_asides, legends, with_titles
from documents.proposals.colours import signs_by_colour
from documents.proposals.delays import delayed_by_letters, printed_delays
from documents.proposals.edge_words import edge_words, says_delay, without_words
from documents.proposals.fit import declined, fit_of, kind_of
from documents.proposals.flows import Valve, cut_at_valves, named_valves, outflows, pipes, with_valves
from documents.proposals.frames import in_frames
from documents.proposals.labels import PrintedLabel
from documents.proposals.lines.centres import cut_at_rims
from documents.proposals.lines.chains import chain
from documents.proposals.lines.fits import match_heads
from documents.proposals.lines.gradients import without_bands
from documents.proposals.lines.heads import Head, find_heads
from documents.proposals.lines.lanes import with_lanes
from documents.proposals.lines.strokes import MOST_PIECES, Pieces, Shaft, delay_marks, sort_pieces
from documents.proposals.matching import ReadArrow, Scene, find_arrows, once_each
from documents.proposals.nodes import NodeReading, read_nodes
from documents.proposals.printed_arrows import named, printed_arrows, within
from documents.proposals.shapes import Outline, Point, holds, midpoint, nearest_of_polygon
from documents.proposals.signs import assign_signs, delayed
from documents.proposals.words import PrintedWord, without_twins
from documents.rects import Rect, grown

TOO_BUSY = "Too many lines for a diagram; names only."
TOO_WORDY = "Too many words for a diagram: click to place names."
SLANTED = "Slanted words were left out"
TWO_SIGNS = "Another sign is just as near to this arrow."
BY_COLOUR = "No signs are printed; this one is told by the arrow's colour."
UNSURE_SIGN = 0.8  # factor of the confidence then
MOST_TOKENS = 3_000  # words; a full page of text has about a thousand
MOST_HEADS = 600  # the largest known diagram has 205 edges
FARTHEST = 1e6  # points; pages are smaller
SHORTEST = 0.05  # letters: between two close names an arrow may be little more than its head


def propose(
    tokens: Sequence[PrintedWord],
    outlines: Sequence[Outline] | None,
    frame: Rect,
    vocabulary: Collection[str] = frozenset(),
    *,
    is_picture: bool = False,
) -> FigureProposals:
    """Propose names and edges of the figure in `frame`. Words and lines at no finite place are left out.

    `outlines` None: the figure has more lines than a diagram. `is_picture`: the lines were read from pixels, where
    heads are mostly letters, so the fit says less and declines nothing."""
    words = [token for token in tokens if _is_finite([*token.box, token.size]) and token.size > 0]
    if len(words) > MOST_TOKENS:
        return FigureProposals(names=(), edges=(), origin="vector", notice=TOO_WORDY)
    lines = [line for line in outlines or () if _is_finite(value for point in line.points for value in point)]
    words, late = printed_delays(without_twins(words))
    lines = with_lanes(without_bands(lines), median(word.size for word in words) if words else 1.0)
    nodes = read_nodes(words, lines, frame, vocabulary)
    reading = None if outlines is None else _read_lines(nodes, lines, late)
    notices = [TOO_BUSY] if reading is None else []
    reading = reading or _Lines([], kind_of(nodes.labels, has_flows=False))
    if is_picture:
        reading = replace(reading, kind="picture")
    elif why := declined(reading.fit):
        notices.append(why)
        reading = replace(reading, edges=[])
    if nodes.left_out:
        notices.append(f"{SLANTED}: {', '.join(nodes.left_out[:5])}.")
    names = tuple(
        ProposedName(
            one.text, Box(*(round(value, 1) for value in one.box)), one.lines, is_aside=place in reading.asides
        )
        for place, one in enumerate(nodes.labels)
    )
    names, edges = without_words(names, of_kind(reading.edges, reading.kind), reading.at_lines)
    samples = legends(name.text for name in names)
    arrows = [
        one
        for one in within(reading.arrows, frame)
        if samples.isdisjoint(end[0][0] for end in (one.tails, one.tips) if end)
    ]
    texts = [nodes.labels[place] for place in sorted(reading.asides | reading.at_lines)]
    return FigureProposals(
        names=names,
        edges=ranked(edges),
        origin="vector",
        notice=" ".join(notices),
        arrows=tuple(arrows),
        kind=reading.kind,
        fit=reading.fit,
        loops=with_titles(nodes.loop_marks, texts),
    )


@dataclass(frozen=True, slots=True)
class _Lines:
    """Result of reading a figure's lines."""

    edges: list[ProposedEdge]
    kind: FigureKind
    fit: FigureFit | None = None  # None if there are too few arrowheads
    at_lines: frozenset[int] = frozenset()  # places of the names that are words at a line
    asides: frozenset[int] = frozenset()  # and of those that are titles, legends and the like
    arrows: tuple[PrintedArrow, ...] = ()  # they refer to the names without these


def _is_finite(values: Iterable[float]) -> bool:
    return all(abs(value) < FARTHEST for value in values)  # NaN and infinity fail


def _read_lines(nodes: NodeReading, outlines: Sequence[Outline], late: Sequence[Rect]) -> _Lines | None:
    """Read the arrows between names; None if there are more heads or lines than a diagram has.

    `late` are the boxes of delay marks that are printed as letters."""
    nothing = _Lines([], kind_of(nodes.labels, has_flows=False))
    if len(nodes.labels) < 2:
        return nothing
    letter = median(label.size for label in nodes.labels)
    ends = [*nodes.labels, *nodes.nameless]
    around = [label.shape for label in nodes.labels if label.shape is not None and not label.is_apart]
    pieces = sort_pieces(outlines, around, letter)
    if max(len(pieces.lines), len(pieces.wings), 3 * len(pieces.solids)) > MOST_PIECES:
        return None
    heads, loose, valves = find_heads(pieces, letter)
    heads += [
        Head(((corners[0], midpoint(corners[1], corners[2])),), outline.colour, outline.order)
        for outline, corners in pieces.ready
    ]
    if len(heads) > MOST_HEADS:
        return None
    if not heads:
        return nothing
    loops = [mark.place for mark in nodes.loop_marks]
    flows = named_valves(nodes.labels, valves, letter)
    labels = with_valves(ends, flows)
    scene, marks = _scene(pieces, loose, heads, labels, flows, loops, letter)
    at_lines = edge_words(scene, len(nodes.labels))
    scene = _without_bodies(scene, at_lines)
    if (framed := in_frames(scene)) is not None:
        scene, marks = _scene(pieces, loose, heads, framed, flows, loops, letter)
        at_lines |= edge_words(scene, len(nodes.labels))
        scene = _without_bodies(scene, at_lines)
    late = [*late, *(labels[place].box for place in at_lines if says_delay(labels[place]))]
    samples = legends(label.text for label in nodes.labels)
    every = [arrow for arrow in find_arrows(scene) if samples.isdisjoint((arrow.source, arrow.sink))]
    arrows = once_each([arrow for arrow in every if max(arrow.source, arrow.sink) < len(nodes.labels)])
    signs = _signs(nodes, arrows, heads, letter)
    slow = delayed(marks, arrows) | delayed_by_letters(late, arrows, letter)
    edges = [_edge(arrow, *signs.get(place, ("", "")), place in slow) for place, arrow in enumerate(arrows)]
    drawn = {(arrow.source, arrow.sink) for arrow in arrows}
    lowered = {(arrow.source, arrow.sink): arrow for arrow in outflows(flows, scene)}
    edges += [_edge(arrow, "-", "", False) for pair, arrow in lowered.items() if pair not in drawn]
    names = [label for place, label in enumerate(nodes.labels) if place not in at_lines]
    kind = kind_of(names, has_flows=bool(flows))
    printed = printed_arrows(scene, edges, nodes.signs, (marks, late), named(len(nodes.labels), at_lines))
    asides = find_asides(nodes.labels, at_lines, scene, loops)
    return _Lines(
        edges, kind, fit_of(scene, every, nodes, len(names), pipes(flows, scene)), frozenset(at_lines), asides, printed
    )


def _scene(
    pieces: Pieces,
    loose: Sequence[Outline],
    heads: Sequence[Head],
    labels: Sequence[PrintedLabel],
    flows: Sequence[Valve],
    loop_marks: Sequence[Point],
    letter: float,
) -> tuple[Scene, list[tuple[Outline, Outline]]]:
    """Match shafts and heads at these nodes; return also the delay marks among the short strokes."""
    shafts, marks = _shafts(pieces, loose, heads, labels, letter)
    shafts = cut_at_valves(shafts, flows, letter)
    return Scene(labels, shafts, heads, match_heads(heads, shafts, letter), loop_marks, letter), marks


def _without_bodies(scene: Scene, places: Collection[int]) -> Scene:
    labels = [replace(label, bodies=()) if place in places else label for place, label in enumerate(scene.labels)]
    return replace(scene, labels=labels)


def _signs(
    nodes: NodeReading, arrows: Sequence[ReadArrow], heads: Sequence[Head], letter: float
) -> dict[int, tuple[str, str]]:
    """Return for arrows by place the printed sign or, in a figure without printed signs, that of their colour, and the
    doubt about it."""
    if nodes.signs:
        assigned = assign_signs(nodes.signs, arrows, letter)
        return {place: (sign, TWO_SIGNS if is_unsure else "") for place, (sign, is_unsure) in assigned.items()}
    signs = signs_by_colour([heads[arrow.head].colour for arrow in arrows])
    return {place: (sign, BY_COLOUR) for place, sign in enumerate(signs) if sign}


def _edge(arrow: ReadArrow, sign: str, doubt: str, delay: bool) -> ProposedEdge:
    """Return the proposal of an arrow; `doubt` is a sentence about its sign, or empty."""
    return ProposedEdge(
        source=arrow.source,
        sink=arrow.sink,
        sign=cast(Sign, sign),
        delay=delay,
        confidence=round(arrow.confidence * (UNSURE_SIGN if doubt else 1.0), 3),
        is_direction_doubtful=arrow.is_doubtful,
        reasons=(*arrow.reasons, *([doubt] if doubt else [])),
        path=tuple((round(x, 1), round(y, 1)) for x, y in arrow.path),
    )


def _shafts(
    pieces: Pieces, loose: Sequence[Outline], heads: Sequence[Head], labels: Sequence[PrintedLabel], letter: float
) -> tuple[list[Shaft], list[tuple[Outline, Outline]]]:
    marks = delay_marks(loose, pieces.lines, letter)
    used = {id(stroke) for mark in marks for stroke in mark}
    strokes = [*pieces.lines, *(stroke for stroke in loose if id(stroke) not in used)]
    strokes += [outline for outline, _ in pieces.ready]
    tips = [reading for head in heads for reading in head.readings]
    rims = [(grown(label.shape.box, letter), label.shape) for label in labels if label.shape is not None]

    @cache
    def is_stop(point: Point, touching: bool) -> bool:
        if any(_is_at_head(point, *reading, touching=touching) for reading in tips):
            return True
        return any(
            holds(around, point) and math.dist(nearest_of_polygon(shape.points, point), point) < 0.1 * letter
            for around, shape in rims
        )

    shafts = [shaft for shaft in chain(strokes, letter, is_stop) if shaft.length > SHORTEST * letter]
    shafts = cut_at_rims(shafts, [label.shape.points for label in labels if label.shape is not None], letter)
    if not marks:
        marks = delay_marks(
            loose,
            [Outline(points=shaft.points, colour=shaft.colour) for shaft in shafts if shaft.length > 3 * letter],
            letter,
        )
        ends = {stroke.points for mark in marks for stroke in mark}
        shafts = [shaft for shaft in shafts if shaft.points not in ends]
    return shafts, marks


def _is_at_head(point: Point, tip: Point, back: Point, *, touching: bool) -> bool:
    """Return True if a line ends at a head. Its last dash may lie anywhere under the head, so dashes end at the tip
    only."""
    length = math.dist(tip, back)
    if not touching:
        return math.dist(tip, point) < 0.1 * length
    return min(math.dist(tip, point), math.dist(back, point)) < 0.3 * length

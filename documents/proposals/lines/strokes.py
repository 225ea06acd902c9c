"""Shafts of arrows among a figure's lines, and the small pieces that heads and delay marks are made of. Pure.

`letter` is everywhere the size of the figure's letters in points: figures are printed at any scale, but an arrowhead
is about as large as a letter and a shaft longer than one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from documents.proposals.lines.blocks import block_arrow, thin_line
from documents.proposals.lines.dashes import joined_dashes
from documents.proposals.lines.rims import Rims
from documents.proposals.lines.valves import stroked_valves
from documents.proposals.shapes import (
    Colour,
    Outline,
    Point,
    angle,
    area_of,
    back_along,
    cross,
    hull,
    length_of,
    midpoint,
    nearest_of_line,
    simplified,
    size,
    unit,
)

SHARP = 75.0  # degrees: a pen that turns back more sharply draws an arrowhead, not a bend of the shaft
LEG = 3.0  # letters: of two legs of a sharp corner the shorter is part of a head, unless it is longer
MOST_PIECES = 6_000
BAR = 0.12  # area of a small outline over its length squared: a thinner one is a short shaft, no head


@dataclass(frozen=True, slots=True)
class Shaft:
    """A line that may be an arrow's."""

    points: tuple[Point, ...]
    colour: Colour
    orders: tuple[int, int]  # first and last place of its pieces in the drawing's order

    @property
    def length(self) -> float:
        return length_of(self.points)

    def end(self, which: int) -> Point:
        return self.points[-1 if which else 0]

    def towards(self, which: int) -> tuple[Point, ...]:
        return self.points if which else self.points[::-1]

    def heading(self, which: int, reach: float) -> Point:
        """Return the direction in which it leaves through that end, measured over the last `reach` points."""
        line = self.towards(which)
        return unit(back_along(line, min(reach, 0.5 * self.length)), line[-1])


@dataclass(slots=True)
class Pieces:
    """A figure's lines, sorted."""

    solids: list[Outline] = field(default_factory=list)  # small closed outlines: heads, valves
    vees: list[Outline] = field(default_factory=list)  # bent pen strokes: open heads
    wings: list[Outline] = field(default_factory=list)  # short straight strokes: open heads, delay marks, dashes
    lines: list[Outline] = field(default_factory=list)  # all others
    valves: list[Outline] = field(default_factory=list)
    # arrows drawn as one polygon, the tip at the end of their line
    ready: list[tuple[Outline, tuple[Point, Point, Point]]] = field(default_factory=list)


def sort_pieces(outlines: Iterable[Outline], shapes: Sequence[Outline], letter: float) -> Pieces:
    """Sort the outlines of a figure; `shapes` contain names and are left out, with their double rims."""
    rims = Rims(shapes, letter)
    dashed, others = joined_dashes([*outlines], letter)
    pieces = Pieces(lines=[line for line in dashed if not rims.hold(line)])
    for outline in others:
        if rims.hold(outline):
            continue
        if outline.closed:
            if not _is_frame(outline, shapes, letter):
                _sort_closed(outline, letter, pieces)
        else:
            _sort_open(outline, letter, pieces)
    for valve, strokes in stroked_valves([*pieces.wings, *pieces.lines], letter):
        pieces.valves.append(valve)
        pieces.wings = [wing for wing in pieces.wings if wing not in strokes]
        pieces.lines = [line for line in pieces.lines if line not in strokes]
    if dashed:  # a program that dashes an arrow dashes the rim of its head, too
        heads = Rims(pieces.solids, letter)
        pieces.lines = [line for line in pieces.lines if not heads.hold(line)]
    return pieces


def _is_frame(outline: Outline, shapes: Sequence[Outline], letter: float) -> bool:
    slack = 0.6 * letter
    return any(max(abs(a - b) for a, b in zip(outline.box, shape.box, strict=True)) < slack for shape in shapes)


def _sort_closed(outline: Outline, letter: float, pieces: Pieces) -> None:
    points = outline.points
    if len(points) == 4 and (cross(*points) or cross(points[1], points[2], points[3], points[0])):
        pieces.valves.append(outline)
        return
    is_bar = len(points) > 3 and outline.filled and area_of(points) < BAR * math.dist(points[0], points[2]) ** 2
    if not is_bar and size(outline.box) < 2.4 * letter and area_of(points) > 0.25 * area_of(hull(points)) > 0:
        pieces.solids.append(outline)
        return
    if outline.filled and (arrow := block_arrow(points)) is not None:
        pieces.ready.append((_piece(outline, arrow[0]), arrow[1]))
    elif outline.filled and (middle := thin_line(points, letter)) is not None:
        pieces.lines.append(_piece(outline, middle))
    elif outline.curved and outline.stroked and not outline.filled and _has_chord(points):
        pieces.lines.append(_piece(outline, points))  # a bent line whose ends a viewer's "close path" has joined


def _has_chord(points: Sequence[Point]) -> bool:
    """Return True if the side that closes the outline is long and all the rest one gentle bend."""
    chord = math.dist(points[0], points[-1])
    return chord > 0.3 * length_of(points) and not _sharp_places(points)


def _sort_open(outline: Outline, letter: float, pieces: Pieces) -> None:
    """Sort open runs: bent strokes may be heads; runs that turn back sharply are cut there."""
    if not outline.stroked:
        return
    points = [outline.points[0]]
    for point in outline.points[1:]:
        if math.dist(point, points[-1]) > 0.01:
            points.append(point)
    if len(points) < 2:
        return
    whole = length_of(points)
    if whole < 4.5 * letter and is_vee(points):
        pieces.vees.append(_piece(outline, points))
        return
    cuts = [0, *_turns_back(points, letter), len(points) - 1]
    for start, end in pairwise(cuts):
        piece = _piece(outline, points[start : end + 1])
        is_short = piece.length < 1.7 * letter and math.dist(piece.points[0], piece.points[-1]) > 0.93 * piece.length
        (pieces.wings if is_short else pieces.lines).append(piece)


def is_vee(points: Sequence[Point]) -> bool:
    """Return True for two legs of one length with a corner of 15 to 110 degrees; a small loop only bends."""
    bent = simplified(points, 0.2 * max(math.dist(points[0], points[-1]), length_of(points) / 2))
    if len(bent) != 3:
        return False
    first, second = math.dist(bent[0], bent[1]), math.dist(bent[1], bent[2])
    opening = angle(unit(bent[1], bent[0]), unit(bent[1], bent[2]))
    is_even = min(first, second) > 0.75 * max(first, second)
    return is_even and 15 < opening < 110 and bool(_sharp_places(points, 130.0))


def _sharp_places(points: Sequence[Point], opening: float = SHARP) -> list[int]:
    return [
        place
        for place in range(1, len(points) - 1)
        if angle(unit(points[place], points[place - 1]), unit(points[place], points[place + 1])) < opening
    ]


def _turns_back(points: Sequence[Point], letter: float) -> list[int]:
    """Return the sharp corners at which a pen starts to draw a head: one leg is short. Between two long legs a line
    that was laid out in straight pieces turns."""
    places = _sharp_places(points)
    ends = [0, *places, len(points) - 1]
    legs = [length_of(points[start : end + 1]) for start, end in pairwise(ends)]
    return [place for place, (leg, after) in zip(places, pairwise(legs), strict=True) if min(leg, after) < LEG * letter]


def _piece(outline: Outline, points: Sequence[Point]) -> Outline:
    return Outline(
        points=tuple(points),
        curved=outline.curved,
        dashed=outline.dashed,
        colour=outline.colour,
        width=outline.width,
        order=outline.order,
    )


def delay_marks(wings: Sequence[Outline], lines: Sequence[Outline], letter: float) -> list[tuple[Outline, Outline]]:
    """Return pairs of short parallel strokes of one length that both cross the same longer line."""
    cells: dict[tuple[int, int], list[int]] = {}
    for place, wing in enumerate(wings):
        cells.setdefault(_cell(wing, letter), []).append(place)
    marks, used = [], set[int]()
    for place in reversed(range(len(wings))):
        if place in used:
            continue
        column, row = _cell(wings[place], letter)
        around = sorted(
            near for dx in (-1, 0, 1) for dy in (-1, 0, 1) for near in cells.get((column + dx, row + dy), ())
        )
        for near in around:
            if near >= place or near in used or not _are_pair(wings[place], wings[near], letter):
                continue
            one, other = wings[place], wings[near]
            if any(crosses(one, line.points) and crosses(other, line.points) for line in lines):
                used.add(near)
                marks.append((one, other))
                break
    return marks


def _cell(wing: Outline, letter: float) -> tuple[int, int]:
    """Return the square of a stroke's middle; its side is 1.2 letters, the most between two strokes of a mark."""
    x, y = midpoint(wing.points[0], wing.points[-1])
    return int(x // (1.2 * letter)), int(y // (1.2 * letter))


def _are_pair(one: Outline, other: Outline, letter: float) -> bool:
    a, b = one.points[0], one.points[-1]
    c, d = other.points[0], other.points[-1]
    middle, far_middle = midpoint(a, b), midpoint(c, d)
    apart = math.dist(middle, far_middle)
    if not 0.05 * letter < apart < 1.2 * letter:  # most pairs end here
        return False
    slant = angle(unit(a, b), unit(c, d))
    first, second = math.dist(a, b), math.dist(c, d)
    is_alike = min(slant, 180 - slant) < 12 and min(first, second) > 0.7 * max(first, second) > 0.25 * letter
    return is_alike and apart < 1.3 * max(first, second) and 50 < angle(unit(a, b), unit(middle, far_middle)) < 130


def crosses(stroke: Outline, line: Sequence[Point]) -> bool:
    a, b = stroke.points[0], stroke.points[-1]
    reach = math.dist(a, b)
    middle = midpoint(a, b)
    near = nearest_of_line(line, middle)
    if math.dist(near, middle) > 0.35 * reach:
        return False
    return any(cross(a, b, c, d) is not None for c, d in pairwise(line))

"""Figures put together by hand, stroke by stroke, for tests of what is proposed from them; letters of 10 points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from core.transcription.proposals import FigureProposals
from documents.proposals.propose import propose
from documents.proposals.shapes import Outline, Point, flattened
from documents.proposals.words import PrintedWord
from documents.rects import Rect

FRAME: Rect = (0, 0, 600, 400)
BLACK, BLUE = (0.0,), (0.1, 0.2, 0.8)


def words(text: str, x: float, y: float, size: float = 10, turn: int | None = 0) -> list[PrintedWord]:
    """A line of words, centred at a point; letters are half as wide as high."""
    wide = 0.5 * size * len(text)
    left, tokens = x - wide / 2, []
    for word in text.split(" "):
        right = left + 0.5 * size * len(word)
        tokens.append(PrintedWord(word, (left, y - 0.6 * size, right, y + 0.6 * size), size, turn))
        left = right + 0.5 * size
    return tokens


def label(text: str, x: float, y: float, size: float = 10) -> list[PrintedWord]:
    """Lines separated by "/", one above the other around a point."""
    lines = text.split("/")
    top = y - (len(lines) - 1) * 0.6 * size
    return [token for number, line in enumerate(lines) for token in words(line, x, top + number * 1.2 * size, size)]


def line(*points: Point, order: int = 0, dashed: bool = False, colour: tuple[float, ...] = BLACK) -> Outline:
    return Outline(points=tuple(points), order=order, dashed=dashed, colour=colour)


def curve(a: Point, b: Point, c: Point, d: Point, order: int = 0) -> Outline:
    """A cubic Bézier as the page's reader flattens it."""
    return Outline(points=(a, *flattened(a, b, c, d)), curved=True, order=order)


def head(tip: Point, start: Point, order: int = 0, colour: tuple[float, ...] = BLACK) -> Outline:
    """A painted triangle, 7 long and 5 wide, whose tip points away from `start`."""
    corners = (tip, *wings(tip, start))
    return Outline(points=corners, closed=True, filled=True, stroked=True, order=order, colour=colour)


def wings(tip: Point, start: Point, length: float = 7, half: float = 2.5) -> tuple[Point, Point]:
    away = math.dist(tip, start)
    dx, dy = (tip[0] - start[0]) / away, (tip[1] - start[1]) / away
    x, y = tip[0] - length * dx, tip[1] - length * dy
    return (x - half * dy, y + half * dx), (x + half * dy, y - half * dx)


def arrow(start: Point, tip: Point, order: int = 0, colour: tuple[float, ...] = BLACK) -> list[Outline]:
    """A straight shaft with a painted head."""
    return [line(start, tip, order=order, colour=colour), head(tip, start, order + 1, colour)]


def box(x: float, y: float, wide: float, high: float) -> Outline:
    corners = ((x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high))
    return Outline(points=corners, closed=True)


def proposed(tokens: Iterable[PrintedWord], outlines: Sequence[Outline] | None) -> FigureProposals:
    return propose(list(tokens), outlines, FRAME)


def edges(found: FigureProposals) -> list[str]:
    """The edges as typed lines, in the order of the alphabet: "A -> B", "A ->+ B", "A ->- B", a delay as "||"."""
    return sorted(
        f"{found.names[edge.source].text} ->{edge.sign} {found.names[edge.sink].text}{' ||' if edge.delay else ''}"
        for edge in found.edges
    )

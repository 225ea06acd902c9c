"""Shafts from pieces: curves drawn in several strokes, and dashes drawn one by one. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from documents.proposals.lines.strokes import Shaft
from documents.proposals.shapes import Outline, Point, angle, back_along, unit

TOUCHING = 0.08  # letters between two ends that meet; further apart they are dashes
End = tuple[int, int]  # a piece and which of its ends


@dataclass(frozen=True, slots=True)
class _Tip:
    place: Point
    heading: Point


def chain(pieces: Sequence[Outline], letter: float, is_stop: Callable[[Point, bool], bool]) -> list[Shaft]:
    """Join pieces where two ends meet, or where two dashes follow each other, in the same colour and direction.
    `is_stop` says of a place, and whether the pieces touch there, that a line must end: at an arrowhead or a name."""
    tips = {(place, which): _tip(piece, which, letter) for place, piece in enumerate(pieces) for which in (0, 1)}
    costs = []
    for one, other in _near(tips, 1.1 * letter):
        cost = _cost(pieces, tips, one, other, letter)
        if cost is None:
            continue
        places = tips[one].place, tips[other].place
        is_touching = math.dist(*places) < TOUCHING * letter
        if not any(is_stop(place, is_touching) for place in places):
            costs.append((cost, one, other))
    partner: dict[End, End] = {}
    for _, one, other in sorted(costs):
        if one not in partner and other not in partner:
            partner[one], partner[other] = other, one
    shafts: list[Shaft] = []
    for run in _runs(len(pieces), partner):
        points: list[Point] = []
        for place, forward in run:
            points.extend(pieces[place].points[:: 1 if forward else -1])
        orders = [pieces[place].order for place, _ in run]
        shafts.append(Shaft(tuple(points), pieces[run[0][0]].colour, (min(orders), max(orders))))
    return shafts


def _tip(piece: Outline, which: int, letter: float) -> _Tip:
    line = piece.points if which else piece.points[::-1]
    return _Tip(line[-1], unit(back_along(line, min(0.6 * letter, 0.5 * piece.length)), line[-1]))


def _near(tips: dict[End, _Tip], reach: float) -> Iterator[tuple[End, End]]:
    cells: dict[tuple[int, int], list[End]] = {}
    for end, tip in tips.items():
        cells.setdefault((int(tip.place[0] // reach), int(tip.place[1] // reach)), []).append(end)
    for (column, row), ends in cells.items():
        around = [end for dx in (-1, 0, 1) for dy in (-1, 0, 1) for end in cells.get((column + dx, row + dy), ())]
        for one in ends:
            for other in around:
                if one < other and one[0] != other[0] and math.dist(tips[one].place, tips[other].place) < reach:
                    yield one, other


def _cost(pieces: Sequence[Outline], tips: dict[End, _Tip], one: End, other: End, letter: float) -> float | None:
    """Return how badly two ends continue each other; None if they do not."""
    first, second = pieces[one[0]], pieces[other[0]]
    if first.colour != second.colour or abs(first.width - second.width) > 0.3 * max(first.width, second.width):
        return None
    a, b = tips[one], tips[other]
    gap = math.dist(a.place, b.place)
    bend = 180 - angle(a.heading, b.heading)
    if gap < TOUCHING * letter:
        is_corner = gap < 0.02 * letter and not first.curved and not second.curved
        return gap / letter + bend / 90 if bend < (95 if is_corner else 40) else None
    longest = max(first.length, second.length)
    if longest > 2.2 * letter or gap > 2.2 * longest or bend > 28:
        return None
    aside = angle(a.heading, unit(a.place, b.place))
    apart = min(6, abs(first.order - second.order)) / 20  # dashes of one line are drawn one after the other
    return gap / letter + bend / 30 + aside / 30 + apart if aside < 25 else None


def _runs(count: int, partner: dict[End, End]) -> Iterator[list[tuple[int, bool]]]:
    """Yield chains of pieces, and whether each is walked from its start; rings are walked from any piece."""
    seen: set[int] = set()
    order = sorted(range(count), key=lambda piece: (piece, 0) in partner and (piece, 1) in partner)
    for piece in order:
        if piece in seen:
            continue
        enter = 1 if (piece, 0) in partner and (piece, 1) not in partner else 0
        run: list[tuple[int, bool]] = []
        current: End | None = (piece, enter)
        while current is not None and current[0] not in seen:
            seen.add(current[0])
            run.append((current[0], current[1] == 0))
            current = partner.get((current[0], 1 - current[1]))
        yield run

"""Assignment of polarity signs and delay marks to arrows. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from statistics import median

from documents.proposals.lines.strokes import crosses
from documents.proposals.matching import ReadArrow
from documents.proposals.offsets import by_offset
from documents.proposals.shapes import Outline, Point, back_along, length_of, midpoint, nearest_of_line, nearest_on
from documents.proposals.words import PrintedMark

NEAR_HEAD = 3.0  # letters from a sign to the last stretch of its arrow
NEAR_LINE = 1.5  # letters from a sign to the middle of its arrow
LEAST_FOR_HABIT = 5  # signs from which a figure's way of placing them shows
CLOSE_CALL = 0.5  # letters by which the chosen signs must be nearer than exchanged ones
MIDWAY = 1.5  # letters between the middle of a line and a sign on it or next to it
LEAST_MIDWAY, MOST_MIDWAY = 3, 0.6  # signs, and the share of all signs, that show this way of placing them
LOOSE = 0.15  # shares of a line's length by which such signs differ
OFF_MIDDLE = 3.0  # letters that a whole line's length off the usual share costs
STRETCH = 2.5  # letters before the tip in which signs are printed


def assign_signs(
    signs: Sequence[PrintedMark], arrows: Sequence[ReadArrow], letter: float
) -> dict[int, tuple[str, bool]]:
    """Return a sign for arrows by place, and whether another sign could as well be meant, one to one. First those at
    one place from the lines' middles or midway if the figure uses these, then those by a head, then those along the
    lines."""
    placed = by_offset(signs, arrows, letter)
    assigned = one_to_one(placed, math.inf) if placed is not None else _midway(signs, arrows, letter)
    by_head = [
        [math.inf] * len(arrows) if number in assigned.values() else _head_distances(mark, arrows, letter, assigned)
        for number, mark in enumerate(signs)
    ]
    at_heads = one_to_one(by_head, NEAR_HEAD)
    if len(at_heads) >= LEAST_FOR_HABIT:
        by_head = _by_habit(signs, arrows, at_heads, by_head, letter)
        at_heads = one_to_one(by_head, NEAR_HEAD)
    unsure = _unsure(signs, at_heads, by_head)
    assigned |= at_heads
    used = set(assigned.values())
    along = [
        [math.inf] * len(arrows) if number in used else _line_distances(mark, arrows, letter, assigned)
        for number, mark in enumerate(signs)
    ]
    assigned |= one_to_one(along, NEAR_LINE)
    return {arrow: (signs[number].sign, arrow in unsure) for arrow, number in assigned.items()}


def _midway(signs: Sequence[PrintedMark], arrows: Sequence[ReadArrow], letter: float) -> dict[int, int]:
    """Match arrows to the signs at their middles, if most signs of the figure are placed so: graph libraries and TikZ
    print an edge's label on it or next to it, at one share of its length, regardless of what is near."""
    distances = [
        [math.dist(mark.place, nearest_of_line(arrow.path, mark.place)) / letter for arrow in arrows] for mark in signs
    ]
    nearest = [min(enumerate(row), key=lambda one: one[1], default=(0, math.inf)) for row in distances]
    seen = [
        (_share(mark, arrows[place]), apart)
        for mark, (place, apart) in zip(signs, nearest, strict=True)
        if apart < MIDWAY
    ]
    if len(seen) < LEAST_MIDWAY:
        return {}
    habit, aside = (median(values) for values in zip(*seen, strict=True))
    common = sum(abs(share - habit) < LOOSE for share, _ in seen)
    if abs(habit - 0.5) > LOOSE or common < MOST_MIDWAY * len(signs):
        return {}
    costs = [
        [
            abs(apart - aside) + OFF_MIDDLE * abs(_share(mark, arrow) - habit) if apart < MIDWAY else math.inf
            for arrow, apart in zip(arrows, row, strict=True)
        ]
        for mark, row in zip(signs, distances, strict=True)
    ]
    return one_to_one(costs, math.inf)


def _share(mark: PrintedMark, arrow: ReadArrow) -> float:
    place, whole = nearest_of_line(arrow.path, mark.place), length_of(arrow.path)
    walked = 0.0
    for a, b in pairwise(arrow.path):
        if math.dist(nearest_on(a, b, place), place) < 1e-6:
            return (walked + math.dist(a, place)) / max(whole, 1e-9)
        walked += math.dist(a, b)
    return 1.0


def _unsure(signs: Sequence[PrintedMark], assigned: dict[int, int], distances: Sequence[Sequence[float]]) -> set[int]:
    """Return the arrows that would take the other sign if two signs changed places, at little more distance in all."""
    unsure = set()
    for (a, one), (b, other) in combinations(assigned.items(), 2):
        if signs[one].sign != signs[other].sign:
            swapped = distances[one][b] + distances[other][a]
            if swapped - distances[one][a] - distances[other][b] < CLOSE_CALL:
                unsure |= {a, b}
    idle = [number for number in range(len(signs)) if number not in assigned.values()]
    for a, one in assigned.items():
        rivals = [distances[number][a] for number in idle if signs[number].sign != signs[one].sign]
        if min(rivals, default=math.inf) - distances[one][a] < CLOSE_CALL:
            unsure.add(a)
    return unsure


def _head_distances(
    mark: PrintedMark, arrows: Sequence[ReadArrow], letter: float, assigned: Mapping[int, int]
) -> list[float]:
    """Return the letters from a sign to every arrow's last stretch; the tip itself counts for a part, since signs are
    printed at it. Arrows that have a sign are out of reach."""
    distances = []
    for place, arrow in enumerate(arrows):
        if place in assigned:
            distances.append(math.inf)
            continue
        stretch = _last(arrow.path, STRETCH * letter)
        distance = math.dist(mark.place, nearest_of_line(stretch, mark.place))
        distances.append((distance + 0.35 * math.dist(mark.place, arrow.path[-1])) / letter)
    return distances


def _by_habit(
    signs: Sequence[PrintedMark],
    arrows: Sequence[ReadArrow],
    assigned: dict[int, int],
    near: Sequence[Sequence[float]],
    letter: float,
) -> list[list[float]]:
    """Add to the distances how far a sign is from the figure's habit: most drawings use one distance back from the tip
    and one aside of the line."""
    places = [_offset(signs[number], arrows[arrow]) for arrow, number in assigned.items()]
    back, aside = median(place[0] for place in places), median(place[1] for place in places)
    return [
        [
            0.5 * cost + 0.6 * math.dist(_offset(mark, arrow), (back, aside)) / letter if cost < NEAR_HEAD else math.inf
            for arrow, cost in zip(arrows, costs, strict=True)
        ]
        for mark, costs in zip(signs, near, strict=True)
    ]


def _offset(mark: PrintedMark, arrow: ReadArrow) -> Point:
    near = nearest_of_line(arrow.path, mark.place)
    return math.dist(near, arrow.path[-1]), math.dist(near, mark.place)


def _line_distances(
    mark: PrintedMark, arrows: Sequence[ReadArrow], letter: float, assigned: dict[int, int]
) -> list[float]:
    return [
        math.inf if place in assigned else math.dist(mark.place, nearest_of_line(arrow.path, mark.place)) / letter
        for place, arrow in enumerate(arrows)
    ]


def _last(path: Sequence[Point], length: float) -> tuple[Point, ...]:
    start = back_along(path, length)
    stretch: list[Point] = []
    walked = 0.0
    for later, earlier in zip(reversed(path), list(reversed(path))[1:], strict=False):
        stretch.append(later)
        walked += math.dist(later, earlier)
        if walked >= length:
            break
    return (*reversed(stretch), start)[::-1] if len(stretch) == 1 else (start, *reversed(stretch))


def one_to_one(distances: Sequence[Sequence[float]], reach: float) -> dict[int, int]:
    """Assign columns to rows (arrow to sign), cheapest sum by greedy choice and swaps."""
    pairs = sorted((cost, row, column) for row, line in enumerate(distances) for column, cost in enumerate(line))
    owner: dict[int, int] = {}
    used_rows: set[int] = set()
    for cost, row, column in pairs:
        if cost < reach and row not in used_rows and column not in owner:
            owner[column] = row
            used_rows.add(row)
    for _ in range(3):
        if not _swap(owner, distances, reach):
            break
    return owner


def _swap(owner: dict[int, int], distances: Sequence[Sequence[float]], reach: float) -> bool:
    """Let two arrows exchange their signs, or pass a sign along a chain of one, if that lowers the sum."""
    changed = False
    columns = list(owner)
    for a in columns:
        for b in columns:
            now = distances[owner[a]][a] + distances[owner[b]][b]
            crossed = distances[owner[a]][b], distances[owner[b]][a]
            if a != b and max(crossed) < reach and sum(crossed) < now - 1e-9:
                owner[a], owner[b] = owner[b], owner[a]
                changed = True
    return changed or _pass_sign(owner, distances, reach)


def _pass_sign(owner: dict[int, int], distances: Sequence[Sequence[float]], reach: float) -> bool:
    """Give a sign without arrow a neighbour's, which moves to an arrow that has none."""
    idle = [row for row in range(len(distances)) if row not in owner.values()]
    bare = {column for line in distances for column, cost in enumerate(line) if cost < reach and column not in owner}
    for row in idle:
        for column, holder in list(owner.items()):
            if distances[row][column] >= reach:
                continue
            target = min(bare, key=lambda free: distances[holder][free], default=None)
            if target is not None and distances[holder][target] < reach:
                owner[target], owner[column] = holder, row
                return True
    return False


def delayed(marks: Sequence[tuple[Outline, Outline]], arrows: Sequence[ReadArrow]) -> set[int]:
    """Return the places of the arrows that carry a delay mark: of those it crosses, the one nearest to its middle."""
    late = set()
    for one, other in marks:
        middle = midpoint(midpoint(one.points[0], one.points[-1]), midpoint(other.points[0], other.points[-1]))
        crossed = [
            place for place, arrow in enumerate(arrows) if crosses(one, arrow.path) and crosses(other, arrow.path)
        ]
        if crossed:
            late.add(min(crossed, key=lambda place: math.dist(nearest_of_line(arrows[place].path, middle), middle)))
    return late

"""Where a person who draws by hand would put the names of a diagram: on a loose grid, with few crossings and no line
through a third name. Also says which straight drawings leave a reader in doubt."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

from content import Diagram
from recipes import UnfitError

Point = tuple[float, float]


def by_hand(diagram: Diagram, columns: int, step: Point, jitter: float = 0.12, rounds: int = 4_000) -> list[Point]:
    """A place for each name; y grows downwards. `step` is the distance of columns and of rows."""
    count = len(diagram.names)
    rows = math.ceil(count / columns)
    if diagram.groups:  # each group has rows of its own
        needed = [*map(len, diagram.groups.values()), count - sum(map(len, diagram.groups.values()))]
        rows = sum(math.ceil(one / columns) for one in needed)
    cells: list[int | None] = [*range(count), *([None] * (columns * rows - count))]
    rng = random.Random(f"places {diagram.seed}")
    rng.shuffle(cells)
    at = {node: place for place, node in enumerate(cells) if node is not None}
    pairs = [(edge.source, edge.sink) for edge in diagram.edges]
    bands = list(diagram.groups.values())

    def point(node: int) -> Point:
        return at[node] % columns * step[0], at[node] // columns * step[1]

    def cost() -> float:
        places = [point(node) for node in range(count)]
        far = sum(math.dist(places[a], places[b]) for a, b in pairs) / step[0]
        passing = len(passed(places, pairs, 0.33 * min(step)))
        return 0.3 * far + 1.2 * _crossings(places, pairs) + 8 * passing + 9 * _strayed(at, columns, bands)

    now, heat = cost(), 4.0
    for _ in range(rounds if count < 16 else rounds // 2):
        one, other = rng.sample(range(len(cells)), 2)
        if cells[one] is None and cells[other] is None:
            continue
        _swap(cells, at, one, other)
        after = cost()
        if after <= now or rng.random() < math.exp((now - after) / heat):
            now = after
        else:
            _swap(cells, at, one, other)
        heat = max(0.02, heat * 0.998)
    shift = jitter * min(step)
    return [
        (x + rng.uniform(-shift, shift), y + rng.uniform(-shift, shift))
        for x, y in (point(node) for node in range(count))
    ]


def _strayed(at: dict[int, int], columns: int, bands: Sequence[Sequence[int]]) -> int:
    """How many names lie outside the rows of their group, or in those of another."""
    first, strayed, home = 0, 0, dict[int, range]()
    for band in bands:
        rows = range(first, first + math.ceil(len(band) / columns))
        home.update(dict.fromkeys(band, rows))
        first = rows.stop
    for node, cell in at.items():
        row = cell // columns
        strayed += row not in home[node] if node in home else row < first
    return strayed


def _swap(cells: list[int | None], at: dict[int, int], one: int, other: int) -> None:
    cells[one], cells[other] = cells[other], cells[one]
    for place in (one, other):
        node = cells[place]
        if node is not None:
            at[node] = place


def _crossings(places: Sequence[Point], pairs: Sequence[tuple[int, int]]) -> int:
    found = 0
    for number, (a, b) in enumerate(pairs):
        for c, d in pairs[:number]:
            if len({a, b, c, d}) == 4 and _cross(places[a], places[b], places[c], places[d]):
                found += 1
    return found


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def passed(places: Sequence[Point], pairs: Sequence[tuple[int, int]], near: float) -> list[tuple[int, int, int]]:
    """Edges that run straight past a third name nearer than `near`: source, sink, the third."""
    found = []
    for a, b in pairs:
        (ax, ay), (bx, by) = places[a], places[b]
        length = (bx - ax) ** 2 + (by - ay) ** 2 or 1e-9
        for third, (x, y) in enumerate(places):
            if third not in (a, b):
                t = min(1.0, max(0.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
                if math.dist((x, y), (ax + t * (bx - ax), ay + t * (by - ay))) < near:
                    found.append((a, b, third))
    return found


def doubts(places: Sequence[Point], pairs: Sequence[tuple[int, int]], near: float, angle: float = 5.0) -> int:
    """How often a straight drawing hides an arrow: a line near a third node, or two lines from one node that run
    within `angle` degrees of each other."""
    found = len(passed(places, pairs, near))
    for number, one in enumerate(pairs):
        for other in pairs[:number]:
            shared = set(one) & set(other)
            if len(shared) == 1:
                middle = shared.pop()
                away = [
                    math.atan2(places[end][1] - places[middle][1], places[end][0] - places[middle][0])
                    for end in (*one, *other)
                    if end != middle
                ]
                apart = abs((away[0] - away[1] + math.pi) % (2 * math.pi) - math.pi)
                found += math.degrees(apart) < angle
    return found


def bent(a: Point, b: Point, degrees: float) -> list[Point]:
    """Points of the curve that TikZ draws for "bend left" (y downwards; negative: right)."""
    away, length, bend = math.atan2(b[1] - a[1], b[0] - a[0]), math.dist(a, b), math.radians(degrees)
    reach = 0.3915 * length
    p = (a[0] + reach * math.cos(away - bend), a[1] + reach * math.sin(away - bend))
    q = (b[0] - reach * math.cos(away + bend), b[1] - reach * math.sin(away + bend))
    weights = [((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3) for t in (k / 24 for k in range(25))]
    return [
        (
            sum(w * point[0] for w, point in zip(four, (a, p, q, b), strict=True)),
            sum(w * point[1] for w, point in zip(four, (a, p, q, b), strict=True)),
        )
        for four in weights
    ]


def hidden(
    places: Sequence[Point], pairs: Sequence[tuple[int, int]], halves: Sequence[Point], bend: float = 0.0
) -> int:
    """How many edges run through the box (half as wide and as high as `halves`) of a third name, or leave a name
    within 6 degrees of another edge's."""
    return unclear([bent(places[a], places[b], bend) for a, b in pairs], places, pairs, halves)


def unclear(
    lines: Sequence[Sequence[Point]],
    places: Sequence[Point],
    pairs: Sequence[tuple[int, int]],
    halves: Sequence[Point],
) -> int:
    """As `hidden`, of edges whose lines are known: points from middle to middle, equally many of each."""
    found = 0
    for (a, b), line in zip(pairs, lines, strict=True):
        for third, ((x, y), (wide, high)) in enumerate(zip(places, halves, strict=True)):
            found += third not in (a, b) and any(abs(px - x) < wide and abs(py - y) < high for px, py in line)
    # a bend turns tails and tips by the same angle to opposite sides
    for number, one in enumerate(pairs):
        for before, other in enumerate(pairs[:number]):
            for middle in set(one) & set(other) if len({*one, *other}) == 3 else ():
                away = [_leaving(lines[at], pair, middle) for at, pair in ((number, one), (before, other))]
                apart = abs((away[0] - away[1] + math.pi) % (2 * math.pi) - math.pi)
                found += math.degrees(apart) < 6
    return found


def _leaving(line: Sequence[Point], pair: tuple[int, int], middle: int) -> float:
    near, far = (line[0], line[12]) if pair[0] == middle else (line[-1], line[12])
    return math.atan2(far[1] - near[1], far[0] - near[0])


def beside(
    lines: Sequence[Sequence[Point]],
    away: Sequence[float],
    share: float,
    places: Sequence[Point],
    halves: Sequence[Point],
) -> list[Point | None]:
    """A place for the sign of each line (`away` from it; 0: no sign), about a share of its way and on the side where
    other lines, signs and names leave most room. Raises UnfitError where one has no room."""
    dense = [_dense(line) for line in lines]
    found: list[Point | None] = []
    for own, (line, reach) in enumerate(zip(lines, away, strict=True)):
        if not reach:
            found.append(None)
            continue
        tried = [_aside(line, share + shift, side * reach) for side in (1, -1) for shift in (0, -0.06, 0.06, -0.12)]
        room = [_room(point, own, reach, dense, found, places, halves) for point in tried]
        if max(room) < 1:
            raise UnfitError("a sign has no room")
        found.append(tried[room.index(max(room))] if room[0] < 1.5 else tried[0])
    return found


def _room(
    point: Point,
    own: int,
    reach: float,
    lines: Sequence[Sequence[Point]],
    signs: Sequence[Point | None],
    places: Sequence[Point],
    halves: Sequence[Point],
) -> float:
    """How far a sign is from what it does not belong to: from 1 on, a reader is in no doubt."""
    others = [min(math.dist(point, one) for one in line) / 1.6 for at, line in enumerate(lines) if at != own]
    others += [math.dist(point, sign) / 2 for sign in signs if sign is not None]
    names = [
        math.hypot(max(0, abs(point[0] - x) - wide), max(0, abs(point[1] - y) - high)) * 2
        for (x, y), (wide, high) in zip(places, halves, strict=True)
    ]
    return min([*others, *names], default=math.inf) / reach


def _dense(line: Sequence[Point]) -> list[Point]:
    return [
        (a[0] + (b[0] - a[0]) * part / 4, a[1] + (b[1] - a[1]) * part / 4)
        for a, b in itertools.pairwise(line)
        for part in range(5)
    ]


def _aside(line: Sequence[Point], share: float, away: float) -> Point:
    """A point `away` from a line, to the left of its course on a page (negative: right), at a share of its points."""
    at = min(len(line) - 2, max(1, round(share * (len(line) - 1))))
    (ax, ay), (x, y), (bx, by) = line[at - 1], line[at], line[at + 1]
    length = math.dist((ax, ay), (bx, by)) or 1.0
    return x + away * (by - ay) / length, y - away * (bx - ax) / length

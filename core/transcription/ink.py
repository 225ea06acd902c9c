"""Which printed arrow an edge means: where the arrows' ends lie, and where the graph's names stand.

An edge means the arrow whose ends lie at its two names. If no arrow does, or two do equally well, it means none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from statistics import median

from core.graphs.record import GraphRecord, NodeRecord
from core.sign import Sign
from core.transcription.marks import Marks, key_of
from core.transcription.printed import PrintedNames
from core.transcription.proposals import FigureProposals, Point, PrintedArrow

REACH = 3.3
"""Letters from an arrow's end to a name at which it may lie."""
SHARE, SLACK = 1.4, 0.25
"""An end lies at a second name too if that is no further than so many times the nearest one, and so many letters."""
SAME = 0.75
"""Letters between two courses that are one: the same print, read at another time or drawn twice."""
TAILS, TIPS = 3.0, 2.0
"""How many times further their ends may lie apart: a head may be read as part of its line or not."""
USUAL_LETTER = 10.0
"""Points; where no name is printed that could be measured."""
WIDE, HIGH, WIDEST = 0.55, 1.5, 12.0
"""Letters that an unread name takes: across for each of its letters, in height, and across at most."""


def arrow_id(arrow: PrintedArrow) -> str:
    """The same at every reading that finds the same course."""
    return key_of("arrow", ";".join(f"{x:.1f},{y:.1f}" for x, y in arrow.path))


def letter_of(found: FigureProposals) -> float:
    """About the size of the figure's letters, in points."""
    heights = [min(name.box.width, name.box.height) / max(1, len(name.lines)) for name in found.printed]
    return 0.85 * median(heights) if heights and median(heights) > 0 else USUAL_LETTER


class PrintedInk:
    """A figure's printed arrows, seen from one state of a graph and its marks."""

    def __init__(self, found: FigureProposals, record: GraphRecord, marks: Marks) -> None:
        self.arrows = found.arrows
        self.letter = letter_of(found)
        self._slack = SAME * self.letter
        printed = PrintedNames(record, marks)
        nodes = [printed.node_of(label) for label in found.names]
        self._at = [node.id if node is not None else f"label {place}" for place, node in enumerate(nodes)]
        self._middles = {node.id: at for node in record.nodes.values() if (at := _place(node)) is not None}
        for node, label in zip(nodes, found.names, strict=True):
            if node is not None:
                box = label.box
                self._middles.setdefault(node.id, ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2))
        self._by_hand = [node for node in record.nodes.values() if node.x is not None and node.id not in self._at]

    def off(self, arrow: PrintedArrow, source_id: str, sink_id: str) -> float | None:
        """How many letters both ends of an arrow lie off an edge's two names; None if it lies elsewhere. The tail of
        a head without a line may lie anywhere; what its direction is off then counts for it."""
        tails, tips = self._ends[id(arrow)]
        tip = _at(tips, sink_id)
        tail = _at(tails, source_id) if arrow.has_line else self._turn(arrow, source_id, sink_id)
        return None if tip is None or tail is None else tip + tail

    def joins_names(self, arrow: PrintedArrow) -> bool:
        """Whether an arrow has a line, from one name or node to another."""
        return arrow.has_line and all(self._ends[id(arrow)])

    def meant(
        self, source_id: str, sink_id: str, sign: Sign | None, taken: Iterable[Sequence[Point]] = ()
    ) -> PrintedArrow | None:
        """The arrow that an edge between two nodes stands on. `taken`: courses that other edges stand on already."""
        here = [(self.off(arrow, source_id, sink_id), arrow) for arrow in self.arrows if arrow.has_line]
        near = [(off, arrow) for off, arrow in here if off is not None]
        drawn = list(taken) if near else []
        found = [(off, arrow) for off, arrow in near if not self.is_on(arrow.path, drawn)]
        if sign is not None and any(arrow.sign == sign.value for _off, arrow in found):
            found = [(off, arrow) for off, arrow in found if arrow.sign == sign.value]
        if not found:
            return None
        least, best = min(found, key=lambda each: each[0])
        rivals = [arrow for off, arrow in found if off < SHARE * least + 2 * SLACK]
        return best if all(self.is_on(arrow.path, [best.path]) for arrow in rivals) else None

    def along(self, course: Sequence[Point]) -> list[PrintedArrow]:
        """The arrows whose course this is, in the same direction."""
        if not course:
            return []
        column, row = self._cell(course[-1])
        cells = [(column + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        close = [arrow for cell in cells for arrow in self._by_tip.get(cell, ())]
        return [arrow for arrow in close if is_same_course(arrow.path, course, self._slack)]

    def is_on(self, path: Sequence[Point], courses: Iterable[Sequence[Point]]) -> bool:
        """Whether a course is one of `courses`, in the same direction."""
        return any(is_same_course(path, course, self._slack) for course in courses)

    @cached_property
    def _by_tip(self) -> dict[tuple[int, int], list[PrintedArrow]]:
        found: dict[tuple[int, int], list[PrintedArrow]] = {}
        for arrow in self.arrows:
            found.setdefault(self._cell(arrow.path[-1]), []).append(arrow)
        return found

    def _cell(self, point: Point) -> tuple[int, int]:
        """A square as wide as two courses that are one may end apart."""
        return math.floor(point[0] / (TIPS * self._slack)), math.floor(point[1] / (TIPS * self._slack))

    @cached_property
    def _ends(self) -> dict[int, tuple[dict[str, float], dict[str, float]]]:
        """Arrow → how many letters its tail and its tip lie off each node, or label without a node, near them."""
        return {
            id(arrow): (self._names(arrow.path[0], arrow.tails), self._names(arrow.path[-1], arrow.tips))
            for arrow in self.arrows
        }

    def _names(self, end: Point, listed: Sequence[tuple[int, float]]) -> dict[str, float]:
        found: dict[str, float] = {}
        for place, away in listed:
            if place < len(self._at):
                found[self._at[place]] = min(away, found.get(self._at[place], math.inf))
        for node in self._by_hand:
            if (away := _to_unread(end, node, self.letter)) < REACH:
                found[node.id] = away
        return found

    def _turn(self, arrow: PrintedArrow, source_id: str, sink_id: str) -> float:
        """How far a head's direction is off the way between two nodes, 0 to 4; 2 where one of them stands nowhere."""
        source, sink = self._middles.get(source_id), self._middles.get(sink_id)
        if source is None or sink is None:
            return 2.0
        return abs(_degrees(arrow.path[0], arrow.path[-1], source, sink)) / 45


def is_same_course(path: Sequence[Point], other: Sequence[Point], slack: float) -> bool:
    """Whether two courses run from the same tail to the same tip the same way, in points off each other."""
    if not path or not other:
        return False
    if path == other:  # nearly always, while the figure is not read another time
        return True
    if math.dist(path[-1], other[-1]) > TIPS * slack or math.dist(path[0], other[0]) > TAILS * slack:
        return False
    ways = ((path, other), (other, path))
    return all(_off(point, along) <= slack for some, along in ways for point in some[1:-1])


def _at(at: dict[str, float], node_id: str) -> float | None:
    """How far an end lies off a node; None if it lies at another name."""
    if node_id not in at:
        return None
    return at[node_id] if at[node_id] <= SHARE * min(at.values()) + SLACK else None


def _to_unread(end: Point, node: NodeRecord, letter: float) -> float:
    """Letters from an end to a name that was put where nothing was read: about as large as it would be printed."""
    if node.x is None or node.y is None:
        return math.inf
    across = max(0.0, abs(end[0] - node.x) - letter * min(WIDE * len(node.name), WIDEST) / 2)
    down = max(0.0, abs(end[1] - node.y) - letter * HIGH / 2)
    return math.hypot(across, down) / letter


def _place(node: NodeRecord) -> Point | None:
    return None if node.x is None or node.y is None else (node.x, node.y)


def _degrees(a: Point, b: Point, c: Point, d: Point) -> float:
    """Between the directions a to b and c to d, -180 to 180."""
    turn = math.atan2(d[1] - c[1], d[0] - c[0]) - math.atan2(b[1] - a[1], b[0] - a[0])
    return math.degrees(math.remainder(turn, 2 * math.pi))


def _off(point: Point, path: Sequence[Point]) -> float:
    return min((_to_segment(point, a, b) for a, b in pairwise(path)), default=math.dist(point, path[0]))


def _to_segment(point: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    squared = dx * dx + dy * dy
    if squared < 1e-12:
        return math.dist(point, a)
    share = max(0.0, min(1.0, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / squared))
    return math.dist(point, (a[0] + share * dx, a[1] + share * dy))

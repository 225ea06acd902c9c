"""Matching of edges to printed arrows, by the ends of the arrows and the positions of the graph's names.

An edge matches the arrow whose ends are at its two names. If there is no such arrow, or two fit equally well, it
matches none."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from statistics import median

from core.graphs.record import GraphRecord
from core.sign import Sign
from core.transcription.label_nodes import PrintedNames
from core.transcription.marks import Marks, key_of
from core.transcription.proposals import FigureProposals, Point, PrintedArrow

# Distances in letters of the figure, unless noted.
REACH = 3.3  # from an arrow's end to a name that it may belong to
SHARE, SLACK = 1.4, 0.25  # an end belongs to a second name too within SHARE times the nearest distance plus SLACK
SAME = 0.75  # between two readings of one path
TAILS, TIPS = 3.0, 2.0  # factors of SAME for the ends of paths: a head may be read as part of its line or not
USUAL_LETTER = 10.0  # points, if no printed name can be measured

# Size of an unread name in letters: across per letter, in height, and maximum across.
WIDE, HIGH, WIDEST = 0.55, 1.5, 12.0


def arrow_id(arrow: PrintedArrow) -> str:
    return key_of("arrow", ";".join(f"{x:.1f},{y:.1f}" for x, y in arrow.path))


def letter_of(proposals: FigureProposals) -> float:
    heights = [min(name.box.width, name.box.height) / max(1, len(name.lines)) for name in proposals.printed]
    return 0.85 * median(heights) if heights and median(heights) > 0 else USUAL_LETTER


class PrintedInk:
    """A figure's printed arrows, with one state of a graph and its marks."""

    def __init__(self, proposals: FigureProposals, record: GraphRecord, marks: Marks) -> None:
        self.arrows = proposals.arrows
        self.letter = letter_of(proposals)
        self._slack = SAME * self.letter
        printed = PrintedNames(record, marks)
        nodes = [printed.node_of(label) for label in proposals.names]
        self._at = [node.id if node is not None else f"label {place}" for place, node in enumerate(nodes)]
        self._middles = {
            node.id: (node.x, node.y) for node in record.nodes.values() if node.x is not None and node.y is not None
        }
        for node, label in zip(nodes, proposals.names, strict=True):
            if node is not None:
                box = label.box
                self._middles.setdefault(node.id, ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2))
        read = set(self._at)
        self._by_hand = [
            (node.id, node.x, node.y, self.letter * min(WIDE * len(node.name), WIDEST) / 2)
            for node in record.nodes.values()
            if node.x is not None and node.y is not None and node.id not in read
        ]

    def off(self, arrow: PrintedArrow, source_id: str, sink_id: str) -> float | None:
        """Return the total distance, in letters, of an arrow's ends from an edge's two names; None if they do not
        match. The tail of a head without a line is unknown; the deviation of its direction counts instead."""
        tails, tips = self._ends[id(arrow)]
        tip = _at(tips, sink_id)
        tail = _at(tails, source_id) if arrow.has_line else self._turn(arrow, source_id, sink_id)
        return None if tip is None or tail is None else tip + tail

    def sinks_near(self, arrow: PrintedArrow) -> Iterable[str]:
        """Return the ids of nodes near an arrow's tip: the only sinks of which `off` is not None."""
        return self._ends[id(arrow)][1]

    def joins_names(self, arrow: PrintedArrow) -> bool:
        return arrow.has_line and all(self._ends[id(arrow)])

    def meant(
        self, source_id: str, sink_id: str, sign: Sign | None, other_paths: Iterable[Sequence[Point]] = ()
    ) -> PrintedArrow | None:
        """Return the arrow of an edge between two nodes. `other_paths`: paths of other edges."""
        distances = [(self.off(arrow, source_id, sink_id), arrow) for arrow in self.arrows if arrow.has_line]
        near = [(off, arrow) for off, arrow in distances if off is not None]
        drawn = list(other_paths) if near else []
        candidates = [(off, arrow) for off, arrow in near if not self.is_on(arrow.path, drawn)]
        if sign is not None and any(arrow.sign == sign.value for _off, arrow in candidates):
            candidates = [(off, arrow) for off, arrow in candidates if arrow.sign == sign.value]
        if not candidates:
            return None
        least, best = min(candidates, key=lambda each: each[0])
        rivals = [arrow for off, arrow in candidates if off < SHARE * least + 2 * SLACK]
        return best if all(self.is_on(arrow.path, [best.path]) for arrow in rivals) else None

    def along(self, course: Sequence[Point]) -> list[PrintedArrow]:
        if not course:
            return []
        column, row = self._cell(course[-1])
        cells = [(column + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        close = [arrow for cell in cells for arrow in self._by_tip.get(cell, ())]
        return [arrow for arrow in close if is_same_course(arrow.path, course, self._slack)]

    def is_on(self, path: Sequence[Point], courses: Iterable[Sequence[Point]]) -> bool:
        return any(is_same_course(path, course, self._slack) for course in courses)

    @cached_property
    def _by_tip(self) -> dict[tuple[int, int], list[PrintedArrow]]:
        by_tip: dict[tuple[int, int], list[PrintedArrow]] = {}
        for arrow in self.arrows:
            by_tip.setdefault(self._cell(arrow.path[-1]), []).append(arrow)
        return by_tip

    def _cell(self, point: Point) -> tuple[int, int]:
        """Return a grid cell as wide as the largest distance between the ends of equal paths."""
        return math.floor(point[0] / (TIPS * self._slack)), math.floor(point[1] / (TIPS * self._slack))

    @cached_property
    def _ends(self) -> dict[int, tuple[dict[str, float], dict[str, float]]]:
        """Arrow → distance in letters of its tail and its tip from each node, or label without a node, near them."""
        return {
            id(arrow): (self._names(arrow.path[0], arrow.tails), self._names(arrow.path[-1], arrow.tips))
            for arrow in self.arrows
        }

    def _names(self, end: Point, listed: Sequence[tuple[int, float]]) -> dict[str, float]:
        distances: dict[str, float] = {}
        for place, away in listed:
            if place < len(self._at):
                distances[self._at[place]] = min(away, distances.get(self._at[place], math.inf))
        # A name placed where nothing was read is as large as it would be printed. Hundreds of times in every act.
        reach, high = REACH * self.letter, self.letter * HIGH / 2
        for node_id, x, y, wide in self._by_hand:
            across, down = abs(end[0] - x) - wide, abs(end[1] - y) - high
            if across < reach and down < reach:
                away = math.hypot(max(0.0, across), max(0.0, down)) / self.letter
                if away < REACH:
                    distances[node_id] = away
        return distances

    def _turn(self, arrow: PrintedArrow, source_id: str, sink_id: str) -> float:
        """Return the deviation of a head's direction from the line between two nodes, 0 to 4; 2 if one has no
        position."""
        source, sink = self._middles.get(source_id), self._middles.get(sink_id)
        if source is None or sink is None:
            return 2.0
        tail, tip = arrow.path[0], arrow.path[-1]
        turn = math.atan2(sink[1] - source[1], sink[0] - source[0]) - math.atan2(tip[1] - tail[1], tip[0] - tail[0])
        return abs(math.degrees(math.remainder(turn, 2 * math.pi))) / 45


def is_same_course(path: Sequence[Point], other: Sequence[Point], slack: float) -> bool:
    """Return True if two paths run from the same tail to the same tip the same way, with `slack` in points."""
    if not path or not other:
        return False
    if path == other:  # nearly always, until the figure is read again
        return True
    if math.dist(path[-1], other[-1]) > TIPS * slack or math.dist(path[0], other[0]) > TAILS * slack:
        return False
    ways = ((path, other), (other, path))
    return all(_off(point, along) <= slack for some, along in ways for point in some[1:-1])


def _at(at: dict[str, float], node_id: str) -> float | None:
    """Return the distance of an end from a node; None if it belongs to another name."""
    if node_id not in at:
        return None
    return at[node_id] if at[node_id] <= SHARE * min(at.values()) + SLACK else None


def _off(point: Point, path: Sequence[Point]) -> float:
    return min((_to_segment(point, a, b) for a, b in pairwise(path)), default=math.dist(point, path[0]))


def _to_segment(point: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    squared = dx * dx + dy * dy
    if squared < 1e-12:
        return math.dist(point, a)
    share = max(0.0, min(1.0, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / squared))
    return math.dist(point, (a[0] + share * dx, a[1] + share * dy))

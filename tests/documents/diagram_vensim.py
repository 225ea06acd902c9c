"""Draws random causal loop diagrams with the geometry of Vensim sketches. Part of the program diagram_makers.py."""

import math
import random
from collections.abc import Callable
from itertools import pairwise

from diagram_layouts import (
    BLUE,
    GREEN,
    RED,
    Canvas,
    Node,
    Point,
    Truth,
    before_tip,
    beside_tip,
    direction,
    scattered,
    truth_of,
    wired,
)


def vensim_like(canvas: Canvas, rng: random.Random, style: str) -> Truth:
    """Circular arcs through a point beside the middle; stocks in boxes, a flow with cloud and valve, loop marks,
    delay marks, signs at the head's outer side."""
    nodes = scattered(rng, rng.randint(6, 13), 9, "helv", (108, 78), 14)
    stocks = {place for place in range(len(nodes)) if rng.random() < 0.25}
    edges = wired(rng, nodes, _arc, lambda: rng.choice((0.1, 0.22, -0.22, 0.34)), 6, delays=0.2)
    colour = BLUE if "dashed" not in style else (0, 0, 0)
    for edge in edges:
        if "coloured" in style:
            colour = GREEN if edge.sign == "+" else RED
        dashes = "[4 3] 0" if "dashed" in style else None
        step = max(1, len(edge.points) // 30)
        line = [*edge.points[:-1:step], edge.points[-1]]
        if style == "pieces":
            canvas.each(_pieces(edge.points), colour)
        else:
            canvas.lines(line, colour=colour, width=0.8, dashes=dashes)
        tip = edge.points[-1]
        dx, dy = direction(edge.points[before_tip(edge.points, 6)], tip)
        wings = [(tip[0] - 6.5 * dx - s * 2.4 * dy, tip[1] - 6.5 * dy + s * 2.4 * dx) for s in (1, -1)]
        canvas.lines([tip, *wings, tip], fill=colour, colour=colour, width=0.3, closed=True)
        if edge.delay:
            _delay(canvas, edge.points)
        place = beside_tip(edge.points, 9, -8 if edge.bend > 0 else 8)
        if style == "letters":
            canvas.text("s" if edge.sign == "+" else "o", place[0], place[1] + 3, 9)
        else:
            canvas.sign(edge.sign, place, 10, minus="-")
    for place, node in enumerate(nodes):
        if place in stocks:
            canvas.box(node, 4)
        canvas.label(node, 9)
    _loop_mark(canvas, rng, nodes)
    return truth_of(nodes, edges)


def _arc(a: Node, b: Node, bend: float) -> Callable[[float], Point]:
    """The circle through both nodes and a point `bend` of their distance beside the middle."""
    dx, dy = b.x - a.x, b.y - a.y
    length = math.hypot(dx, dy)
    sag = bend * length
    radius = (sag * sag + length * length / 4) / (2 * sag)
    x, y = (a.x + b.x) / 2 - dy / length * (sag - radius), (a.y + b.y) / 2 + dx / length * (sag - radius)
    start, end = math.atan2(a.y - y, a.x - x), math.atan2(b.y - y, b.x - x)
    turn = (end - start + math.pi) % (2 * math.pi) - math.pi
    return lambda t: (x + abs(radius) * math.cos(start + t * turn), y + abs(radius) * math.sin(start + t * turn))


def _pieces(points: list[Point]) -> list[list[Point]]:
    """Dashes of 4 points, which some programs draw one by one."""
    runs: list[list[Point]] = []
    start, gap, drawn = points[0], False, 0.0
    for one, other in pairwise(points):
        drawn += math.dist(one, other)
        if drawn > (2.5 if gap else 4.0):
            runs += [] if gap else [[start, one]]
            start, gap, drawn = other, not gap, 0.0
    return runs if gap or math.dist(start, points[-1]) < 0.5 else [*runs, [start, points[-1]]]


def _delay(canvas: Canvas, points: list[Point]) -> None:
    middle = len(points) // 2
    dx, dy = direction(points[middle - 2], points[middle + 2])
    strokes = []
    for along in (-1.8, 1.8):
        x, y = points[middle][0] + along * dx, points[middle][1] + along * dy
        strokes.append([(x - 5 * dy, y + 5 * dx), (x + 5 * dy, y - 5 * dx)])
    canvas.lines(*strokes, width=1.1)


def _loop_mark(canvas: Canvas, rng: random.Random, nodes: list[Node]) -> None:
    """R1 inside a circular arrow, right of all nodes."""
    x, y = max(node.x + node.half_wide for node in nodes) + 40, rng.uniform(80, 250)
    circle = [(x + 9 * math.cos(a / 10), y + 9 * math.sin(a / 10)) for a in range(55)]
    canvas.lines(circle, width=0.8)
    dx, dy = direction(circle[-3], circle[-1])
    tip = (circle[-1][0] + 4 * dx, circle[-1][1] + 4 * dy)
    canvas.lines(
        [tip, (circle[-1][0] - 2 * dy, circle[-1][1] + 2 * dx), (circle[-1][0] + 2 * dy, circle[-1][1] - 2 * dx), tip],
        fill=(0, 0, 0),
        width=0.3,
        closed=True,
    )
    canvas.text(rng.choice(("R1", "B2", "R")), x, y + 3, 9)

"""Draws random diagrams as programs for slides export them. Part of the program diagram_makers.py."""

import random
from collections.abc import Callable

from diagram_layouts import BLUE, Canvas, Node, Point, Truth, before_tip, direction, scattered, truth_of, wired


def office_like(canvas: Canvas, rng: random.Random, style: str) -> Truth:
    """Slides: thin painted outlines as shafts, whole arrows as one polygon, elbows, or shaft and open head in one
    stroke without lifting the pen."""
    nodes = scattered(rng, rng.randint(6, 12), 11, "helv", (135, 100), 14)

    def line(a: Node, b: Node, _: float) -> Callable[[float], Point]:
        if style != "elbow":
            return lambda t: (a.x + t * (b.x - a.x), a.y + t * (b.y - a.y))
        total = abs(b.x - a.x) + abs(b.y - a.y)
        turn = abs(b.x - a.x) / total
        return lambda t: (
            (a.x + (b.x - a.x) * t / max(turn, 1e-9), a.y)
            if t < turn
            else (b.x, a.y + (b.y - a.y) * (t - turn) / max(1 - turn, 1e-9))
        )

    edges = wired(rng, nodes, line, lambda: 0.0, 7, signed=False)
    if style == "elbow":  # no program draws a last leg shorter than its head
        edges = [edge for edge in edges if abs(edge.points[before_tip(edge.points, 14)][0] - edge.points[-1][0]) < 0.1]
    for edge in edges:
        _office_arrow(canvas, edge.points, style)
    for node in nodes:
        canvas.box(node, 6, fill=(0.85, 0.9, 0.97))
        canvas.label(node, 11)
    return truth_of(nodes, edges)


def _office_arrow(canvas: Canvas, points: list[Point], style: str) -> None:
    tail, tip = points[0], points[-1]
    dx, dy = direction(points[before_tip(points, 3)], tip)

    def at(place: Point, back: float, aside: float) -> Point:
        return place[0] - back * dx - aside * dy, place[1] - back * dy + aside * dx

    if style == "block":
        corners = [
            at(tail, 0, 1.2),
            at(tip, 8, 1.2),
            at(tip, 8, 4),
            tip,
            at(tip, 8, -4),
            at(tip, 8, -1.2),
            at(tail, 0, -1.2),
        ]
        canvas.lines([*corners, corners[0]], fill=BLUE, colour=BLUE, width=0.3, closed=True)
    elif style == "outline":
        shaft = [at(tail, 0, 0.5), at(tip, 6, 0.5), at(tip, 6, -0.5), at(tail, 0, -0.5)]
        canvas.lines([*shaft, shaft[0]], fill=BLUE, colour=None, closed=True)
        canvas.lines([tip, at(tip, 7, 3), at(tip, 7, -3), tip], fill=BLUE, colour=None, closed=True)
    elif style == "one stroke":
        canvas.lines([tail, tip, at(tip, 6, 3), tip, at(tip, 6, -3)], width=1)
    else:
        corner = max(
            points, key=lambda p: abs((p[0] - tail[0]) * (tip[1] - tail[1]) - (p[1] - tail[1]) * (tip[0] - tail[0]))
        )
        canvas.lines([tail, corner, at(tip, 4, 0)], width=1)
        canvas.lines([tip, at(tip, 6, 2.6), at(tip, 6, -2.6), tip], fill=(0, 0, 0), width=0.3, closed=True)

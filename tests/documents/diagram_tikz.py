"""Draws random diagrams with TikZ's curves and arrow tips, straight into a PDF. Part of diagram_makers.py."""

import math
import random
from collections.abc import Callable

from diagram_layouts import (
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


def tikz_like(canvas: Canvas, rng: random.Random, style: str) -> Truth:
    """Rounded boxes, `bend left`, arrow tips Stealth, Latex or the default To, whose barbs are curved strokes."""
    size = rng.choice((7, 8, 10))
    nodes = scattered(rng, rng.randint(6, 12), size, "tiro", (108, 80), 13)
    pad = 4.5

    def bent(a: Node, b: Node, bend: float) -> Callable[[float], Point]:
        away, length = math.atan2(b.y - a.y, b.x - a.x), math.dist((a.x, a.y), (b.x, b.y))
        reach = 0.3915 * length
        p = (a.x + reach * math.cos(away - bend), a.y + reach * math.sin(away - bend))
        q = (b.x - reach * math.cos(away + bend), b.y - reach * math.sin(away + bend))
        return lambda t: tuple(
            (1 - t) ** 3 * (a.x, a.y)[k]
            + 3 * t * (1 - t) ** 2 * p[k]
            + 3 * t * t * (1 - t) * q[k]
            + t**3 * (b.x, b.y)[k]
            for k in (0, 1)
        )

    bends = [math.radians(angle) for angle in (0, 0, 15, 30, -30)]
    edges = wired(rng, nodes, bent, lambda: rng.choice(bends), pad + 0.5)
    for edge in edges:
        colour = RED if "coloured" in style and edge.sign == "-" else (0, 0, 0)
        canvas.curve(
            edge.points[: before_tip(edge.points, 2.0) + 1], colour, 0.6, "[3 3] 0" if "dashed" in style else None
        )
        _tikz_tip(canvas, edge.points, style, colour)
        canvas.sign(edge.sign, beside_tip(edge.points, 13, rng.choice((6, -6))), size)
    for node in nodes:
        canvas.box(node, pad, radius=0.15, width=0.4)
        canvas.label(node, size, "tiro")
    return truth_of(nodes, edges)


def _tikz_tip(canvas: Canvas, points: list[Point], style: str, colour: tuple[float, float, float]) -> None:
    tip = points[-1]
    dx, dy = direction(points[before_tip(points, 3.5)], tip)

    def at(back: float, aside: float) -> Point:
        return tip[0] - back * dx - aside * dy, tip[1] - back * dy + aside * dx

    if style == "open":
        shape = canvas.page.new_shape()
        shape.draw_bezier(at(2.6, 2.4), at(2.2, 1.0), at(0.8, 0.2), tip)
        shape.draw_bezier(tip, at(0.8, -0.2), at(2.2, -1.0), at(2.6, -2.4))
        shape.finish(color=colour, width=0.5, closePath=False)
        shape.commit()
    elif style == "latex":
        shape = canvas.page.new_shape()
        shape.draw_bezier(tip, at(1.5, 0.4), at(3.3, 1.2), at(4.4, 1.8))
        shape.draw_line(at(4.4, 1.8), at(4.4, -1.8))
        shape.draw_bezier(at(4.4, -1.8), at(3.3, -1.2), at(1.5, -0.4), tip)
        shape.finish(color=colour, fill=colour, width=0.2, closePath=True)
        shape.commit()
    else:
        canvas.lines(
            [tip, at(3.8, 1.7), at(2.6, 0), at(3.8, -1.7), tip], fill=colour, colour=colour, width=0.4, closed=True
        )

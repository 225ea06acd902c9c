"""Random diagrams for the makers: names, places, edges whose curves avoid other labels, and a canvas to draw on.

Part of the program diagram_makers.py: the tests' own process never imports the PDF library. Nothing here is shared
with the code under test.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from layoutless import pymupdf

WORDS = """Birth rate|Death rate|Population|Fish stock|Catch per boat|Number of fishing boats|Profit|Price|Demand|
Supply of housing|Rent|Construction starts|Desired inventory|Inventory|Production rate|Order backlog|Delivery delay|
Customer satisfaction|Word of mouth|Market share|Work pressure|Overtime|Fatigue|Error rate|Rework to do|Staff turnover|
Perceived quality|Technical debt|Soil moisture|Irrigated area|Groundwater level|Crop yield|Farm income|Migration|
Trust in government|Vaccination coverage|Infection rate|Hospital beds in use|CO2 emissions|Average temperature|
Ice cover|Albedo|Energy consumption|Stress|Sleep quality|Physical activity|Body weight|Household savings|GDP|
Tax revenue|Public spending|Traffic volume|Road capacity|Travel time|Attractiveness of driving|Noise"""
NAMES = [name.strip() for name in WORDS.replace("\n", "").split("|")]
FONTS = {name: pymupdf.Font(name) for name in ("helv", "tiro", "hebo")}
Point = tuple[float, float]
Curve = Callable[[float], Point]
Truth = list[dict[str, object]]
BLUE, RED, GREEN = (0.1, 0.2, 0.8), (0.8, 0.1, 0.1), (0.1, 0.5, 0.2)


@dataclass
class Node:
    lines: list[str]
    x: float
    y: float
    half_wide: float = 0.0
    half_high: float = 0.0

    @property
    def name(self) -> str:
        return " ".join(self.lines)

    def holds(self, point: Point, gap: float, *, is_round: bool = False) -> bool:
        dx, dy = abs(point[0] - self.x), abs(point[1] - self.y)
        wide, high = self.half_wide + gap, self.half_high + gap
        return (dx / wide) ** 2 + (dy / high) ** 2 < 1 if is_round else dx < wide and dy < high


@dataclass
class Edge:
    source: int
    sink: int
    sign: str = ""
    delay: bool = False
    bend: float = 0.0
    points: list[Point] = field(default_factory=list)


def truth_of(nodes: list[Node], edges: list[Edge]) -> Truth:
    """The edges as truth.json lists them."""
    return [
        {"source": nodes[edge.source].name, "sink": nodes[edge.sink].name, "sign": edge.sign, "delay": edge.delay}
        for edge in edges
    ]


def wrapped(name: str, longest: int) -> list[str]:
    lines = [""]
    for word in name.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > longest:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def scattered(rng: random.Random, count: int, size: float, font: str, spacing: Point, longest: int) -> list[Node]:
    """Nodes near the crossings of a grid, with the boxes of their printed lines."""
    columns = math.ceil(math.sqrt(count))
    cells = rng.sample([(c, r) for c in range(columns) for r in range(math.ceil(count / columns))], count)
    nodes = []
    for (column, row), name in zip(cells, rng.sample(NAMES, count), strict=True):
        lines = wrapped(name, longest)
        x = 90 + (column + rng.uniform(-0.2, 0.2)) * spacing[0]
        y = 70 + (row + rng.uniform(-0.2, 0.2)) * spacing[1]
        wide = max(FONTS[font].text_length(line, size) for line in lines) / 2
        nodes.append(Node(lines, x, y, wide, len(lines) * size * 0.6))
    return nodes


def wired(
    rng: random.Random,
    nodes: list[Node],
    curve_of: Callable[[Node, Node, float], Curve],
    bends: Callable[[], float],
    gap: float,
    *,
    signed: bool = True,
    is_round: bool = False,
    delays: float = 0.0,
) -> list[Edge]:
    """Edges to near nodes whose curves run over no third node; cut at their own nodes' boxes grown by `gap`."""
    edges: list[Edge] = []
    for source, node in enumerate(nodes):
        near = sorted(
            (place for place in range(len(nodes)) if place != source),
            key=lambda place: math.dist((node.x, node.y), (nodes[place].x, nodes[place].y)),
        )[:6]
        for sink in rng.sample(near, min(len(near), rng.choice((1, 1, 2, 2, 3)))):
            edge = Edge(source, sink, rng.choice("+-") if signed else "", rng.random() < delays, bends())
            reverse = next((one for one in edges if (one.source, one.sink) == (sink, source)), None)
            if reverse is not None and (abs(edge.bend) < 0.15 or edge.bend * reverse.bend < 0):
                continue  # two arrows on one line cannot be told apart by anybody
            curve = curve_of(nodes[source], nodes[sink], edge.bend)
            edge.points = cut(curve, nodes[source], nodes[sink], gap, is_round=is_round)
            others = [one for place, one in enumerate(nodes) if place not in (source, sink)]
            is_free = not any(one.holds(point, 3) for one in others for point in edge.points[::3])
            if is_free and len(edge.points) > 30 and math.dist(edge.points[0], edge.points[-1]) > 24:
                edges.append(edge)
    return edges


def cut(curve: Curve, source: Node, sink: Node, gap: float, *, is_round: bool = False) -> list[Point]:
    """Points of the curve between the two nodes."""
    points = [curve(step / 240) for step in range(241)]
    inside = [place for place, point in enumerate(points) if source.holds(point, gap, is_round=is_round)]
    first = max(inside, default=0)
    later = [place for place, point in enumerate(points) if sink.holds(point, gap, is_round=is_round) and place > first]
    return points[first : min(later, default=240) + 1]


def direction(start: Point, end: Point) -> Point:
    length = math.dist(start, end) or 1.0
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def before_tip(points: list[Point], distance: float) -> int:
    """The place of the last point at least so far before the tip."""
    return max((place for place, point in enumerate(points) if math.dist(point, points[-1]) >= distance), default=0)


def beside_tip(points: list[Point], back: float, aside: float) -> Point:
    place = before_tip(points, back)
    dx, dy = direction(points[place], points[-1])
    x, y = points[place]
    return x - dy * aside, y + dx * aside


class Canvas:
    """A page to draw on."""

    def __init__(self, document: pymupdf.Document, width: float, height: float) -> None:
        self.page = document.new_page(width=width, height=height)

    def label(self, node: Node, size: float, font: str = "helv") -> None:
        for number, line in enumerate(node.lines):
            y = node.y + (number - (len(node.lines) - 1) / 2) * size * 1.2 + 0.35 * size
            self.text(line, node.x, y, size, font)

    def text(self, text: str, x: float, y: float, size: float, font: str = "helv") -> None:
        writer = pymupdf.TextWriter(self.page.rect)
        writer.append((x - FONTS[font].text_length(text, size) / 2, y), text, font=FONTS[font], fontsize=size)
        writer.write_text(self.page)

    def sign(self, sign: str, place: Point, size: float, minus: str = "\N{MINUS SIGN}") -> None:
        self.text(minus if sign == "-" else "+", place[0], place[1] + 0.33 * size, size)

    def lines(self, *runs: list[Point], fill=None, colour=(0, 0, 0), width=0.8, dashes=None, closed=False) -> None:
        shape = self.page.new_shape()
        for run in runs:
            shape.draw_polyline(run)
        self._finish(shape, fill, colour, width, dashes, closed)

    def each(self, runs: list[list[Point]], colour=(0, 0, 0), width=0.8) -> None:
        """Every run as a path of its own."""
        shape = self.page.new_shape()
        for run in runs:
            shape.draw_polyline(run)
            shape.finish(color=colour, width=width, closePath=False)
        shape.commit()

    def curve(self, points: list[Point], colour=(0, 0, 0), width=0.8, dashes=None, parts: int = 1) -> None:
        """A smooth line through points, as so many cubic Béziers in one path (Catmull and Rom)."""
        shape = self.page.new_shape()
        knots = [points[round(number * (len(points) - 1) / (3 * parts))] for number in range(3 * parts + 1)]
        for number in range(0, len(knots) - 1, 3):
            shape.draw_bezier(*_through(*knots[number : number + 4]))
        self._finish(shape, None, colour, width, dashes, False)

    def _finish(self, shape, fill, colour, width, dashes, closed) -> None:
        shape.finish(color=colour, fill=fill, width=width, dashes=dashes, closePath=closed)
        shape.commit()

    def box(self, node: Node, gap: float, fill=None, radius: float | None = None, width: float = 0.7) -> None:
        x, y = node.half_wide + gap, node.half_high + gap
        rect = pymupdf.Rect(node.x - x, node.y - y, node.x + x, node.y + y)
        self.page.draw_rect(rect, color=(0, 0, 0), fill=fill, width=width, radius=radius)

    def oval(self, node: Node, wide: float, high: float) -> None:
        rect = pymupdf.Rect(node.x - wide, node.y - high, node.x + wide, node.y + high)
        self.page.draw_oval(rect, color=(0, 0, 0), width=0.7)


def _through(a: Point, b: Point, c: Point, d: Point) -> tuple[Point, Point, Point, Point]:
    """The cubic that passes through four points at t = 0, 1/3, 2/3, 1."""
    first = tuple((-5 * a[k] + 18 * b[k] - 9 * c[k] + 2 * d[k]) / 6 for k in (0, 1))
    second = tuple((2 * a[k] - 9 * b[k] + 18 * c[k] - 5 * d[k]) / 6 for k in (0, 1))
    return a, first, second, d

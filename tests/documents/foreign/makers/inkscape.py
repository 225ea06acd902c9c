"""Inkscape figures: an SVG as its users draw one (shapes, text with lines of its own, paths whose end marker is an arrow
of Inkscape's own list), printed as PDF by Inkscape."""

from __future__ import annotations

import math
import subprocess
import tempfile
from collections.abc import Mapping
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from content import Content, Diagram, Edge, label, wrapped
from places import Point, bent, by_hand, hidden
from recipes import Recipe, UnfitError

RECIPES = [
    Recipe(
        content=Content(subjects=("energy",), names=11, edges=14),
        layout="placed by hand, rectangles, straight paths, marker Arrow1Lend",
        seed=11100,
        look={"columns": 4, "step": (170, 105), "shape": "rect", "marker": "Arrow1Lend"},
    ),
    Recipe(
        content=Content(subjects=("epidemic",), names=12, edges=16, signed=1.0, delayed=0.2),
        layout="placed by hand, bare text, curved paths, marker Triangle",
        seed=11202,
        look={"columns": 4, "step": (165, 105), "shape": "", "marker": "Triangle", "bend": 20, "font": "DejaVu Serif"},
    ),
    Recipe(
        content=Content(subjects=("water",), names=12, edges=15, dashed=0.3),
        layout="placed by hand, ellipses, marker Arrow2Mend, thick lines",
        seed=11300,
        look={
            "columns": 4,
            "step": (175, 115),
            "shape": "ellipse",
            "marker": "Arrow2Mend",
            "width": 2.2,
            "fill": "#ffe6d5",
        },
    ),
    Recipe(
        content=Content(subjects=("city", "security"), names=16, edges=20, signed=0.8),
        layout="placed by hand, rounded rectangles, coloured curved paths, marker Arrow1Mend",
        seed=11422,
        look={
            "columns": 4,
            "step": (175, 105),
            "shape": "rect",
            "round": 10,
            "marker": "Arrow1Mend",
            "bend": 12,
            "colour": True,
            "fill": "none",
        },
    ),
    Recipe(
        content=Content(subjects=("farming",), names=11, edges=14, mutual=1),
        layout="placed by hand, filled circles, dotted thin curved paths with gaps at both ends, marker Arrow2Lend",
        seed=11506,
        look={
            "columns": 4,
            "step": (165, 125),
            "shape": "circle",
            "marker": "Arrow2Lend",
            "bend": 10,
            "dots": True,
            "fill": "#d7eef4",
            "gap": 5,
        },
    ),
    Recipe(
        content=Content(subjects=("school",), names=12, edges=15, worded=0.2, groups=("Pupils", "Teachers")),
        layout="placed by hand in two coloured frames, rectangles, marker TriangleOutM",
        seed=11600,
        look={"columns": 4, "step": (175, 110), "shape": "rect", "marker": "TriangleOutM", "fill": "white"},
    ),
]
MARKERS = {
    "Arrow1Lend": ("M 0,0 5,-5 -12.5,0 5,5 Z", "scale(-0.8) translate(12.5,0)"),
    "Arrow1Mend": ("M 0,0 5,-5 -12.5,0 5,5 Z", "scale(-0.4) translate(10,0)"),
    "Arrow2Lend": (
        "M 8.7185878,4.0337352 -2.2072895,0.01601326 8.7185884,-4.0017078 C 6.97309,-1.6296469 6.9831476,"
        "1.6157441 8.7185878,4.0337352 Z",
        "scale(-1.1) translate(1,0)",
    ),
    "Arrow2Mend": (
        "M 8.7185878,4.0337352 -2.2072895,0.01601326 8.7185884,-4.0017078 C 6.97309,-1.6296469 6.9831476,"
        "1.6157441 8.7185878,4.0337352 Z",
        "scale(-0.6)",
    ),
    "Triangle": ("M 5.77,0 -2.88,5 -2.88,-5 Z", "scale(1.2) translate(-5.77,0)"),
    "TriangleOutM": ("M 5.77,0 -2.88,5 -2.88,-5 Z", "scale(0.7) translate(-5.77,0)"),
}
REACH = {"Arrow1Lend": 0, "Arrow1Mend": 1, "Arrow2Lend": 1.3, "Arrow2Mend": 1.3, "Triangle": 0, "TriangleOutM": 0}
LEFT, TOP, SIZE = 100, 60, 13
PAINTS = {"+": "#217821", "-": "#aa0000", "": "#333333"}


def version() -> str:
    said = subprocess.run(["inkscape", "--version"], capture_output=True, text=True, check=True).stdout
    return " ".join(said.split()[:2])


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    places = [(x + LEFT, y + TOP) for x, y in by_hand(one, look["columns"], look["step"], rounds=2500)]
    texts = [wrapped(name, 13) for name in one.names]
    halves = [_half(lines, look) for lines in texts]
    pairs = [(edge.source, edge.sink) for edge in one.edges]
    twins = any(pair[::-1] in pairs for pair in pairs)
    bad = hidden(places, pairs, [(x + 4, y + 4) for x, y in halves], look.get("bend", 0))
    if bad and not (twins and bad <= 4 and look.get("bend")):
        raise UnfitError(f"{bad} lines run through a shape or along each other")
    wide, high = max(x for x, _ in places) + LEFT, max(y for _, y in places) + TOP
    marker, transform = MARKERS[look["marker"]]
    paints = sorted({_paint(edge, look) for edge in one.edges})
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{high:.0f}"><defs>']
    for paint in paints:
        parts.append(
            f'<marker id="m{paint[1:]}" orient="auto" refX="0" refY="0" style="overflow:visible">'
            f'<path d="{marker}" transform="{transform}" style="fill:{paint};stroke:none"/></marker>'
        )
    parts.append("</defs>")
    for number, (name, members) in enumerate(one.groups.items()):
        parts.append(
            _frame(name, [(places[member], halves[member]) for member in members], ("#e3f4d7", "#d5e5ff")[number])
        )
    parts += [_edge(edge, places, halves, look) for edge in one.edges]
    parts += [_node(lines, place, half, look) for lines, place, half in zip(texts, places, halves, strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "figure.svg"
        source.write_text("\n".join([*parts, "</svg>"]), encoding="utf-8")
        command = ["inkscape", source, "--export-area-page", f"--export-filename={path}"]
        subprocess.run(command, check=True, capture_output=True, timeout=120)


def _half(lines: list[str], look: Mapping[str, Any]) -> Point:
    wide, high = 0.29 * SIZE * max(map(len, lines)) + 9, 0.62 * SIZE * len(lines) + 7
    if look["shape"] == "circle":
        return (max(wide, high, 38),) * 2
    return (wide * 1.3, high * 1.3) if look["shape"] == "ellipse" else (wide, high)


def _paint(edge: Edge, look: Mapping[str, Any]) -> str:
    return PAINTS[edge.sign] if look.get("colour") else "#000000"


def _frame(name: str, members: list[tuple[Point, Point]], fill: str) -> str:
    x0 = min(x - wide for (x, _), (wide, _) in members) - 12
    x1 = max(x + wide for (x, _), (wide, _) in members) + 12
    y0 = min(y - high for (_, y), (_, high) in members) - 22
    y1 = max(y + high for (_, y), (_, high) in members) + 8
    return (
        f'<rect x="{x0:.1f}" y="{y0:.1f}" width="{x1 - x0:.1f}" height="{y1 - y0:.1f}" style="fill:{fill};stroke:#888"/>'
        f'<text x="{x0 + 8:.1f}" y="{y0 + 15:.1f}" style="font:italic 12px sans-serif">{escape(name)}</text>'
    )


def _node(lines: list[str], place: Point, half: Point, look: Mapping[str, Any]) -> str:
    (x, y), (wide, high) = place, half
    style = f"fill:{look.get('fill', '#eeeeee')};stroke:#000000;stroke-width:1"
    drawn = {
        "": "",
        "rect": f'<rect x="{x - wide:.1f}" y="{y - high:.1f}" width="{2 * wide:.1f}" height="{2 * high:.1f}" '
        f'rx="{look.get("round", 0)}" style="{style}"/>',
        "ellipse": f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{wide:.1f}" ry="{high:.1f}" style="{style}"/>',
        "circle": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{wide:.1f}" style="{style}"/>',
    }[look["shape"]]
    top = y - (len(lines) - 1) * 0.62 * SIZE + 0.35 * SIZE
    spans = "".join(
        f'<tspan x="{x:.1f}" y="{top + number * 1.25 * SIZE:.1f}">{escape(line)}</tspan>'
        for number, line in enumerate(lines)
    )
    font = look.get("font", "sans-serif")
    return drawn + f'<text style="font-family:{font};font-size:{SIZE}px;text-anchor:middle">{spans}</text>'


def _edge(edge: Edge, places: list[Point], halves: list[Point], look: Mapping[str, Any]) -> str:
    line = bent(places[edge.source], places[edge.sink], look.get("bend", 0))
    fine = [
        (p[0] + (q[0] - p[0]) * k / 20, p[1] + (q[1] - p[1]) * k / 20) for p, q in pairwise(line) for k in range(20)
    ]
    gap, width = look.get("gap", 2), look.get("width", 1.2)
    is_round = look["shape"] in ("ellipse", "circle")

    def inside(point: Point, node: int, more: float) -> bool:
        dx, dy = abs(point[0] - places[node][0]), abs(point[1] - places[node][1])
        wide, high = halves[node][0] + more, halves[node][1] + more
        return (dx / wide) ** 2 + (dy / high) ** 2 < 1 if is_round else dx < wide and dy < high

    reach = gap + REACH[look["marker"]] * width
    kept = [p for p in fine if not inside(p, edge.source, gap) and not inside(p, edge.sink, reach)]
    if len(kept) < 60:
        raise UnfitError("two names are so near that no line fits between them")
    start, end, early, late = kept[0], kept[-1], kept[len(kept) // 3], kept[2 * len(kept) // 3]
    if look.get("bend"):  # the cubic through four points of the path, as the pen tool leaves it
        c1 = tuple((-5 * s + 18 * a - 9 * b + 2 * e) / 6 for s, a, b, e in zip(start, early, late, end, strict=True))
        c2 = tuple((2 * s - 9 * a + 18 * b - 5 * e) / 6 for s, a, b, e in zip(start, early, late, end, strict=True))
        drawn = f"M {start[0]:.2f},{start[1]:.2f} C {c1[0]:.2f},{c1[1]:.2f} {c2[0]:.2f},{c2[1]:.2f} {end[0]:.2f},{end[1]:.2f}"
    else:
        drawn = f"M {start[0]:.2f},{start[1]:.2f} L {end[0]:.2f},{end[1]:.2f}"
    paint = _paint(edge, look)
    dashes = (
        f";stroke-dasharray:{width},{2 * width}" if look.get("dots") else ";stroke-dasharray:6,3" if edge.dashed else ""
    )
    style = f"fill:none;stroke:{paint};stroke-width:{width};marker-end:url(#m{paint[1:]}){dashes}"
    text = label(edge, delay="∥")
    if text:
        middle, way = kept[len(kept) // 2], math.atan2(end[1] - start[1], end[0] - start[0])
        x, y = middle[0] + 11 * math.sin(way), middle[1] - 11 * math.cos(way) + 4
        text = f'<text x="{x:.1f}" y="{y:.1f}" style="font:{SIZE}px sans-serif;text-anchor:middle;fill:{paint}">{text}</text>'
    return f'<path d="{drawn}" style="{style}"/>' + text

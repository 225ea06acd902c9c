"""Figures by R's base graphics: names by text(), lines by arrows() or, bent, by lines() with arrows() at their tips, as
causal graphs are drawn in scripts and by R packages. Helvetica, no boxes."""

from __future__ import annotations

import itertools
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from content import Content, Diagram, label, wrapped
from places import Point, bent, beside, by_hand, unclear
from recipes import Recipe, UnfitError

RECIPES = [
    Recipe(
        content=Content(subjects=("birth cohort",), names=7, edges=10),
        layout="placed by hand, arrows(length = 0.1)",
        seed=13100,
        look={"columns": 3, "step": (2.3, 1.3)},
    ),
    Recipe(
        content=Content(subjects=("public health",), names=12, edges=16),
        layout="placed by hand, arrows() with all defaults (length = 0.25)",
        seed=13200,
        look={"columns": 4, "step": (2.1, 1.4), "length": 0.25, "wrap": 13},
    ),
    Recipe(
        content=Content(subjects=("bank",), names=11, edges=15, signed=1.0, delayed=0.15),
        layout="placed by hand, bent lines, signs near the tips",
        seed=13300,
        look={"columns": 4, "step": (2.2, 1.5), "bend": 16, "sign": 0.8, "wrap": 12},
    ),
    Recipe(
        content=Content(subjects=("birth cohort", "school"), names=10, edges=14, spelt="snake"),
        layout="placed by hand, gray arrows as the package dagitty draws them",
        seed=13400,
        look={"columns": 3, "step": (2.5, 1.2), "colour": "gray", "gap": 0.08},
    ),
    Recipe(
        content=Content(subjects=("fishery",), names=14, edges=19, signed=0.8, dashed=0.2),
        layout="placed by hand, bent lines, colours by sign, dashed",
        seed=13500,
        look={
            "columns": 4,
            "step": (2.3, 1.5),
            "bend": -14,
            "sign": 0.5,
            "colour": "by sign",
            "wrap": 12,
        },
    ),
    Recipe(
        content=Content(subjects=("city",), names=9, edges=12, spelt="lower", mutual=2),
        layout="placed by hand, serif, heavy lines, bent",
        seed=13600,
        look={"columns": 3, "step": (2.4, 1.5), "bend": 12, "family": "serif", "lwd": 2, "cex": 1.2, "wrap": 12},
    ),
    Recipe(
        content=Content(subjects=("climate",), names=13, edges=18),
        layout="placed by hand, small letters, arrows(angle = 20, length = 0.12)",
        seed=13700,
        look={"columns": 4, "step": (1.8, 1.2), "length": 0.12, "angle": 20, "cex": 0.8, "wrap": 13, "lwd": 1.2},
    ),
    Recipe(
        content=Content(subjects=("platform",), names=8, edges=10, worded=0.3, signed=0.6),
        layout="placed by hand, arrows(length = 0.15), words and signs at the middles",
        seed=13800,
        look={"columns": 3, "step": (2.6, 1.4), "length": 0.15, "sign": 0.5, "wrap": 12},
    ),
]
MARGIN = 1.0  # inches
SCRIPT = """pdf("figure.pdf", width = {width:.2f}, height = {height:.2f})
par(mar = c(0, 0, 0, 0), family = "{family}", cex = {cex})
plot.new()
plot.window(xlim = c(0, {width:.2f}), ylim = c(0, {height:.2f}), xaxs = "i", yaxs = "i")
x <- c({x})
y <- c({y})
name <- c({names})
w <- strwidth(name) / 2 + {gap}
h <- strheight(name) / 2 + {gap}
text(x, y, name)
edge <- function(a, b, px, py, col, lty) {{
  out <- (abs(px - x[a]) > w[a] | abs(py - y[a]) > h[a]) & (abs(px - x[b]) > w[b] | abs(py - y[b]) > h[b])
  px <- px[out]
  py <- py[out]
  n <- length(px)
{draw}
}}
{edges}
{signs}
invisible(dev.off())
"""
STRAIGHT = "  arrows(px[1], py[1], px[n], py[n], length = {length}, angle = {angle}, col = col, lty = lty, lwd = {lwd})"
BENT = """  lines(px, py, col = col, lty = lty, lwd = {lwd})
  arrows(px[n - 1], py[n - 1], px[n], py[n], length = {length}, angle = {angle}, col = col, lwd = {lwd})"""
COLOURS = {"+": "blue", "-": "red", "": "black"}


def version() -> str:
    said = subprocess.run(["R", "--version"], capture_output=True, text=True, check=True).stdout
    return " ".join(said.split()[:3])


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    places = by_hand(one, look["columns"], look["step"], rounds=2500)
    left, top = min(x for x, _ in places) - MARGIN, min(y for _, y in places) - MARGIN / 2
    places = [(x - left, y - top) for x, y in places]
    width, height = max(x for x, _ in places) + MARGIN, max(y for _, y in places) + MARGIN / 2
    cex = look.get("cex", 1)
    texts = [wrapped(name, look.get("wrap", 99)) for name in one.names]
    halves = [(0.05 * cex * max(map(len, lines)) + 0.1, 0.085 * cex * len(lines) + 0.08) for lines in texts]
    lines = [_fine(places[edge.source], places[edge.sink], look.get("bend", 0)) for edge in one.edges]
    words = [label(edge, "-") for edge in one.edges]
    pairs = [(edge.source, edge.sink) for edge in one.edges]
    coarse = [line[::8] for line in lines]
    if count := unclear(coarse, places, pairs, halves):
        raise UnfitError(f"{count} lines run through a name or along each other")
    away = [0.13 + 0.035 * (len(text) - 1) if text else 0.0 for text in words]
    signs = beside(coarse, away, look.get("sign", 0.5), places, halves)
    edges = []
    for edge, line in zip(one.edges, lines, strict=True):
        colour = COLOURS[edge.sign] if look.get("colour") == "by sign" else look.get("colour", "black")
        px, py = _vector(x for x, _ in line), _vector(height - y for _, y in line)
        edges.append(f'edge({edge.source + 1}, {edge.sink + 1}, {px}, {py}, "{colour}", {2 if edge.dashed else 1})')
    written = [
        f'text({sign[0]:.3f}, {height - sign[1]:.3f}, "{text}")'
        for sign, text in zip(signs, words, strict=True)
        if sign is not None
    ]
    style = {"length": look.get("length", 0.1), "angle": look.get("angle", 30), "lwd": look.get("lwd", 1)}
    script = SCRIPT.format(
        width=width,
        height=height,
        family=look.get("family", ""),
        cex=cex,
        x=", ".join(f"{x:.3f}" for x, _ in places),
        y=", ".join(f"{height - y:.3f}" for _, y in places),
        names=", ".join('"' + "\\n".join(lines) + '"' for lines in texts),
        gap=look.get("gap", 0.1),
        draw=(BENT if look.get("bend") else STRAIGHT).format(**style),
        edges="\n".join(edges),
        signs="\n".join(written),
    )
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "figure.R").write_text(script, encoding="utf-8")
        subprocess.run(["Rscript", "--vanilla", "figure.R"], cwd=folder, check=True, capture_output=True, timeout=60)
        path.write_bytes((Path(folder) / "figure.pdf").read_bytes())


def _fine(a: Point, b: Point, degrees: float) -> list[Point]:
    """193 points of a bent or straight line: base graphics draw a curve as short lines."""
    coarse = bent(a, b, degrees)
    return [
        (p[0] + (q[0] - p[0]) * part / 8, p[1] + (q[1] - p[1]) * part / 8)
        for p, q in itertools.pairwise(coarse)
        for part in range(8)
    ] + [coarse[-1]]


def _vector(numbers: Any) -> str:
    return f"c({', '.join(f'{number:.3f}' for number in numbers)})"

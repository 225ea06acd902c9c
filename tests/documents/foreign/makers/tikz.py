"""TikZ figures by pdflatex: Computer Modern, the tips `->`, Stealth and Latex, as the manual's first chapters draw."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from content import Content, Diagram, Edge, wrapped
from places import Point, by_hand, hidden
from recipes import Recipe, UnfitError

RECIPES = [
    Recipe(
        content=Content(subjects=("epidemic",), names=11, edges=15, signed=0.9, dashed=0.15),
        layout="placed by hand, straight edges",
        seed=1104,
        look={"node": "draw, rounded corners", "edge": "-{Stealth}", "columns": 4, "step": (3.6, 2.1), "wrap": 12},
    ),
    Recipe(
        content=Content(subjects=("economy",), names=12, edges=17, spelt="lower"),
        layout="placed by hand, bend left",
        seed=1214,
        look={"node": "draw, ellipse", "edge": "->, bend left=18", "columns": 4, "step": (3.9, 2.6), "wrap": 11},
    ),
    Recipe(
        content=Content(subjects=("fishery", "water"), names=13, edges=18, signed=1.0, delayed=0.2),
        layout="placed by hand, bend left and right, bare names",
        seed=1302,
        look={
            "node": "",
            "edge": "-{Latex}, thick, bend left=14",
            "columns": 4,
            "step": (3.8, 2.3),
            "wrap": 12,
            "colour": True,
            "sign": "pos=0.85, auto",
            "minus": "$-$",
        },
    ),
    Recipe(
        content=Content(subjects=("school",), names=14, edges=19, worded=0.25, dashed=0.3),
        layout="placed by hand, filled boxes of one width",
        seed=1400,
        look={
            "node": "draw, fill=blue!10, text width=2.2cm, minimum height=1cm",
            "edge": "-stealth",
            "columns": 4,
            "step": (3.9, 2.3),
            "wrap": 99,
            "sign": "midway, fill=white, inner sep=1pt",
        },
    ),
    Recipe(
        content=Content(subjects=("public health",), names=12, edges=17),
        layout="placed by hand, dots with labels above or below",
        seed=1501,
        look={"node": "dot", "edge": "->, >=stealth, thick", "columns": 4, "step": (4.2, 2.3), "wrap": 99},
    ),
    Recipe(
        content=Content(subjects=("hospital",), names=12, edges=15, signed=0.7, groups=("Inflow", "Wards")),
        layout="placed by hand in two frames (fit library)",
        seed=1603,
        look={
            "node": "draw, rectangle",
            "edge": "->, >=Latex, bend right=8",
            "columns": 4,
            "step": (3.7, 2.4),
            "wrap": 11,
        },
    ),
    Recipe(
        content=Content(subjects=("climate",), names=14, edges=18, signed=1.0),
        layout="placed by hand, circles, coloured edges",
        seed=1703,
        look={
            "node": "draw, circle, text width=1.5cm, inner sep=1pt, font=\\footnotesize",
            "edge": "-{Stealth[length=3mm]}, bend left=12",
            "columns": 4,
            "step": (3.6, 3.1),
            "wrap": 9,
            "colour": True,
        },
    ),
]
PAGE = r"""\documentclass{article}
\usepackage{tikz}
\usetikzlibrary{arrows.meta,shapes.geometric,fit,backgrounds,positioning}
\newbox\drawn
\begin{document}
\setbox\drawn=\hbox{\begin{tikzpicture}[every node/.style={align=center}]
%s
\end{tikzpicture}}
\pdfhorigin=5mm \pdfvorigin=5mm
\pdfpagewidth=\dimexpr\wd\drawn+10mm\relax
\pdfpageheight=\dimexpr\ht\drawn+\dp\drawn+10mm\relax
\shipout\box\drawn
\end{document}
"""


def version() -> str:
    said = subprocess.run(["pdflatex", "--version"], capture_output=True, text=True, check=True).stdout
    return f"TikZ 3.1.10, {said.splitlines()[0]}"


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    places = by_hand(one, look["columns"], look["step"], rounds=2500)
    _refuse_hidden(one, look, places)
    lines = []
    for place, (name, (x, y)) in enumerate(zip(one.names, places, strict=True)):
        text = r"\\".join(wrapped(name, look["wrap"])) if look["wrap"] < 99 else name
        if look["node"] == "dot":
            side = "above" if place % 3 else "below"
            lines.append(
                rf"\node[circle,fill,inner sep=2pt,label={{{side}:{text}}}] (n{place}) at ({x:.2f},{-y:.2f}) {{}};"
            )
        else:
            lines.append(rf"\node[{look['node']}] (n{place}) at ({x:.2f},{-y:.2f}) {{{text}}};")
    lines += [_edge(edge, look) for edge in one.edges]
    for name, members in one.groups.items():
        nodes = "".join(f"(n{place})" for place in members)
        lines.append(
            rf"\begin{{scope}}[on background layer]\node[draw,dotted,fit={nodes},label=above:{{\itshape {name}}}] {{}};\end{{scope}}"
        )
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "figure.tex"
        source.write_text(PAGE % "\n".join(lines), encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
        path.write_bytes(source.with_suffix(".pdf").read_bytes())


def _refuse_hidden(one: Diagram, look: Mapping[str, Any], places: Sequence[Point]) -> None:
    """Raises UnfitError where a line would run through a third name."""
    texts = [wrapped(name, min(look["wrap"], 14)) for name in one.names]
    halves = [(0.11 * max(map(len, lines)) + 0.25, 0.25 * len(lines) + 0.2) for lines in texts]
    halves = [(0.9, 0.9)] * len(halves) if "circle" in look["node"] else halves
    halves = [(0.3, 0.3)] * len(halves) if look["node"] == "dot" else halves
    found = re.search(r"bend (left|right)=(\d+)", look["edge"])
    bend = float(found[2]) * (1 if found[1] == "left" else -1) if found else 0.0
    count = hidden(places, [(edge.source, edge.sink) for edge in one.edges], halves, bend)
    if count:
        raise UnfitError(f"{count} lines run through a name or along each other")


def _edge(edge: Edge, look: Mapping[str, Any]) -> str:
    style = look["edge"] + (", dashed" if edge.dashed else "")
    if look.get("colour") and edge.sign:
        style += ", red!70!black" if edge.sign == "-" else ", blue!70!black"
    sign = look.get("minus", "$-$") if edge.sign == "-" else edge.sign and "$+$"
    words = [rf"node[{look.get('sign', 'midway, auto')}, font=\small] {{{text}}}" for text in (sign, edge.word) if text]
    words += [r"node[midway, sloped] {$\parallel$}"] if edge.delay else []
    return rf"\draw[{style}] (n{edge.source}) to {' '.join(words)} (n{edge.sink});".replace(
        f"[{style}]", f"[{_drawn(style)}]"
    ).replace(") to ", f") to[{_bend(style)}] ")


def _drawn(style: str) -> str:
    return ", ".join(part for part in style.split(", ") if not part.startswith("bend"))


def _bend(style: str) -> str:
    return ", ".join(part for part in style.split(", ") if part.startswith("bend"))

"""MetaPost figures: names that are boxes of the macro package boxes without their rims (drawunboxed), joined by
drawarrow lines cut at them, as its manual draws graphs. Computer Modern."""

from __future__ import annotations

import math
import re
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from content import Content, Diagram, Edge, label, wrapped
from places import bent, beside, by_hand, unclear
from recipes import Recipe, UnfitError

RECIPES = [
    Recipe(
        content=Content(subjects=("energy",), names=9, edges=12),
        layout="placed by hand, straight, all defaults",
        seed=14100,
        look={"columns": 3, "step": (130, 65)},
    ),
    Recipe(
        content=Content(subjects=("hospital",), names=12, edges=16, signed=1.0),
        layout="placed by hand, curves, signs near the tips",
        seed=14200,
        look={"columns": 4, "step": (120, 85), "bend": 20, "sign": 0.8, "wrap": 12},
    ),
    Recipe(
        content=Content(subjects=("farming",), names=8, edges=10, mutual=2, spelt="lower"),
        layout="placed by hand, strongly curved",
        seed=14300,
        look={"columns": 3, "step": (135, 85), "bend": 30, "wrap": 11},
    ),
    Recipe(
        content=Content(subjects=("software",), names=14, edges=19, dashed=0.25),
        layout="placed by hand, straight, pickup pencircle scaled 1, dashed evenly",
        seed=14400,
        look={"columns": 4, "step": (125, 80), "pen": 1, "wrap": 13},
    ),
    Recipe(
        content=Content(subjects=("economy",), names=11, edges=15, signed=0.9, delayed=0.15),
        layout="placed by hand, curves, colours by sign, ahlength 6bp",
        seed=14500,
        look={"columns": 4, "step": (130, 85), "bend": -15, "sign": 0.5, "colour": True, "head": 6, "wrap": 12},
    ),
    Recipe(
        content=Content(subjects=("security",), names=6, edges=8),
        layout="placed by hand, straight, large letters",
        seed=14600,
        look={"columns": 3, "step": (165, 85), "font": "\\Large", "wrap": 12},
    ),
    Recipe(
        content=Content(subjects=("water",), names=13, edges=17, signed=0.5, worded=0.3),
        layout="placed by hand, slight curves, small letters, signs and words at the middles",
        seed=14700,
        look={"columns": 4, "step": (125, 85), "bend": 10, "font": "\\small", "sign": 0.5, "wrap": 12},
    ),
]
FIGURE = """prologues := 3;
outputtemplate := "figure.mps";
verbatimtex
\\documentclass{article}
\\begin{document}
etex
input boxes;
beginfig(1);
%s
endfig;
end
"""
PAGE = r"""\documentclass{article}
\usepackage{graphicx}
\DeclareGraphicsRule{.mps}{mps}{*}{}
\newbox\drawn
\begin{document}
\setbox\drawn=\hbox{\includegraphics{figure.mps}}
\pdfhorigin=5mm \pdfvorigin=5mm
\pdfpagewidth=\dimexpr\wd\drawn+10mm\relax
\pdfpageheight=\dimexpr\ht\drawn+\dp\drawn+10mm\relax
\shipout\box\drawn
\end{document}
"""
WIDTHS = {"\\Large": 7.4, "\\small": 4.6, "": 5.2}  # points of a letter


def version() -> str:
    said = subprocess.run(["mpost", "--version"], capture_output=True, text=True, check=True).stdout
    return said.splitlines()[0]


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    places = by_hand(one, look["columns"], look["step"], rounds=2500)
    font, bend = look.get("font", ""), look.get("bend", 0)
    texts = [wrapped(name, look.get("wrap", 99)) for name in one.names]
    letter = WIDTHS[font]
    halves = [(letter * max(map(len, lines)) / 2 + 6, 1.2 * letter * len(lines) + 5) for lines in texts]
    lines = [bent(places[edge.source], places[edge.sink], bend) for edge in one.edges]
    words = [label(edge, "$-$", r"$\parallel$").replace("+", "$+$") for edge in one.edges]
    pairs = [(edge.source, edge.sink) for edge in one.edges]
    if count := unclear(lines, places, pairs, halves):
        raise UnfitError(f"{count} lines run through a name or along each other")
    away = [7 + 1.5 * (len(re.sub(r"\W|parallel", "", text) or "x") - 1) if text else 0.0 for text in words]
    signs = beside(lines, away, look.get("sign", 0.5), places, halves)
    said = [f"pickup pencircle scaled {look['pen']};"] if "pen" in look else []
    said += [f"ahlength := {look['head']}bp;"] if "head" in look else []
    for at, ((x, y), text) in enumerate(zip(places, texts, strict=True)):
        name = text[0] if len(text) == 1 else r"\shortstack{" + r"\\".join(text) + "}"
        said.append(f"boxit.b{_letters(at)}(btex {font} {name} etex); b{_letters(at)}.c = ({x:.1f}, {-y:.1f});")
    said.append(f"drawunboxed({', '.join(f'b{_letters(at)}' for at in range(len(texts)))});")
    said += [_arrow(edge, places, bend, bool(look.get("colour"))) for edge in one.edges]
    said += [
        f"label(btex {text} etex, ({sign[0]:.1f}, {-sign[1]:.1f}));"
        for sign, text in zip(signs, words, strict=True)
        if sign is not None
    ]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "figure.mp").write_text(FIGURE % "\n".join(said), encoding="utf-8")
        (Path(folder) / "page.tex").write_text(PAGE, encoding="utf-8")
        for command in (
            ["mpost", "-tex=latex", "-interaction=nonstopmode", "-halt-on-error", "figure.mp"],
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        ):
            subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
        path.write_bytes((Path(folder) / "page.pdf").read_bytes())


def _arrow(edge: Edge, places: Any, bend: float, is_coloured: bool) -> str:
    (ax, ay), (bx, by) = places[edge.source], places[edge.sink]
    away = math.degrees(math.atan2(ay - by, bx - ax))
    one, other = f"b{_letters(edge.source)}", f"b{_letters(edge.sink)}"
    line = f"{one}.c{{dir {away + bend:.1f}}}..{{dir {away - bend:.1f}}}{other}.c" if bend else f"{one}.c--{other}.c"
    style = " dashed evenly" if edge.dashed else ""
    if is_coloured and edge.sign:
        style += " withcolor red" if edge.sign == "-" else " withcolor blue"
    return f"drawarrow {line} cutbefore bpath.{one} cutafter bpath.{other}{style};"


def _letters(number: int) -> str:
    """MetaPost's names may hold no digits that are not indices."""
    return "abcdefghijklmnopqrst"[number]

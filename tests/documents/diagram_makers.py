"""Writes random diagrams with known edges: `diagram_makers.py FOLDER FIRST LAST [MAKER...]`, one PDF per maker and
style with a page per seed, and truth.json; of all makers if none is named. Each draws as one family of programs does;
nothing is shared with the code under test. Run as a program: the tests' own process never imports the PDF library.
"""

import json
import random
import sys
from pathlib import Path

from diagram_layouts import Canvas, Truth
from diagram_office import office_like
from diagram_programs import GRAPHVIZ, HIGH, MATPLOTLIB, WIDE, graphviz, matplotlib
from diagram_tikz import tikz_like
from diagram_vensim import vensim_like
from layoutless import pymupdf

PROGRAMS = {"Graphviz": (graphviz, GRAPHVIZ), "Matplotlib": (matplotlib, MATPLOTLIB)}
DRAWN = {
    "Vensim-like": (vensim_like, ("filled", "dashed, coloured", "pieces", "letters")),
    "TikZ-like": (tikz_like, ("stealth", "latex", "open", "dashed, coloured")),
    "slides-like": (office_like, ("outline", "block", "elbow", "one stroke")),
}


def drawn_cell(name: str, style: str, seeds: range, path: Path) -> list[Truth]:
    make, _ = DRAWN[name]
    document, truths = pymupdf.open(), []
    for seed in seeds:
        truths.append(make(Canvas(document, WIDE, HIGH), random.Random(f"{name} {style} {seed}"), style))
    document.save(path)
    return truths


def cell(name: str, style: str, seeds: range, path: Path) -> list[Truth]:
    """Write one PDF, a page per seed; returns the pages' edges."""
    if name in PROGRAMS:
        return PROGRAMS[name][0](style, seeds, path)
    return drawn_cell(name, style, seeds, path)


def main() -> None:
    folder, seeds = Path(sys.argv[1]), range(int(sys.argv[2]), int(sys.argv[3]) + 1)
    cells, wanted = {}, sys.argv[4:] or [*PROGRAMS, *DRAWN]
    for name in wanted:
        _, styles = (PROGRAMS | DRAWN)[name]
        for style in styles:
            file = f"{name} {style}.pdf".replace("/", "-")
            cells[f"{name}|{style}"] = {"file": file, "pages": cell(name, style, seeds, folder / file)}
    (folder / "truth.json").write_text(json.dumps(cells, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()

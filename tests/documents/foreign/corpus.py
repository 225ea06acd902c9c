"""The foreign corpus: figures that programs other than ours drew, with what each says. How they were made is told in
makers/README.md; damaged.py makes pictures and scans of them.

Rules for reading figures may be written and tuned on the development part only. The proof part is for scores.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from tests.documents.diagram_scores import TrueEdge

HERE = Path(__file__).parent
FIGURES = HERE / "figures"
SPLIT = HERE / "split.json"
SPLIT_SEED = 20
FAMILIES = {
    "cytoscape": "Cytoscape.js",
    "d3": "D3",
    "draw": "LibreOffice Draw",
    "drawio": "mxGraph (draw.io)",
    "graphviz": "Graphviz",
    "igraph_cairo": "igraph",
    "inkscape": "Inkscape",
    "mermaid": "Mermaid",
    "metapost": "MetaPost",
    "networkx_matplotlib": "NetworkX",
    "powerpoint": "PowerPoint",
    "r_base": "R",
    "tikz": "TikZ",
    "visjs": "vis.js",
}
"""The names of the families by the beginning of their files."""

Part = Literal["development", "proof"]


@dataclass(frozen=True, kw_only=True)
class ForeignFigure:
    """One page with one figure. `names`, `edges` and `groups` (titles of frames, which are no names) are as printed;
    `edge_words` stand at lines and are neither names nor signs."""

    stem: str
    family: str
    part: Part
    program: str
    layout: str
    names: tuple[str, ...]
    edges: tuple[TrueEdge, ...]
    groups: tuple[str, ...]
    edge_words: tuple[str, ...]

    @property
    def path(self) -> Path:
        return FIGURES / f"{self.stem}.pdf"


@cache
def figures(part: Part | None = None) -> tuple[ForeignFigure, ...]:
    """All figures, or those of a part, by file name."""
    parts: dict[str, Part] = json.loads(SPLIT.read_text(encoding="utf-8"))
    every = (_figure(path, parts[path.stem]) for path in sorted(FIGURES.glob("*.json")))
    return tuple(one for one in every if part is None or one.part == part)


def _figure(path: Path, part: Part) -> ForeignFigure:
    truth: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    edges = (TrueEdge(one["source"], one["sink"], one["sign"] or "", one["delay"]) for one in truth["edges"])
    return ForeignFigure(
        stem=path.stem,
        family=FAMILIES[truth["family"]],
        part=part,
        program=truth["program"],
        layout=truth["layout"],
        names=tuple(truth["names"]),
        edges=tuple(edges),
        groups=tuple(truth["groups"]),
        edge_words=tuple(truth["edge_words"]),
    )


def parted(stems: list[str]) -> dict[str, Part]:
    """The part of each figure: of every family half (rounded down) is for development, drawn by a hash of seed and
    file name."""
    by_family: dict[str, list[str]] = {}
    for stem in stems:
        by_family.setdefault(stem.rpartition("-")[0], []).append(stem)
    parts: dict[str, Part] = {}
    for members in by_family.values():
        drawn = sorted(members, key=lambda stem: sha256(f"{SPLIT_SEED}:{stem}".encode()).hexdigest())
        parts.update({stem: "development" if at < len(drawn) // 2 else "proof" for at, stem in enumerate(drawn)})
    return dict(sorted(parts.items()))


if __name__ == "__main__":
    text = json.dumps(parted([path.stem for path in FIGURES.glob("*.json")]), indent=1)
    SPLIT.write_text(text + "\n", encoding="utf-8")

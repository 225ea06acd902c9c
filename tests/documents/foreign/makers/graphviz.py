"""Graphviz figures (dot, neato, fdp, circo, sfdp) with its own fonts, arrows and routing of edges."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from content import Content, Diagram, label, wrapped
from recipes import Recipe

RECIPES = [
    Recipe(
        content=Content(subjects=("energy",), names=12, edges=16, dashed=0.2),
        layout="dot, all defaults",
        seed=2100,
        look={"engine": "dot"},
    ),
    Recipe(
        content=Content(subjects=("hospital",), names=15, edges=20, signed=0.9, groups=("Intake", "Stay")),
        layout="dot, rankdir=LR, two clusters",
        seed=2205,
        look={"engine": "dot", "graph": "rankdir=LR", "node": "shape=box", "wrap": 12},
    ),
    Recipe(
        content=Content(subjects=("platform",), names=14, edges=19, signed=0.8, spelt="lower"),
        layout="neato, overlap=false, splines=true",
        seed=2302,
        look={
            "engine": "neato",
            "graph": 'overlap=false; splines=true; sep="+20"',
            "node": "shape=box, style=rounded",
            "wrap": 11,
        },
    ),
    Recipe(
        content=Content(subjects=("farming",), names=13, edges=17, worded=0.3),
        layout="fdp, straight edges, bare names",
        seed=2400,
        look={
            "engine": "fdp",
            "graph": "K=1.6; overlap=false; splines=true",
            "node": "shape=plaintext, fontname=Helvetica",
            "edge": "arrowhead=vee, fontsize=10",
        },
    ),
    Recipe(
        content=Content(subjects=("software", "platform"), names=22, edges=30, signed=0.6, delayed=0.1, dashed=0.2),
        layout="dot, filled ellipses, coloured edges",
        seed=2500,
        look={
            "engine": "dot",
            "node": 'style=filled, fillcolor=lightblue, fontname="Arial"',
            "colour": True,
            "wrap": 14,
            "minus": "-",
        },
    ),
    Recipe(
        content=Content(subjects=("city",), names=12, edges=15, mutual=2),
        layout="circo, circles",
        seed=2600,
        look={"engine": "circo", "node": "shape=circle, fixedsize=true, width=1.1, fontsize=11", "wrap": 9},
    ),
    Recipe(
        content=Content(subjects=("security",), names=10, edges=13, delayed=0.15, signed=0.5),
        layout="dot, dots with outer labels (xlabel)",
        seed=2700,
        look={
            "engine": "dot",
            "graph": "forcelabels=true; nodesep=1.1; ranksep=0.8",
            "node": "shape=point, width=0.12",
            "label": "xlabel",
        },
    ),
    Recipe(
        content=Content(subjects=("water", "farming"), names=30, edges=42, signed=0.5),
        layout="dot, large, boxes without rim, Helvetica",
        seed=2800,
        look={"engine": "dot", "node": "shape=plain, fontname=Helvetica, margin=0.1", "edge": "arrowsize=0.8"},
    ),
]
PAINTS = {"+": "forestgreen", "-": "firebrick", "": "gray30"}


def version() -> str:
    said = subprocess.run(["dot", "-V"], capture_output=True, text=True, check=True).stderr
    return said.strip().replace("dot - ", "")


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    lines = ["digraph {", look.get("graph", ""), f"node [{look.get('node', '')}];", f"edge [{look.get('edge', '')}];"]
    for place, name in enumerate(one.names):
        text = "\\n".join(wrapped(name, look.get("wrap", 99)))
        lines.append(f'n{place} [{look.get("label", "label")}="{text}"];')
    for number, (name, members) in enumerate(one.groups.items()):
        inside = " ".join(f"n{place};" for place in members)
        lines.append(f'subgraph cluster_{number} {{ label="{name}"; {inside} }}')
    for edge in one.edges:
        kept = {"label": label(edge, look.get("minus", "−")), "style": "dashed" if edge.dashed else ""}
        kept["color"] = PAINTS[edge.sign] if look.get("colour") else ""
        listed = ", ".join(f'{key}="{value}"' for key, value in kept.items() if value)
        lines.append(f"n{edge.source} -> n{edge.sink} [{listed}];")
    text = "\n".join([*lines, "}"])
    command = [look["engine"], "-Tpdf", f"-Gstart={one.seed}"]
    path.write_bytes(subprocess.run(command, input=text.encode(), capture_output=True, check=True, timeout=60).stdout)

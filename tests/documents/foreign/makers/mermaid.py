"""Mermaid flowcharts printed by Chromium: the default theme, its dagre layout, its curved edges and shaded boxes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import chromium
from content import Content, Diagram, Edge, label
from recipes import Recipe

RECIPES = [
    Recipe(
        content=Content(subjects=("public health",), names=10, edges=13),
        layout="dagre, graph TD, all defaults",
        seed=4100,
        look={"head": "flowchart TD"},
    ),
    Recipe(
        content=Content(subjects=("software",), names=13, edges=17, signed=0.8, dashed=0.3),
        layout="dagre, graph LR, dotted edges",
        seed=4200,
        look={"head": "flowchart LR", "shape": "([{}])"},
    ),
    Recipe(
        content=Content(
            subjects=("hospital",), names=14, edges=18, worded=0.2, groups=("Before admission", "On the ward")
        ),
        layout="dagre, graph TB, two subgraphs",
        seed=4300,
        look={"head": "flowchart TB", "shape": "({})"},
    ),
    Recipe(
        content=Content(subjects=("energy",), names=12, edges=15, signed=1.0, delayed=0.2),
        layout="dagre, graph TD, neutral theme, straight edges (curve linear)",
        seed=4400,
        look={"head": "flowchart TD", "config": {"theme": "neutral", "flowchart": {"curve": "linear"}}},
    ),
    Recipe(
        content=Content(subjects=("city", "security"), names=18, edges=24, dashed=0.15),
        layout="dagre, graph LR, forest theme, thick edges",
        seed=4500,
        look={"head": "flowchart LR", "config": {"theme": "forest"}, "thick": True},
    ),
    Recipe(
        content=Content(subjects=("farming",), names=11, edges=14, mutual=1, signed=0.5),
        layout="dagre, graph BT, base theme, coloured by linkStyle, circles",
        seed=4600,
        look={"head": "flowchart BT", "config": {"theme": "base"}, "shape": "(({}))", "colour": True, "break": True},
    ),
    Recipe(
        content=Content(subjects=("hospital", "public health"), names=26, edges=34, dashed=0.1),
        layout="dagre, graph TD, large, all defaults",
        seed=4700,
        look={"head": "flowchart TD"},
    ),
]
PROGRAM = """
mermaid.initialize({startOnLoad: false, ...given.config});
const {svg} = await mermaid.render('drawn', given.text);
document.getElementById('figure').innerHTML = svg;
const drawn = document.querySelector('#figure svg');
const box = drawn.viewBox.baseVal;
drawn.setAttribute('width', box.width); drawn.setAttribute('height', box.height); drawn.style.maxWidth = 'none';
"""


def version() -> str:
    return chromium.version("mermaid")


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    shape = look.get("shape", "[{}]")
    lines = [look["head"]]
    for place, name in enumerate(one.names):
        text = name.replace(" ", "<br>") if look.get("break") else name
        lines.append(f"  n{place}" + shape.format(f'"{text}"'))
    for number, (name, members) in enumerate(one.groups.items()):
        lines += [f'  subgraph g{number} ["{name}"]', *(f"    n{place}" for place in members), "  end"]
    lines += [_edge(edge, look) for edge in one.edges]
    if look.get("colour"):
        for place, edge in enumerate(one.edges):
            if edge.sign:
                lines.append(f"  linkStyle {place} stroke:{'#c0392b' if edge.sign == '-' else '#27ae60'}")
    given = {"text": "\n".join(lines), "config": look.get("config", {})}
    body = "<div id='figure' style='display: inline-block; padding: 6px'></div>"
    chromium.printed(path, ["mermaid/dist/mermaid.min.js"], body, PROGRAM, given, (1600, 1200))


def _edge(edge: Edge, look: Mapping[str, Any]) -> str:
    text = label(edge, delay="∥")
    arrow = "-.->" if edge.dashed else "==>" if look.get("thick") else "-->"
    return f"  n{edge.source} {arrow}" + (f'|"{text}"|' if text else "") + f" n{edge.sink}"

"""Cytoscape.js figures: its default look and layouts (cose, dagre, fcose, breadthfirst, circle). It draws on a canvas;
as its users do, the vector file is written by the extension cytoscape-svg, and Chromium prints that SVG."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import chromium
from content import Content, Diagram, label
from places import doubts
from recipes import Recipe, UnfitError

ARROWS = {"curve-style": "bezier", "target-arrow-shape": "triangle", "label": "data(label)"}
GREY = {"line-color": "#ccc", "target-arrow-color": "#ccc", "width": 3}
BOXES = {
    "shape": "round-rectangle",
    "width": 96,
    "height": 34,
    "text-valign": "center",
    "background-color": "#dfe9f3",
    "border-width": 1,
    "border-color": "#345",
    "font-size": 11,
    "text-wrap": "wrap",
    "text-max-width": 90,
}
RECIPES = [
    Recipe(
        content=Content(subjects=("climate",), names=11, edges=14),
        layout="cose, the look of the first example: grey discs with labels above, grey edges",
        seed=8100,
        look={
            "layout": {"name": "cose", "idealEdgeLength": 90, "nodeRepulsion": 900000},
            "edge": GREY,
            "node": {"background-color": "#666"},
        },
    ),
    Recipe(
        content=Content(subjects=("hospital",), names=13, edges=17, signed=1.0, tree=True),
        layout="dagre, round rectangles",
        seed=8204,
        look={
            "layout": {"name": "dagre", "nodeSep": 40, "rankSep": 60},
            "node": BOXES,
            "edge": {"width": 1.5, "font-size": 12, "text-background-color": "white", "text-background-opacity": 1},
        },
    ),
    Recipe(
        content=Content(subjects=("fishery", "farming"), names=16, edges=21, dashed=0.25),
        layout="fcose, labels below, coloured nodes",
        seed=8301,
        look={
            "layout": {"name": "fcose", "idealEdgeLength": 120, "nodeSeparation": 150},
            "node": {
                "text-valign": "bottom",
                "font-size": 12,
                "background-color": "#11479e",
                "width": 22,
                "height": 22,
            },
            "edge": {"width": 2, "line-color": "#9dbaea", "target-arrow-color": "#9dbaea"},
        },
    ),
    Recipe(
        content=Content(
            subjects=("security",), names=12, edges=15, signed=0.8, delayed=0.15, groups=("Street", "State")
        ),
        layout="fcose, two compound nodes",
        seed=8401,
        look={
            "layout": {"name": "fcose", "idealEdgeLength": 110, "nodeSeparation": 130},
            "node": BOXES,
            "edge": {
                "width": 1.5,
                "line-color": "#333",
                "target-arrow-color": "#333",
                "font-size": 12,
                "text-margin-y": -8,
            },
        },
    ),
    Recipe(
        content=Content(subjects=("platform",), names=12, edges=16, mutual=2, spelt="lower"),
        layout="circle, ellipses, curved twin edges",
        seed=8501,
        look={
            "layout": {"name": "circle", "radius": 260},
            "edge": {"width": 1, "line-color": "black", "target-arrow-color": "black", "target-arrow-shape": "vee"},
            "node": {
                "shape": "ellipse",
                "width": 110,
                "height": 42,
                "text-valign": "center",
                "font-size": 11,
                "background-color": "white",
                "border-width": 1,
            },
            "near": 42,
        },
    ),
    Recipe(
        content=Content(subjects=("energy",), names=13, edges=16, signed=0.7),
        layout="breadthfirst, unbundled-bezier edges coloured by sign, labels right of dots",
        seed=8612,
        look={
            "layout": {"name": "breadthfirst", "directed": True, "spacingFactor": 1.9},
            "node": {
                "width": 14,
                "height": 14,
                "text-halign": "right",
                "text-valign": "center",
                "text-margin-x": 5,
                "font-size": 13,
                "background-color": "black",
            },
            "edge": {"width": 2, "line-color": "data(paint)", "target-arrow-color": "data(paint)", "arrow-scale": 1.2},
            "near": 16,
        },
    ),
    Recipe(
        content=Content(subjects=("software", "platform"), names=24, edges=30),
        layout="fcose, large, discs with labels above, all other looks by default",
        seed=8700,
        look={"layout": {"name": "fcose", "idealEdgeLength": 110, "nodeSeparation": 150}, "near": 24},
    ),
]
PROGRAM = """
const {names, edges, groups, look, seed} = given;
let state = seed;
Math.random = () => { state = (state * 1664525 + 1013904223) % 4294967296; return state / 4294967296; };
const parent = i => { const g = groups.findIndex(m => m[1].includes(i)); return g < 0 ? undefined : 'g' + g; };
const cy = cytoscape({
  container: document.getElementById('canvas'),
  elements: [
    ...groups.map(([label], g) => ({data: {id: 'g' + g, label}})),
    ...names.map((label, i) => ({data: {id: 'n' + i, label, parent: parent(i)}})),
    ...edges.map((e, i) => ({data: {id: 'e' + i, ...e}, classes: e.dashed ? 'dashed' : ''}))],
  style: [
    {selector: 'node', style: {label: 'data(label)'}},
    {selector: 'node:childless', style: look.node ?? {}},
    {selector: ':parent', style: {'background-opacity': 0.15, 'border-width': 1, 'text-valign': 'top', padding: '14px'}},
    {selector: 'edge', style: {...given.arrows, ...look.edge}},
    {selector: 'edge.dashed', style: {'line-style': 'dashed'}}],
  layout: {name: 'null'}});
await new Promise(done => { const l = cy.layout({animate: false, randomize: true, ...look.layout}); l.one('layoutstop', done); l.run(); });
cy.fit();
await new Promise(done => setTimeout(done, 200));
document.getElementById('figure').innerHTML = cy.svg({scale: 1, full: true, bg: 'white'});
const found = names.map((_, i) => { const p = cy.getElementById('n' + i).position(); return [p.x, p.y]; });
document.getElementById('canvas').remove();
return found;
"""
SCRIPTS = [
    "cytoscape/dist/cytoscape.min.js",
    "dagre/dist/dagre.min.js",
    "cytoscape-dagre/dist/cytoscape-dagre.js",
    "cytoscape-fcose/node_modules/layout-base/layout-base.js",
    "cytoscape-fcose/node_modules/cose-base/cose-base.js",
    "cytoscape-fcose/cytoscape-fcose.js",
    "cytoscape-svg/cytoscape-svg.js",
]


def version() -> str:
    return f"{chromium.version('cytoscape')}, {chromium.version('cytoscape-svg').split(',')[0]}"


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    paints = {"+": "#1a9850", "-": "#d73027", "": "#888888"}
    edges = [
        {
            "source": f"n{edge.source}",
            "target": f"n{edge.sink}",
            "label": label(edge),
            "dashed": edge.dashed,
            "paint": paints[edge.sign],
        }
        for edge in one.edges
    ]
    given = {
        "names": one.names,
        "edges": edges,
        "groups": list(one.groups.items()),
        "look": dict(look),
        "seed": one.seed,
        "arrows": ARROWS,
    }
    body = "<div id='canvas' style='width: 900px; height: 680px'></div><div id='figure' style='display: inline-block'></div>"
    places = chromium.printed(path, SCRIPTS, body, PROGRAM, given, (1300, 900))
    count = doubts(places, [(edge.source, edge.sink) for edge in one.edges], look.get("near", 26), 5)
    if count:
        raise UnfitError(f"{count} lines run through a node or along each other")

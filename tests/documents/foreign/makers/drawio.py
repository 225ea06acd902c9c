"""Figures by mxGraph, the graph library of draw.io, printed by Chromium: draw.io's default styles, straight, orthogonal
and curved edges, swimlanes and the library's own layouts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import chromium
from content import Content, Diagram, label
from places import by_hand, doubts, hidden
from recipes import Recipe, UnfitError

BOX = "rounded=0;whiteSpace=wrap;html=1;"
ROUND = "rounded=1;whiteSpace=wrap;html=1;fillColor=#dae8fc;strokeColor=#6c8ebf;"
RECIPES = [
    Recipe(
        content=Content(subjects=("economy",), names=11, edges=14),
        layout="placed by hand, white boxes, straight edges, classic heads",
        seed=12101,
        look={"node": BOX, "edge": "endArrow=classic;html=1;rounded=0;", "columns": 4, "step": (190, 110)},
    ),
    Recipe(
        content=Content(subjects=("epidemic",), names=11, edges=13, tree=True),
        layout="mxHierarchicalLayout from the left, blue rounded boxes, edges in right angles",
        seed=12200,
        look={
            "node": ROUND,
            "edge": "edgeStyle=orthogonalEdgeStyle;rounded=0;html=1;",
            "layout": "mxHierarchicalLayout",
            "west": True,
        },
    ),
    Recipe(
        content=Content(subjects=("hospital",), names=13, edges=16, signed=0.8, groups=("Emergency", "Wards")),
        layout="placed by hand in two swimlanes, rounded boxes, straight edges with signs",
        seed=12300,
        look={
            "node": "rounded=1;whiteSpace=wrap;html=1;",
            "edge": "endArrow=block;endFill=1;html=1;",
            "columns": 4,
            "step": (190, 125),
        },
    ),
    Recipe(
        content=Content(subjects=("platform",), names=13, edges=17, tree=True, dashed=0.25),
        layout="mxHierarchicalLayout, ellipses, open heads",
        seed=12400,
        look={
            "node": "shape=ellipse;perimeter=ellipsePerimeter;whiteSpace=wrap;html=1;",
            "edge": "endArrow=open;html=1;",
            "layout": "mxHierarchicalLayout",
        },
    ),
    Recipe(
        content=Content(subjects=("water",), names=12, edges=15, signed=1.0, delayed=0.15),
        layout="placed by hand, bare text, curved edges coloured by sign",
        seed=12506,
        look={
            "node": "strokeColor=none;fillColor=none;html=1;align=center;verticalAlign=middle;whiteSpace=wrap;",
            "columns": 4,
            "step": (180, 110),
            "edge": "curved=1;endArrow=classic;html=1;strokeWidth=2;",
            "colour": True,
            "bend": 16,
            "size": (110, 30),
        },
    ),
    Recipe(
        content=Content(subjects=("climate",), names=12, edges=15),
        layout="mxFastOrganicLayout, circles, mxGraph's first example's look",
        seed=12601,
        look={
            "node": "shape=ellipse;perimeter=ellipsePerimeter;html=1;whiteSpace=wrap;fontSize=11;",
            "edge": "",
            "layout": "mxFastOrganicLayout",
            "size": (80, 80),
            "force": 150,
        },
    ),
]
PROGRAM = """
const {names, places, edges, frames, look, size} = given;
mxClient.NO_FO = false;
const graph = new mxGraph(document.getElementById('figure'));
graph.setHtmlLabels(true);
const base = graph.getStylesheet().getDefaultVertexStyle();
Object.assign(base, {fillColor: '#ffffff', strokeColor: '#000000', fontColor: '#000000', fontSize: 12, fontFamily: 'Helvetica'});
Object.assign(graph.getStylesheet().getDefaultEdgeStyle(), {strokeColor: '#000000', fontColor: '#000000', fontSize: 11,
  fontFamily: 'Helvetica', labelBackgroundColor: '#ffffff', endArrow: 'classic', rounded: 0});
const root = graph.getDefaultParent();
const lanes = [];
graph.getModel().beginUpdate();
for (const [label, x, y, w, h] of frames)
  lanes.push(graph.insertVertex(root, null, label, x, y, w, h, 'shape=swimlane;fontStyle=1;verticalAlign=top;whiteSpace=wrap;html=1;startSize=23;'));
const cells = names.map((name, i) => graph.insertVertex(root, null, name, places[i][0] - size[0] / 2,
  places[i][1] - size[1] / 2, size[0], size[1], look.node));
const lines = edges.map(e => {
  const style = look.edge + (e.dashed ? 'dashed=1;' : '') + (e.paint ? `strokeColor=${e.paint};` : '');
  const line = graph.insertEdge(root, null, e.label, cells[e.source], cells[e.sink], style);
  if (look.bend) {  // one waypoint, as a user drags the middle of an edge
    const [a, b] = [places[e.source], places[e.sink]];
    line.geometry.points = [new mxPoint((a[0] + b[0]) / 2 + (b[1] - a[1]) * 0.14, (a[1] + b[1]) / 2 - (b[0] - a[0]) * 0.14)];
  }
  return line;
});
graph.getModel().endUpdate();
if (look.layout) {
  let state = given.seed;
  Math.random = () => { state = (state * 1664525 + 1013904223) % 4294967296; return state / 4294967296; };
  const layout = look.layout === 'mxHierarchicalLayout' ? new mxHierarchicalLayout(graph, look.west ? 'west' : 'north') : new mxFastOrganicLayout(graph);
  if (look.force) { layout.forceConstant = look.force; layout.disableEdgeStyle = false; }
  else { layout.intraCellSpacing = 50; layout.interRankCellSpacing = 80; }
  layout.execute(root);
}
const bounds = graph.getGraphBounds();
graph.view.setTranslate(20 - bounds.x, 20 - bounds.y);
graph.refresh();
const box = graph.getGraphBounds(), holder = document.getElementById('figure');
holder.style.width = box.x + box.width + 20 + 'px'; holder.style.height = box.y + box.height + 20 + 'px';
await new Promise(done => setTimeout(done, 100));
return cells.map(cell => { const g = cell.geometry; return [g.getCenterX(), g.getCenterY()]; });
"""
BODY = """<div id='figure' style='position: relative; overflow: hidden'></div>
<script>mxLoadResources = false; mxLoadStylesheets = false; mxBasePath = '.';</script>"""


def version() -> str:
    return chromium.version("mxgraph")


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    wide, high = look.get("size", (120, 50))
    pairs = [(edge.source, edge.sink) for edge in one.edges]
    is_free = "layout" in look
    places = [(0.0, 0.0)] * len(one.names) if is_free else by_hand(one, look["columns"], look["step"], 0.08, 2500)
    frames = []
    for name, members in one.groups.items():
        xs, ys = [places[member][0] for member in members], [places[member][1] for member in members]
        x0, y0 = min(xs) - wide / 2 - 14, min(ys) - high / 2 - 32
        frames.append([name, x0, y0, max(xs) + wide / 2 + 14 - x0, max(ys) + high / 2 + 10 - y0])
    paints = {"+": "#009900", "-": "#CC0000", "": "#666666"}
    edges = [
        {
            "source": edge.source,
            "sink": edge.sink,
            "label": label(edge),
            "dashed": edge.dashed,
            "paint": paints[edge.sign] if look.get("colour") else "",
        }
        for edge in one.edges
    ]
    if not is_free:
        halves = [(wide / 2 + 6, high / 2 + 6)] * len(places)
        bad = hidden(places, pairs, halves, look.get("bend", 0))
        if bad:
            raise UnfitError(f"{bad} lines run through a shape or along each other")
    given = {
        "names": one.names,
        "places": places,
        "edges": edges,
        "frames": frames,
        "look": dict(look),
        "size": [wide, high],
        "seed": one.seed,
    }
    places = chromium.printed(path, ["mxgraph/javascript/mxClient.min.js"], BODY, PROGRAM, given, (1400, 1100))
    if look.get("layout") == "mxFastOrganicLayout" and doubts(places, pairs, wide / 2 + 3, 5):
        raise UnfitError("a line runs through a circle or along another")

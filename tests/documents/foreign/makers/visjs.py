"""vis.js (vis-network) figures: its physics, shapes and arrows. It draws on a canvas; as its users export a vector file,
its drawing is sent to svgcanvas (a fork of canvas2svg) instead, and Chromium prints that SVG."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import chromium
from content import Content, Diagram, label, wrapped
from places import doubts
from recipes import Recipe, UnfitError

RECIPES = [
    Recipe(
        content=Content(subjects=("school",), names=10, edges=13),
        layout="physics (Barnes-Hut), all defaults",
        seed=5101,
        look={"options": {}},
    ),
    Recipe(
        content=Content(subjects=("fishery",), names=12, edges=16, signed=1.0, spelt="lower"),
        layout="physics, boxes, signs",
        seed=5203,
        look={"options": {"nodes": {"shape": "box"}, "edges": {"length": 170, "smooth": False}}},
    ),
    Recipe(
        content=Content(subjects=("economy",), names=13, edges=17, dashed=0.3),
        layout="physics, dots with labels below",
        seed=5301,
        look={"options": {"nodes": {"shape": "dot", "size": 12}, "edges": {"length": 180}}, "near": 24},
    ),
    Recipe(
        content=Content(subjects=("water",), names=12, edges=16, signed=0.8, delayed=0.15),
        layout="physics, circles, curved edges (curvedCW), coloured",
        seed=5408,
        look={
            "options": {
                "nodes": {"shape": "circle", "font": {"size": 12}},
                "edges": {"length": 240, "smooth": {"type": "curvedCW", "roundness": 0.15}},
            },
            "colour": True,
            "wrap": 9,
            "near": 45,
        },
    ),
    Recipe(
        content=Content(subjects=("epidemic", "public health"), names=16, edges=20, tree=True),
        layout="hierarchical, from above, boxes",
        seed=5515,
        look={
            "options": {
                "layout": {"hierarchical": {"sortMethod": "directed", "nodeSpacing": 190, "levelSeparation": 90}},
                "nodes": {"shape": "box"},
                "physics": False,
                "edges": {"smooth": False},
            },
            "near": 30,
            "wrap": 14,
        },
    ),
    Recipe(
        content=Content(subjects=("platform",), names=12, edges=14, mutual=1),
        layout="physics (repulsion), ellipses, black edges of middle width",
        seed=5650,
        look={
            "options": {
                "physics": {"solver": "repulsion", "repulsion": {"nodeDistance": 180, "springLength": 180}},
                "edges": {"color": "black", "width": 2, "smooth": {"type": "continuous"}},
                "nodes": {"color": {"background": "white", "border": "black"}},
            }
        },
    ),
    Recipe(
        content=Content(subjects=("climate", "energy"), names=20, edges=24),
        layout="physics, large, dots with labels below, curved edges by default",
        seed=5700,
        look={"options": {"nodes": {"shape": "dot", "size": 10}, "edges": {"length": 150}}, "near": 20},
    ),
]
PROGRAM = """
const {names, edges, options, seed} = given;
const nodes = names.map((label, id) => ({id, label}));
const network = new vis.Network(document.getElementById('canvas'), {nodes, edges}, {
  layout: {randomSeed: seed}, ...options,
  layout: {randomSeed: seed, ...options.layout}, edges: {arrows: 'to', ...options.edges}});
if (options.physics !== false) await new Promise(done => { network.once('stabilized', done); setTimeout(done, 8000); });
network.fit({animation: false});
await new Promise(done => setTimeout(done, 200));
const canvas = network.canvas.frame.canvas, wide = canvas.clientWidth, high = canvas.clientHeight;
const drawn = new Svg.Context({width: wide, height: high, document});
for (const name of ['fill', 'stroke']) {  // a path that is painted after save() is lost by svgcanvas 2.6
  const own = drawn[name].bind(drawn);
  drawn[name] = () => {
    if (drawn.__currentElement.nodeName !== 'path' && drawn.__currentDefaultPath) {
      const path = drawn.__createElement('path', {}, true);
      drawn.__closestGroupOrSvg().appendChild(path);
      drawn.__currentElement = path;
    }
    own();
  };
}
canvas.getContext = () => drawn;
network.canvas.getContext = () => drawn;
network.setOptions({nodes: {scaling: {label: {drawThreshold: 0}}}, edges: {scaling: {label: {drawThreshold: 0}}}});
network.redraw();
await new Promise(done => setTimeout(done, 300));
document.getElementById('canvas').remove();
const holder = document.getElementById('figure');
holder.innerHTML = drawn.getSerializedSvg(true);
const places = network.getPositions();
return names.map((_, i) => [places[i].x, places[i].y]);
"""


def version() -> str:
    return chromium.version("vis-network") + f", {chromium.version('svgcanvas').split(',')[0]}"


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    edges = []
    for edge in one.edges:
        drawn: dict[str, Any] = {"from": edge.source, "to": edge.sink, "dashes": edge.dashed}
        if label(edge):
            drawn["label"] = label(edge)
        if look.get("colour"):
            drawn["color"] = {"+": "#2e7d32", "-": "#c62828", "": "#616161"}[edge.sign]
        edges.append(drawn)
    names = ["\n".join(wrapped(name, look.get("wrap", 99))) for name in one.names]
    given = {"names": names, "edges": edges, "options": look["options"], "seed": one.seed}
    scripts = ["vis-network/standalone/umd/vis-network.min.js", "svgcanvas/dist/bundle.js"]
    body = "<div id='canvas' style='width: 900px; height: 640px'></div><div id='figure' style='width: 900px; height: 640px'></div>"
    places = chromium.printed(path, scripts, body, PROGRAM, given, (1000, 700))
    count = doubts(places, [(edge.source, edge.sink) for edge in one.edges], look.get("near", 30), 7)
    if count:
        raise UnfitError(f"{count} lines run through a node or along each other")

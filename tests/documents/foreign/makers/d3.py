"""D3 figures printed by Chromium: d3-force with its defaults, after the examples "Force-directed graph", "Mobile patent
suits" and their usual variants. Lines run to the dots' edges or to their centres, as in those examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import chromium
from content import Content, Diagram, label
from places import Point, doubts, hidden
from recipes import Recipe, UnfitError

RECIPES = [
    Recipe(
        content=Content(subjects=("fishery",), names=12, edges=16),
        layout="d3-force, dots of radius 5, labels right, lines to centres, marker refX 15",
        seed=3100,
        look={
            "radius": 5,
            "label": "right",
            "line": "#999",
            "opacity": 0.6,
            "font": "10px sans-serif",
            "ref": 15,
            "paint": "subject",
        },
    ),
    Recipe(
        content=Content(subjects=("economy",), names=14, edges=19, dashed=0.3, mutual=2),
        layout="d3-force, arcs, labels right with a white halo (Mobile patent suits)",
        seed=3207,
        look={
            "radius": 4,
            "label": "right",
            "arc": True,
            "font": "12px sans-serif",
            "ref": 15,
            "width": 1.5,
            "halo": True,
            "type": True,
            "paint": "none",
        },
    ),
    Recipe(
        content=Content(subjects=("climate", "energy"), names=20, edges=26),
        layout="d3-force, dots of radius 6, labels above right, black lines",
        seed=3300,
        look={
            "radius": 6,
            "label": "above right",
            "line": "#333",
            "font": "11px Arial",
            "width": 1,
            "ref": "end",
            "paint": "groups",
        },
    ),
    Recipe(
        content=Content(subjects=("school",), names=11, edges=14, signed=0.9, spelt="lower"),
        layout="d3-force, circles around the names, lines to centres under filled circles",
        seed=3406,
        look={
            "radius": 34,
            "label": "inside",
            "line": "#555",
            "font": "11px sans-serif",
            "width": 1.5,
            "ref": "mid",
            "paint": "white",
            "distance": 170,
        },
    ),
    Recipe(
        content=Content(subjects=("water",), names=13, edges=17, signed=0.6, delayed=0.15),
        layout="d3-force, dots of radius 8, labels below, coloured signs",
        seed=3506,
        look={
            "radius": 8,
            "label": "below",
            "line": "#aaa",
            "font": "12px Helvetica",
            "width": 2,
            "ref": "end",
            "paint": "steelblue",
            "colour": True,
        },
    ),
    Recipe(
        content=Content(subjects=("platform",), names=12, edges=14, tree=True),
        layout="hand-made columns by depth, rounded boxes, d3.linkHorizontal",
        seed=3609,
        look={"boxes": True, "font": "13px sans-serif", "line": "#777", "width": 1.5},
    ),
    Recipe(
        content=Content(subjects=("security", "city"), names=26, edges=34),
        layout="d3-force, large, dots of radius 4, labels right, pale lines to centres",
        seed=3700,
        look={
            "radius": 4,
            "label": "right",
            "line": "#bbb",
            "font": "10px sans-serif",
            "width": 1,
            "ref": 14,
            "paint": "subject",
            "wide": 1000,
            "high": 760,
        },
    ),
]
PROGRAM = """
const {names, edges, look, seed} = given;
const random = d3.randomLcg(seed / 10000);
const wide = look.wide ?? 760, high = look.high ?? 560;
const svg = d3.select('#figure').attr('width', wide).attr('height', high)
  .attr('viewBox', [-wide / 2, -high / 2, wide, high]).attr('style', 'max-width: 100%; height: auto;');
const nodes = names.map((id, i) => ({id, group: i % 4}));
const links = edges.map(e => ({...e}));
const r = look.radius;
const colour = d3.scaleOrdinal(d3.schemeCategory10);
const paint = n => ({white: 'white', none: '#333', steelblue: 'steelblue'})[look.paint] ?? colour(n.group);
const simulation = d3.forceSimulation(nodes).randomSource(random)
  .force('link', d3.forceLink(links).distance(look.distance ?? 90))
  .force('charge', d3.forceManyBody().strength(look.distance ? -900 : -420))
  .force('collide', d3.forceCollide(r + 22))
  .force('x', d3.forceX().strength(0.06)).force('y', d3.forceY().strength(0.1)).stop();
simulation.tick(300);
const far = look.ref === 'end' ? 10 : look.ref;
const marker = (id, fill) => svg.append('defs').append('marker').attr('id', id).attr('viewBox', '0 -5 10 10')
  .attr('refX', look.ref === 'mid' ? 5 : far).attr('refY', look.arc ? -0.5 : 0).attr('markerWidth', 6).attr('markerHeight', 6)
  .attr('orient', 'auto').append('path').attr('fill', fill).attr('d', 'M0,-5L10,0L0,5');
const shade = e => look.colour ? (e.sign === '-' ? '#d62728' : e.sign === '+' ? '#2ca02c' : look.line)
  : look.type ? colour(e.dashed) : look.line;
const shades = [...new Set(links.map(shade))];
shades.forEach((s, i) => marker('arrow' + i, s));
const at = e => {
  const dx = e.target.x - e.source.x, dy = e.target.y - e.source.y, l = Math.hypot(dx, dy);
  const cut = look.ref === 'end' ? r + 1 : 0;
  return {x1: e.source.x, y1: e.source.y, x2: e.target.x - dx / l * cut, y2: e.target.y - dy / l * cut, l};
};
const path = e => {
  const p = at(e);
  if (look.arc) return `M${e.source.x},${e.source.y}A${p.l},${p.l} 0 0,1 ${e.target.x},${e.target.y}`;
  const mx = (p.x1 + p.x2) / 2, my = (p.y1 + p.y2) / 2;
  return look.ref === 'mid' ? `M${p.x1},${p.y1}L${mx},${my}L${p.x2},${p.y2}` : `M${p.x1},${p.y1}L${p.x2},${p.y2}`;
};
svg.append('g').attr('fill', 'none').attr('stroke-width', look.width ?? 1.5).attr('stroke-opacity', look.opacity ?? 1)
  .selectAll('path').data(links).join('path').attr('stroke', shade).attr('d', path)
  .attr('stroke-dasharray', e => e.dashed ? '0,2 1' : null)
  .attr(look.ref === 'mid' ? 'marker-mid' : 'marker-end', e => `url(#arrow${shades.indexOf(shade(e))})`);
svg.append('g').style('font', look.font).selectAll('text').data(links.filter(e => e.label)).join('text')
  .attr('x', e => (e.source.x + e.target.x) / 2 + 6).attr('y', e => (e.source.y + e.target.y) / 2 - 5)
  .attr('fill', look.colour ? shade : 'black').text(e => e.label);
const node = svg.append('g').style('font', look.font).selectAll('g').data(nodes).join('g')
  .attr('transform', n => `translate(${n.x},${n.y})`);
node.append('circle').attr('r', r).attr('fill', paint).attr('stroke', look.label === 'inside' ? '#333' : '#fff').attr('stroke-width', 1.5);
const offsets = {right: [r + 4, '0.31em', 'start'], 'above right': [r, -r, 'start'], below: [0, r + 13, 'middle'], inside: [0, 0, 'middle']};
const [x, y, anchor] = offsets[look.label];
if (look.label === 'inside') {
  node.each(function (n) {
    const words = n.id.split(' ');
    words.forEach((w, i) => d3.select(this).append('text').attr('text-anchor', 'middle').attr('y', (i - words.length / 2 + 0.8) * 12).text(w));
  });
} else {
  const text = node.append('text').attr('x', x).attr('y', y).attr('text-anchor', anchor).text(n => n.id);
  if (look.halo) text.clone(true).lower().attr('fill', 'none').attr('stroke', 'white').attr('stroke-width', 3);
}
return nodes.map(n => [n.x, n.y]);
"""
BOXES = """
const {names, edges, look} = given;
const depth = names.map(() => 0);
for (let k = 0; k < names.length; k++) for (const e of edges) depth[e.target] = Math.max(depth[e.target], depth[e.source] + 1);
const columns = d3.group(names.map((_, i) => i), i => depth[i]);
const last = d3.max(depth);
const wide = 190 * (last + 1) + 20, high = 90 * d3.max(columns.values(), c => c.length) + 30;
const svg = d3.select('#figure').attr('width', wide).attr('height', high).style('font', look.font);
const x = i => 80 + 190 * depth[i], y = i => (columns.get(depth[i]).indexOf(i) + 0.5 + (depth[i] % 2) * 0.2) * high / (columns.get(depth[i]).length + 0.2);
svg.append('defs').append('marker').attr('id', 'arrow').attr('viewBox', '0 0 10 10').attr('refX', 10).attr('refY', 5)
  .attr('markerWidth', 8).attr('markerHeight', 8).attr('orient', 'auto-start-reverse').append('path').attr('d', 'M 0 0 L 10 5 L 0 10 z').attr('fill', look.line);
const link = d3.linkHorizontal().source(e => [x(e.source) + 70, y(e.source)]).target(e => [x(e.target) - 71, y(e.target)]);
svg.append('g').attr('fill', 'none').attr('stroke', look.line).attr('stroke-width', look.width).selectAll('path').data(edges)
  .join('path').attr('d', link).attr('marker-end', 'url(#arrow)');
const node = svg.selectAll('g.node').data(names).join('g').attr('transform', (_, i) => `translate(${x(i)},${y(i)})`);
node.append('rect').attr('x', -70).attr('y', -18).attr('width', 140).attr('height', 36).attr('rx', 6).attr('fill', '#e8f0fe').attr('stroke', '#4a6fa5');
node.append('text').attr('text-anchor', 'middle').attr('dy', '0.35em').text(n => n);
return names.map((_, i) => [x(i), y(i)]);
"""


def version() -> str:
    return chromium.version("d3")


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    edges = [
        {"source": edge.source, "target": edge.sink, "sign": edge.sign, "dashed": edge.dashed, "label": label(edge)}
        for edge in one.edges
    ]
    given = {"names": one.names, "edges": edges, "look": dict(look), "seed": one.seed}
    program = BOXES if look.get("boxes") else PROGRAM
    places = chromium.printed(path, ["d3/dist/d3.min.js"], "<svg id='figure'></svg>", program, given, (1400, 1000))
    pairs = [(edge.source, edge.sink) for edge in one.edges]
    if look.get("boxes"):
        count = _behind_boxes(places, pairs)
    elif look.get("arc"):
        count = hidden(places, pairs, [(9.0, 9.0)] * len(places), 30)
    else:
        count = doubts(places, pairs, look["radius"] + 5, 6)
    if count:
        raise UnfitError(f"{count} lines run through a dot or along each other")


def _behind_boxes(places: Sequence[Point], pairs: Sequence[tuple[int, int]]) -> int:
    """How many of the curves of d3.linkHorizontal run behind a third box, or lie on another for most of their way."""
    lines = []
    for a, b in pairs:
        (x0, y0), (x1, y1) = (places[a][0] + 70, places[a][1]), (places[b][0] - 71, places[b][1])
        steps = [k / 40 for k in range(41)]
        lines.append(
            [
                (
                    x0 * (1 - t) ** 3 + 1.5 * t * (1 - t) * (x0 + x1) + x1 * t**3,
                    y0 * ((1 - t) ** 3 + 3 * t * (1 - t) ** 2) + y1 * (t**3 + 3 * t * t * (1 - t)),
                )
                for t in steps
            ]
        )
    found = 0
    for line, pair in zip(lines, pairs, strict=True):
        for third, (x, y) in enumerate(places):
            found += third not in pair and any(abs(px - x) < 76 and abs(py - y) < 22 for px, py in line)
    return found

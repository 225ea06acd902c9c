// Signs, delays, doubts, badges and rings: drawn on top of the lines and nodes.

import { clearSpots, strengthOf } from "./items.js";
import { colourOf } from "./look.js";

/** @typedef {import("../figure/shapes.d.ts").At} At */
/** @typedef {import("./types.d.ts").DrawnEdge} DrawnEdge */
/** @typedef {import("./types.d.ts").DrawnNode} DrawnNode */
/** @typedef {import("./types.d.ts").EdgeData} EdgeData */
/** @typedef {import("./types.d.ts").EdgeSpots} EdgeSpots */
/** @typedef {import("./types.d.ts").Figure} Figure */
/** @typedef {import("./types.d.ts").Leaning} Leaning */
/** @typedef {import("./types.d.ts").MarkWords} MarkWords */
/** @typedef {import("./types.d.ts").Turned} Turned */
/** @typedef {CanvasRenderingContext2D} Context */

const LEGIBLE_PX = 5; // smaller signs are left out
const MARKS = { least: 0.8, most: 1.5 }; // when zoomed out signs grow, by up to a half

/** @type {EdgeData["style"][]} */
const CROSSED = ["spurious", "reversed", "cut"];

/** @param {Figure} figure
 * @param {Context} context */
export function drawMarks(figure, context) {
  const { network } = figure;
  context.save();
  context.textBaseline = "middle";
  context.lineJoin = "round";
  const scale = network.getScale();
  const grown = Math.min(Math.max(MARKS.least / scale, 1), MARKS.most);
  if (grown !== figure.grown) clearSpots(figure);
  figure.grown = grown;
  drawRings(figure, context);
  if (scale * 18 * grown >= LEGIBLE_PX) {
    const marked = network.body.edgeIndices.filter((id) => needsSpots(figure, id));
    for (const id of marked) drawEdgeMarks(figure, context, network.body.edges[id]);
    for (const id of network.body.nodeIndices) drawBadge(figure, context, network.body.nodes[id]);
  }
  context.restore();
}

/** False for an edge without a mark, unless the mark of a loop must keep clear of it.
 * @param {Figure} figure
 * @param {number} id */
function needsSpots({ data, facts }, id) {
  const edge = facts.get(id)?.edge;
  if (edge === undefined || data.marks.length > 0) return true;
  return edge.delay || CROSSED.includes(edge.style) || Object.values(markWords(edge)).some((text) => text !== "");
}

/** @param {Figure} figure
 * @param {Context} context
 * @param {DrawnEdge} edge */
function drawEdgeMarks(figure, context, edge) {
  const fact = figure.facts.get(edge.id)?.edge;
  if (!fact || !edge.connected || fact.style === "link") return;
  const words = markWords(fact);
  const crossed = CROSSED.includes(fact.style);
  const colour = colourOf(figure, fact);
  const places = spotsOf(figure, edge, context);
  context.globalAlpha = strengthOf(figure, edge.id);
  if (crossed) drawCross(figure, context, places.middle, colour);
  if (fact.delay) drawDelay(figure, context, crossed || words.box ? places.before : places.middle, colour);
  if (words.box) drawBox(figure, context, words.box, places.middle, colour);
  writeWords(figure, context, words, places, colour);
}

/** @param {Figure} figure
 * @param {Context} context
 * @param {MarkWords} words
 * @param {EdgeSpots} places
 * @param {string} colour */
function writeWords(figure, context, words, places, colour) {
  if (words.sign) write(figure, context, words.sign, places.head, 18, 700, colour);
  if (words.beside) write(figure, context, words.beside, places.beside, 12, "italic 600", colour);
  if (!words.doubt) return;
  const free = words.beside ? places.beyond : places.beside;
  write(figure, context, words.doubt, free, 15, 700, figure.palette.ink);
}

/** The texts at an edge: its sign (in a box if it differs), "reversed" or "cut", and the mark of a doubt.
 * @param {EdgeData} edge
 * @returns {MarkWords} */
export function markWords(edge) {
  return {
    sign: edge.differs ? "" : edge.mark,
    box: edge.differs,
    beside: ["reversed", "cut"].includes(edge.style) ? edge.style : "",
    doubt: edge.flag ? "?" : "",
  };
}

/** @param {Figure} figure
 * @param {Context} context
 * @param {string} text
 * @param {Leaning} spot
 * @param {number} size  pixels
 * @param {string | number} weight  of the font, as CSS writes it
 * @param {string} paint */
export function write(figure, context, text, spot, size, weight, paint) {
  context.font = `${weight} ${size * figure.grown}px ${figure.palette.font}`;
  context.textAlign = text.length > 1 && Math.abs(spot.lean) > 3 ? (spot.lean > 0 ? "left" : "right") : "center";
  context.lineWidth = 4;
  context.strokeStyle = figure.palette.paper;
  context.strokeText(text, spot.x, spot.y);
  context.fillStyle = paint;
  context.fillText(text, spot.x, spot.y);
}

/** @param {Figure} figure
 * @param {Context} context
 * @param {string} text
 * @param {At} spot
 * @param {string} colour */
function drawBox(figure, context, text, { x, y }, colour) {
  const { grown } = figure;
  const width = measured(figure, context, text, "700", 14) + 12;
  outline(context, x - width / 2, y - 11 * grown, width, 22 * grown, 2);
  plate(figure, context, text, x, y, 1.75, colour, colour);
}

/** Set the font and return the width of a text in the middle of its spot.
 * @param {Figure} figure
 * @param {Context} context
 * @param {string} text
 * @param {string} weight
 * @param {number} size */
function measured(figure, context, text, weight, size) {
  context.font = `${weight} ${size * figure.grown}px ${figure.palette.font}`;
  context.textAlign = "center";
  return context.measureText(text).width;
}

/** @type {(context: Context, x: number, y: number, width: number, height: number, radius: number) => void} */
function outline(context, x, y, width, height, radius) {
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
}

/** Fill the outline with paper, border it and write into it.
 * @param {Figure} figure
 * @param {Context} context
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} lineWidth
 * @param {string} border
 * @param {string} ink */
function plate(figure, context, text, x, y, lineWidth, border, ink) {
  context.fillStyle = figure.palette.paper;
  context.fill();
  Object.assign(context, { lineWidth, strokeStyle: border, fillStyle: ink });
  context.stroke();
  context.fillText(text, x, y + 0.5);
}

/** The x in the middle of a spurious line: two strokes on a spot of paper.
 * @param {Figure} figure
 * @param {Context} context
 * @param {Turned} spot
 * @param {string} colour */
function drawCross(figure, context, spot, colour) {
  const cross = "M-5 -5L5 5M-5 5L5 -5";
  strokeAcross(figure, context, spot, cross, { lineCap: "round", lineWidth: 7, strokeStyle: figure.palette.paper });
  strokeAcross(figure, context, spot, cross, { lineCap: "round", lineWidth: 2.2, strokeStyle: colour });
}

/** The mark ‖ across the line, as two strokes: not every font has the sign.
 * @type {(figure: Figure, context: Context, spot: Turned, colour: string) => void} */
const drawDelay = (figure, context, spot, colour) =>
  strokeAcross(figure, context, spot, "M-3 -8L-3 8M3 -8L3 8", { lineWidth: 2, strokeStyle: colour });

/** Stroke a path that turns and grows with the line at a spot.
 * @param {Figure} figure
 * @param {Context} context
 * @param {Turned} spot
 * @param {string} path
 * @param {Partial<CanvasPathDrawingStyles & CanvasFillStrokeStyles>} pen */
function strokeAcross(figure, context, { x, y, turn }, path, pen) {
  context.save();
  context.translate(x, y);
  context.rotate(turn);
  context.scale(figure.grown, figure.grown);
  context.setLineDash([]);
  Object.assign(context, pen);
  context.stroke(new Path2D(path));
  context.restore();
}

/** @param {Figure} figure
 * @param {Context} context
 * @param {DrawnNode} node */
function drawBadge(figure, context, node) {
  const fact = figure.facts.get(node.id)?.node;
  if (!fact?.badge || node.options.hidden) return;
  context.globalAlpha = strengthOf(figure, node.id);
  const { grown } = figure;
  const text = fact.badge.length > 24 ? `${fact.badge.slice(0, 23)}…` : fact.badge;
  const width = measured(figure, context, text, "600", 11) + 10;
  const [x, y] = [node.x + node.shape.width / 2 - width / 2 + 6, node.y + node.shape.height / 2 + 4 * grown];
  outline(context, x - width / 2, y - 8 * grown, width, 16 * grown, 8 * grown);
  plate(figure, context, text, x, y, 1.25, node.options.color.border, figure.palette.ink);
}

/** Draw rings around the selected and the matching nodes, equally wide on the screen at every zoom.
 * @param {Figure} figure
 * @param {Context} context */
function drawRings(figure, context) {
  const { network } = figure;
  const scale = network.getScale();
  const chosen = new Set(network.getSelectedNodes());
  /** @type {(id: number, width: number, paint: string) => void} */
  const ring = (id, width, paint) => {
    const node = network.body.nodes[id];
    if (!node || node.options.hidden) return;
    const away = 3 + width / 2 / scale;
    const [wide, high] = [node.shape.width + 2 * away, node.shape.height + 2 * away];
    outline(context, node.x - wide / 2, node.y - high / 2, wide, high, 4 + away);
    context.lineWidth = width / scale;
    context.strokeStyle = paint;
    context.stroke();
  };
  context.setLineDash([]);
  for (const id of figure.hits) if (!chosen.has(id)) ring(id, 2, figure.palette.found);
  for (const id of chosen) ring(id, 3, figure.palette.act);
}

// --- places of the marks of an edge -------------------------------------------------------------------------------

/** Spots of an edge: at its head, on its middle, before and next to it; cached until something moves, as every frame
 * needs them.
 * @param {Figure} figure
 * @param {DrawnEdge} edge
 * @param {Context} context */
export function spotsOf(figure, edge, context) {
  let spots = figure.spots.get(edge.id);
  if (!spots) {
    const isSigned = markWords(/** @type {EdgeData} */ (figure.facts.get(edge.id)?.edge)).sign !== "";
    spots = edge.fromId === edge.toId ? loopSpots(figure, edge, context) : lineSpots(figure, edge, isSigned);
    figure.spots.set(edge.id, spots);
  }
  return spots;
}

/** @param {Figure} figure
 * @param {DrawnEdge} edge
 * @param {boolean} isSigned  a sign needs a clear spot
 * @returns {EdgeSpots} */
function lineSpots(figure, edge, isSigned) {
  const type = edge.edgeType;
  const { fromPoint, toPoint } = type; // the line without its arrowheads
  const at = (/** @type {number} */ t) => {
    const [before, spot, after] = [t - 0.02, t, t + 0.02].map((u) => type.getPoint(u, type.getViaNode()));
    return { ...spot, turn: Math.atan2(after.y - before.y, after.x - before.x) };
  };
  const length = Math.max(Math.hypot(toPoint.x - fromPoint.x, toPoint.y - fromPoint.y), 1);
  const { grown } = figure;
  const middles = [0.5, 0.42, 0.58, 0.34, 0.66].map(at);
  const middle = middles.find((spot) => !isOnLabel(figure, spot, 6 * grown, 6 * grown)) ?? middles[0];
  const side = outerSide(edge, at(0.5));
  const spots = [4, 16, 28, 42].flatMap((back) => {
    const spot = at(Math.max(1 - (back * grown) / length, 0.5));
    return [side, -side].map((way) => aside(spot, 11 * grown * way));
  });
  const clear = isSigned ? spots.filter((spot) => !isOnLabel(figure, spot, 7 * grown, 8 * grown)) : [];
  const head = clear.find((spot) => !isOnSign(figure, edge, spot, 12 * grown)) ?? clear[0] ?? spots[0];
  return {
    head,
    middle,
    before: at(Math.max(0.5 - (26 * grown) / length, 0.15)),
    beside: aside(middle, 14 * grown * side),
    beyond: aside(middle, -14 * grown * side),
    path: [at(0.3), at(0.7)],
  };
}

/** @param {Figure} figure
 * @param {DrawnEdge} edge
 * @param {Context} context
 * @returns {EdgeSpots} */
function loopSpots(figure, edge, context) {
  const [x, y, radius] = edge.edgeType._getCircleData(context);
  const up = y < edge.from.y ? -1 : 1; // the arch is on the upper border or hangs from the lower one
  const at = (/** @type {number} */ eighths, /** @type {number} */ reach) => {
    const angle = (up * eighths * Math.PI) / 4;
    const [dx, dy] = [Math.cos(angle) * reach, Math.sin(angle) * reach];
    return { x: x + dx, y: y + dy, lean: dx, turn: angle + Math.PI / 2 };
  };
  const out = radius + 12 * figure.grown;
  return {
    head: at(1, out),
    middle: at(2, radius),
    before: at(3, radius),
    beside: at(2, out),
    beyond: at(3, out),
    clear: at(2, radius + 32),
    path: [],
  };
}

/** @param {Turned} spot
 * @param {number} reach
 * @returns {Leaning} */
function aside(spot, reach) {
  const [x, y] = [-Math.sin(spot.turn) * reach, Math.cos(spot.turn) * reach];
  return { x: spot.x + x, y: spot.y + y, lean: x };
}

/** @param {Figure} figure
 * @param {At} spot
 * @param {number} acrossPx
 * @param {number} downPx */
export function isOnLabel(figure, spot, acrossPx, downPx) {
  const { nodes, nodeIndices } = figure.network.body;
  for (const id of nodeIndices) {
    const { x, y, shape } = nodes[id];
    const [right, low] = [shape.width / 2 + acrossPx, shape.height / 2 + downPx];
    if (Math.abs(spot.x - x) < right && Math.abs(spot.y - y) < low) return true;
  }
  return false;
}

/** True if the sign or the tip of another edge is there already: two signs over each other are illegible.
 * @param {Figure} figure
 * @param {DrawnEdge} edge
 * @param {At} spot
 * @param {number} reachPx */
function isOnSign(figure, edge, spot, reachPx) {
  /** @param {At} other @param {number} reach */
  const meets = (other, reach) => Math.abs(spot.x - other.x) < reach && Math.abs(spot.y - other.y) < reach;
  for (const [id, { head }] of figure.spots) {
    const drawn = figure.facts.get(id)?.edge;
    if (drawn && markWords(drawn).sign && meets(head, reachPx)) return true;
  }
  const { edges, edgeIndices } = figure.network.body;
  return edgeIndices.some((id) => {
    const tip = id !== edge.id && edges[id].connected && !edges[id].options.hidden && edges[id].edgeType.toPoint;
    return tip && meets(tip, reachPx * 0.75);
  });
}

/** @param {DrawnEdge} edge
 * @param {At} middle */
function outerSide(edge, middle) {
  const [ax, ay, bx, by] = [edge.from.x, edge.from.y, edge.to.x, edge.to.y];
  const bow = (bx - ax) * (middle.y - ay) - (by - ay) * (middle.x - ax);
  if (Math.abs(bow) > 2 * Math.hypot(bx - ax, by - ay)) return Math.sign(bow);
  return bx >= ax ? -1 : 1; // straight: above the line
}

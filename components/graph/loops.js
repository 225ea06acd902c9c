// The marks of feedback loops.

import { nodeNumber, strengthOf } from "./items.js";
import { isOnLabel, markWords, spotsOf, write } from "./marks.js";

/** @typedef {import("../figure/shapes.d.ts").At} At */
/** @typedef {import("./types.d.ts").DrawnNode} DrawnNode */
/** @typedef {import("./types.d.ts").Figure} Figure */
/** @typedef {At & {radius: number}} Taken */

const LOOP_MARK_PX = 15;

/** R1, B2 …: the name in the middle of the loop's nodes, and around it an arrow that turns as the loop does.
 * @param {Figure} figure
 * @param {CanvasRenderingContext2D} context */
export function drawLoopMarks(figure, context) {
  const marks = figure.data?.marks ?? [];
  context.save();
  context.textBaseline = "middle";
  context.lineJoin = "round";
  const occupied = marks.length && !figure.loopSpots.has(0) ? marksTaken(figure) : [];
  figure.drawnMarks = marks.flatMap((mark, i) => {
    const numbers = mark.nodes.flatMap((place) => nodeNumber(figure, figure.data.nodes[place].ref) ?? []);
    const nodes = numbers.map((number) => figure.network.body.nodes[number]);
    if (nodes.length < mark.nodes.length || nodes.some((node) => !node || node.options.hidden)) return [];
    const clockwise = turnsClockwise(nodes);
    const spot = figure.loopSpots.get(i) ?? freeSpot(figure, loopMiddle(figure, nodes, context), occupied);
    figure.loopSpots.set(i, spot);
    occupied.push({ ...spot, radius: LOOP_MARK_PX + 4 });
    const strength = numbers.every((number) => strengthOf(figure, number) === 1) ? 1 : figure.palette.dim;
    context.globalAlpha = strength;
    drawTurn(figure, context, spot, clockwise);
    const size = mark.text.length > 3 ? 9 : 13;
    write(figure, context, mark.text, { ...spot, lean: 0 }, size, 700, figure.palette.ink);
    return [{ text: mark.text, clockwise, strength, ...figure.network.canvasToDOM(spot) }];
  });
  context.restore();
}

/** Spots already occupied by signs and boxes, with the space each takes.
 * @param {Figure} figure */
function marksTaken(figure) {
  /** @type {Taken[]} */
  const occupied = [];
  for (const [id, spots] of figure.spots) {
    const edge = figure.facts.get(id)?.edge;
    if (!edge) continue;
    const words = markWords(edge);
    if (words.sign) occupied.push({ ...spots.head, radius: 9 });
    const isMarked = edge.delay || ["spurious", "reversed", "cut"].includes(edge.style);
    const radius = words.box ? 26 * figure.grown : isMarked ? 10 : -3; // a bare line may touch
    occupied.push({ ...spots.middle, radius });
    for (const spot of spots.path) occupied.push({ ...spot, radius: -3 });
  }
  return occupied;
}

/** Direction of a loop by the area its nodes enclose (y grows downwards). Two edges between two nodes bow to their own
 * left: clockwise.
 * @param {At[]} nodes */
function turnsClockwise(nodes) {
  const area = nodes.reduce((sum, node, i) => {
    const next = nodes[(i + 1) % nodes.length];
    return sum + node.x * next.y - next.x * node.y;
  }, 0);
  return area >= 0;
}

/** @param {Figure} figure
 * @param {DrawnNode[]} nodes
 * @param {CanvasRenderingContext2D} context
 * @returns {At} */
function loopMiddle(figure, nodes, context) {
  const own = nodes.length === 1 && nodes[0].edges.find((edge) => edge.fromId === edge.toId && edge.connected);
  if (own) return /** @type {At} */ (spotsOf(figure, own, context).clear);
  /** @param {"x" | "y"} axis */
  const mean = (axis) => nodes.reduce((sum, node) => sum + node[axis], 0) / nodes.length;
  return { x: mean("x"), y: mean("y") };
}

/** The spot itself, or the nearest on rings around it that is free of labels and other marks.
 * @param {Figure} figure
 * @param {At} middle
 * @param {Taken[]} taken */
function freeSpot(figure, middle, taken) {
  const room = LOOP_MARK_PX * figure.grown + 2;
  /** @param {At} spot */
  const isFree = (spot) =>
    !isOnLabel(figure, spot, room, room) &&
    taken.every((other) => Math.hypot(other.x - spot.x, other.y - spot.y) > room + other.radius);
  if (isFree(middle)) return middle;
  for (let reach = 12; reach <= 168; reach += 12) {
    for (let step = 0; step < 12; step += 1) {
      const angle = (step * Math.PI) / 6;
      const spot = { x: middle.x + Math.cos(angle) * reach, y: middle.y + Math.sin(angle) * reach };
      if (isFree(spot)) return spot;
    }
  }
  return middle;
}

/** @param {Figure} figure
 * @param {CanvasRenderingContext2D} context
 * @param {At} spot
 * @param {boolean} clockwise */
function drawTurn(figure, context, { x, y }, clockwise) {
  const { paper, ink } = figure.palette;
  const radius = LOOP_MARK_PX * figure.grown;
  const way = clockwise ? 1 : -1;
  const [start, end] = [-Math.PI / 2 + way * 0.55, -Math.PI / 2 + way * (2 * Math.PI - 0.35)];
  context.setLineDash([]);
  context.beginPath();
  context.arc(x, y, radius + 2, 0, 2 * Math.PI);
  context.fillStyle = paper;
  context.fill();
  context.beginPath();
  context.arc(x, y, radius, start, end, !clockwise);
  context.lineWidth = 1.75;
  context.strokeStyle = ink;
  context.stroke();
  context.save();
  context.translate(x + Math.cos(end) * radius, y + Math.sin(end) * radius);
  context.rotate(end + way * (Math.PI / 2 + 0.12));
  context.beginPath();
  context.moveTo(6, 0);
  context.lineTo(-4, -4.5);
  context.lineTo(-4, 4.5);
  context.closePath();
  context.fillStyle = ink;
  context.fill();
  context.restore();
}

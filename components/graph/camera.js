// Camera of the graph: fitting, framing, zooming and panning.

import { boundsOf } from "../canvas/geometry.js";
import { say } from "./choice.js";
import { numbersOf } from "./items.js";

/** @typedef {import("./types.d.ts").Figure} Figure */

export const ZOOM = { most: 4, least: 0.05, fitted: 1.15, legible: 0.66, near: 0.9, step: 1.25 };

/** Show the requested nodes, `whole` the whole graph; else on a narrow screen a part of it at a legible size.
 * @param {Figure} figure
 * @param {boolean} [whole] */
export function fit(figure, whole = false) {
  if (figure.gone || figure.nodes.length === 0) return;
  figure.moved = whole;
  const framed = whole || figure.framed === null ? [] : numbersOf(figure, figure.framed);
  frame(figure, framed.length ? framed : figure.nodes.getIds(), ZOOM.fitted);
  figure.partly =
    !whole && !framed.length && figure.stage.clientWidth < 600 && figure.network.getScale() < ZOOM.legible;
  if (figure.partly) showPart(figure);
  say(figure, "");
}

/** Show the part around the busiest node, at a legible size and with as much of the graph as possible.
 * @param {Figure} figure */
function showPart(figure) {
  const { network, stage } = figure;
  const scale = ZOOM.legible;
  const ids = figure.nodes.getIds();
  /** @param {number} node */
  const degree = (node) => network.getConnectedEdges(node).length;
  const { x, y } = network.getPosition(ids.reduce((one, other) => (degree(other) > degree(one) ? other : one)));
  const [left, top, right, bottom] = surrounding(figure, ids);
  const bar = above(figure);
  /** @type {(at: number, from: number, to: number, space: number) => number} */
  const within = (at, from, to, room) => {
    if (to - from <= room) return (from + to) / 2;
    return Math.min(Math.max(at, from + room / 2), to - room / 2);
  };
  const position = {
    x: within(x, left, right, (stage.clientWidth - 24) / scale),
    y: within(y, top, bottom, (stage.clientHeight - bar - 24) / scale) - bar / 2 / scale,
  };
  network.moveTo({ position, scale, animation: false });
}

/** The box around nodes: left, top, right, bottom.
 * @param {Figure} figure
 * @param {number[]} ids */
function surrounding(figure, ids) {
  /** @type {(id: number) => import("../figure/shapes.d.ts").Point[]} */
  const cornersOf = (id) => {
    const { x, y, shape } = figure.network.body.nodes[id];
    const [w, h] = [(shape.width ?? 120) / 2, (shape.height ?? 34) / 2];
    return [
      [x - w, y - h],
      [x + w, y + h],
    ];
  };
  return boundsOf(ids.flatMap(cornersOf));
}

/** Height of the stage that the buttons cover.
 * @param {Figure} figure */
function above({ tools }) {
  return tools.box.hidden ? 0 : tools.box.offsetHeight + 6;
}

/** Fit the given nodes into the stage, clear of the buttons, at most at the scale `closest`.
 * @param {Figure} figure
 * @param {number[]} ids
 * @param {number} closest
 * @param {import("./vis_network.d.ts").Animation} [animation] */
function frame(figure, ids, closest, animation = false) {
  const { network, stage } = figure;
  network.body.emitter.emit("_resizeNodes");
  const [left, top, right, bottom] = surrounding(figure, ids);
  const bar = above(figure);
  const [wide, high] = [Math.max(stage.clientWidth - 40, 60), Math.max(stage.clientHeight - bar - 40, 60)];
  const scale = bounded(Math.min(wide / (right - left), high / (bottom - top), closest));
  const lower = Math.max(bar + 12 - (stage.clientHeight - (bottom - top) * scale) / 2, 0); // only if it must
  const position = { x: (left + right) / 2, y: (top + bottom) / 2 - lower / scale };
  network.moveTo({ position, scale, animation });
}

const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const gliding = () => (isCalm() ? false : { duration: 220, easingFunction: "easeInOutQuad" });

/** @param {Figure} figure
 * @param {number | undefined} number */
export function centreOn(figure, number) {
  if (number === undefined) return;
  const { network } = figure;
  figure.moved = true;
  const scale = bounded(Math.max(network.getScale(), ZOOM.near));
  network.moveTo({ position: network.getPosition(number), scale, animation: gliding() });
}

/** Bring nodes into view if one of them is outside; never closer than now.
 * @param {Figure} figure
 * @param {number[]} numbers */
export function reveal(figure, numbers) {
  const { network, stage, tools } = figure;
  if (!numbers.length) return;
  /** @param {number} number */
  const seen = (number) => {
    const { x, y } = network.canvasToDOM(network.getPosition(number));
    const covered = !tools.box.hidden && x > tools.box.offsetLeft - 20 && y < above(figure) + 10;
    return !covered && x > 30 && y > 20 && x < stage.clientWidth - 30 && y < stage.clientHeight - 20;
  };
  if (numbers.every(seen)) return;
  figure.moved = true;
  frame(figure, numbers, network.getScale(), gliding());
}

/** @param {Figure} figure
 * @param {number} factor */
export function zoom(figure, factor) {
  figure.moved = true;
  figure.network.moveTo({ scale: bounded(figure.network.getScale() * factor), animation: false });
}

/** @param {number} scale */
function bounded(scale) {
  return Math.min(ZOOM.most, Math.max(ZOOM.least, scale));
}

/** @param {Figure} figure */
export function limitZoom(figure) {
  const scale = figure.network.getScale();
  if (bounded(scale) !== scale) figure.network.moveTo({ scale: bounded(scale), animation: false });
}

/** @param {Figure} figure
 * @param {number} x  pixels
 * @param {number} y */
export function pan(figure, x, y) {
  figure.moved = true;
  const [centre, scale] = [figure.network.getViewPosition(), figure.network.getScale()];
  figure.network.moveTo({ position: { x: centre.x + x / scale, y: centre.y + y / scale }, animation: false });
}

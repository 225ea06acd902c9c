// Scene of the canvas: names at their places, edges on their paths, and nodes without a place.

import { cleanName, foldName } from "../desk/names.js";
import { atLeast, centreOf, closestPair, courseOf, curveOf, grown, holds } from "./geometry.js";

/** @typedef {import("./types.d.ts").Box} Box */
/** @typedef {import("./types.d.ts").Point} Point */

/** One point of a figure 450 points wide, so that marks look alike on a small crop and on a large photograph. */
export const unitOf = ({ width, height }) => Math.max(width, height * 0.8) / 110;

/** Box of a node: printed or placed; a typed one is at the first printed name that reads the same.
 * @param {{name: string, box: Box | null, at: Point | null}} node
 * @param {Map<string, any[]>} printed Printed words by their folded text.
 * @param {number} unit */
export function boxOfNode(node, printed, unit) {
  if (node.box && !(node.at && !holds(grown(node.box, 1), ...node.at)))
    return { box: grown(node.box, unit * 0.35), isPoint: false };
  if (node.at) return { box: atLeast([...node.at, ...node.at], 2 * unit), isPoint: true };
  const same = printed.get(foldName(node.name)) ?? [];
  return same.length > 0 ? { box: grown(same[0].box, unit * 0.35), isPoint: false } : null;
}

/** The scene: {places, lines, unplaced, boxes}. Paths of edges are cached in `courses` until an end moves.
 * @returns {import("./types.d.ts").Scene} */
export function sceneOf(view, data, courses) {
  const unit = unitOf(data.figure);
  const printed = new Map();
  data.words.forEach((word) => {
    const folded = foldName(word.text);
    printed.set(folded, [...(printed.get(folded) ?? []), word]);
  });
  const boxes = new Map();
  /** @type {import("./types.d.ts").Place[]} */
  const places = [];
  const unplaced = [];
  const folded = new Map();
  for (const node of view.nodes.values()) {
    const nodeBox = boxOfNode(node, printed, unit);
    if (!node.box) folded.set(foldName(node.name), node.name); // two spellings that are both printed are two names
    if (nodeBox === null) {
      unplaced.push(node);
      continue;
    }
    boxes.set(node.name, nodeBox.box);
    places.push({ kind: "node", key: node.name, name: node.name, node, ...nodeBox });
  }
  data.words.forEach((word, index) => {
    const name = cleanName(word.text);
    const owner = view.nodes.has(name) ? name : (folded.get(foldName(name)) ?? null);
    const box = grown(word.box, unit * 0.35);
    // A node made from this print and renamed since is here too, under another name.
    const isAt = (place) => holds(place.box, ...centreOf(box)) && (place.name === owner || place.node.box !== null);
    if (name !== "" && !places.some((place) => place.kind === "node" && !place.isPoint && isAt(place)))
      places.push({
        kind: "word",
        key: `w:${index}`,
        name: owner ?? name,
        word,
        box,
        isPoint: false,
        isAgain: owner !== null,
        isDismissed: owner === null && view.dismissed.has(foldName(name)),
      });
  });
  const boxesByName = new Map(); // name -> all its boxes: diagrams print one variable in several places
  for (const { name, box } of places) boxesByName.set(name, [...(boxesByName.get(name) ?? []), box]);
  const [left, top] = data.figure.origin;
  /** @type {Box} */
  const area = [left, top, left + data.figure.width, top + data.figure.height];
  const around = { unit, courses, all: [...boxes], area };
  const ends = (name) => boxesByName.get(name) ?? [];
  const lines = [
    ...linesOf(view.edges, "edge", (name) => (boxes.has(name) ? ends(name) : []), around),
    ...linesOf(view.proposals, "proposal", ends, around),
  ];
  return { places, lines, unplaced, boxes, unit };
}

/**
 * Every edge on its path, with ends at its names; an edge without any placed end is left out.
 * @param {Map<string, import("../transcription/types.d.ts").ViewEdge>} edges
 * @param {"edge" | "proposal"} kind
 * @param {(name: string) => Box[]} endsOf
 * @param {{unit: number, courses: Map<string, {drawnFrom: unknown[], curve: import("./types.d.ts").Curve}>, all: [string, Box][], area: Box}} around
 * @returns {import("./types.d.ts").Line[]}
 */
export function linesOf(edges, kind, endsOf, { unit, courses, all, area }) {
  const pairs = new Map();
  const pairKey = ({ source, sink }) => (source < sink ? `${source}\0${sink}` : `${sink}\0${source}`);
  for (const edge of edges.values()) {
    const key = pairKey(edge);
    if (!pairs.get(key)?.push(edge)) pairs.set(key, [edge]);
  }
  const lines = [];
  for (const [key, edge] of edges) {
    const isLoop = edge.source === edge.sink; // the closest two are then the first place, twice
    const [from, to] = closestPair(endsOf(edge.source), endsOf(edge.sink));
    if (from === null && to === null) continue;
    const twins = pairs.get(pairKey(edge));
    const rank = twins.filter((twin) => twin.source === edge.source).indexOf(edge) * 2;
    const drawnFrom = [from, to, twins.length, rank, unit, edge.path && String(edge.path)].flat();
    const curve = cachedCurve(courses, `${kind}:${key}`, drawnFrom, () => {
      if (!(from && to)) return stubOf(from, to, unit);
      const others = all.filter(([name]) => name !== edge.source && name !== edge.sink).map(([, box]) => box);
      return courseOf(from, to, { path: edge.path, isLoop, twins: twins.length, rank, others, unit, area });
    });
    lines.push({ kind, key, edge, curve, points: curve.points, bounds: curve.bounds, isStub: !(from && to) });
  }
  return lines;
}

/** The curve that was drawn from the same values before, or a new one.
 * @param {Map<string, {drawnFrom: unknown[], curve: import("./types.d.ts").Curve}>} courses
 * @param {string} key
 * @param {unknown[]} drawnFrom
 * @param {() => import("./types.d.ts").Curve} draw */
function cachedCurve(courses, key, drawnFrom, draw) {
  const course = courses.get(key);
  if (course?.drawnFrom.every((value, place) => value === drawnFrom[place])) return course.curve;
  const curve = draw();
  courses.set(key, { drawnFrom, curve });
  return curve;
}

/** Stub of an edge whose other end has no place yet: a short line above the placed name. */
function stubOf(from, to, unit) {
  const [x0, y0, x1] = from ?? to;
  /** @type {Point} */
  const foot = [(x0 + x1) / 2, y0];
  /** @type {Point} */
  const top = [foot[0], y0 - 5 * unit];
  return curveOf(from ? [foot, top] : [top, foot]);
}

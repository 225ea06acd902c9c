// The picture of two transcriptions: a place for each variable, and a line for every edge of A, of B, of both.
//
// Sides: "both", "a", "b", "own", "read". Every line names the item it belongs to; fates: "waits", "in", "out", "".

import { boundsOf, grown } from "../canvas/geometry.js";
import { boxOfNode, linesOf, unitOf } from "../canvas/scene.js";
import { foldName } from "../desk/names.js";
import { alignedName } from "./view.js";
import { hasDelay } from "./words.js";

export function deskScene(view, data, courses) {
  const unit = unitOf(data.figure);
  const printed = new Map();
  for (const word of data.words) printed.set(foldName(word.text), [...(printed.get(foldName(word.text)) ?? []), word]);
  const places = [];
  const boxes = new Map();
  for (const node of data.nodes) {
    const box = [node, { ...node, name: node.a ?? "" }, { ...node, name: node.b ?? "" }]
      .map((each) => boxOfNode(each, printed, unit))
      .find(Boolean);
    if (!box) continue;
    boxes.set(node.name, box.box);
    const differs = node.a !== null && node.b !== null && node.a !== node.b;
    places.push({ kind: /** @type {const} */ ("node"), key: node.name, name: node.name, node, differs, ...box });
  }
  const [left, top] = data.figure.origin;
  /** @type {import("../canvas/types.d.ts").Box} */
  const area = [left, top, left + data.figure.width, top + data.figure.height];
  const around = { unit, courses, all: [...boxes], area };
  const ends = (name) => (boxes.has(name) ? [boxes.get(name)] : []);
  return { places, boxes, unit, lines: linesOf(edgesOf(view, data.courses), "edge", ends, around) };
}

/** The printed path under an edge of a side, of this sign if one has it; edges of both lie on A's path, else on B's.
 * @param {import("./types.d.ts").CourseData[]} courses */
export function courseUnder(courses, side, source, sink, sign) {
  const matching = courses.filter((one) => one.source === source && one.sink === sink);
  const of = (letter) => {
    const own = matching.filter((one) => one.side === letter);
    return (own.find((one) => one.sign === sign) ?? (own.length === 1 ? own[0] : null))?.path ?? null;
  };
  return side === "a" || side === "b" ? of(side) : (of("a") ?? of("b"));
}

/** Every edge to draw: key -> edge, as linesOf takes them. */
function edgesOf(view, courses) {
  const edges = new Map();
  const add = (item, side, fate, source, sink, marks) =>
    marks.forEach(({ sign, delay }, n) => {
      edges.set(`${item.key} ${side} ${n}`, {
        source,
        sink,
        sign,
        delay,
        flag: "",
        path: courseUnder(courses, side, source, sink, sign),
        side,
        fate,
        item: item.key,
      });
    });
  for (const item of view.agreed) add(item, "both", "", item.found.source, item.found.sink, item.found.a);
  for (const item of view.items) if (item.type === "difference") drawDifference(item, add);
  for (const item of view.read) {
    const { source, sink, sign, delay, path } = item.found;
    edges.set(`${item.key} read 0`, {
      source,
      sink,
      sign,
      delay,
      flag: "",
      path,
      side: "read",
      fate: "waits",
      item: item.key,
    });
  }
  for (const item of view.own) {
    const { source, sink, sign, delay, is_there: isThere } = item.own;
    add(item, "own", isThere ? "in" : "out", source, sink, [{ sign, delay }]);
  }
  return edges;
}

function drawDifference(item, add) {
  const { kind, source, sink, a, b } = item.found;
  const choice = item.ruling?.choice ?? null;
  const outcomeOf = (side) => (choice === null ? "waits" : choice === side || choice === "both" ? "in" : "out");
  if (kind === "arrow") {
    if (a.length > 0) add(item, "a", outcomeOf("A"), source, sink, a);
    else add(item, "b", outcomeOf("B"), source, sink, b);
  } else if (kind === "direction") {
    add(item, "a", outcomeOf("A"), source, sink, a);
    add(item, "b", outcomeOf("B"), sink, source, b);
  } else if (kind === "sign" || kind === "delay") {
    add(item, "both", choice === null ? "waits" : "in", source, sink, [settledMark(item)]);
  }
}

/** The one line of an edge that both drew with different marks: only the settled ones. */
function settledMark({ found: { kind, a, b }, ruling }) {
  const chosen = ruling === null ? null : ruling.choice === "A" ? a : ruling.choice === "B" ? b : null;
  if (kind === "sign") return { sign: chosen === null ? "" : chosen[0].sign, delay: false };
  return { sign: a[0].sign, delay: chosen !== null && hasDelay(chosen) };
}

/** The names of an item, whose places are highlighted. `choice`: the choice about a name. */
export function namesOf(item, choice, data) {
  if (item.type === "name")
    return [item.question.name, choice.reference, item.question.reference]
      .filter((name) => name !== null)
      .map((name) => alignedName(data, name));
  if (item.type === "own") return [item.own.source, item.own.sink];
  return [item.found.source, item.found.sink].filter(Boolean);
}

/** Bounds of an item in the picture: [x0, y0, x1, y1], or null if none of it has a place. */
export function boundsOfItem(scene, item, names) {
  const lines = scene.lines.filter(({ edge }) => edge.item === item.key).map(({ bounds }) => bounds);
  const boxes = [...lines, ...names.map((name) => scene.boxes.get(name)).filter(Boolean)];
  if (boxes.length === 0) return null;
  const all = boundsOf(
    boxes.flatMap(([x0, y0, x1, y1]) => [
      [x0, y0],
      [x1, y1],
    ]),
  );
  return grown(all, scene.unit * 2.5);
}

/** Labels over the picture for an item on which the two differ. */
export function chipsOf(scene, item, choice, named) {
  const chips = [];
  const label = (key, text, box, look) => box && chips.push({ key, kind: "name", text, box, look: `rd-chip ${look}` });
  if (item.type === "name") {
    label(
      "b",
      `B: ${item.question.name}`,
      scene.boxes.get(item.question.name) ?? scene.boxes.get(item.question.reference),
      "b",
    );
    if (choice.reference !== null && scene.boxes.get(item.question.name))
      label("a", `A: ${choice.reference}`, scene.boxes.get(choice.reference), "a");
    return chips;
  }
  const line = scene.lines.find(({ edge }) => edge.item === item.key);
  if (line?.isStub) {
    const isStart = scene.boxes.has(line.edge.source);
    const [x, y] = isStart ? line.points.at(-1) : line.points[0];
    label("far", `${named(isStart ? line.edge.sink : line.edge.source)}: not placed`, [x, y, x, y], "ab");
    return chips;
  }
  if (item.type !== "difference" || line === undefined || !["sign", "delay"].includes(item.found.kind)) return chips;
  const { x, y } = line.curve.middle;
  label("ab", `A: ${item.found.a_says} · B: ${item.found.b_says}`, [x, y, x, y], "ab");
  return chips;
}

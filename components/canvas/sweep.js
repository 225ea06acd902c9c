// The sweep: from name to name ("any more edges out of it?"), then through the printed texts that no node uses and the
// printed arrows that have no edge.

import { count } from "../desk/dom.js";
import { foldName } from "../desk/names.js";
import { createArrows, bringIntoView } from "./bare_ink.js";
import { atLeast, centreOf } from "./geometry.js";

/** Subject of a question. @typedef {{kind: "node" | "word" | "arrow", key: string, name: string, box: any, isOpen: boolean}} Item */

/** Identity of a subject; texts and nodes by name, also if it is printed several times. @param {{kind: string, key: string, name: string}} item */
const identityOf = ({ kind, key, name }) => `${kind} ${kind === "arrow" ? key : name}`;

/** Items from the upper left to the lower right, row by row; those without a place come last.
 * @param {any[]} items
 * @param {number} unit */
function inReadingOrder(items, unit) {
  const spot = ({ box }) => (box ? [Math.round(box[1] / (6 * unit)), box[0]] : [Infinity, 0]);
  return [...items].sort((a, b) => {
    const [[rowA, xA], [rowB, xB]] = [spot(a), spot(b)];
    return rowA === rowB ? xA - xB : rowA - rowB;
  });
}

/** @returns {Item[]} */
function nodesIn(view, { boxes, unit }) {
  const item = ({ name, swept }) => ({ kind: "node", key: name, name, box: boxes.get(name) ?? null, isOpen: !swept });
  return inReadingOrder([...view.nodes.values()].map(item), unit);
}

/** Printed texts without a node, each once.
 * @returns {Item[]} */
function textsIn({ places, unit }) {
  const byName = new Map();
  for (const place of inReadingOrder(places, unit)) {
    const { kind, key, name, box, isAgain, isDismissed } = place;
    if (kind !== "word" || isAgain || byName.has(foldName(name))) continue;
    byName.set(foldName(name), { kind, key, name, box, isOpen: !isDismissed });
  }
  return [...byName.values()];
}

/**
 * The sweep of the canvas `c`. The current question is `c.ui.sweep`: {kind: "node", key: name},
 * {kind: "word", key: place key, name} or {kind: "arrow", key: id}, which stays there while its edge is looked at. follow() is to be called after each new data, check() after each drawing's acts.
 * @param {import("./types.d.ts").Canvas} c
 */
export function createSweep(c) {
  const { ui } = c;
  const view = () => c.graph.view();
  /** @type {string | null} */
  let heard = null;

  const nodes = () => nodesIn(view(), c.scene);
  const texts = () => textsIn(c.scene);
  const arrows = createArrows(c, goTo);
  const isSame = (a, b) => a !== null && b !== null && identityOf(a) === identityOf(b);

  /** The open items, starting after the current one. */
  function open() {
    const all = [...nodes(), ...texts(), ...arrows.items()];
    const at = all.findIndex((each) => isSame(each, ui.sweep));
    return [...all.slice(at + 1), ...all.slice(0, at + 1)].filter((each) => each.isOpen);
  }

  function counts() {
    const [named, printed, bare] = [nodes(), texts(), arrows.items()];
    return {
      done: named.filter(({ isOpen }) => !isOpen).length,
      names: named.length,
      texts: printed.filter(({ isOpen }) => isOpen).length,
      arrows: bare.length,
      left: [...named, ...printed, ...bare].filter(({ isOpen }) => isOpen).length,
    };
  }

  function goTo(target) {
    c.commands.disarm();
    c.selection.select(null);
    Object.assign(ui, { armed: null, proposal: null, chosen: null, focus: null });
    ui.sweep = target === null ? null : { kind: target.kind, key: target.key, name: target.name };
    if (target?.box) zoomTo(target.box);
    else c.panZoom.fit(true);
    if (target !== null && c.root.contains(c.host.activeElement)) c.viewport.focus({ preventScroll: true });
    c.draw();
    if (target?.kind === "arrow") bringIntoView(c, target.box);
    if (target !== null) c.say(question());
  }

  function next() {
    const [target] = open().filter((each) => !isSame(each, ui.sweep));
    if (target) return goTo(target);
    const isAllDone = open().length === 0;
    goTo(null);
    const done = "Sweep complete: all nodes are swept, and all printed texts and arrows are settled.";
    return c.say(isAllDone ? done : "End of the sweep. Some were skipped.");
  }

  function begin() {
    const at = c.here();
    const [first] = [...open().filter(({ name }) => name === at?.name), ...open()];
    if (first === undefined) return c.say("Everything is already swept.");
    return goTo(first);
  }

  function question() {
    if (ui.sweep === null) return "";
    const { kind, name, key } = ui.sweep;
    if (kind === "arrow") return arrows.question(key);
    if (kind === "word") return `“${name}” is printed, but no node uses it. Is it a variable?`;
    const drawn = count([...view().edges.values()].filter(({ source }) => source === name).length, "outgoing edge");
    return view().nodes.get(name)?.swept ? `✓ ${name} is swept: ${drawn}.` : `${name}: ${drawn}. Any more?`;
  }

  /** Adjust the question if its subject is gone, or a printed text became a node. */
  function check() {
    if (ui.sweep === null) return;
    const { kind, name, key } = ui.sweep;
    if (kind === "arrow" || (kind === "node" && view().nodes.has(name))) return;
    const asNode = kind === "word" ? c.commands.existing(name, true) : null;
    if (asNode !== null) ui.sweep = { kind: "node", key: asNode, name: asNode };
    else if (kind === "node" || c.placeOf("word", key) === null) ui.sweep = null;
  }

  function follow() {
    const { sweep, sweep_n: n } = c.data;
    const signature = JSON.stringify([sweep, n]);
    if (signature === heard) return;
    const isFirst = heard === null;
    heard = signature;
    if (sweep === null) return void (isFirst ? undefined : goTo(null));
    // The dialog in which the sweep was chosen returns the focus to its own button after it has closed.
    if (!isFirst) setTimeout(() => c.root.isConnected && c.viewport.focus({ preventScroll: true }), 400);
    if (sweep === "") return void begin();
    if (sweep === "arrows") return void arrows.step(1);
    const name = c.data.nodes.find(({ id }) => id === sweep)?.name;
    const target = nodes().find((each) => each.name === name);
    return void (target && goTo(target));
  }

  /** Zoom to a box with its surroundings, so that its arrows can be followed by eye.
   * @param {import("./types.d.ts").Box} box */
  function zoomTo(box) {
    const { origin, width, height } = c.data.figure;
    const [x, y] = centreOf(box);
    const [x0, y0, x1, y1] = atLeast(box, 0.6 * Math.max(width, height));
    const across = Math.min(x1, origin[0] + width) - Math.max(x0, origin[0]);
    const down = Math.min(y1, origin[1] + height) - Math.max(y0, origin[1]);
    /** @type {import("./types.d.ts").Box} */
    const area = [x - across / 2, y - down / 2, x + across / 2, y + down / 2];
    c.panZoom.zoomTo(area, { margin: 0, most: Infinity });
  }

  return {
    follow,
    check,
    begin,
    next,
    stepArrow: arrows.step,
    course: arrows.course,
    question,
    counts,
    end: () => goTo(null),
  };
}

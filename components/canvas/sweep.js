// The sweep: from name to name ("any more edges out of it?"), then through the printed texts that no node uses.

import { count } from "../desk/dom.js";
import { foldName } from "../desk/names.js";
import { atLeast, centreOf } from "./geometry.js";

/**
 * The sweep of the canvas `c`. What is being asked about stands in `c.ui.sweep`: {kind: "node", key: name} or
 * {kind: "word", key: place key, name}. follow() is to be called after each new data, check() after each drawing's acts.
 */
export function createSweep(c) {
  const { ui } = c;
  const view = () => c.graph.view();
  /** @type {string | null} */
  let heard = null;

  const rows = (box) => (box ? [Math.round(box[1] / (6 * c.scene.unit)), box[0]] : [Infinity, 0]);
  const inReadingOrder = (items) =>
    [...items].sort((a, b) => {
      const [[rowA, xA], [rowB, xB]] = [rows(a.box), rows(b.box)];
      return rowA === rowB ? xA - xB : rowA - rowB;
    });

  const nodes = () =>
    inReadingOrder(
      [...view().nodes.values()].map(({ name, swept }) => ({
        kind: "node",
        key: name,
        name,
        box: c.scene.boxes.get(name) ?? null,
        isOpen: !swept,
      })),
    );

  /** Printed texts without a node, each once. */
  function texts() {
    const seen = new Set();
    const found = [];
    for (const place of inReadingOrder(c.scene.places.filter(({ kind, isAgain }) => kind === "word" && !isAgain))) {
      const folded = foldName(place.name);
      if (seen.has(folded)) continue;
      seen.add(folded);
      found.push({ kind: "word", key: place.key, name: place.name, box: place.box, isOpen: !place.isDismissed });
    }
    return found;
  }

  const isSame = (a, b) => a !== null && b !== null && a.kind === b.kind && a.name === b.name;

  /** What is still to be looked at, beginning after what is looked at now. */
  function open() {
    const all = [...nodes(), ...texts()];
    const at = all.findIndex((each) => isSame(each, ui.sweep));
    return [...all.slice(at + 1), ...all.slice(0, at + 1)].filter((each) => each.isOpen);
  }

  function counts() {
    const [named, printed] = [nodes(), texts()];
    return {
      done: named.filter(({ isOpen }) => !isOpen).length,
      names: named.length,
      texts: printed.filter(({ isOpen }) => isOpen).length,
      left: [...named, ...printed].filter(({ isOpen }) => isOpen).length,
    };
  }

  function goTo(target) {
    c.deeds.disarm();
    Object.assign(ui, { armed: null, proposal: null, chosen: null, focus: null, last: null });
    ui.sweep = target === null ? null : { kind: target.kind, key: target.key, name: target.name };
    if (target?.box) zoomTo(target.box);
    else c.panZoom.fit(true);
    if (target !== null && c.root.contains(c.root.getRootNode().activeElement))
      c.viewport.focus({ preventScroll: true });
    c.draw();
    if (target !== null) c.say(question());
  }

  function next() {
    const [target] = open().filter((each) => !isSame(each, ui.sweep));
    if (target) return goTo(target);
    const isAllDone = open().length === 0;
    goTo(null);
    return c.say(
      isAllDone
        ? "Sweep complete: all nodes are swept and all printed texts are answered."
        : "End of the sweep. Some were skipped.",
    );
  }

  function begin() {
    const at = c.here();
    const [first] = [...open().filter(({ name }) => name === at?.name), ...open()];
    if (first === undefined) return c.say("Everything is already swept.");
    return goTo(first);
  }

  function question() {
    if (ui.sweep.kind === "word") return `“${ui.sweep.name}” is printed, but no node uses it. Is it a variable?`;
    const drawn = [...view().edges.values()].filter(({ source }) => source === ui.sweep.name).length;
    const isSwept = view().nodes.get(ui.sweep.name)?.swept ?? false;
    return isSwept
      ? `✓ ${ui.sweep.name} is swept: ${count(drawn, "outgoing edge")}.`
      : `${ui.sweep.name}: ${count(drawn, "outgoing edge")}. Any more?`;
  }

  /** What was asked about is gone, or a printed text became a node: the question follows. */
  function check() {
    if (ui.sweep === null) return;
    const { kind, name, key } = ui.sweep;
    if (kind === "node" && view().nodes.has(name)) return;
    const asNode = kind === "word" ? c.deeds.existing(name, true) : null;
    if (asNode !== null) ui.sweep = { kind: "node", key: asNode, name: asNode };
    else if (kind === "node" || c.placeOf("word", key) === null) ui.sweep = null;
  }

  function follow() {
    const { sweep, sweep_n: n } = c.data;
    const told = JSON.stringify([sweep, n]);
    if (told === heard) return;
    const isFirst = heard === null;
    heard = told;
    if (sweep === null) return void (isFirst ? undefined : goTo(null));
    // The dialog in which the sweep was chosen gives the focus back to its own button when it has closed.
    if (!isFirst) setTimeout(() => c.root.isConnected && c.viewport.focus({ preventScroll: true }), 400);
    if (sweep === "") return void begin();
    const name = c.data.nodes.find(({ id }) => id === sweep)?.name;
    const target = nodes().find((each) => each.name === name);
    return void (target && goTo(target));
  }

  /** Brings a box with a fair piece of its surroundings into the window: arrows are to be followed with the eye. */
  function zoomTo(box) {
    const {
      origin: [left, top],
      width,
      height,
    } = c.data.figure;
    const [x, y] = centreOf(box);
    const around = atLeast(box, 0.6 * Math.max(width, height));
    const seen = [
      Math.max(around[0], left),
      Math.max(around[1], top),
      Math.min(around[2], left + width),
      Math.min(around[3], top + height),
    ];
    const room = c.viewport.getBoundingClientRect();
    c.panZoom.panBy(0, 0); // ends a running movement, so that the numbers below hold
    const scale = Math.min(room.width / (seen[2] - seen[0]), room.height / (seen[3] - seen[1]));
    const ratio = scale / c.panZoom.scale;
    const at = c.panZoom.toScreen(x, y);
    const middle = { x: room.left + room.width / 2, y: room.top + room.height / 2 };
    if (Math.abs(1 - ratio) < 0.02) return c.panZoom.panBy(middle.x - at.x, middle.y - at.y, true);
    return c.panZoom.zoomBy(
      ratio,
      (middle.x - at.x * ratio) / (1 - ratio),
      (middle.y - at.y * ratio) / (1 - ratio),
      true,
    );
  }

  return { follow, check, begin, next, question, counts, end: () => goTo(null) };
}

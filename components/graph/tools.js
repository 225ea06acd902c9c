// Buttons and keys for highlighting and the view.

import { make, pushButton, targetOf } from "../desk/dom.js";
import { ZOOM, fit, pan, reveal, zoom } from "./camera.js";
import { announce, choose, modeWords, narrow, pick, refocus, say } from "./choice.js";
import { closeFind, onFindKey, openFind } from "./find.js";
import { factOf, numbersOf } from "./items.js";

/** @typedef {import("./types.d.ts").Figure} Figure */

const SIGN_COLOURS = "edgewise.sign-colours"; // the user's choice, stored in the browser

/** Narrow to the selection, or restore; by the button and the key.
 * @param {Figure} figure */
function toggleOnly(figure) {
  if (figure.only === null && figure.picked === null) advise(figure);
  else narrow(figure, figure.only === null ? figure.picked : null);
}

/** @param {Figure} figure */
function advise(figure) {
  const advice = "Choose a node first: click it, or press / and type its name";
  say(figure, advice);
  announce(figure, advice);
}

/** Dim all but Python's highlights, and bring them into view if necessary.
 * @param {Figure} figure */
export function light(figure) {
  const { lit } = figure.data;
  figure.lit = lit === null ? null : new Set(numbersOf(figure, lit));
  if (figure.lit !== null) figure.only = null;
  refocus(figure);
  const nodes = [...(figure.lit ?? [])].flatMap((number) => {
    const fact = factOf(figure, number);
    return fact.kind === "node" ? [number] : fact.ends;
  });
  reveal(figure, [...new Set(nodes)]);
  say(figure, "");
  announce(figure, modeWords(figure));
}

// --- the buttons --------------------------------------------------------------------------------------------------

/** `redraw`: called when lines change their colour.
 * @param {Figure} figure
 * @param {() => void} redraw  called when lines change their colour */
export function createTools(figure, redraw) {
  /** @param {string} text @param {string} title @param {() => void} act */
  const button = (text, title, act) => pushButton(text, act, { title, "aria-label": title });
  const title = "Dim all but the chosen node and its neighbours";
  const only = pushButton("Show only neighbours", () => toggleOnly(figure), { title, "aria-pressed": "false" });
  const signs = pushButton("Signs in colour", () => {
    figure.hasSignColours = !figure.hasSignColours;
    signs.setAttribute("aria-pressed", String(figure.hasSignColours));
    localStorage.setItem(SIGN_COLOURS, String(figure.hasSignColours));
    redraw();
  });
  figure.hasSignColours = localStorage.getItem(SIGN_COLOURS) === "true";
  signs.setAttribute("aria-pressed", String(figure.hasSignColours));
  const box = make(
    "div",
    { class: "tools" },
    pushButton("Find", () => openFind(figure), { title: "Find a node by its name" }),
    only,
    signs,
    button("+", "Zoom in", () => zoom(figure, ZOOM.step)),
    button("−", "Zoom out", () => zoom(figure, 1 / ZOOM.step)),
    button("Fit", "Fit the whole graph", () => fit(figure, true)),
  );
  return { box, only, signs };
}

// --- keys ---------------------------------------------------------------------------------------------------------

/** @param {Figure} figure
 * @param {KeyboardEvent} event */
export function onKey(figure, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (figure.find.box.contains(targetOf(event))) {
    if (event.target === figure.find.field || event.key === "Escape") onFindKey(figure, event);
    return;
  }
  if (event.target !== figure.stage && event.key !== "Escape" && event.key !== "/") return;
  /** @type {Record<string, () => void>} */
  const acts = {
    "+": () => zoom(figure, ZOOM.step),
    "=": () => zoom(figure, ZOOM.step),
    "-": () => zoom(figure, 1 / ZOOM.step),
    0: () => fit(figure, true),
    f: () => fit(figure, true),
    "/": () => openFind(figure),
    n: () => toggleOnly(figure),
    e: () => stepEdge(figure, event.shiftKey ? -1 : 1),
    Escape: () => back(figure),
    ArrowLeft: () => pan(figure, -60, 0),
    ArrowRight: () => pan(figure, 60, 0),
    ArrowUp: () => pan(figure, 0, -60),
    ArrowDown: () => pan(figure, 0, 60),
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!Object.hasOwn(acts, key)) return;
  event.preventDefault();
  event.stopPropagation();
  acts[key]();
}

/** One step back: from the find field, from the neighbours, out of the figure.
 * @param {Figure} figure */
function back(figure) {
  if (!figure.find.box.hidden) closeFind(figure);
  else if (figure.only !== null) narrow(figure, null);
  else /** @type {HTMLElement | null} */ (/** @type {ShadowRoot} */ (figure.root.getRootNode()).activeElement)?.blur();
}

/** Select the next edge of the selected node, in the order of the data; from such an edge, the next one of that node.
 * @param {Figure} figure
 * @param {number} way */
function stepEdge(figure, way) {
  const fact = figure.facts.get(figure.picked);
  if (fact?.kind === "node") figure.home = figure.picked;
  const home = /** @type {number | undefined} */ (figure.facts.has(figure.home) ? figure.home : fact?.ends?.[0]);
  if (home === undefined) return void advise(figure);
  /** @param {number} number */
  const isSeen = (number) => !figure.network.body.edges[number].options.hidden;
  const own = [...figure.facts].filter(([number, each]) => each.ends?.includes(home) && isSeen(number));
  if (!own.length) return void announce(figure, `${factOf(figure, home).name} has no edges`);
  const at = own.findIndex(([number]) => number === figure.picked);
  const [number, { ends }] = own[at < 0 ? (way > 0 ? 0 : own.length - 1) : (at + way + own.length) % own.length];
  const wasOnly = figure.only;
  figure.only = null; // stepping through its edges does not leave the neighbours of the node
  pick(figure, [number]);
  choose(figure, number);
  figure.only = wasOnly;
  refocus(figure);
  reveal(figure, ends ?? []);
}

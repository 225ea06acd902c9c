// Selection and highlighting, and their announcements.

import { count as counted } from "../desk/dom.js";
import { factOf } from "./items.js";

/** @typedef {import("./types.d.ts").Fact} Fact */
/** @typedef {import("./types.d.ts").Figure} Figure */

// --- words below the figure ---------------------------------------------------------------------------------------

const KEYS =
  "[/] find a node, [N] or double-click its neighbours, [E] its edges, [+] [−] or Ctrl wheel zoom, arrow keys move," +
  " [F] fits, [Esc] goes back.";
const TOUCH = "Tap the figure, then drag or pinch · tap a node or an edge to choose it, twice for its neighbours";

/** @param {Figure} figure
 * @param {string} text */
export function say(figure, text) {
  const touch = matchMedia("(pointer: coarse)").matches;
  const keys = `${figure.partly ? "Part of the graph is shown; Fit shows all. " : ""}${touch ? TOUCH : KEYS}`;
  const steady = [figure.told, modeWords(figure)].filter(Boolean).join(" · ");
  figure.line.textContent = text || steady || keys;
  figure.line.classList.toggle("quiet", !text && !steady);
}

/** Announce a text to screen readers.
 * @param {Figure} figure
 * @param {string} text */
export function announce(figure, text) {
  figure.live.textContent = text;
}

// --- choosing -----------------------------------------------------------------------------------------------------

/** Select a node or edge (its number, or undefined for none) for the user and report it to the owner of the picture.
 * @param {Figure} figure
 * @param {number | undefined} number */
export function choose(figure, number) {
  const fact = figure.facts.get(number);
  show(figure, number);
  if (figure.only !== null && figure.only !== number) narrow(figure, figure.picked);
  announce(figure, fact ? `Chosen: ${fact.text}` : "Nothing chosen");
  figure.chosen = Math.max(figure.chosen + 1, Date.now());
  figure.onChoose(fact ? { kind: fact.kind, id: fact.id, n: figure.chosen } : null);
}

/** @param {Figure} figure
 * @param {number[]} numbers */
export function pick(figure, numbers) {
  const of = (/** @type {Fact["kind"]} */ kind) => numbers.filter((number) => figure.facts.get(number)?.kind === kind);
  figure.network.setSelection({ nodes: of("node"), edges: of("edge") }, { highlightEdges: false });
}

/** Show the selection (a number, or undefined) in the words and the buttons.
 * @param {Figure} figure
 * @param {number | undefined} number */
export function show(figure, number) {
  figure.picked = number !== undefined && figure.facts.has(number) ? number : null;
  figure.told = figure.facts.get(number)?.text ?? "";
  say(figure, "");
  showTools(figure);
}

/** @param {Figure} figure */
export function showTools(figure) {
  const { only } = figure.tools;
  only.setAttribute("aria-pressed", String(figure.only !== null));
  only.classList.toggle("idle", figure.only === null && figure.picked === null);
}

// --- dimming ------------------------------------------------------------------------------------------------------

/** Compute what is at full strength: the neighbours that a user requested, else Python's highlights, else everything.
 * @param {Figure} figure */
export function refocus(figure) {
  figure.full = figure.only === null ? figure.lit : around(figure, figure.only);
  figure.root.dataset.full = figure.full === null ? "" : String(figure.full.size);
  figure.network.body.emitter.emit("_requestRedraw"); // with the next frame, once for all changes of this one
  showTools(figure);
}

/** A node with its edges and neighbours, or an edge with its two ends.
 * @param {Figure} figure
 * @param {number} number */
function around(figure, number) {
  const fact = factOf(figure, number);
  if (fact.kind === "edge") return new Set([number, ...fact.ends]);
  const numbers = new Set([number]);
  for (const [other, { ends }] of figure.facts) {
    if (!ends?.includes(number)) continue;
    numbers.add(other);
    for (const end of ends) numbers.add(end);
  }
  return numbers;
}

/** Dim all but the neighbourhood of a node or edge; null restores everything.
 * @param {Figure} figure
 * @param {number | null} number */
export function narrow(figure, number) {
  if (figure.only === number) return;
  figure.only = number;
  refocus(figure);
  say(figure, "");
  announce(figure, modeWords(figure) || "The whole graph");
}

/** @param {Figure} figure */
export function modeWords(figure) {
  if (figure.only !== null) {
    const fact = factOf(figure, figure.only);
    if (fact.kind === "edge") return "Only this edge and its ends (Esc: all)";
    const shown = /** @type {Set<number>} */ (figure.full);
    const near = [...shown].filter((number) => factOf(figure, number).kind === "node").length - 1;
    return `Only ${fact.name} and its ${counted(near, "neighbour")} (Esc: all)`;
  }
  if (figure.lit === null) return "";
  const { lit } = figure;
  const of = (/** @type {Fact["kind"]} */ kind) =>
    [...lit].filter((number) => figure.facts.get(number)?.kind === kind).length;
  const loops = figure.data.marks.map((mark) => mark.text).join(", ");
  return `Highlighted: ${loops ? `${loops}, ` : ""}${counted(of("node"), "node")}, ${counted(of("edge"), "edge")}`;
}

// Search for a node by its name: a field over the figure, a list of matches, Enter to go from one to the next.

import { make, pushButton, targetOf } from "../desk/dom.js";
import { centreOn } from "./camera.js";
import { announce, choose, pick, showTools } from "./choice.js";
import { factOf } from "./items.js";
import { folded, namesFound } from "./names.js";

/** @typedef {import("./types.d.ts").Figure} Figure */

const MOST_LISTED = 50;

/** @param {Figure} figure
 * @returns {import("./types.d.ts").Find} */
export function createFind(figure) {
  const list = make("ul", { class: "hits", id: "hits", role: "listbox", "aria-label": "Nodes found" });
  const field = make("input", {
    type: "text",
    placeholder: "Find a node",
    autocomplete: "off",
    spellcheck: "false",
    role: "combobox",
    "aria-label": "Find a node by its name",
    "aria-controls": "hits",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
  });
  const count = make("span", { class: "count" });
  /** @param {string} text @param {string} title @param {() => void} act */
  const button = (text, title, act) => pushButton(text, act, { title, "aria-label": title });
  const row = make(
    "div",
    { class: "row" },
    field,
    count,
    button("‹", "Previous (Shift Enter)", () => step(figure, -1)),
    button("›", "Next (Enter)", () => step(figure, 1)),
    button("×", "Close (Esc)", () => closeFind(figure)),
  );
  const box = make("div", { class: "find", role: "search", hidden: true }, row, list);
  field.addEventListener("input", () => search(figure));
  list.addEventListener("click", (event) => {
    const place = [...list.children].indexOf(/** @type {HTMLLIElement} */ (targetOf(event).closest("li")));
    if (place >= 0) take(figure, place);
  });
  return { box, field, list, count, found: [], at: -1, taken: -1 };
}

/** @param {Figure} figure */
export function openFind(figure) {
  figure.find.box.hidden = false;
  figure.find.field.focus({ preventScroll: true });
  figure.find.field.select();
  search(figure);
}

/** @param {Figure} figure */
export function closeFind(figure) {
  figure.find.box.hidden = true;
  figure.hits = new Set();
  figure.network.redraw();
  showTools(figure);
  figure.stage.focus({ preventScroll: true });
}

/** List the nodes whose names contain every typed word.
 * @param {Figure} figure */
function search(figure) {
  const { find } = figure;
  /** @param {number} number */
  const isSeen = (number) => !figure.network.body.nodes[number].options.hidden;
  const named = [...figure.facts].flatMap(([number, fact]) =>
    fact.kind === "node" && isSeen(number) ? [{ number, name: fact.name }] : [],
  );
  const matches = namesFound(named, find.field.value);
  Object.assign(find, { found: matches, at: matches.length ? 0 : -1, taken: -1 });
  find.list.hidden = !matches.length;
  figure.hits = new Set(matches.map(({ number }) => number));
  figure.root.dataset.found = String(matches.length);
  find.list.replaceChildren(
    ...matches.slice(0, MOST_LISTED).map(({ name }, i) => make("li", { id: `hit-${i}`, role: "option", text: name })),
  );
  announce(figure, folded(find.field.value) ? `${matches.length} found` : "");
  showFound(figure);
  figure.network.redraw();
}

/** Search again after a change of the graph.
 * @param {Figure} figure */
export function searchAgain(figure) {
  if (figure.find.box.hidden || !figure.find.field.value) return;
  const name = figure.find.found[figure.find.taken]?.number;
  search(figure);
  const place = figure.find.found.findIndex(({ number }) => number === name);
  if (place >= 0) Object.assign(figure.find, { at: place, taken: place });
  figure.find.list.hidden ||= place >= 0;
  showFound(figure);
}

/** @param {Figure} figure */
function showFound(figure) {
  const { find } = figure;
  find.field.setAttribute("aria-expanded", String(!find.list.hidden));
  const total = find.found.length;
  const place = find.taken >= 0 ? ` · ${find.taken + 1} of ${total}` : "";
  find.count.textContent = folded(find.field.value) ? `${total} found${place}` : "";
  [...find.list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === find.at)));
  const active = find.list.children[find.at];
  if (active) find.field.setAttribute("aria-activedescendant", active.id);
  else find.field.removeAttribute("aria-activedescendant");
  active?.scrollIntoView({ block: "nearest" });
}

/** Enter chooses the name marked in the list; after that, Enter and Shift + Enter go to the next or previous.
 * @param {Figure} figure
 * @param {number} way */
function step(figure, way) {
  const { find } = figure;
  const total = find.found.length;
  if (!total) return;
  const fresh = find.at !== find.taken && way > 0;
  take(figure, fresh ? find.at : (find.at + way + total) % total);
}

/** @param {Figure} figure
 * @param {number} place */
function take(figure, place) {
  const { find } = figure;
  Object.assign(find, { at: place, taken: place });
  find.list.hidden = true; // it would cover the match
  const { number } = find.found[place];
  pick(figure, [number]);
  centreOn(figure, number);
  choose(figure, number);
  announce(figure, `${factOf(figure, number).text}, ${place + 1} of ${find.found.length} found`);
  showFound(figure);
}

/** @param {Figure} figure
 * @param {KeyboardEvent} event */
export function onFindKey(figure, event) {
  const { find } = figure;
  const total = find.found.length;
  /** @param {number} way */
  const mark = (way) => {
    if (total && !find.list.hidden) find.at = (find.at + way + total) % total;
    find.list.hidden = !total;
    showFound(figure);
  };
  /** @type {Record<string, () => void>} */
  const acts = {
    Enter: () => step(figure, event.shiftKey ? -1 : 1),
    Escape: () => closeFind(figure),
    ArrowDown: () => mark(1),
    ArrowUp: () => mark(-1),
  };
  event.stopPropagation(); // letters typed here are no keys of the page
  if (!Object.hasOwn(acts, event.key) || event.isComposing) return;
  event.preventDefault();
  acts[event.key]();
}

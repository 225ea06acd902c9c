// The list of all items: waiting, ruled, and drawn alike by both.

import { changes, make, pushButton, scrollTo, setText } from "../desk/dom.js";
import { hasDelay, itemText, kindWords, rulingWords } from "./words.js";

/** Name, label, and the items of a view that are listed.
 * @type {[string, string, (view: any) => any[]][]} */
export const FILTERS = [
  ["waiting", "Waiting", ({ items }) => items.filter(({ waits }) => waits)],
  ["ruled", "Ruled", ({ items, own }) => [...items.filter(({ ruling }) => ruling !== null), ...own]],
  ["all", "All differences", ({ items, own }) => [...items, ...own]],
  ["agreed", "Agreed", ({ agreed }) => agreed],
  ["read", "Read differently", ({ read }) => read],
];

const EMPTY = {
  waiting: "All differences are ruled on.",
  ruled: "No rulings yet.",
  all: "The two transcriptions do not differ.",
  agreed: "No edge is the same in both.",
  read: "A or B has each edge that the program read, as it was read.",
};

/** {element, draw(), shown()} for the desk `c`. */
export function createList(c) {
  const tabs = make("div", { class: "cv-row rd-filters", role: "group", "aria-label": "Filter" });
  const rows = make("ol", { class: "rd-rows" });
  const empty = make("p", { class: "cv-small rd-empty", hidden: true });
  const element = make("section", { class: "rd-list", "aria-label": "All differences" }, tabs, rows, empty);
  const buttons = new Map(FILTERS.map(([name]) => [name, pushButton("", () => c.commands.filter(name))]));
  tabs.append(...buttons.values());
  const isNew = changes();

  const shown = () => FILTERS.find(([name]) => name === c.ui.filter)?.[2](c.view) ?? [];

  function draw() {
    for (const [name, word, pick] of FILTERS) {
      const button = /** @type {HTMLButtonElement} */ (buttons.get(name));
      setText(button, `${word} ${pick(c.view).filter(({ isQuiet }) => name !== "all" || !isQuiet).length}`);
      button.setAttribute("aria-pressed", String(c.ui.filter === name));
      button.hidden = name === "read" && c.view.read.length === 0 && c.ui.filter !== name;
    }
    const items = shown();
    const details = ({ key, own, ruling }) => [key, own?.is_there, ruling?.comment !== "", ruling?.is_gap];
    const texts = items.map((item) => [itemText(item, c.wording), rulingWords(item), ...details(item)]);
    if (isNew(c.ui.filter, texts)) fill(items);
    mark();
  }

  function fill(items) {
    const focusedRow = rows.contains(c.focused()) ? c.focused().dataset.row : null;
    rows.replaceChildren(...items.map((item) => make("li", {}, rowOf(item))));
    empty.hidden = items.length > 0;
    setText(empty, EMPTY[c.ui.filter]);
    if (focusedRow === null) return;
    const again = [...rows.querySelectorAll("button")].find((button) => button.dataset.row === focusedRow);
    if (again) again.focus({ preventScroll: true });
    else c.focus();
  }

  function rowOf(item) {
    const parts = [
      make("span", { class: "rd-what", text: itemText(item, c.wording) }),
      make("span", { class: "rd-kind", text: kindOf(item) }),
    ];
    const verdict = item.type === "own" ? (item.own.is_there ? "added" : "removed") : rulingWords(item);
    const marks = [item.ruling?.comment ? "comment" : "", item.ruling?.is_gap ? "gap" : ""].filter(Boolean).join(", ");
    if (marks) parts.push(make("span", { class: "rd-kind", text: marks }));
    parts.push(
      make("span", { class: `rd-verdict${item.waits ? " waits" : ""}`, text: item.waits ? "waiting" : verdict }),
    );
    const go = () => {
      c.go(item.key);
      c.focus();
    };
    const row = pushButton("", go, { class: "rd-row", "data-row": item.key });
    row.append(...parts);
    return row;
  }

  const kindOf = (item) => {
    if (item.type === "difference") return kindWords(item.found);
    if (item.type === "name")
      return item.question.is_folded && item.ruling === null ? "name, differs only in case" : "name";
    if (item.type === "read") return item.found.other_marks ? `another ${item.found.other_marks}` : "program only";
    return item.type === "own" ? "your own" : hasDelay(item.found.a) ? "both, delay" : "both";
  };

  function mark() {
    /** @type {NodeListOf<HTMLElement>} */
    const all = rows.querySelectorAll(".rd-row");
    for (const row of all) {
      const isCurrent = row.dataset.row === c.ui.current;
      if (isCurrent === row.hasAttribute("aria-current")) continue;
      row.toggleAttribute("aria-current", isCurrent);
      if (isCurrent) row.setAttribute("aria-current", "true");
      if (isCurrent) scrollTo(rows, /** @type {HTMLElement} */ (row.parentElement));
    }
  }

  return { element, draw, shown };
}

// The items of the sheet in a table: number, name, presence in graph and text, score, state.

import { changes, make, oncePerFrame, scrollTo, setText } from "../desk/dom.js";
import { stateOfItem } from "./picture.js";
import { nameOf, presenceOf, scoreText, stateText, wordOf } from "./words.js";

/** {element, draw()} for the desk `c`. */
export function createList(c) {
  const body = make("tbody", {});
  const columns = presenceOf(c.data);
  const heads = [
    "",
    c.data.section.startsWith("edge") ? "Edge" : "Node",
    ...columns.map(([, title]) => title),
    "Score",
    "",
  ];
  const head = make("tr", {}, ...heads.map((text) => make(text === "" ? "td" : "th", { text })));
  const table = make(
    "table",
    { class: "vd-table" },
    make("caption", { class: "vd-hidden", text: "Items of this sheet" }),
    make("thead", {}, head),
    body,
  );
  const element = make("div", { class: "vd-list", tabindex: "0", role: "group", "aria-label": "Items" }, table);
  const isNew = changes();
  let rows = [];
  // With the frame: its size is known then, and reading it before would lay out the desk once more.
  const reveal = oncePerFrame(() => rows[c.ui.at] && scrollTo(element, rows[c.ui.at].row));

  function build() {
    rows = c.view.items.map((item, n) => {
      const state = make("td", { class: "vd-state" });
      const score = make("td", { class: "vd-score" });
      const open = make("button", { type: "button", class: "vd-open", text: nameOf(item), tabindex: "-1" });
      const labelCells = columns.map(([key]) => ({ key, cell: make("td", { class: "vd-said-label" }) }));
      const row = make(
        "tr",
        {},
        make("td", { class: "vd-number", text: String(item.number) }),
        make("td", {}, open),
        ...labelCells.map(({ cell }) => cell),
        score,
        state,
      );
      row.addEventListener("click", () => c.go(n));
      return { row, said: labelCells, score, state };
    });
    body.replaceChildren(...rows.map(({ row }) => row));
  }

  return {
    element,
    draw() {
      if (isNew(c.view.items.map(({ number, names }) => [number, names]))) build();
      c.view.items.forEach((item, n) => {
        const { row, said, score, state } = rows[n];
        row.toggleAttribute("data-chosen", n === c.ui.at);
        if (n === c.ui.at) row.setAttribute("aria-current", "true");
        else row.removeAttribute("aria-current");
        row.dataset.state = stateOfItem(c.data, item);
        setText(score, scoreText(item));
        setText(state, stateText(item));
        for (const { key, cell } of said) {
          const label = item.stands[key] ?? item.own[key];
          setText(cell, label === undefined ? "" : wordOf(c.data, key, label));
        }
      });
      reveal();
    },
  };
}

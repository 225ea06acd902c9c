// The items of the sheet in a table: number, name, own labels in short, how it stands.

import { changes, make, scrollTo, setText } from "../desk/dom.js";
import { stateOfItem } from "./picture.js";
import { nameOf, stateText } from "./words.js";

/** {element, draw()} for the desk `c`. */
export function createList(c) {
  const body = make("tbody", {});
  const table = make(
    "table",
    { class: "vd-table" },
    make("caption", { class: "vd-hidden", text: "Items of this sheet" }),
    body,
  );
  const element = make("div", { class: "vd-list", tabindex: "0", role: "group", "aria-label": "Items" }, table);
  const isNew = changes();
  let rows = [];

  function build() {
    rows = c.view.items.map((item, n) => {
      const state = make("td", { class: "vd-state" });
      const open = make("button", { type: "button", class: "vd-open", text: nameOf(item), tabindex: "-1" });
      const row = make(
        "tr",
        {},
        make("td", { class: "vd-number", text: String(item.number) }),
        make("td", {}, open),
        state,
      );
      row.addEventListener("click", () => c.go(n));
      return { row, state };
    });
    body.replaceChildren(...rows.map(({ row }) => row));
  }

  return {
    element,
    draw() {
      if (isNew(c.view.items.map(({ number, names }) => [number, names]))) build();
      c.view.items.forEach((item, n) => {
        const { row, state } = rows[n];
        row.toggleAttribute("data-chosen", n === c.ui.at);
        if (n === c.ui.at) row.setAttribute("aria-current", "true");
        else row.removeAttribute("aria-current");
        row.dataset.state = stateOfItem(c.data, item);
        setText(state, stateText(item));
      });
      if (rows[c.ui.at]) scrollTo(element, rows[c.ui.at].row);
    },
  };
}

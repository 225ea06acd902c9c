// Find the edges of a variable in a long list.

import { count, make, setText } from "../desk/dom.js";
import { fold } from "./names.js";

const FILTER_FROM = 16; // edges; a shorter list needs no filter

export function createFilter(c) {
  const field = make("input", {
    type: "search",
    "aria-label": "Find a node",
    placeholder: "Find a node",
    spellcheck: "false",
  });
  const counter = make("span", { class: "found", role: "status" });
  const finder = make("div", { class: "finder", hidden: true }, field, counter);

  field.addEventListener("input", () => {
    const edge = c.commands.selected();
    if (edge && !holds(edge, fold(field.value))) c.list.select(null);
    draw();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && field.value !== "") {
      field.value = "";
      draw();
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      c.list.focusRow();
    }
  });

  const holds = (edge, sought) => fold(edge.source).includes(sought) || fold(edge.sink).includes(sought);

  /** Filter the rows. The selected edge is never hidden: text that would hide it is cleared; typing such text deselects it. */
  function draw() {
    finder.hidden = c.graph.view().edges.size < FILTER_FROM;
    const selected = c.commands.selected();
    if (selected && !holds(selected, fold(field.value))) field.value = "";
    const query = finder.hidden ? "" : fold(field.value);
    let shown = 0;
    for (const edge of c.graph.view().edges.values()) {
      const isShown = holds(edge, query);
      c.list.show(edge.id, isShown);
      shown += isShown ? 1 : 0;
    }
    setText(
      counter,
      query === ""
        ? count(c.graph.view().edges.size, "edge")
        : `${shown.toLocaleString("en")} of ${c.graph.view().edges.size.toLocaleString("en")}`,
    );
  }

  return { element: finder, draw };
}

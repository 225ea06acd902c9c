// What stands beside the list: the figure, the graph drawn for itself, or nothing, which makes the list a table.

import { make, pushButton } from "../desk/dom.js";

/** @typedef {"figure" | "graph" | "table"} View */
/** @type {[View, string][]} */
const VIEWS = [
  ["figure", "Figure"],
  ["graph", "Graph"],
  ["table", "Table"],
];

/** The row that chooses, and the pane of the graph. `figure` is the element of the figure's pane.
 * @param {import("../desk/types.d.ts").Frame} c
 * @param {HTMLElement} figure
 * @param {ReturnType<typeof import("../desk/selection.js").createSelection>} selection */
export function createViews(c, figure, selection) {
  const host = make("div", { class: "figure td-graph", hidden: true });
  const buttons = VIEWS.map(([view, label]) => pushButton(label, () => show(view)));
  const row = make("div", { class: "td-views", role: "group", "aria-label": "View" }, ...buttons);
  const chosen = selection.paneOf(() => draw());
  /** @type {View} */
  let view = "figure";
  /** @type {ReturnType<typeof import("../graph/picture.js").createPicture> | null} */
  let picture = null;
  c.root.prepend(row);
  figure.after(host);
  show("figure");

  /** @param {View} next */
  function show(next) {
    view = next;
    c.root.dataset.view = view;
    figure.hidden = view !== "figure";
    host.hidden = view !== "graph";
    VIEWS.forEach(([each], at) => buttons[at].setAttribute("aria-pressed", String(each === view)));
    c.setState("view", view);
    if (view === "graph" && picture === null) load();
    draw();
  }

  async function load() {
    const { createPicture } = await import("../graph/picture.js"); // with vis-network, half a megabyte
    picture ??= createPicture(host, {
      onChoose: (item) => chosen.select(item?.kind === "edge" ? item.id : null),
    });
    draw();
  }

  function draw() {
    const { drawing } = c.data;
    if (view !== "graph" || picture === null || drawing === null) return;
    picture.show({ ...drawing, selected: [chosen.id()].filter((id) => drawing.edges.some(({ ref }) => ref === id)) });
  }

  return {
    show,
    draw,
    close: () => picture?.close(),
  };
}

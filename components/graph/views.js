// Views of a desk over a figure: the figure, the graph alone, or the list alone as a table.

import { make, pushButton } from "../desk/dom.js";

/** @typedef {"figure" | "graph" | "table"} View */

/** The row that chooses the view, and the pane of the graph next to that of the figure.
 * @param {import("../desk/types.d.ts").Frame} c  its data has the `drawing` of the graph, once the page knows the view
 * @param {object} parts
 * @param {HTMLElement} parts.figure  the figure's pane
 * @param {View[]} parts.views
 * @param {import("../desk/selection.js").Selection} [parts.selection]  of edges, if there is one */
export function createViews(c, { figure, views, selection }) {
  const host = make("div", { class: "figure gv-graph", hidden: true });
  const buttons = views.map((view) => pushButton(view[0].toUpperCase() + view.slice(1), () => show(view)));
  const row = make("div", { class: "gv-views", role: "group", "aria-label": "View" }, ...buttons);
  /** @type {View} */
  let shown = "figure";
  /** @type {ReturnType<typeof import("./picture.js").createPicture> | null} */
  let picture = null;
  figure.after(host);
  show("figure");

  /** @param {View} view */
  function show(view) {
    shown = view;
    c.root.dataset.view = view;
    figure.hidden = view !== "figure";
    host.hidden = view !== "graph";
    views.forEach((each, at) => buttons[at].setAttribute("aria-pressed", String(each === view)));
    c.setState("view", view);
    if (view === "graph" && picture === null) load();
    draw();
  }

  async function load() {
    const { createPicture } = await import("./picture.js"); // with vis-network, half a megabyte
    picture ??= createPicture(host, {
      onChoose: (item) => selection?.select(item?.kind === "edge" ? item.id : null),
    });
    draw();
  }

  function draw() {
    const { drawing } = c.data;
    if (shown !== "graph" || picture === null || drawing === null) return;
    const edge = drawing.edges.find((/** @type {{ref: string}} */ { ref }) => ref === selection?.id());
    picture.show(selection === undefined ? drawing : { ...drawing, selected: edge ? [edge.ref] : [] });
  }

  return { row, show, draw, close: () => picture?.close() };
}

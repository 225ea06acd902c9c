// The desk of a transcription: figure and list as two panes of one graph, with one outbox and one selection.

import { createFigure } from "../canvas/pane.js";
import { actWords } from "../desk/act_words.js";
import { count, make } from "../desk/dom.js";
import { arrowText } from "../desk/edges.js";
import { deskOn } from "../desk/frame.js";
import { createSelection } from "../desk/selection.js";
import { createEdgeList } from "../edge_list/pane.js";
import { createViews } from "../graph/views.js";
import { createGraph } from "./graph.js";

export default deskOn({
  queue: "transcription",
  root: () => make("div", { class: "td" }),
  viewOf: () => null, // graph.js applies the waiting acts to the graph
  closed: ({ editable }) => (editable ? "" : "This graph is closed to changes."),
  create: createDesk,
});

/** @param {import("../desk/types.d.ts").Frame} c
 * @returns {import("../desk/types.d.ts").Desk} */
function createDesk(c) {
  const selection = createSelection();
  let sweeps = c.data.sweep_n;
  Object.assign(c, { graph: createGraph(c.pending), toFigure: () => list.toLine(), toLine: () => list.toLine() });
  const figure = c.data.figure === null ? null : createFigure(c, selection);
  const list = createEdgeList(c, selection);
  if (figure === null) list.element.prepend(c.notices.element);
  else Object.assign(c, { say: figure.say, toFigure: figure.focus });
  const views = figure === null ? null : viewsOf(c, figure.element, selection);
  const panes = [figure, list, views].filter((pane) => pane !== null);
  c.root.classList.toggle("td-both", figure !== null);

  /** @type {(name: string) => (...given: unknown[]) => void} */
  const toPanes =
    (name) =>
    (...given) =>
      panes.forEach((pane) => /** @type {Record<string, any>} */ (pane)[name]?.(...given));
  return {
    commands: {},
    focus: () => (figure ?? list).focus(), // of the figure: drawing comes before typing
    draw() {
      list.draw(); // first: it may select an edge, which the others then show
      c.drawings.clear();
      figure?.draw();
      views?.draw();
    },
    drawn: toPanes("drawn"),
    acted(act) {
      selection.acted(act);
      c.graph.did(act);
    },
    relaid: () => void c.graph.sync(),
    receive(next) {
      c.graph.receive(next);
      toPanes("receive")(next);
      if (next.sweep_n !== sweeps) views?.show("figure"); // the page began a sweep
      sweeps = next.sweep_n;
    },
    begin: toPanes("begin"),
    follow(before, done) {
      selection.follow(done, before.edges, c.data.edges);
      list.follow();
    },
    settled: toPanes("settled"),
    refused: (act, message) => (list.takesBack(act, message) ? null : described(act, c.graph.view().edges)),
    remedies: (act) => figure?.remedies(act) ?? [],
    close: toPanes("close"),
  };
}

/** @param {import("../desk/types.d.ts").Frame} c
 * @param {HTMLElement} figure
 * @param {ReturnType<typeof createSelection>} selection */
function viewsOf(c, figure, selection) {
  const pane = selection.paneOf(() => views.draw());
  const views = createViews(c, { figure, views: ["figure", "graph", "table"], selection: pane });
  c.root.prepend(views.row);
  return views;
}

/** An act in words: its subject and its change.
 * @param {import("../desk/types.d.ts").Act} act
 * @param {Map<string, import("./types.d.ts").ViewEdge>} edges */
export function described({ kind, node, name, text, field, value, proposal_ids: ids, ...act }, edges) {
  const own = /** @type {import("../desk/types.d.ts").NamedEdge} */ (/** @type {unknown} */ (act));
  const edge = act.source === undefined ? edges.get(act.edge_id) : own;
  const what = edge ? arrowText(edge) : (node ?? name ?? text ?? "");
  const rest = field ? `${field} ${String(value) || "none"}` : ids && count(ids.length, "proposal");
  const more = kind === "rename_node" ? `to “${name}”` : rest;
  return [actWords(kind), what && `“${what}”`, more].filter(Boolean).join(" ");
}

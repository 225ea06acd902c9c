// Both graphs on one picture, as SVG: lines by form as well as by colour. Choosing an edge or a node chooses its item.

import { changes, make, pushButton, setText } from "../desk/dom.js";
import { draw, edgeShape, nodeShape } from "./shapes.js";
import { matchOf } from "./view.js";
import { MATCH_WORDS } from "./words.js";

const MARGIN = 24;
const SIDES = ["both", "truth", "answer"];
const SIDE_WORDS = { both: "Both graphs", truth: "Truth", answer: "Prediction" };

/** {element, draw()} for the desk `c`. */
export function createGraph(c) {
  const isEdges = c.data.section.startsWith("edge");
  const ofTruth = c.data.section.endsWith("recall");
  const svg = draw("svg", { class: "vd-svg", role: "group", "aria-label": "Both graphs" });
  const around = pushButton("Around item", () => c.commands.around(), {
    title: "The whole graph, or only around this item (g)",
  });
  const side = pushButton("", () => c.commands.side(), { title: "Both graphs, the truth, the prediction (v)" });
  const legend = make("p", { class: "cv-small vd-legend" });
  const element = make(
    "section",
    { class: "vd-graph", "aria-label": "Graphs" },
    make("div", { class: "vd-stage" }, svg),
    make("div", { class: "cv-row" }, legend, side, around),
  );
  const isNew = changes();
  let parts = { edges: [], nodes: [] };

  const itemOf = (number) => c.view.items.findIndex((each) => each.number === number);
  const itemOfNode = (node) => c.view.items.findIndex((each) => each.names[0] === node.name);
  const numberOf = (edge) => (ofTruth ? edge.truth : edge.answer);

  function build() {
    const head = draw(
      "marker",
      {
        id: "vd-head",
        viewBox: "0 0 10 10",
        refX: 9,
        refY: 5,
        markerWidth: 7,
        markerHeight: 7,
        orient: "auto-start-reverse",
      },
      draw("path", { d: "M0,0 L10,5 L0,10 z", class: "vd-tip" }),
    );
    const edges = c.data.edges.map((edge, n) => {
      const at = isEdges ? itemOf(numberOf(edge)) : -1;
      return edgeShape(c.data, edge, n, at < 0 ? null : () => c.go(at));
    });
    const nodes = c.data.nodes.map((node, n) => {
      const at = isEdges ? -1 : itemOfNode(node);
      return nodeShape(node, n, at < 0 ? null : () => c.go(at));
    });
    svg.replaceChildren(draw("defs", {}, head), ...edges, ...nodes);
    parts = { edges, nodes };
  }

  /** The box that holds these nodes. */
  function frame(nodes) {
    const left = Math.min(...nodes.map((n) => n.x - n.width / 2)) - MARGIN;
    const top = Math.min(...nodes.map((n) => n.y - n.height / 2)) - MARGIN;
    const right = Math.max(...nodes.map((n) => n.x + n.width / 2)) + MARGIN;
    const bottom = Math.max(...nodes.map((n) => n.y + n.height / 2)) + MARGIN;
    svg.setAttribute("viewBox", `${left} ${top} ${Math.max(1, right - left)} ${Math.max(1, bottom - top)}`);
  }

  /** Nodes of the item, and their neighbours. */
  function near(item) {
    const own = new Set(c.data.nodes.flatMap((node, n) => (item.names.includes(node.name) ? [n] : [])));
    const found = new Set(own);
    for (const { source, sink } of c.data.edges) if (own.has(source) || own.has(sink)) found.add(source).add(sink);
    return [...found].map((n) => c.data.nodes[n]);
  }

  return {
    element,
    draw() {
      const item = c.item();
      if (isNew(c.data.nodes, c.data.edges)) build();
      const states = new Map(c.view.items.map((each) => [each.number, matchOf(c.data, each)]));
      const shows = (there) => c.ui.side === "both" || there;
      c.data.edges.forEach((edge, n) => {
        const group = parts.edges[n];
        const number = numberOf(edge);
        group.dataset.state = (isEdges && states.get(number)) || "";
        group.dataset.of = edge.truth > 0 ? (edge.answer > 0 ? "both" : "truth") : "answer";
        group.toggleAttribute("data-chosen", isEdges && number === item.number && number > 0);
        group.style.display = shows(c.ui.side === "truth" ? edge.truth > 0 : edge.answer > 0) ? "" : "none";
      });
      c.data.nodes.forEach((node, n) => {
        const group = parts.nodes[n];
        const at = isEdges ? -1 : itemOfNode(node);
        group.dataset.state = at >= 0 ? matchOf(c.data, c.view.items[at]) : "";
        group.toggleAttribute("data-chosen", item.names.includes(node.name));
        group.style.display = shows(node.side === "both" || node.side === c.ui.side) ? "" : "none";
      });
      frame(c.ui.isAround ? near(item) : c.data.nodes);
      setText(around, c.ui.isAround ? "Whole graph" : "Around item");
      setText(side, SIDE_WORDS[c.ui.side]);
      const found = [...states.values()].filter((state) => state !== "");
      const counted = Object.keys(MATCH_WORDS).flatMap((word) => {
        const many = found.filter((each) => each === word).length;
        return many === 0 ? [] : [`${MATCH_WORDS[word]} ${many}`];
      });
      setText(
        legend,
        counted.length === 0
          ? "Solid: the truth. Thin dots: the prediction. Bold: both, by equal names."
          : `Of ${found.length} compared: ${counted.join(", ")}.`,
      );
    },
    nextSide: () => SIDES[(SIDES.indexOf(c.ui.side) + 1) % SIDES.length],
  };
}

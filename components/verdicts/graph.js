// Both graphs on one picture, as SVG: lines by form as well as by colour. Choosing an edge or a node chooses its item.

import { changes, make, pushButton, setText } from "../desk/dom.js";
import { createLegend } from "./legend.js";
import { numbersOf, pictureOf, stateOfNode } from "./picture.js";
import { draw, edgeShape, linkShape, nodeShape } from "./shapes.js";

const MARGIN = 24;
const LEAST_WIDTH = 0.35; // of a line, beside its usual width
const SIDES = ["both", "truth", "answer"];
const SIDE_WORDS = { both: "Both graphs", truth: "Truth", answer: "Prediction" };

const setState = (group, state) => {
  if (group.dataset.state !== state) group.dataset.state = state;
};
const showIf = (group, isShown) => {
  const display = isShown ? "" : "none";
  if (group.style.display !== display) group.style.display = display;
};

/** The box that holds these nodes, as a viewBox. */
function frameOf(nodes) {
  const left = Math.min(...nodes.map((n) => n.x - n.width / 2)) - MARGIN;
  const top = Math.min(...nodes.map((n) => n.y - n.height / 2)) - MARGIN;
  const right = Math.max(...nodes.map((n) => n.x + n.width / 2)) + MARGIN;
  const bottom = Math.max(...nodes.map((n) => n.y + n.height / 2)) + MARGIN;
  return `${left} ${top} ${Math.max(1, right - left)} ${Math.max(1, bottom - top)}`;
}

/** Lines keep their width on the screen, but for those of a large graph, whose arrows would cover it. */
function thinOf(stage, frame) {
  const [, , width, height] = frame.split(" ").map(Number);
  const scale = Math.min((stage.clientWidth || width) / width, (stage.clientHeight || height) / height);
  return Math.min(1, Math.max(LEAST_WIDTH, scale)).toFixed(2);
}

/** {element, draw()} for the desk `c`. */
export function createGraph(c) {
  const isEdges = c.data.section.startsWith("edge");
  const own = c.data.section.endsWith("recall") ? "truth" : "answer";
  const svg = draw("svg", { class: "vd-svg", role: "group", "aria-label": "Both graphs" });
  const around = pushButton("Around item", () => c.commands.around(), {
    title: "The whole graph, or only around this item (g)",
  });
  const side = pushButton("", () => c.commands.side(), { title: "Both graphs, the truth, the prediction (v)" });
  const whole = pushButton("Show whole verdict", () => c.commands.showWhole(), {
    title: "All that the judge said of this answer. Labels that you give of it afterwards are not blind.",
  });
  const legend = createLegend(c);
  const element = make(
    "section",
    { class: "vd-graph", "aria-label": "Graphs" },
    make("div", { class: "vd-stage" }, svg),
    make("div", { class: "cv-row vd-below" }, legend.element, whole, side, around),
  );
  const isNew = changes();
  const isMoved = changes();
  /** @type {Record<string, any[]>} */
  let parts = { edges: [], nodes: [], links: [] };
  /** @type {import("./types.d.ts").PictureData} */
  let picture = { into: [], edges: [], links: [] };

  const itemOf = (number) => (number > 0 ? c.view.items.findIndex((each) => each.number === number) : -1);
  const opens = (at) => (at < 0 ? null : () => c.go(at));
  const itemOfNode = (place) =>
    isEdges ? -1 : c.view.items.findIndex(({ at }) => picture.into[at[0]] === picture.into[place]);

  function build() {
    const attributes = { viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 5, markerHeight: 5 };
    const head = draw(
      "marker",
      { id: "vd-head", ...attributes, orient: "auto-start-reverse" },
      draw("path", { d: "M0,0 L10,5 L0,10 z", class: "vd-tip" }),
    );
    const { nodes } = c.data;
    const pairs = new Set(picture.edges.map(({ source, sink }) => `${sink}>${source}`));
    const edges = picture.edges.map((edge) => {
      const isPaired = edge.source !== edge.sink && pairs.has(`${edge.source}>${edge.sink}`);
      const ends = [nodes[edge.source], nodes[edge.sink]];
      return edgeShape(ends, { ...edge, isPaired }, isEdges ? opens(itemOf(edge[own])) : null);
    });
    const shapes = nodes.map((node, place) => nodeShape(node, place, opens(itemOfNode(place))));
    const links = picture.links.map((link) =>
      linkShape([nodes[link.source], nodes[link.sink]], link, () => c.commands.link(link)),
    );
    svg.replaceChildren(draw("defs", {}, head), ...links, ...edges, ...shapes);
    parts = { edges, nodes: shapes, links };
  }

  /** Nodes of the item, and their neighbours. */
  function near(places) {
    const found = new Set(places);
    for (const { source, sink } of [...picture.edges, ...picture.links])
      if (places.has(source) || places.has(sink)) found.add(source).add(sink);
    return [...found].map((n) => c.data.nodes[n]);
  }

  function drawEdges(item, shows) {
    picture.edges.forEach((edge, n) => {
      const group = parts.edges[n];
      setState(group, edge.state);
      group.dataset.of = edge.truth > 0 ? (edge.answer > 0 ? "both" : "truth") : "answer";
      group.toggleAttribute("data-chosen", isEdges && edge[own] === item.number);
      const line = group.querySelector(".vd-line");
      if (edge.state === "reversed") line.setAttribute("marker-start", "url(#vd-head)");
      else line.removeAttribute("marker-start");
      const names = `${c.data.nodes[edge.source].name} → ${c.data.nodes[edge.sink].name}`;
      setText(group.lastChild, edge.state === "" ? names : `${names}: ${edge.state}`);
      showIf(group, shows(edge));
    });
  }

  function drawNodes(chosen, shows) {
    const numbers = numbersOf(/** @type {any} */ (c.data), picture.into);
    c.data.nodes.forEach((node, place) => {
      const group = parts.nodes[place];
      const { truth, answer } = numbers[place];
      const state = stateOfNode(c.data, numbers[place]);
      setState(group, state);
      group.dataset.side = truth > 0 ? (answer > 0 ? "both" : "truth") : "answer";
      group.toggleAttribute("data-chosen", chosen.has(place));
      const theirs = picture.into.flatMap((to, from) =>
        to === place && from !== place ? [c.data.nodes[from].name] : [],
      );
      setText(group.lastChild, [node.name, ...theirs].join(" = ") + (state === "" ? "" : `: ${state}`));
      showIf(group, picture.into[place] === place && shows(numbers[place]));
    });
  }

  return {
    element,
    draw() {
      const item = c.item();
      picture = pictureOf(/** @type {any} */ (c.data), c.view.links);
      const courses = picture.edges.map(({ source, sink, truth, answer, lane }) => [source, sink, truth, answer, lane]);
      if (isNew(c.data.nodes, picture.into, courses, picture.links)) build();
      const chosen = new Set(item.at.map((place) => picture.into[place]));
      const shows = ({ truth, answer }) => c.ui.side === "both" || (c.ui.side === "truth" ? truth : answer) > 0;
      drawEdges(item, shows);
      drawNodes(chosen, shows);
      picture.links.forEach(({ source, sink }, n) => {
        parts.links[n].toggleAttribute("data-chosen", chosen.has(source) || chosen.has(sink));
        showIf(parts.links[n], c.ui.side === "both");
      });
      const framed = c.ui.isAround ? near(chosen) : c.data.nodes.filter((_, place) => picture.into[place] === place);
      const frame = frameOf(framed);
      if (isMoved(frame)) svg.setAttribute("viewBox", frame);
      svg.style.setProperty("--thin", thinOf(svg, frame));
      setText(around, c.ui.isAround ? "Whole graph" : "Around item");
      setText(side, SIDE_WORDS[c.ui.side]);
      whole.hidden = !c.data.may_show_whole;
      legend.draw();
    },
    nextSide: () => SIDES[(SIDES.indexOf(c.ui.side) + 1) % SIDES.length],
  };
}

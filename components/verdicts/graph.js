// Both graphs on one picture. Choosing an edge or a node chooses its item.

import { changes, count, make, pushButton, setText } from "../desk/dom.js";
import { countsOf, numbersOf, pictureOf, stateOfNode } from "./picture.js";

/** @typedef {import("../graph/types.d.ts").NodeData} NodeData */
/** @typedef {import("../graph/types.d.ts").EdgeData} EdgeData */
/** @typedef {import("./types.d.ts").TieData} TieData */

const code = import("../graph/picture.js"); // with vis-network, half a megabyte
/** An edge on which nothing is marked. */
const PLAIN_EDGE = { mark: /** @type {""} */ (""), delay: false, flag: "", differs: "" };
const SIDES = ["both", "truth", "answer"];
const SIDE_WORDS = { both: "Both graphs", truth: "Truth", answer: "Prediction" };
const PAIRED = 0.16; // how far both edges of a reciprocal pair bow aside, as a share of their length
const LANE_PX = 46; // of two lines of one edge: a bow of 46 px, of which its middle goes 18 aside

/** The graph that has it, as a style while no label may be shown. @returns {"both" | "truth" | "prediction"} */
const sideOf = ({ truth, answer }) => (truth > 0 ? (answer > 0 ? "both" : "truth") : "prediction");

/** {element, draw()} for the desk `c`. */
export function createGraph(c) {
  const isEdges = c.data.section.startsWith("edge");
  const own = c.data.section.endsWith("recall") ? "truth" : "answer";
  const around = pushButton("Around item", () => c.commands.around(), {
    title: "The whole graph, or only around this item (g)",
  });
  const side = pushButton("", () => c.commands.side(), { title: "Both graphs, the truth, the prediction (v)" });
  const whole = pushButton("Show whole verdict", () => c.commands.showWhole(), {
    title: "All that the judge said of this answer. Labels that you give of it afterwards are not blind.",
  });
  const counts = make("p", { class: "cv-small vd-legend" });
  const host = make("div", { class: "figure" });
  const element = make(
    "section",
    { class: "vd-graph", "aria-label": "Graphs" },
    host,
    make("div", { class: "cv-row vd-below" }, counts, whole, side, around),
  );
  const isFramed = changes();
  let presses = 0;
  /** @type {import("./types.d.ts").PictureData} */
  let drawn = { into: [], edges: [], links: [] };
  /** @type {ReturnType<typeof import("../graph/picture.js").createPicture> | null} */
  let picture = null;

  /** Open the item of a node or an edge, or confirm a link; then return the focus to the desk. */
  function onChoose(chosen) {
    presses += 1; // the open item replaces the user's selection
    const [kind, at] = (chosen?.id ?? "").split(" ");
    const link = kind === "link" ? drawn.links[Number(at)] : undefined;
    const item = c.view.items.findIndex(({ number, at: places }) =>
      kind === "edge"
        ? isEdges && drawn.edges[Number(at)][own] === number
        : kind === "node" && !isEdges && drawn.into[places[0]] === Number(at),
    );
    if (link) c.commands.link(link);
    else if (item >= 0) c.go(item);
  }
  host.addEventListener("click", ({ target }) => target instanceof HTMLCanvasElement && c.focus());

  const painted = new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  Promise.all([code, painted]).then(([{ createPicture }]) => {
    picture = createPicture(host, { onChoose }); // the labels are usable by now
    showGraphs();
  });

  function showGraphs() {
    if (picture === null) return;
    const item = c.item();
    drawn = pictureOf(c.data, c.view.links);
    const nodes = nodesDrawn(c.data, drawn);
    const edges = edgesDrawn(c.data, drawn, new Map(nodes.map(({ ref }, n) => [Number(ref.slice(5)), n])));
    const chosen = new Set(item.at.map((place) => drawn.into[place]));
    const ofItem = drawn.edges.flatMap((edge, n) => (isEdges && edge[own] === item.number ? [`edge ${n}`] : []));
    const shown = c.ui.side === "both" ? null : shownOf(c.data, drawn, nodes, c.ui.side);
    const framed = c.ui.isAround ? near(drawn, chosen) : null;
    if (isFramed(framed)) picture.frame(framed); // before new data, which are fitted to it
    picture.show({
      nodes,
      edges,
      marks: [],
      summary: `Both graphs: ${count(nodes.length, "node")}, ${count(drawn.edges.length, "line")}`,
      selected: [...[...chosen].map((place) => `node ${place}`), ...ofItem],
      lit: null,
      shown,
      hidden: [],
      centre: null,
      ends: ["truth", "prediction"],
      tells_moves: false,
      tools: true,
      height: null,
      signature: JSON.stringify([nodes, edges, shown, presses]),
    });
  }

  return {
    element,
    draw() {
      showGraphs();
      setText(around, c.ui.isAround ? "Whole graph" : "Around item");
      setText(side, SIDE_WORDS[c.ui.side]);
      setText(counts, countWords(c.data));
      whole.hidden = !c.data.may_show_whole;
    },
    nextSide: () => SIDES[(SIDES.indexOf(c.ui.side) + 1) % SIDES.length],
  };
}

/** Nodes as they are drawn, counterparts once. @returns {NodeData[]} */
function nodesDrawn(data, { into }) {
  const numbers = numbersOf(data, into);
  return data.nodes.flatMap(({ name, lines, x, y }, place) => {
    if (into[place] !== place) return [];
    const names = data.nodes.filter((_node, from) => into[from] === place && from !== place);
    const style = stateOfNode(data, numbers[place]) || sideOf(numbers[place]);
    const text = [name, ...names.map((each) => each.name)].join(" = ");
    return [{ ref: `node ${place}`, name: text, label: lines.join("\n"), x, y, style, badge: "" }];
  });
}

/** Edges and links; `at`: where each node is in the list of those drawn. @returns {EdgeData[]} */
function edgesDrawn(data, drawn, at) {
  const pairs = new Set(drawn.edges.map(({ source, sink }) => `${sink}>${source}`));
  const bendOf = ({ source, sink, lane }) => {
    const [from, to] = [data.nodes[source], data.nodes[sink]];
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    if (length === 0) return 0;
    return (pairs.has(`${source}>${sink}`) ? PAIRED : 0) + (lane * LANE_PX) / Math.max(length, 60);
  };
  const edges = drawn.edges.map((edge, n) => ({
    ...PLAIN_EDGE,
    ref: `edge ${n}`,
    from: at.get(edge.source),
    to: at.get(edge.sink),
    bend: bendOf(edge),
    style: /** @type {EdgeData["style"]} */ (edge.state || sideOf(edge)),
  }));
  const links = drawn.links.map((link, n) => ({
    ...PLAIN_EDGE,
    ref: `link ${n}`,
    from: at.get(link.source),
    to: at.get(link.sink),
    bend: 0,
    flag: linkWords(link),
    style: /** @type {"link"} */ ("link"),
  }));
  return [...edges, ...links];
}

/** Ids of the parts of one graph. */
function shownOf(data, drawn, nodes, side) {
  const has = (each) => each[side] > 0;
  const numbers = numbersOf(data, drawn.into);
  return [
    ...nodes.map(({ ref }) => ref).filter((ref) => has(numbers[Number(ref.slice(5))])),
    ...drawn.edges.flatMap((edge, n) => (has(edge) ? [`edge ${n}`] : [])),
  ];
}

/** Nodes at these places, and their neighbours. */
function near(drawn, places) {
  const nearby = new Set(places);
  for (const { source, sink } of [...drawn.edges, ...drawn.links])
    if (places.has(source) || places.has(sink)) nearby.add(source).add(sink);
  return [...nearby].map((place) => `node ${place}`);
}

/** @param {TieData} link */
const linkWords = ({ by }) =>
  by === "maybe"
    ? "Maybe one node: their names are alike. Click, or press a, to draw them as one."
    : `One node, says ${by}; another counterpart is named too.`;

function countWords(data) {
  const { answer, truth } = countsOf(data);
  const kind = data.section.startsWith("edge") ? "edges" : "nodes";
  const parts = [];
  if (answer.shown > 0) parts.push(`Prediction: ${answer.matched} of ${answer.shown} ${kind} match.`);
  if (truth.shown > 0) parts.push(`Truth: ${truth.matched} of ${truth.shown} ${kind} are captured.`);
  return parts.join(" ");
}

// The picture of a causal graph on vis-network. It is built once for an element and then only changed.
// Labels are untrusted: they go to a canvas or to textContent, nowhere else.

import { make } from "../desk/dom.js";
import { centreOn, fit, limitZoom } from "./camera.js";
import { choose, narrow, pick, refocus, say, show as showChoice } from "./choice.js";
import { createFind, searchAgain } from "./find.js";
import { clearSpots, factOf, nodeNumber, numberOf, numbersOf } from "./items.js";
import { createLegend, fillLegend } from "./legend.js";
import { dress, edgeItem, loopCorners, meaningOf, nodeItem, takePalette } from "./look.js";
import { drawLoopMarks } from "./loops.js";
import { drawMarks } from "./marks.js";
import { createTools, light, onKey } from "./tools.js";
import vis from "./vis_network.js";

/** @typedef {import("./types.d.ts").DrawingState} State */
/** @typedef {import("./types.d.ts").EdgeData} EdgeData */
/** @typedef {import("./types.d.ts").Figure} Figure */
/** @typedef {import("./types.d.ts").PictureData} PictureData */

/** A picture in an element of the page.
 *
 * - `show(data)` updates it to the data; a user's changes apply until the data request something else.
 * - `frame(ids)` brings these nodes into view (null: all), also after a change of the element's size.
 * - `close()` removes it.
 * @param {HTMLElement} host
 * @param {{onChoose: (chosen: State["selection"]) => void, onMoved?: (moved: State["moved"]) => void}} on */
export function createPicture(host, { onChoose, onMoved = () => {} }) {
  const figure = createFigure(host);
  Object.assign(figure, { onChoose, onMoved });
  return {
    /** @param {PictureData} data */
    show: (data) => show(figure, data),
    /** @param {string[] | null} ids */
    frame(ids) {
      figure.framed = ids;
      if (figure.network) fit(figure);
    },
    close: () => discard(figure),
  };
}

/** @param {HTMLElement & {figure?: Figure}} root */
function createFigure(root) {
  const initial = {
    root,
    // its keys are its own, so a screen reader must let them through
    stage: make("div", { class: "stage", tabindex: "0", role: "application", "aria-roledescription": "graph" }),
    line: make("p", { class: "line" }),
    live: make("p", { class: "live", role: "status" }),
    network: null,
    nodes: null,
    edges: null,
    data: null,
    palette: null,
    facts: new Map(), // facts of each drawn item, by vis-network's number
    ids: new Map(),
    nextId: 0,
    shown: new Map(),
    given: new Map(),
    spots: new Map(),
    loopSpots: new Map(),
    unsaved: new Map(),
    signature: "",
    told: "",
    chosen: 0,
    picked: null,
    moved: false,
    partly: false,
    gone: false,
    asked: {},
    lit: null,
    only: null,
    full: null,
    hits: new Set(),
    hiddenClasses: new Set(),
    hasSignColours: false,
    framed: null, // ids of the nodes to keep in view; null: all
  };
  const figure = /** @type {Figure} */ (/** @type {unknown} */ (initial));
  const { stage, line, live } = figure;
  root.dataset.renders = "0";
  root.figure = figure; // for tests, which inspect the drawing
  figure.tools = createTools(figure, () => update(figure));
  figure.find = createFind(figure);
  figure.legend = createLegend(figure, () => update(figure));
  const window = make("div", { class: "window" }, stage, figure.find.box, figure.tools.box);
  root.append(window, line, live, figure.legend.box);
  root.style.minHeight = "";
  root.addEventListener("keydown", (event) => onKey(figure, event));
  // The page must scroll past the figure: the wheel zooms only with Ctrl or once the figure has the focus.
  const isFocused = () => /** @type {ShadowRoot} */ (root.getRootNode()).activeElement === stage;
  /** @param {WheelEvent} event */
  const leave = (event) => event.ctrlKey || event.metaKey || isFocused() || event.stopPropagation();
  stage.addEventListener("wheel", leave, { capture: true });
  stage.addEventListener("click", () => stage.focus({ preventScroll: true }));
  stage.addEventListener("pointerleave", () => say(figure, ""));
  say(figure, "");
  return figure;
}

/** @param {Figure} figure */
function discard(figure) {
  figure.gone = true;
  figure.watch?.disconnect();
  document.fonts.removeEventListener("loadingdone", figure.onFonts);
  figure.network?.destroy();
}

// --- drawing ------------------------------------------------------------------------------------------------------

/** @param {Figure} figure
 * @param {PictureData} data */
function show(figure, data) {
  figure.stage.style.height = data.height === null ? "" : `${data.height}px`;
  figure.tools.box.hidden = !data.tools;
  figure.data = data;
  if (!figure.network) createNetwork(figure);
  const repainted = takePalette(figure);
  const hides = isNew(figure, "hidden", data.hidden);
  if (hides) figure.hiddenClasses = new Set(data.hidden);
  if (figure.signature !== data.signature || repainted || hides) {
    figure.signature = data.signature;
    update(figure);
  }
  if (data.selected !== null && isNew(figure, "selected", [data.selected, data.signature]))
    highlight(figure, data.selected);
  if (isNew(figure, "lit", [data.lit, data.signature])) light(figure);
  if (isNew(figure, "centre", data.centre) && data.centre !== null) centreOn(figure, nodeNumber(figure, data.centre));
}

/** @param {Figure} figure
 * @param {string} name
 * @param {unknown} value */
function isNew(figure, name, value) {
  const text = JSON.stringify(value);
  if (figure.asked[name] === text) return false;
  figure.asked[name] = text;
  return true;
}

/** Highlight the ids that the data ask for.
 * @param {Figure} figure
 * @param {string[]} selected */
function highlight(figure, selected) {
  const numbers = numbersOf(figure, selected);
  pick(figure, numbers);
  showChoice(figure, numbers.length === 1 ? numbers[0] : undefined);
}

/** @param {Figure} figure */
function createNetwork(figure) {
  figure.nodes = new vis.DataSet();
  figure.edges = new vis.DataSet();
  figure.network = new vis.Network(
    figure.stage,
    { nodes: figure.nodes, edges: figure.edges },
    {
      physics: false,
      layout: { randomSeed: 1, improvedLayout: false },
      interaction: {
        hover: true,
        keyboard: false,
        navigationButtons: false,
        selectConnectedEdges: false,
        hoverConnectedEdges: false,
        zoomSpeed: 0.6,
        tooltipDelay: 1e9,
      },
      nodes: { shape: "box", scaling: { label: { drawThreshold: 2 } }, chosen: { node: false, label: false } },
      edges: { arrowStrikethrough: false, chosen: { edge: false, label: false } },
    },
  );
  figure.stage.querySelector(".vis-network")?.removeAttribute("tabindex"); // the stage is the one stop for Tab
  const network = figure.network;
  network.on("afterDrawing", (context) => {
    drawMarks(figure, context);
    drawLoopMarks(figure, context);
    figure.root.dataset.nodes = String(figure.nodes.length);
    figure.root.dataset.edges = String(figure.edges.length);
  });
  network.on("click", ({ nodes, edges }) => choose(figure, nodes[0] ?? edges[0]));
  network.on("doubleClick", ({ nodes }) => narrow(figure, nodes[0] ?? null));
  network.on("dragStart", () => (figure.moved = true)); // from now on the user controls the view
  network.on("dragging", ({ nodes }) => nodes.length && clearSpots(figure));
  network.on("dragEnd", ({ nodes }) => nodes.length && keepPlaces(figure, nodes));
  network.on("zoom", () => {
    figure.moved = true;
    limitZoom(figure);
  });
  network.on("hoverNode", ({ node }) => say(figure, figure.facts.get(node)?.text ?? ""));
  network.on("hoverEdge", ({ edge }) => say(figure, figure.facts.get(edge)?.text ?? ""));
  network.on("blurNode", () => say(figure, ""));
  network.on("blurEdge", () => say(figure, ""));
  figure.watch = new ResizeObserver(() => {
    if (!figure.moved) requestAnimationFrame(() => fit(figure));
  });
  figure.watch.observe(figure.stage);
  figure.onFonts = () => {
    // labels were measured in another font until now
    clearSpots(figure);
    network.body.emitter.emit("_resizeNodes");
    if (figure.moved) network.redraw();
    else fit(figure);
  };
  document.fonts.addEventListener("loadingdone", figure.onFonts);
  figure.root.dataset.renders = String(Number(figure.root.dataset.renders) + 1);
}

/** Change the drawn items to those of the data; unchanged ones stay as they are, also moved nodes.
 * @param {Figure} figure */
function update(figure) {
  const { data } = figure;
  const shown = data.shown ? new Set(data.shown) : null;
  /** @type {(item: {ref: string, style: import("./types.d.ts").Style}) => boolean} */
  const isOut = ({ ref, style }) => figure.hiddenClasses.has(style) || (shown !== null && !shown.has(ref));
  const first = figure.nodes.length === 0;
  const numbers = data.nodes.map((node) => numberOf(figure, `node ${node.ref}`));
  const out = data.nodes.map(isOut);
  const nodes = data.nodes.map((node, i) => nodeItem(figure, node, numbers[i], out[i]));
  const edges = data.edges.map((edge) =>
    edgeItem(figure, edge, numbers, isOut(edge) || out[edge.from] || out[edge.to]),
  );
  noteFacts(figure, numbers, edges);
  const drawnIds = new Set([...nodes, ...edges].map((item) => item.id));
  const { renderer } = figure.network;
  renderer.allowRedraw = false; // each change of the items would draw them all
  figure.edges.remove(figure.edges.getIds().filter((id) => !drawnIds.has(id)));
  figure.nodes.remove(figure.nodes.getIds().filter((id) => !drawnIds.has(id)));
  for (const byId of [figure.shown, figure.given]) for (const id of byId.keys()) if (!drawnIds.has(id)) byId.delete(id);
  figure.nodes.update(nodes.filter((item) => isChanged(figure, item)));
  figure.edges.update(edges.filter((item) => isChanged(figure, item)));
  movePlaces(figure, numbers);
  dress(figure);
  clearSpots(figure);
  renderer.allowRedraw = true; // not by vis-network's event, which forgets that the next frame draws already
  figure.tools.signs.hidden = !data.edges.some(({ style, mark }) => style === "plain" && mark);
  figure.stage.setAttribute("aria-label", data.summary);
  fillLegend(figure);
  if (figure.only !== null && !figure.facts.has(figure.only)) figure.only = null;
  refocus(figure);
  searchAgain(figure);
  if (first) figure.moved = false;
  if (!figure.moved) fit(figure);
}

/** @param {Figure} figure
 * @param {number[]} numbers  of the nodes
 * @param {{id: number}[]} edges */
function noteFacts(figure, numbers, edges) {
  const { data } = figure;
  const [into, outOf] = [data.nodes.map(() => 0), data.nodes.map(() => 0)];
  for (const edge of data.edges.filter(({ style }) => style !== "link")) {
    into[edge.to] += 1;
    outOf[edge.from] += 1;
  }
  figure.facts = new Map();
  data.nodes.forEach((node, i) =>
    figure.facts.set(numbers[i], {
      kind: "node",
      id: node.ref,
      name: node.name,
      node,
      text: described(node.name, [meaningOf(node.style, data.ends), node.badge, `${into[i]} in, ${outOf[i]} out`]),
    }),
  );
  const corners = loopCorners(data.edges);
  data.edges.forEach((edge, i) =>
    figure.facts.set(edges[i].id, {
      kind: "edge",
      id: edge.ref,
      edge,
      corner: corners[i],
      ends: [numbers[edge.from], numbers[edge.to]],
      text: edgeWords(data, edge),
    }),
  );
}

/** @param {PictureData} data
 * @param {EdgeData} edge */
function edgeWords(data, edge) {
  if (edge.style === "link") return edge.flag;
  return described(`${data.nodes[edge.from].name} → ${data.nodes[edge.to].name}`, [
    edge.differs ? `sign ${edge.differs}` : edge.mark,
    edge.delay && "delay",
    meaningOf(edge.style, data.ends),
    edge.flag,
  ]);
}

/** @param {string} what
 * @param {(string | false)[]} words */
function described(what, words) {
  const details = words.filter(Boolean).join(", ");
  return details ? `${what}  (${details})` : what;
}

/** @param {Figure} figure
 * @param {{id: number}} item */
function isChanged(figure, item) {
  const text = JSON.stringify(item);
  if (figure.shown.get(item.id) === text) return false;
  figure.shown.set(item.id, text);
  return true;
}

/** Move a node to Python's place when that changes; otherwise a dragged node stays.
 * @param {Figure} figure
 * @param {number[]} numbers  of the nodes */
function movePlaces(figure, numbers) {
  figure.data.nodes.forEach((node, i) => {
    const place = `${node.x} ${node.y}`;
    if (figure.given.get(numbers[i]) === place) return;
    figure.given.set(numbers[i], place);
    figure.unsaved.delete(node.ref);
    const drawn = figure.network.body.nodes[numbers[i]];
    [drawn.x, drawn.y] = [node.x, node.y];
  });
}

/** Send Python the places of dropped nodes: all unanswered ones, so that a quick second move loses none.
 * @param {Figure} figure
 * @param {number[]} numbers  of the nodes */
function keepPlaces(figure, numbers) {
  clearSpots(figure);
  pick(figure, figure.picked === null ? [] : [figure.picked]); // a drag is no choice
  for (const [number, { x, y }] of Object.entries(figure.network.getPositions(numbers))) {
    const { id } = factOf(figure, Number(number));
    if (figure.given.get(Number(number)) !== `${x} ${y}`) figure.unsaved.set(id, [x, y]);
  }
  if (!figure.data.tells_moves || !figure.unsaved.size) return;
  figure.sent = Math.max((figure.sent ?? 0) + 1, Date.now());
  figure.onMoved({ places: [...figure.unsaved].map(([id, [x, y]]) => [id, x, y]), n: figure.sent });
}

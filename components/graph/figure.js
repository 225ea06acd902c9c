// The figure of a causal graph on vis-network. It is built once for an element and then only changed.
// Labels come from papers, models and strangers: they go to a canvas or to textContent, nowhere else.

import { make } from "../desk/dom.js";
import { createFind, searchAgain } from "./find.js";
import { centreOn, createTools, fit, light, limitZoom, modeWords, narrow, onKey, refocus, showTools } from "./focus.js";
import { createLegend, fillLegend } from "./legend.js";
import vis from "./vis_network.js";
import { dress, edgeItem, loopCorners, meaningOf, nodeItem, takePalette } from "./look.js";
import { drawMarks } from "./marks.js";

export function createFigure(root) {
  const figure = {
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
    facts: new Map(), // what each drawn item is, by vis-network's number for it
    ids: new Map(),
    nextId: 0,
    shown: new Map(),
    given: new Map(),
    spots: new Map(),
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
    send: () => {},
  };
  const { stage, line, live } = figure;
  root.dataset.renders = "0";
  root.figure = figure; // for tests, which look at what is drawn
  figure.tools = createTools(figure);
  figure.find = createFind(figure);
  figure.legend = createLegend(figure);
  const window = make("div", { class: "window" }, stage, figure.find.box, figure.tools.box);
  root.append(window, line, live, figure.legend.box);
  root.style.minHeight = "";
  root.addEventListener("keydown", (event) => onKey(figure, event));
  // The page must scroll past the figure: the wheel zooms only with Ctrl or once the figure has the focus.
  const isFocused = () => root.getRootNode().activeElement === stage;
  const leave = (event) => event.ctrlKey || event.metaKey || isFocused() || event.stopPropagation();
  stage.addEventListener("wheel", leave, { capture: true });
  stage.addEventListener("click", () => stage.focus({ preventScroll: true }));
  stage.addEventListener("pointerleave", () => say(figure, ""));
  say(figure, "");
  return figure;
}

export function discard(figure) {
  figure.gone = true;
  figure.watch?.disconnect();
  document.fonts.removeEventListener("loadingdone", figure.onFonts);
  figure.network?.destroy();
}

// --- drawing ------------------------------------------------------------------------------------------------------

/** Brings the figure to what Python asks for. What a person did since holds until Python asks for something else. */
export function draw(figure, data) {
  figure.stage.style.height = `${data.height}px`;
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
  if (data.selected !== null && isNew(figure, "selected", [data.selected, data.signature])) highlight(figure);
  if (isNew(figure, "lit", [data.lit, data.signature])) light(figure);
  if (isNew(figure, "centre", data.centre) && data.centre !== null) centreOn(figure, nodeNumber(figure, data.centre));
}

function isNew(figure, name, value) {
  const text = JSON.stringify(value);
  if (figure.asked[name] === text) return false;
  figure.asked[name] = text;
  return true;
}

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
  network.on("afterDrawing", (context) => drawMarks(figure, context));
  network.on("click", ({ nodes, edges }) => choose(figure, nodes[0] ?? edges[0]));
  network.on("doubleClick", ({ nodes }) => narrow(figure, nodes[0] ?? null));
  network.on("dragStart", () => (figure.moved = true)); // from now on the view is the person's
  network.on("dragging", ({ nodes }) => nodes.length && figure.spots.clear());
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
    figure.spots.clear();
    network.body.emitter.emit("_resizeNodes");
    if (figure.moved) network.redraw();
    else fit(figure);
  };
  document.fonts.addEventListener("loadingdone", figure.onFonts);
  figure.root.dataset.renders = String(Number(figure.root.dataset.renders) + 1);
}

/** Changes the drawn items to those of the data: what is unchanged stays as it is, moved nodes included. */
export function update(figure) {
  const { data } = figure;
  const first = figure.nodes.length === 0;
  const numbers = data.nodes.map((node) => numberOf(figure, `node ${node.ref}`));
  const out = data.nodes.map((node) => figure.hiddenClasses.has(node.style));
  const nodes = data.nodes.map((node, i) => nodeItem(figure, node, numbers[i], out[i]));
  const edges = data.edges.map((edge) => edgeItem(figure, edge, numbers, out[edge.from] || out[edge.to]));
  noteFacts(figure, numbers, edges);
  const kept = new Set([...nodes, ...edges].map((item) => item.id));
  figure.edges.remove(figure.edges.getIds().filter((id) => !kept.has(id)));
  figure.nodes.remove(figure.nodes.getIds().filter((id) => !kept.has(id)));
  for (const held of [figure.shown, figure.given]) for (const id of held.keys()) if (!kept.has(id)) held.delete(id);
  figure.nodes.update(nodes.filter((item) => isChanged(figure, item)));
  figure.edges.update(edges.filter((item) => isChanged(figure, item)));
  movePlaces(figure, numbers);
  dress(figure);
  figure.spots.clear();
  figure.root.dataset.nodes = String(figure.nodes.length);
  figure.root.dataset.edges = String(figure.edges.length);
  figure.stage.setAttribute("aria-label", data.summary);
  fillLegend(figure);
  if (figure.only !== null && !figure.facts.has(figure.only)) figure.only = null;
  refocus(figure);
  searchAgain(figure);
  if (first) figure.moved = false;
  if (!figure.moved) fit(figure);
}

function noteFacts(figure, numbers, edges) {
  const { data } = figure;
  const [into, outOf] = [data.nodes.map(() => 0), data.nodes.map(() => 0)];
  for (const edge of data.edges) {
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
      text: described(`${data.nodes[edge.from].name} → ${data.nodes[edge.to].name}`, [
        edge.differs ? `sign ${edge.differs}` : edge.mark,
        edge.delay && "delay",
        meaningOf(edge.style, data.ends),
        edge.flag,
      ]),
    }),
  );
}

function described(what, words) {
  const said = words.filter(Boolean).join(", ");
  return said ? `${what}  (${said})` : what;
}

/** A number for each of our ids that stays the same while the figure lives (a name such as __proto__ is no key). */
export function numberOf(figure, name) {
  if (!figure.ids.has(name)) figure.ids.set(name, figure.nextId++);
  return figure.ids.get(name);
}

/** The number of a drawn node, or undefined. */
export function nodeNumber(figure, ref) {
  const number = figure.ids.get(`node ${ref}`);
  return figure.facts.has(number) ? number : undefined;
}

function isChanged(figure, item) {
  const text = JSON.stringify(item);
  if (figure.shown.get(item.id) === text) return false;
  figure.shown.set(item.id, text);
  return true;
}

/** Puts a node where Python says whenever Python says another place than before: else a dragged node stays put. */
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

// --- words below the figure ---------------------------------------------------------------------------------------

const KEYS =
  "[/] find a node, [N] or double-click its neighbours, [E] its edges, [+] [−] or Ctrl wheel zoom, arrow keys move," +
  " [F] fits, [Esc] goes back.";
const TOUCH = "Tap the figure, then drag or pinch · tap a node or an edge to choose it, twice for its neighbours";

export function say(figure, text) {
  const touch = matchMedia("(pointer: coarse)").matches;
  const keys = `${figure.partly ? "Part of the graph is shown; Fit shows all. " : ""}${touch ? TOUCH : KEYS}`;
  const steady = [figure.told, modeWords(figure)].filter(Boolean).join(" · ");
  figure.line.textContent = text || steady || keys;
  figure.line.classList.toggle("quiet", !text && !steady);
}

/** Says it to those who listen rather than look. */
export function announce(figure, text) {
  figure.live.textContent = text;
}

// --- choosing and moving ------------------------------------------------------------------------------------------

/** Takes a node or edge (its number, or undefined for none) as the person's choice and tells Python. */
export function choose(figure, number) {
  const fact = figure.facts.get(number);
  show(figure, number);
  if (figure.only !== null && figure.only !== number) narrow(figure, figure.picked);
  announce(figure, fact ? `Chosen: ${fact.text}` : "Nothing chosen");
  figure.chosen = Math.max(figure.chosen + 1, Date.now());
  figure.send("selection", fact ? { kind: fact.kind, id: fact.id, n: figure.chosen } : null);
}

export function pick(figure, numbers) {
  const of = (kind) => numbers.filter((number) => figure.facts.get(number)?.kind === kind);
  figure.network.setSelection({ nodes: of("node"), edges: of("edge") }, { highlightEdges: false });
}

/** Highlights the ids Python asks for. */
function highlight(figure) {
  const numbers = numbersOf(figure, figure.data.selected);
  pick(figure, numbers);
  show(figure, numbers.length === 1 ? numbers[0] : undefined);
}

/** Says what is chosen (a number, or undefined) in the words and the buttons. */
function show(figure, number) {
  figure.picked = figure.facts.has(number) ? number : null;
  figure.told = figure.facts.get(number)?.text ?? "";
  say(figure, "");
  showTools(figure);
}

export function numbersOf(figure, refs) {
  const ids = new Set(refs);
  return [...figure.facts].filter(([, fact]) => ids.has(fact.id)).map(([number]) => number);
}

/** Tells Python where nodes were let go: all places it has not answered yet, so that a quick second move loses none. */
function keepPlaces(figure, numbers) {
  figure.spots.clear();
  pick(figure, figure.picked === null ? [] : [figure.picked]); // a drag is no choice
  for (const [number, { x, y }] of Object.entries(figure.network.getPositions(numbers))) {
    const { id } = figure.facts.get(Number(number));
    if (figure.given.get(Number(number)) !== `${x} ${y}`) figure.unsaved.set(id, [x, y]);
  }
  if (!figure.data.tells_moves || !figure.unsaved.size) return;
  figure.sent = Math.max((figure.sent ?? 0) + 1, Date.now());
  figure.send("moved", { places: [...figure.unsaved].map(([id, [x, y]]) => [id, x, y]), n: figure.sent });
}

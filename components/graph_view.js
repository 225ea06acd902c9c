// The figure of a causal graph on vis-network. It is built once for an element and then only changed.
// Labels come from papers, models and strangers: they go to a canvas or to textContent, nowhere else.

const figures = new WeakMap(); // by the element Streamlit gives, which is the same at every rerun
const slot = Symbol.for("edgewise.vis");
const library = (globalThis[slot] ??= deferred());

const COMPARED = {
  light: { matched: "#3A3A3A", missed: "#0072B2", spurious: "#C44601", reversed: "#C44601" },
  dark: { matched: "#D6D3CD", missed: "#5BB0E8", spurious: "#F08A4B", reversed: "#F08A4B" },
};
const DASHES = { plain: false, matched: false, missed: [9, 5], spurious: [2, 4], reversed: [2, 4] };
const MEANING = {
  matched: "matched", missed: "missed (ground truth only)",
  spurious: "spurious (prediction only)", reversed: "reversed",
};
const ARROW = 0.72;
const FONT_PX = 14;
const ZOOM = { most: 4, least: 0.05, fitted: 1.15, legible: 0.66, step: 1.25 };
const KEYS = "Drag to move · click to choose · Ctrl + wheel or + − to zoom · arrows to pan · F to fit";
const TOUCH = "Tap the figure, then drag or pinch · tap a name or an arrow to choose it";

export default function ({ parentElement, data, setStateValue }) {
  let figure = figures.get(parentElement);
  if (!figure) {
    figure = createFigure(parentElement);
    figures.set(parentElement, figure);
  }
  figure.send = (selection) => setStateValue("selection", selection);
  library.promise.then((vis) => { if (!figure.gone) draw(figure, vis, data); });
  return () => { figures.delete(parentElement); discard(figure); };
}

function deferred() {
  const made = {};
  made.promise = new Promise((resolve) => { made.resolve = resolve; });
  return made;
}

// --- the element --------------------------------------------------------------------------------------------------

function createFigure(parent) {
  const root = element("div", "figure");
  root.dataset.renders = "0";
  const stage = element("div", "stage");
  stage.tabIndex = 0;
  stage.setAttribute("role", "img");
  const tools = element("div", "tools");
  const legend = element("ul", "legend");
  const line = element("p", "line");
  root.append(stage, tools, line, legend);
  parent.append(root);
  const figure = {
    root, stage, tools, legend, line, network: null, nodes: null, edges: null, facts: new Map(), ids: new Map(),
    shown: new Map(), nextId: 0, signature: "", palette: null, told: "", chosen: 0, moved: false, partly: false,
    asked: "", gone: false,
  };
  for (const [sign, label, act] of [
    ["+", "Zoom in", () => zoom(figure, ZOOM.step)],
    ["−", "Zoom out", () => zoom(figure, 1 / ZOOM.step)],
    ["Fit", "Fit the whole graph", () => fit(figure, true)],
  ]) {
    const button = element("button", "", sign);
    button.type = "button";
    button.title = label;
    button.setAttribute("aria-label", label);
    button.addEventListener("click", act);
    tools.append(button);
  }
  stage.addEventListener("keydown", (event) => onKey(figure, event));
  // The page must scroll past the figure: the wheel zooms only with Ctrl or once the figure has the focus.
  stage.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && !hasFocus(figure)) event.stopPropagation();
  }, { capture: true });
  stage.addEventListener("click", () => stage.focus({ preventScroll: true }));
  stage.addEventListener("pointerleave", () => say(figure, ""));
  say(figure, "");
  return figure;
}

function element(tag, name, text = "") {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = text;
  return made;
}

function hasFocus(figure) {
  return figure.root.getRootNode().activeElement === figure.stage;
}

function discard(figure) {
  figure.gone = true;
  figure.watch?.disconnect();
  document.fonts.removeEventListener("loadingdone", figure.onFonts);
  figure.network?.destroy();
  figure.root.remove();
}

// --- drawing ------------------------------------------------------------------------------------------------------

function draw(figure, vis, data) {
  figure.stage.style.height = `${data.height}px`;
  if (!figure.network) createNetwork(figure, vis);
  const repainted = takePalette(figure);
  if (figure.signature !== data.signature || repainted) {
    figure.signature = data.signature;
    update(figure, data);
  }
  highlight(figure, data.selected);
}

function createNetwork(figure, vis) {
  figure.nodes = new vis.DataSet();
  figure.edges = new vis.DataSet();
  figure.network = new vis.Network(figure.stage, { nodes: figure.nodes, edges: figure.edges }, {
    physics: false,
    layout: { randomSeed: 1, improvedLayout: false },
    interaction: {
      hover: true, keyboard: false, navigationButtons: false, selectConnectedEdges: false,
      hoverConnectedEdges: false, zoomSpeed: 0.6, tooltipDelay: 1e9,
    },
    nodes: { shape: "box", scaling: { label: { drawThreshold: 2 } }, chosen: { node: emphasiseNode(figure), label: false } },
    edges: { arrowStrikethrough: false, chosen: { edge: emphasiseEdge, label: false } },
  });
  figure.stage.querySelector(".vis-network")?.removeAttribute("tabindex"); // the stage is the one stop for Tab
  const network = figure.network;
  network.on("afterDrawing", (context) => drawMarks(figure, context));
  network.on("click", (event) => choose(figure, event));
  network.on("dragStart", (event) => { if (!event.nodes.length) figure.moved = true; });
  network.on("zoom", () => { figure.moved = true; limitZoom(figure); });
  network.on("hoverNode", ({ node }) => say(figure, figure.facts.get(node)?.text ?? ""));
  network.on("hoverEdge", ({ edge }) => say(figure, figure.facts.get(edge)?.text ?? ""));
  network.on("blurNode", () => say(figure, ""));
  network.on("blurEdge", () => say(figure, ""));
  figure.watch = new ResizeObserver(() => { if (!figure.moved) requestAnimationFrame(() => fit(figure)); });
  figure.watch.observe(figure.stage);
  figure.onFonts = () => { // labels were measured in another font until now
    network.body.emitter.emit("_resizeNodes");
    if (figure.moved) network.redraw();
    else fit(figure);
  };
  document.fonts.addEventListener("loadingdone", figure.onFonts);
  figure.root.dataset.renders = String(Number(figure.root.dataset.renders) + 1);
}

function emphasiseNode(figure) {
  return (values, id, selected) => {
    values.borderWidth = selected ? 2.5 : 1.5;
    values.borderColor = selected ? figure.palette.act : figure.palette.ink;
  };
}

function emphasiseEdge(values) {
  values.width += 1.6;
}

/** Changes the drawn items to those of `data`: what is unchanged stays as it is, moved nodes included. */
function update(figure, data) {
  const first = figure.nodes.length === 0;
  const numbers = data.nodes.map((node) => numberOf(figure, `node ${node.ref}`));
  const names = data.nodes.map((node) => node.name);
  const nodes = data.nodes.map((node, i) => nodeItem(figure, node, numbers[i]));
  const edges = data.edges.map((edge) => edgeItem(figure, edge, numbers));
  figure.facts = new Map();
  data.nodes.forEach((node, i) => figure.facts.set(numbers[i], { kind: "node", id: node.ref, text: node.name }));
  data.edges.forEach((edge, i) => figure.facts.set(edges[i].id, {
    kind: "edge", id: edge.ref, text: sentence(names[edge.from], names[edge.to], edge), edge,
  }));
  const kept = new Set([...nodes, ...edges].map((item) => item.id));
  figure.edges.remove(figure.edges.getIds().filter((id) => !kept.has(id)));
  figure.nodes.remove(figure.nodes.getIds().filter((id) => !kept.has(id)));
  for (const id of figure.shown.keys()) if (!kept.has(id)) figure.shown.delete(id);
  figure.nodes.update(nodes.filter((item) => isChanged(figure, item)));
  figure.edges.update(edges.filter((item) => isChanged(figure, item)));
  figure.root.dataset.nodes = String(figure.nodes.length);
  figure.root.dataset.edges = String(figure.edges.length);
  figure.stage.setAttribute("aria-label", data.summary);
  drawLegend(figure, data.edges);
  if (first) figure.moved = false;
  if (!figure.moved) fit(figure);
}

/** A number for each of our ids that stays the same while the figure lives (a name such as __proto__ is no key). */
function numberOf(figure, name) {
  if (!figure.ids.has(name)) figure.ids.set(name, figure.nextId++);
  return figure.ids.get(name);
}

function isChanged(figure, item) {
  const text = JSON.stringify(item);
  if (figure.shown.get(item.id) === text) return false;
  figure.shown.set(item.id, text);
  return true;
}

function nodeItem(figure, node, id) {
  const { ink, paper, outline, font } = figure.palette;
  const plain = { background: paper, border: outline };
  return {
    id, label: node.label, shape: "box", x: node.x, y: node.y, borderWidth: 1,
    margin: { top: 7, bottom: 7, left: 10, right: 10 },
    widthConstraint: { maximum: 140 },
    shapeProperties: { borderRadius: 4 },
    color: { ...plain, highlight: plain, hover: plain }, // emphasiseNode says the rest
    font: { color: ink, face: font, size: FONT_PX, multi: false },
  };
}

function edgeItem(figure, edge, numbers) {
  const colour = figure.palette.edges[edge.style];
  const smooth = edge.bend === 0
    ? { enabled: false }
    : { enabled: true, type: edge.bend > 0 ? "curvedCW" : "curvedCCW", roundness: Math.abs(edge.bend) };
  return {
    id: numberOf(figure, `edge ${edge.ref}`), from: numbers[edge.from], to: numbers[edge.to],
    color: { color: colour, highlight: colour, hover: colour, inherit: false },
    dashes: DASHES[edge.style], width: edge.style === "spurious" || edge.style === "reversed" ? 2 : 1.5,
    arrows: {
      to: { enabled: true, scaleFactor: ARROW, type: "arrow" },
      from: { enabled: edge.style === "reversed", scaleFactor: ARROW, type: "arrow" },
    },
    smooth, selfReference: { size: 17, angle: Math.PI / 4, renderBehindTheNode: true },
    selectionWidth: 0, hoverWidth: 0.6,
  };
}

function sentence(source, sink, edge) {
  const words = [edge.mark, edge.delay ? "delay" : "", edge.style === "plain" ? "" : MEANING[edge.style], edge.flag];
  const said = words.filter(Boolean).join(", ");
  return `${source} → ${sink}${said ? `  (${said})` : ""}`;
}

// --- signs, delays and doubts: drawn as text by the head and the middle of each edge ------------------------------

function drawMarks(figure, context) {
  const { paper, ink, font } = figure.palette;
  context.save();
  context.textBaseline = "middle";
  context.lineJoin = "round";
  for (const [id, edge] of Object.entries(figure.network.body.edges)) {
    const fact = figure.facts.get(Number(id))?.edge;
    if (!fact || !edge.connected) continue;
    if (!fact.mark && !fact.delay && !fact.flag && fact.style !== "reversed") continue;
    const colour = figure.palette.edges[fact.style];
    const places = markPlaces(figure, edge, context);
    const write = (text, spot, size, weight, paint) => {
      context.font = `${weight} ${size}px ${font}`;
      context.textAlign = text.length > 1 && Math.abs(spot.lean) > 3 ? (spot.lean > 0 ? "left" : "right") : "center";
      context.lineWidth = 4;
      context.strokeStyle = paper;
      context.strokeText(text, spot.x, spot.y);
      context.fillStyle = paint;
      context.fillText(text, spot.x, spot.y);
    };
    if (fact.mark) write(fact.mark, places.head, 18, 700, colour);
    if (fact.delay) drawDelay(context, places.middle, colour);
    if (fact.style === "reversed") write("reversed", places.beside, 12, "italic 600", colour);
    else if (fact.flag) write("?", places.beside, 15, 700, ink);
  }
  context.restore();
}

/** Where the marks of an edge go: by its head, on its middle and beside its middle, on the outer side of a bow. */
function markPlaces(figure, edge, context) {
  const type = edge.edgeType;
  if (edge.fromId === edge.toId) return loopPlaces(edge, type, context);
  const at = (t) => {
    const [before, spot, after] = [t - 0.02, t, t + 0.02].map((u) => type.getPoint(u, type.getViaNode()));
    return { ...spot, turn: Math.atan2(after.y - before.y, after.x - before.x) };
  };
  const { fromPoint, toPoint } = type; // the line without its arrowheads
  const length = Math.max(Math.hypot(toPoint.x - fromPoint.x, toPoint.y - fromPoint.y), 1);
  const middle = at(0.5);
  const side = outerSide(edge, middle);
  const near = [[4, side], [4, -side], [16, side], [16, -side], [28, side]];
  const spots = near.map(([back, way]) => aside(at(Math.max(1 - back / length, 0.5)), 11 * way));
  const head = spots.find((spot) => !isOnLabel(figure, spot)) ?? spots[0];
  return { head, middle, beside: aside(middle, 12 * side) };
}

function loopPlaces(edge, type, context) {
  const [x, y, radius] = type._getCircleData(context);
  const turn = Math.atan2(y - edge.from.y, x - edge.from.x);
  const at = (angle, reach) => ({ x: x + Math.cos(angle) * reach, y: y + Math.sin(angle) * reach, lean: 0 });
  return {
    head: at(turn - 0.9, radius + 11), middle: { ...at(turn, radius), turn: turn + Math.PI / 2 },
    beside: at(turn + 0.5, radius + 12),
  };
}

function aside(spot, reach) {
  const [x, y] = [-Math.sin(spot.turn) * reach, Math.cos(spot.turn) * reach];
  return { x: spot.x + x, y: spot.y + y, lean: x };
}

function isOnLabel(figure, spot) {
  return Object.values(figure.network.body.nodes).some(({ x, y, shape }) => (
    Math.abs(spot.x - x) < shape.width / 2 + 7 && Math.abs(spot.y - y) < shape.height / 2 + 8
  ));
}

function outerSide(edge, middle) {
  const [ax, ay, bx, by] = [edge.from.x, edge.from.y, edge.to.x, edge.to.y];
  const bow = (bx - ax) * (middle.y - ay) - (by - ay) * (middle.x - ax);
  if (Math.abs(bow) > 2 * Math.hypot(bx - ax, by - ay)) return Math.sign(bow);
  return bx >= ax ? -1 : 1; // straight: above the line
}

/** The mark ‖ across the line, as two strokes: not every font has the sign. */
function drawDelay(context, { x, y, turn }, colour) {
  context.save();
  context.translate(x, y);
  context.rotate(turn);
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.setLineDash([]);
  context.beginPath();
  for (const along of [-3, 3]) {
    context.moveTo(along, -8);
    context.lineTo(along, 8);
  }
  context.stroke();
  context.restore();
}

// --- colours ------------------------------------------------------------------------------------------------------

/** Reads the app's theme; true if it is another one than last time. */
function takePalette(figure) {
  const style = getComputedStyle(figure.root);
  const read = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  const ink = solid(read("--st-text-color", "#22262B"));
  const paper = solid(read("--st-background-color", "#FFFFFF"));
  const act = solid(read("--st-primary-color", "#0F6B66"));
  const font = read("--st-font", "sans-serif");
  const compared = COMPARED[lightness(paper) < 0.4 ? "dark" : "light"];
  const edges = { plain: mix(ink, paper, 0.86), ...compared };
  const palette = { ink: hex(ink), paper: hex(paper), act: hex(act), outline: mix(ink, paper, 0.5), font, edges };
  palette.edges.plain = hex(palette.edges.plain);
  palette.outline = hex(palette.outline);
  const changed = JSON.stringify(palette) !== JSON.stringify(figure.palette);
  figure.palette = palette;
  figure.root.style.setProperty("--matched", edges.matched);
  figure.root.style.setProperty("--missed", edges.missed);
  figure.root.style.setProperty("--spurious", edges.spurious);
  return changed;
}

/** Red, green, blue of any CSS colour, by painting it. */
function solid(colour) {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

function mix(one, other, share) {
  return one.map((value, i) => Math.round(value * share + other[i] * (1 - share)));
}

function hex(colour) {
  return `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function lightness([red, green, blue]) {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

// --- words around the figure --------------------------------------------------------------------------------------

function drawLegend(figure, edges) {
  const used = new Set(edges.map((edge) => edge.style));
  const rows = Object.keys(MEANING).filter((style) => used.has(style)).map((style) => {
    const row = element("li", style);
    row.append(element("i", ""), element("span", "", MEANING[style]));
    return row;
  });
  figure.legend.replaceChildren(...rows);
  figure.legend.hidden = rows.length === 0;
}

function say(figure, text) {
  const touch = matchMedia("(pointer: coarse)").matches;
  const keys = `${figure.partly ? "Part of the graph is shown; Fit shows all. " : ""}${touch ? TOUCH : KEYS}`;
  figure.line.textContent = text || figure.told || keys;
  figure.line.classList.toggle("quiet", !text && !figure.told);
}

// --- choosing -----------------------------------------------------------------------------------------------------

function choose(figure, event) {
  const number = event.nodes[0] ?? event.edges[0];
  const fact = number === undefined ? undefined : figure.facts.get(number);
  figure.told = fact?.text ?? "";
  say(figure, "");
  figure.chosen = Math.max(figure.chosen + 1, Date.now());
  figure.send(fact ? { kind: fact.kind, id: fact.id, n: figure.chosen } : null);
}

/** Highlights the ids Python asks for, when it asks for others than last time. */
function highlight(figure, wanted) {
  const asked = JSON.stringify([wanted, wanted && figure.signature]);
  if (wanted === null || asked === figure.asked) return;
  figure.asked = asked;
  const ids = new Set(wanted);
  const chosen = [...figure.facts].filter(([, fact]) => ids.has(fact.id));
  const pick = (kind) => chosen.filter(([, fact]) => fact.kind === kind).map(([number]) => number);
  figure.network.setSelection({ nodes: pick("node"), edges: pick("edge") }, { highlightEdges: false });
  figure.told = chosen.length === 1 ? chosen[0][1].text : "";
  say(figure, "");
}

// --- moving about -------------------------------------------------------------------------------------------------

/** Shows the whole graph; on a narrow screen, unless `whole`, the part around its busiest node at a legible size. */
function fit(figure, whole = false) {
  if (figure.gone || !figure.network || figure.nodes.length === 0) return;
  figure.moved = whole;
  const { network, stage } = figure;
  network.fit({ animation: false, maxZoomLevel: ZOOM.fitted });
  figure.partly = !whole && stage.clientWidth < 600 && network.getScale() < ZOOM.legible;
  if (figure.partly) {
    const busiest = figure.nodes.getIds().reduce(
      (one, other) => (degree(network, other) > degree(network, one) ? other : one),
    );
    network.moveTo({ position: network.getPosition(busiest), scale: ZOOM.legible, animation: false });
  }
  say(figure, "");
}

function degree(network, node) {
  return network.getConnectedEdges(node).length;
}

function zoom(figure, factor) {
  if (!figure.network) return;
  figure.moved = true;
  figure.network.moveTo({ scale: bounded(figure.network.getScale() * factor), animation: false });
}

function bounded(scale) {
  return Math.min(ZOOM.most, Math.max(ZOOM.least, scale));
}

function limitZoom(figure) {
  const scale = figure.network.getScale();
  if (bounded(scale) !== scale) figure.network.moveTo({ scale: bounded(scale), animation: false });
}

function pan(figure, x, y) {
  if (!figure.network) return;
  figure.moved = true;
  const [centre, scale] = [figure.network.getViewPosition(), figure.network.getScale()];
  figure.network.moveTo({ position: { x: centre.x + x / scale, y: centre.y + y / scale }, animation: false });
}

function onKey(figure, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const acts = {
    "+": () => zoom(figure, ZOOM.step), "=": () => zoom(figure, ZOOM.step), "-": () => zoom(figure, 1 / ZOOM.step),
    0: () => fit(figure, true), f: () => fit(figure, true), F: () => fit(figure, true),
    Escape: () => figure.stage.blur(),
    ArrowLeft: () => pan(figure, -60, 0), ArrowRight: () => pan(figure, 60, 0),
    ArrowUp: () => pan(figure, 0, -60), ArrowDown: () => pan(figure, 0, 60),
  };
  if (!Object.hasOwn(acts, event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  acts[event.key]();
}

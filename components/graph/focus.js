// What is at full strength and what is in view, and the buttons and keys for it.

import { boundsOf } from "../canvas/geometry.js";
import { count as counted, make, pushButton } from "../desk/dom.js";
import { announce, choose, numbersOf, pick, say } from "./figure.js";
import { closeFind, onFindKey, openFind } from "./find.js";

const ZOOM = { most: 4, least: 0.05, fitted: 1.15, legible: 0.66, near: 0.9, step: 1.25 };

// --- dimming ------------------------------------------------------------------------------------------------------

export function strengthOf(figure, number) {
  return figure.full === null || figure.full.has(number) ? 1 : figure.palette.dim;
}

/** Works out what is at full strength: the neighbours a person asked for, else what Python lit, else everything. */
export function refocus(figure) {
  figure.full = figure.only === null ? figure.lit : around(figure, figure.only);
  figure.root.dataset.full = figure.full === null ? "" : String(figure.full.size);
  figure.network.redraw();
  showTools(figure);
}

/** A node with its edges and neighbours, or an edge with its two ends. */
function around(figure, number) {
  const fact = figure.facts.get(number);
  if (fact.kind === "edge") return new Set([number, ...fact.ends]);
  const found = new Set([number]);
  for (const [other, { ends }] of figure.facts) {
    if (!ends?.includes(number)) continue;
    found.add(other);
    for (const end of ends) found.add(end);
  }
  return found;
}

/** Dims all but what is around a node or edge; null brings everything back. */
export function narrow(figure, number) {
  if (figure.only === number) return;
  figure.only = number;
  refocus(figure);
  say(figure, "");
  announce(figure, modeWords(figure) || "The whole graph");
}

/** The button and the key: for what is chosen, or back. */
function toggleOnly(figure) {
  if (figure.only === null && figure.picked === null) advise(figure);
  else narrow(figure, figure.only === null ? figure.picked : null);
}

function advise(figure) {
  const advice = "Choose a node first: click it, or press / and type its name";
  say(figure, advice);
  announce(figure, advice);
}

/** Dims all but what Python asks for, and brings it into view if part of it is not. */
export function light(figure) {
  const { lit } = figure.data;
  figure.lit = lit === null ? null : new Set(numbersOf(figure, lit));
  if (figure.lit !== null) figure.only = null;
  refocus(figure);
  const facts = [...(figure.lit ?? [])].map((number) => [number, figure.facts.get(number)]);
  const nodes = [...new Set(facts.flatMap(([number, fact]) => (fact.kind === "node" ? [number] : fact.ends)))];
  reveal(figure, nodes);
  say(figure, "");
  announce(figure, modeWords(figure));
}

export function modeWords(figure) {
  if (figure.only !== null) {
    const fact = figure.facts.get(figure.only);
    if (fact.kind === "edge") return "Only this edge and its ends (Esc: all)";
    const near = [...figure.full].filter((number) => figure.facts.get(number).kind === "node").length - 1;
    return `Only ${fact.name} and its ${counted(near, "neighbour")} (Esc: all)`;
  }
  if (figure.lit === null) return "";
  const of = (kind) => [...figure.lit].filter((number) => figure.facts.get(number)?.kind === kind).length;
  const loops = figure.data.marks.map((mark) => mark.text).join(", ");
  return `Highlighted: ${loops ? `${loops}, ` : ""}${counted(of("node"), "node")}, ${counted(of("edge"), "edge")}`;
}

// --- the buttons --------------------------------------------------------------------------------------------------

export function createTools(figure) {
  const button = (text, title, act) => pushButton(text, act, { title, "aria-label": title });
  const title = "Dim all but the chosen node and its neighbours (N)";
  const only = pushButton("Show only neighbours", () => toggleOnly(figure), { title, "aria-pressed": "false" });
  const box = make(
    "div",
    { class: "tools" },
    pushButton("Find", () => openFind(figure), { title: "Find a node by its name (/)" }),
    only,
    button("+", "Zoom in", () => zoom(figure, ZOOM.step)),
    button("−", "Zoom out", () => zoom(figure, 1 / ZOOM.step)),
    button("Fit", "Fit the whole graph (F)", () => fit(figure, true)),
  );
  return { box, only };
}

export function showTools(figure) {
  const { only } = figure.tools;
  only.setAttribute("aria-pressed", String(figure.only !== null));
  only.classList.toggle("idle", figure.only === null && figure.picked === null);
}

// --- keys ---------------------------------------------------------------------------------------------------------

export function onKey(figure, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (figure.find.box.contains(event.target)) {
    if (event.target === figure.find.field || event.key === "Escape") onFindKey(figure, event);
    return;
  }
  if (event.target !== figure.stage && event.key !== "Escape" && event.key !== "/") return;
  const acts = {
    "+": () => zoom(figure, ZOOM.step),
    "=": () => zoom(figure, ZOOM.step),
    "-": () => zoom(figure, 1 / ZOOM.step),
    0: () => fit(figure, true),
    f: () => fit(figure, true),
    "/": () => openFind(figure),
    n: () => toggleOnly(figure),
    e: () => stepEdge(figure, event.shiftKey ? -1 : 1),
    Escape: () => back(figure),
    ArrowLeft: () => pan(figure, -60, 0),
    ArrowRight: () => pan(figure, 60, 0),
    ArrowUp: () => pan(figure, 0, -60),
    ArrowDown: () => pan(figure, 0, 60),
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!Object.hasOwn(acts, key)) return;
  event.preventDefault();
  event.stopPropagation();
  acts[key]();
}

/** One step back: from the find field, from the neighbours, out of the figure. */
function back(figure) {
  if (!figure.find.box.hidden) closeFind(figure);
  else if (figure.only !== null) narrow(figure, null);
  else figure.root.getRootNode().activeElement?.blur();
}

/** Chooses the next edge of the chosen node, in the order of the data; of an edge so reached, the next of that node. */
function stepEdge(figure, way) {
  const fact = figure.facts.get(figure.picked);
  if (fact?.kind === "node") figure.home = figure.picked;
  const home = figure.facts.has(figure.home) ? figure.home : fact?.ends?.[0];
  if (home === undefined) return void advise(figure);
  const isSeen = ({ edge }) => !figure.hiddenClasses.has(edge.style);
  const own = [...figure.facts].filter(([, each]) => each.ends?.includes(home) && isSeen(each));
  if (!own.length) return void announce(figure, `${figure.facts.get(home).name} has no edges`);
  const at = own.findIndex(([number]) => number === figure.picked);
  const [number] = own[at < 0 ? (way > 0 ? 0 : own.length - 1) : (at + way + own.length) % own.length];
  const wasOnly = figure.only;
  figure.only = null; // stepping through its edges does not leave the neighbours of the node
  pick(figure, [number]);
  choose(figure, number);
  figure.only = wasOnly;
  refocus(figure);
  reveal(figure, figure.facts.get(number).ends);
}

// --- moving about -------------------------------------------------------------------------------------------------

/** Shows the whole graph; on a narrow screen, unless `whole`, a part of it at a legible size. */
export function fit(figure, whole = false) {
  if (figure.gone || figure.nodes.length === 0) return;
  figure.moved = whole;
  frame(figure, figure.nodes.getIds(), ZOOM.fitted);
  figure.partly = !whole && figure.stage.clientWidth < 600 && figure.network.getScale() < ZOOM.legible;
  if (figure.partly) showPart(figure);
  say(figure, "");
}

/** The part around the busiest node, at a legible size and as full of the graph as can be. */
function showPart(figure) {
  const { network, stage } = figure;
  const scale = ZOOM.legible;
  const ids = figure.nodes.getIds();
  const degree = (node) => network.getConnectedEdges(node).length;
  const { x, y } = network.getPosition(ids.reduce((one, other) => (degree(other) > degree(one) ? other : one)));
  const [left, top, right, bottom] = surrounding(figure, ids);
  const bar = above(figure);
  const within = (at, from, to, room) => {
    if (to - from <= room) return (from + to) / 2;
    return Math.min(Math.max(at, from + room / 2), to - room / 2);
  };
  const position = {
    x: within(x, left, right, (stage.clientWidth - 24) / scale),
    y: within(y, top, bottom, (stage.clientHeight - bar - 24) / scale) - bar / 2 / scale,
  };
  network.moveTo({ position, scale, animation: false });
}

/** The box around nodes: left, top, right, bottom. */
function surrounding(figure, ids) {
  const corners = ids.flatMap((id) => {
    const { x, y, shape } = figure.network.body.nodes[id];
    const [w, h] = [(shape.width ?? 120) / 2, (shape.height ?? 34) / 2];
    return [
      [x - w, y - h],
      [x + w, y + h],
    ];
  });
  return boundsOf(corners);
}

/** What the buttons take of the stage's height. */
function above({ tools }) {
  return tools.box.hidden ? 0 : tools.box.offsetHeight + 6;
}

/** Puts the given nodes into the stage, clear of the buttons, at most `closest` large.
 * @param {boolean | object} [animation] */
function frame(figure, ids, closest, animation = false) {
  const { network, stage } = figure;
  network.body.emitter.emit("_resizeNodes");
  const [left, top, right, bottom] = surrounding(figure, ids);
  const bar = above(figure);
  const [wide, high] = [Math.max(stage.clientWidth - 40, 60), Math.max(stage.clientHeight - bar - 40, 60)];
  const scale = bounded(Math.min(wide / (right - left), high / (bottom - top), closest));
  const lower = Math.max(bar + 12 - (stage.clientHeight - (bottom - top) * scale) / 2, 0); // only if it must
  const position = { x: (left + right) / 2, y: (top + bottom) / 2 - lower / scale };
  network.moveTo({ position, scale, animation });
}

const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const gliding = () => (isCalm() ? false : { duration: 220, easingFunction: "easeInOutQuad" });

export function centreOn(figure, number) {
  if (number === undefined) return;
  const { network } = figure;
  figure.moved = true;
  const scale = bounded(Math.max(network.getScale(), ZOOM.near));
  network.moveTo({ position: network.getPosition(number), scale, animation: gliding() });
}

/** Brings nodes into view if one of them is out of it; never closer than now. */
function reveal(figure, numbers) {
  const { network, stage, tools } = figure;
  if (!numbers.length) return;
  const seen = (number) => {
    const { x, y } = network.canvasToDOM(network.getPosition(number));
    const covered = !tools.box.hidden && x > tools.box.offsetLeft - 20 && y < above(figure) + 10;
    return !covered && x > 30 && y > 20 && x < stage.clientWidth - 30 && y < stage.clientHeight - 20;
  };
  if (numbers.every(seen)) return;
  figure.moved = true;
  frame(figure, numbers, network.getScale(), gliding());
}

function zoom(figure, factor) {
  figure.moved = true;
  figure.network.moveTo({ scale: bounded(figure.network.getScale() * factor), animation: false });
}

function bounded(scale) {
  return Math.min(ZOOM.most, Math.max(ZOOM.least, scale));
}

export function limitZoom(figure) {
  const scale = figure.network.getScale();
  if (bounded(scale) !== scale) figure.network.moveTo({ scale: bounded(scale), animation: false });
}

function pan(figure, x, y) {
  figure.moved = true;
  const [centre, scale] = [figure.network.getViewPosition(), figure.network.getScale()];
  figure.network.moveTo({ position: { x: centre.x + x / scale, y: centre.y + y / scale }, animation: false });
}

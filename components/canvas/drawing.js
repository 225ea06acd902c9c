// Drawing over the figure: the graph, labels, the pending edge; and the tab stop.

import { make } from "../desk/dom.js";
import { cleanName } from "../desk/names.js";
import { setShape } from "../figure/panzoom.js";
import { placeEndNames } from "./end_names.js";
import { grown, holds } from "./geometry.js";
import { createPainter, setAttributes, svg } from "./paint.js";
import { createChips } from "./parts.js";
import { sceneOf } from "./scene.js";

const DENSE_EDGES = 60; // from here on marks are drawn smaller, so that the print stays legible

/** @typedef {import("./types.d.ts").Canvas} Canvas */

/** @param {Canvas} c */
export function createDrawing(c) {
  const { ui } = c;
  const overlay = svg("svg", { class: "pz-overlay cv-overlay", preserveAspectRatio: "none" });
  const shifted = overlay.appendChild(svg("g"));
  const [chipLayer, endLayer] = [0, 1].map(() => make("div", { class: "pz-overlay cv-chips", "aria-hidden": "true" }));
  c.content.append(overlay, chipLayer, endLayer);
  const [chips, endNames] = [createChips(chipLayer), createChips(endLayer)];
  const painter = createPainter(shifted);
  const courses = new Map();
  let hovered = null;
  /** @type {import("./types.d.ts").At | null} */
  let pointed = null;
  /** @type {import("./types.d.ts").Choice | null} */
  let tabStop = null;

  function drawGraph() {
    const view = c.graph.view();
    c.scene = sceneOf(view, c.data, courses);
    if (ui.armed !== null && !view.nodes.has(ui.armed)) ui.armed = null;
    c.sweep.check();
    const focused = c.focused();
    c.root.toggleAttribute("data-dense", view.edges.size > DENSE_EDGES);
    const { proposals, places } = c.commands.inRegion();
    const picked = new Set([...proposals, ...places.map(({ key }) => key)]);
    painter.draw(c.scene, {
      ...ui,
      ...highlightOf(c),
      selected: c.selection.id(),
      swept: ui.sweep?.name ?? null,
      picked,
      ends: proposalEnds(c),
    });
    painter.region(ui.region?.ring ?? null);
    painter.grips(c.commands.grips());
    painter.light(c.sweep.course());
    if (focused !== null && c.focused() === null) keepFocus(focused);
    setTabStop();
    drawChips();
    drawPending();
  }

  /** Restore the focus after its element was redrawn as something else (a printed name became a node) or removed. */
  function keepFocus({ kind, key }) {
    const word = kind === "word" ? c.data.words[Number(key.slice(2))] : null;
    const group = word ? painter.groupOf("node", cleanName(word.text)) : null;
    (group ?? c.viewport).focus({ preventScroll: true });
  }

  function setTabStop() {
    const before = tabStop && painter.groupOf(tabStop.kind, tabStop.key);
    const at = c.focused() ?? (before ? tabStop : (c.scene.places[0] ?? null));
    if (at === null) return;
    before?.setAttribute("tabindex", "-1");
    tabStop = { kind: at.kind, key: at.key };
    painter.groupOf(at.kind, at.key)?.setAttribute("tabindex", "0");
  }

  function drawChips() {
    const codes = ui.hints ? c.hints.codesFor(c.scene, c.graph.view()) : null;
    chips.draw(chipsOf(c, hovered, codes), c.data.figure);
    endNames.draw(endChips(c, c.panZoom.scale), c.data.figure);
    c.around.drawTray(codes);
  }

  function drawPending() {
    if (ui.drag !== null) return;
    const source = ui.armed ?? c.sweepName();
    const from = source === null ? null : (c.scene.boxes.get(source) ?? null);
    if (from === null || pointed === null || holds(from, pointed.x, pointed.y)) painter.band(null);
    else painter.band(from, [pointed.x, pointed.y], ui.mark);
  }

  overlay.addEventListener("focusin", () => {
    setTabStop();
    drawChips();
  });
  overlay.addEventListener("focusout", () => queueMicrotask(drawChips));

  return {
    drawGraph,
    groupOf: painter.groupOf,
    setScale(scale) {
      overlay.style.setProperty("--px", String(1 / scale));
      if (ui.proposal !== null) endNames.draw(endChips(c, scale), c.data.figure); // their size in points has changed
    },
    setShape() {
      const { width, height, origin } = c.data.figure;
      setShape(c.root, c.data.figure);
      setAttributes(overlay, { viewBox: `0 0 ${width} ${height}` });
      setAttributes(shifted, { transform: `translate(${-origin[0]} ${-origin[1]})` });
    },
    hover(place, point) {
      pointed = point;
      if (hovered !== (place?.key ?? null)) {
        hovered = place?.key ?? null;
        drawChips();
      }
      drawPending();
    },
    /** Draw the pending edge while it is dragged: to `point`; null ends it. */
    drawBand(point, mode, place) {
      if (point === null) {
        pointed = null;
        return drawPending();
      }
      if (mode === "move") return painter.band([point.x, point.y, point.x, point.y], [point.x, point.y + 0.01]);
      return painter.band(place.box ?? [point.x, point.y, point.x, point.y], [point.x, point.y], ui.mark);
    },
  };
}

/** Highlights around the focused name: {lit: names or null for all, litEdge(edge)}.
 * @param {Canvas} c */
function highlightOf(c) {
  const centre = c.ui.focus ?? c.sweepName();
  if (centre === null) return { lit: null, litEdge: () => true };
  const isHighlighted = ({ source, sink }) => source === centre || (c.ui.focus !== null && sink === centre);
  const names = new Set([centre]);
  for (const edge of c.graph.view().edges.values()) if (isHighlighted(edge)) names.add(edge.source).add(edge.sink);
  return { lit: names, litEdge: isHighlighted };
}

/** Names of the current proposal: their places are highlighted, wherever its line ends.
 * @param {Canvas} c */
function proposalEnds(c) {
  const proposal = c.graph.view().proposals.get(c.ui.proposal ?? "");
  return new Set(proposal ? [proposal.source, proposal.sink] : []);
}

/** The two names of the current proposal, large next to the ends of its line: so a wrong pair is visible although the
 * line is right.
 * @param {Canvas} c
 * @param {number} scale Pixels per point.
 * @returns {import("./parts.js").Chip[]} */
function endChips(c, scale) {
  const line = c.scene.lines.find(({ kind, key }) => kind === "proposal" && key === c.ui.proposal);
  if (!line) return [];
  const { source, sink } = line.edge;
  const { points } = line;
  const [tail, tip] = [points[0], points[points.length - 1]];
  const isAbove = tail[1] <= tip[1];
  const away = tail[0] <= tip[0] ? -1 : 1;
  const printed = c.scene.places.filter(({ isPoint }) => !isPoint).map(({ box }) => box);
  // The node lies beyond the end of its line, where a name at the end alone would cover it.
  const around = ([x, y], name) =>
    printed.find((box) => holds(grown(box, 3 * c.scene.unit), x, y)) ??
    c.scene.boxes.get(name) ??
    c.scene.places.find((place) => place.name === name)?.box ??
    /** @type {import("./types.d.ts").Box} */ ([x, y, x, y]);
  const ends = [
    { key: "end:source", kind: "end", text: `${source} →`, box: around(tail, source), isAbove, away },
    { key: "end:sink", kind: "end", text: `→ ${sink}`, box: around(tip, sink), isAbove: !isAbove, away: -away },
  ];
  const room = c.viewport.clientWidth;
  const [font, widest] = [room > 520 ? 17 : 12, Math.min(340, room * 0.44)]; // as .cv-chip-end
  const places = placeEndNames(ends, { printed, points, figure: c.data.figure, scale, font, widest });
  return ends.map((end, at) => ({ ...end, place: places[at] }));
}

/** Labels over the figure: hint codes with the name of each place, names pointed at or chosen, and the name being moved.
 * @param {Canvas} c
 * @returns {import("./parts.js").Chip[]} */
function chipsOf(c, hovered, codes) {
  const { armed, chosen, move, typed } = c.ui;
  const focusedKey = c.focused()?.key;
  const isNamed = ({ key, name, isPoint }) =>
    hovered === key || focusedKey === key || (isPoint && (armed === name || chosen?.key === key));
  /** @type {import("./parts.js").Chip[]} */
  const items = [];
  for (const { kind, key, name, box, isPoint } of c.scene.places) {
    const text = codes?.get(name);
    if (text !== undefined) {
      const isOn = text.startsWith(typed);
      const look = isOn ? "" : "off";
      items.push({ key: `h:${kind}:${key}`, kind: "hint", text, box, look, typed: isOn ? typed.length : 0 });
    }
    const isShown = isNamed({ key, name, isPoint });
    if (codes !== null && !isPoint && !isShown) items.push({ key: `r:${kind}:${key}`, kind: "read", text: name, box });
    if (isShown) items.push({ key: `n:${kind}:${key}`, kind: "name", text: name, box });
  }
  if (move !== null) {
    const { x, y, name } = move;
    items.push({ key: "move", kind: "name", text: name, box: [x, y, x, y], look: "cross" });
  }
  return items;
}

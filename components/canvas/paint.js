// Draws a scene over the figure as SVG, and changes only what differs from what is drawn.

import { NO_MARK, contentOf, spokenParts } from "../desk/edges.js";
import { shownWord } from "../desk/stored_words.js";
import { alongLine, borderPoint, curveOf, lineText } from "./geometry.js";

const SVG_NS = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG_NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
}

// ---- the parts of a drawing ----------------------------------------------------------------------------------

const at = (x, y, angle = 0) => `translate:${x.toFixed(2)}px ${y.toFixed(2)}px;rotate:${angle.toFixed(3)}rad`;

const HEAD = "M0 0L-11 4.6L-8.6 0L-11 -4.6Z";
const BARS = "M-2.2 -6L-2.2 6M2.2 -6L2.2 6";

/** Place of the sign: next to the line, shortly before the head, on the side to which the line bows. In pixels. */
function signPlace({ points, head }) {
  const [ax, ay] = points[0];
  const middle = points[Math.floor(points.length / 2)];
  const cross = (head.x - ax) * (middle[1] - ay) - (head.y - ay) * (middle[0] - ax);
  const side = cross >= 0 ? 1 : -1;
  const [dx, dy] = [Math.cos(head.angle), Math.sin(head.angle)];
  return [-dx * 17 - dy * 11 * side, -dy * 17 + dx * 11 * side];
}

export function makeLine() {
  const parts = {
    halo: svg("path", { class: "halo" }),
    line: svg("path", { class: "line" }),
    bars: svg("path", { class: "bars px", d: BARS }),
    head: svg("path", { class: "head px", d: HEAD }),
    sign: svg("g", { class: "sign px" }, svg("circle", { r: 7.5 }), svg("path", {})),
    mark: svg(
      "g",
      { class: "mark px" },
      svg("path", { d: "M0 -8L8 6L-8 6Z" }),
      svg("path", { class: "bang", d: "M0 -3.5L0 1.5M0 3.4L0 4" }),
      svg("title"),
    ),
    share: svg("text", { class: "share px" }),
  };
  return { group: svg("g", { role: "button", tabindex: "-1" }, ...Object.values(parts)), parts, drawn: "", look: "" };
}

const SIGN_PATHS = { "+": "M-4 0L4 0M0 -4L0 4", "-": "M-4 0L4 0" };

export function fillLine({ parts, group }, { kind, edge, curve }) {
  setAttributes(parts.halo, { d: curve.d });
  setAttributes(parts.line, { d: curve.d });
  const { head, middle } = curve;
  parts.head.style.cssText = at(head.x, head.y, head.angle);
  parts.bars.style.cssText = at(middle.x, middle.y, middle.angle);
  parts.bars.toggleAttribute("hidden", !edge.delay);
  parts.sign.toggleAttribute("hidden", edge.sign === "");
  if (edge.sign !== "") {
    const [dx, dy] = signPlace(curve);
    parts.sign.style.cssText = at(head.x, head.y);
    for (const child of parts.sign.children)
      child.setAttribute("transform", `translate(${dx.toFixed(1)} ${dy.toFixed(1)})`);
    parts.sign.lastChild.setAttribute("d", SIGN_PATHS[edge.sign]);
  }
  const third = alongLine(curve.points, 0.3);
  parts.mark.toggleAttribute("hidden", !edge.flag);
  parts.mark.style.cssText = at(third.x, third.y);
  parts.mark.lastChild.textContent = shownWord(edge.flag ?? "");
  const hasShare = kind === "proposal";
  parts.share.toggleAttribute("hidden", !hasShare);
  parts.share.textContent = hasShare ? edge.confidence.toFixed(2) : "";
  parts.share.style.cssText = at(middle.x, middle.y);
  setAttributes(group, { "aria-label": spokenLine(kind, edge) });
}

export function spokenLine(kind, edge) {
  const parts = spokenParts(edge);
  if (kind === "proposal") {
    parts[0] = `Proposed: ${parts[0]}`;
    parts.push(`confidence ${edge.confidence.toFixed(2)}`);
  }
  if (edge.is_doubtful) parts.push("doubtful");
  if (kind === "proposal") parts.push(...edge.doubts);
  return parts.filter(Boolean).join(", ");
}

export function makePlace() {
  const parts = {
    halo: svg("rect", { class: "halo" }),
    line: svg("rect", { class: "line" }),
    hit: svg("rect", { class: "hit" }),
    tick: svg("g", { class: "tick px" }, svg("circle", { r: 7 }), svg("path", { d: "M-3.4 0.2L-0.9 2.8L3.6 -2.6" })),
  };
  return { group: svg("g", { role: "button", tabindex: "-1" }, ...Object.values(parts)), parts, drawn: "", look: "" };
}

export function fillPlace({ parts, group }, place, degree) {
  const [x0, y0, x1, y1] = place.box;
  const [width, height] = [x1 - x0, y1 - y0];
  const rx = place.isPoint ? width / 2 : Math.min(height / 3, 4);
  for (const rect of [parts.halo, parts.line, parts.hit]) setAttributes(rect, { x: x0, y: y0, width, height, rx });
  parts.tick.toggleAttribute("hidden", !place.node?.swept);
  parts.tick.style.cssText = at(x1, y0);
  setAttributes(group, { "aria-label": spokenPlace(place, degree) });
}

function spokenPlace(place, { out, into }) {
  if (place.kind === "word")
    return `Printed name: ${place.name}${place.isAgain ? ", printed again" : ""}${place.isDismissed ? ", not a variable" : ""}`;
  return `${place.name}: ${out} out, ${into} in${place.node.swept ? ", swept" : ""}`;
}

// ---- the painter ---------------------------------------------------------------------------------------------

/** Maintain one SVG group per key in `layer`, drawn by `make`, `fill(entry, item)` and `lookOf(item)`. */
export function createLayer(layer, { make, fill, identityOf, lookOf }) {
  const drawn = new Map();
  return {
    drawn,
    update(items) {
      const keys = new Set(items.map(({ key }) => key));
      for (const [key, { group }] of drawn) {
        if (keys.has(key)) continue;
        group.remove();
        drawn.delete(key);
      }
      for (const item of items) {
        let entry = drawn.get(item.key);
        if (entry === undefined) {
          entry = make();
          Object.assign(entry.group.dataset, { key: item.key, kind: item.kind });
          layer.append(entry.group);
          drawn.set(item.key, entry);
        }
        const identity = identityOf(item);
        if (entry.drawn !== identity) {
          fill(entry, item);
          entry.drawn = identity;
        }
        const look = lookOf(item);
        if (entry.look !== look) {
          entry.group.setAttribute("class", look);
          entry.look = look;
        }
      }
    },
  };
}

/** `overlay` is the SVG over the figure. draw(scene, ui): `ui` has what is selected, chosen, armed, highlighted or dimmed. */
export function createPainter(overlay) {
  const layerOf = (name) => overlay.appendChild(svg("g", { "data-layer": name }));
  /** @type {any} */
  let ui = {};
  let degrees = new Map();
  const noDegree = { out: 0, into: 0 };
  const degreeOf = (name) => degrees.get(name) ?? noDegree;

  const courses = {
    make: makeLine,
    fill: fillLine,
    lookOf: (line) => lineLook(line, ui),
    identityOf: ({ edge, curve }) => JSON.stringify([contentOf(edge), edge.confidence, edge.is_doubtful, curve.d]),
  };
  const spots = {
    make: makePlace,
    fill: (entry, place) => fillPlace(entry, place, degreeOf(place.name)),
    lookOf: (place) => placeLook(place, ui),
    identityOf: ({ name, box, isAgain, isDismissed, node }) =>
      JSON.stringify([name, box, isAgain, isDismissed, node?.swept, degreeOf(name)]),
  };
  const highlights = layerOf("lit");
  // In the order in which they lie over each other.
  const layers = {
    word: createLayer(layerOf("words"), spots),
    proposal: createLayer(layerOf("proposals"), courses),
    edge: createLayer(layerOf("edges"), courses),
    node: createLayer(layerOf("nodes"), spots),
  };
  const free = layerOf("free");
  const band = createBand(free);
  const ringAt = (end) => svg("circle", { class: "cv-grip px", r: 6, "data-end": end, hidden: "" });
  const rings = ["source", "sink"].map((end) => free.appendChild(ringAt(end)));

  function count(lines) {
    degrees = new Map();
    for (const { kind, edge } of lines) {
      if (kind !== "edge") continue;
      const [source, sink] = [degreeOf(edge.source), degreeOf(edge.sink)];
      degrees.set(edge.source, { ...source, out: source.out + 1 });
      const into = edge.sink === edge.source ? degreeOf(edge.sink) : sink;
      degrees.set(edge.sink, { ...into, into: into.into + 1 });
    }
  }

  return {
    groupOf: (kind, key) => layers[kind]?.drawn.get(key)?.group ?? null,
    draw(scene, nextUi) {
      ui = nextUi;
      count(scene.lines);
      for (const kind of ["word", "node"]) layers[kind].update(scene.places.filter((place) => place.kind === kind));
      for (const kind of ["proposal", "edge"]) layers[kind].update(scene.lines.filter((line) => line.kind === kind));
    },
    /** The rings at the two ends of a line: [{end, x, y}], or none. */
    grips(items) {
      for (const ring of rings) {
        const item = items.find(({ end }) => end === ring.dataset.end);
        ring.toggleAttribute("hidden", item === undefined);
        if (item) ring.style.cssText = at(item.x, item.y);
      }
    },
    band,
    /** The ring of the drawn region; null removes it. */
    region: createRing(free),
    /** The path of the current printed arrow; null removes its highlight. */
    light: createLight(highlights),
  };
}

/** Highlight a printed path without covering it. */
function createLight(layer) {
  const lines = [svg("path", { class: "halo" }), svg("path", { class: "line" })];
  const head = svg("path", { class: "head px", d: HEAD });
  const group = layer.appendChild(svg("g", { class: "cv-lit", hidden: "" }, ...lines, head));
  return (course) => {
    group.toggleAttribute("hidden", course === null);
    if (course === null) return;
    const curve = curveOf(course);
    for (const path of lines) path.setAttribute("d", curve.d);
    head.style.cssText = at(curve.head.x, curve.head.y, curve.head.angle);
  };
}

/** `name` and the true ones of `marks`, as classes. */
const classes = (name, marks) => [name, ...Object.keys(marks).filter((mark) => marks[mark])].join(" ");

const lineLook = ({ kind, key, edge, isStub }, { selected, proposal, lit, litEdge, picked }) =>
  classes(`cv-${kind}`, {
    picked: kind === "proposal" && picked.has(key),
    chosen: key === (kind === "edge" ? selected : proposal),
    stub: isStub,
    doubtful: edge.is_doubtful,
    saving: edge.state,
    behind: proposal !== null && proposal !== key,
    dim: lit && !(lit.has(edge.source) && litEdge(edge)),
  });

const placeLook = (
  { kind, key, name, isPoint, isAgain, isDismissed, node },
  { chosen, armed, swept, lit, picked, ends },
) =>
  classes(`cv-${kind}`, {
    picked: picked.has(key),
    end: ends.has(name),
    point: isPoint,
    again: isAgain,
    dismissed: isDismissed,
    chosen: chosen?.key === key && chosen.kind === kind,
    armed: armed === name,
    "swept-now": swept === name,
    saving: node?.state,
    dim: lit && !lit.has(name),
  });

/** Draw the region: {ring of points} or null. */
function createRing(layer) {
  const shape = layer.insertBefore(svg("polygon", { class: "cv-region", hidden: "" }), layer.firstChild);
  return (ring) => {
    shape.toggleAttribute("hidden", ring === null);
    if (ring !== null) setAttributes(shape, { points: ring.map((point) => point.join(",")).join(" ") });
  };
}

/** Draw the pending edge from a box to a point; null removes it. */
function createBand(layer) {
  const lines = [svg("path", { class: "halo" }), svg("path", { class: "line" })];
  const mark = svg("g", { class: "sign px" }, svg("circle", { r: 7.5 }), svg("path"));
  const bars = svg("path", { class: "bars px", d: BARS });
  const group = layer.appendChild(svg("g", { class: "cv-band", hidden: "" }, ...lines, bars, mark));
  return (from, to, { sign, delay } = NO_MARK) => {
    group.toggleAttribute("hidden", from === null);
    if (from === null) return;
    const start = borderPoint(from, ...to);
    for (const path of lines) path.setAttribute("d", lineText([start, to]));
    mark.toggleAttribute("hidden", sign === "");
    mark.style.cssText = at(...to);
    mark.lastChild.setAttribute("d", SIGN_PATHS[sign] ?? "");
    bars.toggleAttribute("hidden", !delay);
    const angle = Math.atan2(to[1] - start[1], to[0] - start[0]);
    bars.style.cssText = at((start[0] + to[0]) / 2, (start[1] + to[1]) / 2, angle);
  };
}

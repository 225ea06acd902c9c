// The left of the desk: the figure, both transcriptions over it in one picture, and what the lines mean.

import { hitsAt, nextHit } from "../canvas/geometry.js";
import { createLayer, fillLine, fillPlace, makeLine, makePlace, setAttributes, svg } from "../canvas/paint.js";
import { createChips } from "../canvas/parts.js";
import { make, pushButton, targetOf } from "../desk/dom.js";
import { contentOf } from "../desk/edges.js";
import { createPageImage } from "../figure/page_image.js";
import { createPanZoom } from "../figure/panzoom.js";
import { boundsOfItem, chipsOf, deskScene, namesOf } from "./scene.js";

const LEGEND = [
  ["both", "Both drew it"],
  ["a", "Only A"],
  ["b", "Only B"],
  ["in", "Accepted by ruling (solid)"],
  ["own", "Added or removed by you"],
  ["read", "Read differently by the program"],
  ["name", "Names differ"],
];

function legendOf() {
  const sample = (side) => {
    const box = svg("svg", { class: "rd-sample", viewBox: "0 0 34 14", "aria-hidden": "true" });
    if (side === "name")
      box.append(svg("rect", { class: "line rd-differs", x: 3, y: 2, width: 28, height: 10, rx: 3 }));
    else
      box.append(
        svg(
          "g",
          { class: `rd-line ${side === "in" ? "a in" : side} ${["a", "b", "read"].includes(side) ? "waits" : ""}` },
          svg("path", { class: "line", d: "M2 7L25 7" }),
          svg("path", { class: "head", d: "M33 7L24 11L24 3Z" }),
        ),
      );
    return box;
  };
  return make(
    "ul",
    { class: "rd-legend", "aria-label": "Legend" },
    ...LEGEND.map(([side, text]) => make("li", {}, sample(side), text)),
  );
}

const MOST_ZOOM = 2.6; // times the whole figure: a single name must not fill the window

/** Layers of the lines and places of a scene. `ui.whole`: the rest stays legible; `look()`: the highlighted parts. */
function createLayers(edges, nodes, ui, look) {
  const lineLayer = createLayer(edges, {
    make: makeLine,
    fill(entry, line) {
      fillLine(entry, line);
      const { side } = line.edge;
      setAttributes(entry.group, { "aria-label": `${SIDE_WORDS[side]}: ${entry.group.getAttribute("aria-label")}` });
    },
    identityOf: ({ edge, curve }) => JSON.stringify([contentOf(edge), edge.side, curve.d]),
    lookOf: ({ edge, isStub }) =>
      [
        "cv-edge rd-line",
        edge.side,
        edge.fate,
        isStub && "stub",
        edge.item === look().item && "current",
        look().item !== null && edge.item !== look().item && (ui.whole ? "behind" : "dim"),
      ]
        .filter(Boolean)
        .join(" "),
  });
  const placeLayer = createLayer(nodes, {
    make: makePlace,
    fill(entry, place) {
      fillPlace(entry, place, { out: 0, into: 0 });
      const { a, b, wording } = place.node;
      const label = place.differs ? `${wording}: A wrote “${a}”, B wrote “${b}”` : wording;
      setAttributes(entry.group, { "aria-label": label });
      entry.parts.told ??= entry.group.appendChild(svg("title"));
      entry.parts.told.textContent = label;
    },
    identityOf: ({ box, node }) => JSON.stringify([box, node]),
    lookOf: ({ name, isPoint, differs }) =>
      [
        "cv-node rd-node",
        isPoint && "point",
        differs && "rd-differs",
        look().lit?.has(name) && "current",
        look().item !== null && !ui.whole && !look().lit?.has(name) && "dim",
      ]
        .filter(Boolean)
        .join(" "),
  });
  return { lineLayer, placeLayer };
}

/** {element, foot, draw(), show(item), setWhole(on), close()} for the desk `c`. */
export function createDeskFigure(c, first) {
  const content = make("div", { class: "pz-content" });
  const viewport = make("div", { class: "pz-viewport cv-viewport rd-viewport", tabindex: "0", role: "group" }, content);
  const overlay = svg("svg", { class: "pz-overlay cv-overlay", preserveAspectRatio: "none", "aria-hidden": "true" });
  const shifted = svg("g");
  const [edges, nodes] = ["edges", "nodes"].map((name) => shifted.appendChild(svg("g", { "data-layer": name })));
  overlay.append(shifted);
  const chipLayer = make("div", { class: "pz-overlay cv-chips", "aria-hidden": "true" });
  content.append(overlay, chipLayer);
  const chips = createChips(chipLayer);
  const picture = createPageImage(viewport, content);
  const whole = pushButton("Whole figure", () => c.commands.whole(), {
    title: "The whole figure, or only the part in question (z)",
  });
  const foot = make("div", { class: "pz-foot rd-foot" }, make("div", { class: "cv-row" }, whole));
  const element = make("div", { class: "rd-left" }, viewport, make("div", { class: "rd-under" }, legendOf(), foot));
  const courses = new Map();
  /** @type {{lit: Set<string> | null, item: string | null}} */
  let look = { lit: null, item: null };
  /** @type {import("../figure/panzoom.js").PanZoom | null} */
  let panZoom = null;
  /** @type {Omit<import("../canvas/types.d.ts").Scene, "unplaced">} */
  let scene = { places: [], lines: [], boxes: new Map(), unit: 4 };
  let shown = "";

  const { lineLayer, placeLayer } = createLayers(edges, nodes, c.ui, () => look);

  function draw() {
    const item = c.current();
    const choice = item?.type === "name" ? c.choiceOf(item) : null;
    scene = deskScene(c.view, c.data, courses);
    const names = item === null ? [] : namesOf(item, choice, c.data);
    look = { lit: new Set(names), item: item?.key ?? null };
    c.root.toggleAttribute("data-dense", scene.lines.length > 60);
    lineLayer.update(scene.lines);
    placeLayer.update(scene.places);
    const front = scene.lines.filter(({ edge }) => edge.item === look.item);
    for (const { key } of front) edges.append(lineLayer.drawn.get(key).group); // over those that cross it
    chips.draw(item === null ? [] : chipsOf(scene, item, choice, c.wording), c.data.figure);
    whole.setAttribute("aria-pressed", String(c.ui.whole));
    follow(item, names);
  }

  /** Move the picture to a new question; afterwards it stays where the user puts it. */
  function follow(item, names) {
    const bounds = item === null || c.ui.whole ? null : boundsOfItem(scene, item, names);
    const signature = JSON.stringify([item?.key, c.ui.whole, bounds]);
    if (signature === shown || panZoom === null) return;
    shown = signature;
    if (bounds === null) panZoom.fit(true);
    else panZoom.zoomTo(bounds, { most: MOST_ZOOM });
  }

  viewport.addEventListener("click", (event) => {
    if (panZoom === null || targetOf(event).closest?.("[data-no-drag]")) return;
    const at = panZoom.toPage(event.clientX, event.clientY);
    const reach = (matchMedia("(pointer: coarse)").matches ? 22 : 9) / panZoom.scale;
    const hits = hitsAt({ places: [], lines: scene.lines.filter(({ edge }) => edge.fate !== "out") }, at.x, at.y, {
      tolerance: reach,
      target: 0,
    });
    const hit = nextHit(
      hits,
      hits.find(({ key }) => lineLayer.drawn.get(key)?.group.classList.contains("current"))?.key,
    );
    if (hit === null) return;
    c.go(scene.lines.find(({ key }) => key === hit.key)?.edge.item);
    c.focus();
  });

  return {
    element,
    draw,
    /** Set up once the element is on the page: pan and zoom measure it. */
    begin() {
      const { width, height, origin, height_px } = first.figure;
      c.root.style.setProperty("--pz-height", `${height_px}px`);
      panZoom = createPanZoom(viewport, content, {
        width,
        height,
        origin,
        frame: c.root,
        onChange: (scale) => overlay.style.setProperty("--px", String(1 / scale)),
      });
      foot.append(panZoom.tools());
    },
    receive({ figure }) {
      viewport.setAttribute("aria-label", figure.alt);
      setAttributes(overlay, { viewBox: `0 0 ${figure.width} ${figure.height}` });
      setAttributes(shifted, { transform: `translate(${-figure.origin[0]} ${-figure.origin[1]})` });
      picture.show(figure.image_url, figure.alt);
      panZoom?.setContent(figure.width, figure.height, figure.origin);
    },
    panZoom: () => panZoom,
    close: () => panZoom?.destroy(),
  };
}

const SIDE_WORDS = {
  both: "Both",
  a: "Only A",
  b: "Only B",
  own: "Added or removed by you",
  read: "Read differently by the program",
};

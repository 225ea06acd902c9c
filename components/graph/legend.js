// The legend: each class of a comparison with a sample of its line, its counts, and a box that hides it.

import { svg } from "../canvas/paint.js";
import { count as counted, make, targetOf } from "../desk/dom.js";
import { announce } from "./choice.js";
import { CLASSES, meaningOf } from "./look.js";

/** @typedef {import("./types.d.ts").Figure} Figure */
/** @typedef {import("./types.d.ts").Style} Style */
/** @typedef {Exclude<Style, "plain" | "link">} Compared */
/** @typedef {[tag: string, places: import("../desk/types.d.ts").Attributes]} Shape  of SVG */

// Within 38 × 14, the head at the right.
/** @type {Shape} */
const SOLID = ["line", { x1: 1, y1: 7, x2: 30, y2: 7 }];
/** @type {Shape} */
const DASHED = ["line", { x1: 1, y1: 7, x2: 30, y2: 7, "stroke-dasharray": "6 4" }];
/** @type {Shape} */
const DOTTED = ["line", { x1: 2, y1: 7, x2: 30, y2: 7, "stroke-dasharray": "0.1 4.6", "stroke-linecap": "round" }];
/** @type {Record<Compared, Shape[]>} */
const SAMPLES = {
  matched: [SOLID],
  missed: [DASHED],
  spurious: [DOTTED, ["path", { d: "M12 3 L20 11 M12 11 L20 3" }]],
  reversed: [
    ["line", { x1: 8, y1: 7, x2: 30, y2: 7, "stroke-dasharray": "0.1 4.6", "stroke-linecap": "round" }],
    ["path", { d: "M15 3 L23 11 M15 11 L23 3" }],
    ["path", { d: "M0 7 L9 2.5 L9 11.5 Z", class: "head" }],
  ],
  cut: [DASHED, ["path", { d: "M12 3 L20 11 M12 11 L20 3" }]],
  both: [SOLID],
  truth: [DASHED],
  prediction: [DOTTED],
};

/** `redraw`: called when a class is hidden or shown again.
 * @param {Figure} figure
 * @param {() => void} redraw  called when a class is hidden or shown again
 * @returns {Figure["legend"]} */
export function createLegend(figure, redraw) {
  const box = make("ul", { class: "legend", "aria-label": "Labels, and whether each is drawn", hidden: true });
  box.addEventListener("change", (event) => {
    const { value, checked: isShown } = /** @type {HTMLInputElement} */ (targetOf(event));
    const style = /** @type {Style} */ (value);
    if (isShown) figure.hiddenClasses.delete(style);
    else figure.hiddenClasses.add(style);
    redraw();
    announce(figure, `${meaningOf(style, figure.data.ends)} ${isShown ? "shown" : "hidden"}`);
  });
  return { box, rows: new Map() };
}

/** A row for each class in use. Rows are kept and changed, so that the box with the focus keeps it.
 * @param {Figure} figure */
export function fillLegend(figure) {
  const { nodes, edges, ends } = figure.data;
  const { box, rows } = figure.legend;
  /** @type {(things: {style: Style}[], style: Style) => number} */
  const count = (things, style) => things.filter((thing) => thing.style === style).length;
  const used = CLASSES.filter((style) => count(nodes, style) + count(edges, style) > 0);
  for (const style of used) {
    const row = rows.get(style) ?? legendRow(style, meaningOf(style, ends));
    rows.set(style, row);
    const [n, m] = [count(edges, style), count(nodes, style)];
    const counts =
      style === "reversed" || style === "cut" ? counted(n, "edge") : `${counted(n, "edge")}, ${counted(m, "node")}`;
    setCounts(row, counts);
    /** @type {HTMLInputElement} */ (row.querySelector("input")).checked = !figure.hiddenClasses.has(style);
  }
  const wrong = edges.filter((edge) => edge.differs).length;
  if (wrong) {
    const row = rows.get("differs") ?? signRow();
    rows.set("differs", row);
    setCounts(row, counted(wrong, "edge"));
  }
  const nextRows = [...used, ...(wrong ? ["differs"] : [])].flatMap((style) => rows.get(style) ?? []);
  const isSame = nextRows.length === box.children.length && nextRows.every((row, i) => row === box.children[i]);
  if (!isSame) box.replaceChildren(...nextRows);
  box.hidden = nextRows.length === 0;
  figure.root.dataset.hidden = [...figure.hiddenClasses].sort().join(" ");
}

/** @param {Element} row @param {string} counts */
function setCounts(row, counts) {
  /** @type {Element} */ (row.querySelector(".counts")).textContent = counts;
}

/** @param {string} style @param {string} [text] */
const words = (style, text = "") => make("span", { class: style, text });

/** @param {Compared} style @param {string} meaning */
function legendRow(style, meaning) {
  const tick = make("input", { type: "checkbox", value: style });
  const label = make("label", {}, tick, sample(style), words("meaning", meaning), words("counts"));
  return make("li", { class: style }, label);
}

/** An edge whose sign is wrong is matched all the same, so this row only explains the box. */
const signRow = () =>
  make(
    "li",
    { class: "differs" },
    make("b", { text: "+ → −" }),
    words("meaning", "matched, another sign"),
    words("counts"),
  );

/** @param {Compared} style */
function sample(style) {
  const isOpen = style === "both" || style === "truth" || style === "prediction"; // as the heads of its lines
  /** @type {Shape} */
  const head = [
    "path",
    { d: isOpen ? "M29 2.5 L37 7 L29 11.5" : "M38 7 L29 2.5 L29 11.5 Z", ...(isOpen ? {} : { class: "head" }) },
  ];
  const shapes = [...SAMPLES[style], head].map(([tag, places]) => svg(tag, places));
  return svg("svg", { width: 38, height: 14, viewBox: "0 0 38 14", "aria-hidden": "true" }, ...shapes);
}

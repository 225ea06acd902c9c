// The legend: each class of a comparison with a sample of its line, its counts, and a box that hides it.

import { announce, element, update } from "./figure.js";
import { counted } from "./focus.js";
import { MEANING } from "./look.js";

const SVG = "http://www.w3.org/2000/svg";
const SAMPLES = {
  // within 38 × 14, the head at the right
  matched: [["line", { x1: 1, y1: 7, x2: 30, y2: 7 }]],
  missed: [["line", { x1: 1, y1: 7, x2: 30, y2: 7, "stroke-dasharray": "6 4" }]],
  spurious: [
    ["line", { x1: 2, y1: 7, x2: 30, y2: 7, "stroke-dasharray": "0.1 4.6", "stroke-linecap": "round" }],
    ["path", { d: "M12 3 L20 11 M12 11 L20 3" }],
  ],
  reversed: [
    ["line", { x1: 8, y1: 7, x2: 30, y2: 7, "stroke-dasharray": "0.1 4.6", "stroke-linecap": "round" }],
    ["path", { d: "M15 3 L23 11 M15 11 L23 3" }],
    ["path", { d: "M0 7 L9 2.5 L9 11.5 Z", class: "head" }],
  ],
};

export function createLegend(figure) {
  const box = element("ul", "legend");
  box.setAttribute("aria-label", "Classes, and whether each is drawn");
  box.hidden = true;
  box.addEventListener("change", (event) => hide(figure, event.target.value, !event.target.checked));
  return { box, rows: new Map() };
}

/** A row for each class in use. Rows are kept and changed, so that the box with the focus keeps it. */
export function fillLegend(figure) {
  const { nodes, edges } = figure.data;
  const { box, rows } = figure.legend;
  const count = (things, style) => things.filter((thing) => thing.style === style).length;
  const used = Object.keys(MEANING).filter((style) => count(nodes, style) + count(edges, style) > 0);
  for (const style of used) {
    if (!rows.has(style)) rows.set(style, legendRow(style));
    const row = rows.get(style);
    const [n, m] = [count(edges, style), count(nodes, style)];
    const counts = style === "reversed" ? counted(n, "edge") : `${counted(n, "edge")}, ${counted(m, "node")}`;
    row.querySelector(".counts").textContent = counts;
    row.querySelector("input").checked = !figure.hiddenClasses.has(style);
  }
  const wrong = edges.filter((edge) => edge.differs).length;
  if (wrong && !rows.has("differs")) rows.set("differs", signRow());
  if (wrong) rows.get("differs").querySelector(".counts").textContent = counted(wrong, "edge");
  const wanted = [...used, ...(wrong ? ["differs"] : [])].map((style) => rows.get(style));
  const isSame = wanted.length === box.children.length && wanted.every((row, i) => row === box.children[i]);
  if (!isSame) box.replaceChildren(...wanted);
  box.hidden = wanted.length === 0;
  figure.root.dataset.hidden = [...figure.hiddenClasses].sort().join(" ");
}

function legendRow(style) {
  const row = element("li", style);
  const label = element("label", "");
  const tick = element("input", "");
  Object.assign(tick, { type: "checkbox", value: style });
  label.append(tick, sample(style), element("span", "meaning", MEANING[style]), element("span", "counts"));
  row.append(label);
  return row;
}

/** An edge whose sign is wrong is matched all the same, so this row only explains the box. */
function signRow() {
  const row = element("li", "differs");
  row.append(element("b", "", "+ → −"), element("span", "meaning", "matched, another sign"), element("span", "counts"));
  return row;
}

function sample(style) {
  const drawing = shape("svg", { width: 38, height: 14, viewBox: "0 0 38 14", "aria-hidden": "true" });
  const head = ["path", { d: "M38 7 L29 2.5 L29 11.5 Z", class: "head" }];
  drawing.append(...[...SAMPLES[style], head].map(([tag, places]) => shape(tag, places)));
  return drawing;
}

function shape(tag, places) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(places)) made.setAttribute(name, value);
  return made;
}

function hide(figure, style, out) {
  if (out) figure.hiddenClasses.add(style);
  else figure.hiddenClasses.delete(style);
  update(figure);
  announce(figure, `${MEANING[style]} ${out ? "hidden" : "shown"}`);
}

// Style of each class: colours by theme, lines and borders.

import { DARK, lightness, solid } from "../desk/theme.js";
import { numberOf, strengthOf } from "./items.js";

/** @typedef {import("./types.d.ts").DrawnEdge} DrawnEdge */
/** @typedef {import("./types.d.ts").DrawnNode} DrawnNode */
/** @typedef {import("./types.d.ts").EdgeData} EdgeData */
/** @typedef {import("./types.d.ts").Figure} Figure */
/** @typedef {import("./types.d.ts").NodeData} NodeData */
/** @typedef {import("./types.d.ts").Style} Style */
/** @typedef {[red: number, green: number, blue: number]} Rgb */

const COMPARED = {
  light: { matched: "#3A3A3A", missed: "#0072B2", spurious: "#C44601", reversed: "#C44601", cut: "#0072B2" },
  dark: { matched: "#D6D3CD", missed: "#5BB0E8", spurious: "#F08A4B", reversed: "#F08A4B", cut: "#5BB0E8" },
};
// Colours of lines that are in no comparison, if the user requests them.
const SIGNED = {
  light: { "+": "#0A7A4B", "−": "#8A2BA0" },
  dark: { "+": "#7ED957", "−": "#E07BE0" },
};
/** Classes; in two graphs that are not compared yet, an edge is in both, in the truth or in the prediction. */
/** @type {Exclude<Style, "plain" | "link">[]} */
export const CLASSES = ["matched", "missed", "spurious", "reversed", "cut", "both", "truth", "prediction"];

/** A class in words, with the only graph that has it.
 * @param {Style} style
 * @param {[string, string]} ends */
export function meaningOf(style, [reference, candidate]) {
  if (style === "missed") return `missed (${reference} only)`;
  if (style === "spurious") return `spurious (${candidate} only)`;
  if (style === "truth") return `${reference} only`;
  if (style === "prediction") return `${candidate} only`;
  return style === "plain" ? "" : style;
}

const [DASHED, DOTTED] = [
  [8, 7],
  [0.1, 5.4], // with round ends
];
/** @type {Partial<Record<Style, number[]>>} */
const DASHES = {
  ...{ missed: DASHED, cut: DASHED, truth: DASHED },
  ...{ spurious: DOTTED, reversed: DOTTED, prediction: DOTTED },
  link: [2, 6],
}; // else solid
/** @type {Partial<Record<Style, Style>>} */
const IN_ONE = { truth: "missed", prediction: "spurious", both: "matched" }; // nodes have their form, without its colour
const BORDER_DASHES = [6, 4];
const WIDTH = 2; // of every line: width never encodes the class
const LEAST_PX = 1.4; // a line's least width on the screen, however far away
const ARROW = 0.72;
const FONT_PX = 14;
const LOOP_PX = 18;

/** @param {Figure} figure
 * @param {NodeData} node
 * @param {number} id
 * @param {boolean} hidden */
export function nodeItem(figure, node, id, hidden) {
  const { ink, paper, wash, outline, font, classes } = figure.palette;
  const form = IN_ONE[node.style] ?? node.style;
  const plain = form !== node.style || form === "plain";
  const colour = { background: form === "matched" ? wash : paper, border: plain ? outline : classes[node.style] };
  return {
    id,
    hidden,
    label: node.label,
    shape: "box",
    borderWidth: plain ? 1.25 : 1.75,
    margin: { top: 7, bottom: 7, left: 10, right: 10 },
    shapeProperties: {
      borderRadius: form === "spurious" ? 0 : 4,
      borderDashes: form === "missed" ? BORDER_DASHES : false,
    },
    color: { ...colour, highlight: colour, hover: colour }, // a ring marks the selection
    font: { color: ink, face: font, size: FONT_PX, multi: false },
  };
}

/** The colour of an edge's line and marks.
 * @param {Pick<Figure, "palette" | "hasSignColours">} figure
 * @param {Pick<EdgeData, "style" | "mark">} edge */
export function colourOf({ palette, hasSignColours }, { style, mark }) {
  const plain = (hasSignColours && style === "plain" && palette.signed[mark]) || palette.classes.plain;
  return style === "plain" ? plain : (palette.classes[style] ?? plain);
}

/** @param {Figure} figure
 * @param {EdgeData} edge
 * @param {number[]} numbers
 * @param {boolean} hidden */
export function edgeItem(figure, edge, numbers, hidden) {
  const colour = colourOf(figure, edge);
  const smooth =
    edge.bend === 0
      ? { enabled: false }
      : { enabled: true, type: edge.bend > 0 ? "curvedCW" : "curvedCCW", roundness: Math.abs(edge.bend) };
  return {
    id: numberOf(figure, `edge ${edge.ref}`),
    from: numbers[edge.from],
    to: numbers[edge.to],
    hidden,
    color: { color: colour, highlight: colour, hover: colour, inherit: false },
    dashes: DASHES[edge.style] ?? false,
    width: WIDTH,
    arrows: {
      to: { enabled: edge.style !== "link", scaleFactor: ARROW, type: IN_ONE[edge.style] ? "vee" : "arrow" },
      from: { enabled: edge.style === "reversed", scaleFactor: ARROW, type: "arrow" },
    },
    smooth,
    selfReference: { size: LOOP_PX, angle: Math.PI / 4, renderBehindTheNode: true },
    selectionWidth: 0,
    hoverWidth: 0,
  };
}

/** Corner of each self-loop: upper right, lower right, upper left, lower left, and again from there.
 * @param {Pick<EdgeData, "from" | "to">[]} edges */
export function loopCorners(edges) {
  /** @type {Map<number, number>} */
  const seen = new Map();
  return edges.map(({ from, to }) => {
    if (from !== to) return 0;
    const twin = seen.get(from) ?? 0;
    seen.set(from, twin + 1);
    return twin % 4;
  });
}

/** The angle at which vis-network has that corner; a self-loop arches over the border next to it.
 * @param {DrawnNode["shape"]} shape
 * @param {number} corner */
function loopAngle({ width, height }, corner) {
  const angle = Math.atan2(height / 2, Math.max(width / 2 - LOOP_PX - 5, 1));
  return [angle, -angle, Math.PI - angle, angle - Math.PI][corner];
}

/** Draw a halo under a selected or pointed-at line, since its width must stay.
 * @param {Figure} figure
 * @param {CanvasRenderingContext2D} context
 * @param {DrawnEdge} edge */
function drawHalo(figure, context, edge) {
  const { halo, hover } = figure.palette;
  const values = {
    ...edge.getFormattingValues(),
    color: edge.selected ? halo : hover,
    inheritsColor: false,
    opacity: 1,
    width: edge.options.width + 8,
    dashes: false,
  };
  if (!values.hidden) edge.edgeType.drawLine(context, values, false, false, edge.edgeType.getViaNode());
}

/** Dim every drawn item with the rest, and keep lines and borders visible when zoomed out.
 * @param {Figure} figure */
export function dress(figure) {
  const { nodes, edges } = figure.network.body;
  for (const drawn of [...Object.values(nodes), ...Object.values(edges)]) {
    if (drawn.isDressed) continue;
    drawn.isDressed = true;
    const methods = /** @type {Record<string, import("./types.d.ts").Paint>} */ (/** @type {unknown} */ (drawn));
    for (const method of drawn.edgeType ? ["draw", "drawArrows"] : ["draw"]) {
      const paint = methods[method];
      methods[method] = (context, ...rest) => {
        context.save();
        widen(figure, drawn);
        const strength = strengthOf(figure, drawn.id);
        if (strength < 1 && drawn.shape) cover(figure, context, drawn);
        context.globalAlpha = strength;
        if (method === "draw" && drawn.edgeType && (drawn.selected || drawn.hover)) drawHalo(figure, context, drawn);
        const result = paint.call(drawn, context, ...rest);
        context.restore();
        return result;
      };
    }
  }
}

/** A dimmed node lets no line show through its name.
 * @param {Figure} figure
 * @param {CanvasRenderingContext2D} context
 * @param {DrawnNode} node */
function cover(figure, context, { x, y, shape, options }) {
  if (options.hidden || !shape.width) return;
  context.fillStyle = figure.palette.paper;
  context.fillRect(x - shape.width / 2, y - shape.height / 2, shape.width, shape.height);
}

/** @param {Figure} figure
 * @param {DrawnNode | DrawnEdge} drawn */
function widen(figure, drawn) {
  const scale = figure.network.body.view.scale;
  const fact = figure.facts.get(drawn.id);
  const style = (fact?.edge ?? fact?.node)?.style;
  if (drawn.edgeType) {
    const factor = Math.max(1, LEAST_PX / WIDTH / scale);
    drawn.options.width = WIDTH * factor;
    const dashes = style && DASHES[style];
    if (dashes) drawn.options.dashes = dashes.map((length) => length * factor);
    if (drawn.fromId === drawn.toId && drawn.from.shape.width) {
      const { corner } = /** @type {import("./types.d.ts").EdgeFact} */ (fact);
      drawn.options.selfReference.angle = loopAngle(drawn.from.shape, corner);
    }
  } else if (style === "missed" || style === "truth") {
    // vis-network keeps a border's width on the screen, but not its dashes
    drawn.options.shapeProperties.borderDashes = BORDER_DASHES.map((length) => length / Math.max(scale, 0.5));
  }
}

// --- colours ------------------------------------------------------------------------------------------------------

/** Read the app's theme; return true if it changed.
 * @param {Figure} figure */
export function takePalette(figure) {
  const style = getComputedStyle(figure.root);
  /** @param {string} name @param {string} otherwise */
  const read = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  const ink = solid(read("--st-text-color", "#14171A"));
  const paper = solid(read("--st-background-color", "#FDFCFA"));
  const act = solid(read("--st-primary-color", "#0F6B66"));
  const dark = lightness(paper) < DARK;
  const compared = COMPARED[dark ? "dark" : "light"];
  const palette = {
    ink: hex(ink),
    paper: hex(paper),
    act: hex(act),
    wash: hex(mix(ink, paper, dark ? 0.16 : 0.09)),
    outline: hex(mix(ink, paper, 0.5)),
    halo: hex(mix(act, paper, dark ? 0.55 : 0.4)),
    hover: hex(mix(ink, paper, 0.14)),
    found: hex(mix(act, paper, 0.8)),
    dim: dark ? 0.22 : 0.15, // on a dark ground the same share of ink is harder to see
    font: read("--st-font", "sans-serif"),
    classes: { plain: hex(mix(ink, paper, 0.86)), ...compared },
    signed: SIGNED[dark ? "dark" : "light"],
  };
  const changed = JSON.stringify(palette) !== JSON.stringify(figure.palette);
  figure.palette = palette;
  for (const name of /** @type {const} */ (["matched", "missed", "spurious"]))
    figure.root.style.setProperty(`--${name}`, compared[name]);
  return changed;
}

/** @type {(one: Rgb, other: Rgb, share: number) => Rgb} */
function mix(one, other, share) {
  return /** @type {Rgb} */ (one.map((value, i) => Math.round(value * share + other[i] * (1 - share))));
}

/** @param {Rgb} colour */
function hex(colour) {
  return `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

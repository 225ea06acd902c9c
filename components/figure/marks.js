// Marks on a figure: boxes that are pressed, stepped through by arrow keys, and labelled.

import { ARROWS, centreOf, neighbourOf } from "../canvas/geometry.js";
import { setAttributes, svg } from "../canvas/paint.js";
import { changes, make, targetOf } from "../desk/dom.js";

/** @typedef {import("./shapes.d.ts").Box} Box */
/** @typedef {import("./shapes.d.ts").Point} Point */
/** @typedef {import("./types.d.ts").MarkData} MarkData */
/** @typedef {Pick<import("./types.d.ts").FigureViewData, "marks" | "origin" | "width" | "height">} Shown */
/** @typedef {{group: SVGGElement, rect: SVGElement, course: SVGElement, mark: MarkData}} Drawn */

const KINDS = { node: "Node", word: "Name in the figure", box: "Area" };
const STATES = { plain: "", chosen: ", chosen", dimmed: ", dimmed", attested: ", attested" };
/** @param {MarkData} mark */
const markName = ({ kind, label, state }) => `${KINDS[kind]}: ${label || "without a name"}${STATES[state]}`;
/** True if the label of a mark is always shown; others are shown while pointed at.
 * @param {MarkData} mark */
const isLabelled = ({ kind, state }) => kind === "box" || state === "chosen";

const HEAD = 7; // points

/** SVG path of an arrow with an open head at its tip; "" without points.
 * @param {Point[]} points */
export function arrowOf(points) {
  if (points.length < 2) return "";
  const [from, tip] = points.slice(-2);
  const way = Math.atan2(tip[1] - from[1], tip[0] - from[0]);
  /** @type {(turn: number) => Point} */
  const side = (turn) => [tip[0] + HEAD * Math.cos(way + turn), tip[1] + HEAD * Math.sin(way + turn)];
  /** @type {(some: Point[]) => string} */
  const line = (some) => some.map(([x, y], n) => `${n === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  return `${line(points)}${line([side(2.6), tip, side(-2.6)])}`;
}

/** Place a label at a box of the figure, in percent so that it follows the zoom: above it and growing to the right, unless
 * that leaves the figure.
 * @type {(chip: HTMLElement, box: Box, figure: Pick<Shown, "origin" | "width" | "height">) => void} */
function placeChip(chip, [x0, y0, x1, y1], { origin: [left, top], width, height }) {
  const [across, right] = [x0, x1].map((x) => ((x - left) / width) * 100);
  const [down, below] = [y0, y1].map((y) => ((y - top) / height) * 100);
  chip.style.cssText = "";
  if (across > 45) chip.style.right = `${100 - right}%`;
  else chip.style.left = `${Math.max(across, 0)}%`;
  if (down < 6) chip.style.top = `calc(${below}% + 3px)`;
  else chip.style.bottom = `calc(${100 - down}% + 3px)`;
}

/** Return {draw(data)} for the marks of a figure in `layer`, their labels in `chips`.
 * @param {SVGElement} layer
 * @param {HTMLElement} chips
 * @param {object} on
 * @param {(id: string) => void} on.onClick  one was pressed
 * @param {(box: Box) => void} on.onFocus  one got the focus
 * @param {() => void} on.home  takes the focus of a removed one */
export function createMarks(layer, chips, { onClick, onFocus, home }) {
  const hint = make("span", { class: "pz-chip fv-hint" });
  const drawn = /** @type {Map<string, Drawn>} */ (new Map()); // by the mark's id
  /** @type {Shown} */
  let data = { marks: [], origin: [0, 0], width: 1, height: 1 };
  const drawnOf = (/** @type {string} */ id) => /** @type {Drawn} */ (drawn.get(id));
  const isOther = changes();
  /** @type {string | null} */
  let tabStop = null;

  /** @param {string | null} id */
  function setTabStop(id) {
    tabStop = id !== null && drawn.has(id) ? id : (drawn.keys().next().value ?? null);
    for (const [each, { group }] of drawn) group.setAttribute("tabindex", each === tabStop ? "0" : "-1");
  }

  /** @param {MarkData | null} mark */
  function hover(mark) {
    if (!mark?.label || isLabelled(mark)) return void hint.remove();
    hint.textContent = mark.label;
    placeChip(hint, mark.box, data);
    chips.append(hint);
  }

  /** @param {MarkData} mark @returns {Drawn} */
  function createMark(mark) {
    const { id } = mark;
    const rect = svg("rect", { "vector-effect": "non-scaling-stroke" });
    const course = svg("path", { "vector-effect": "non-scaling-stroke" });
    const group = svg("g", { class: "fv-mark", role: "button", tabindex: "-1", "data-id": id }, rect, course);
    group.addEventListener("click", () => {
      setTabStop(id);
      onClick(id);
    });
    group.addEventListener("pointerenter", () => hover(drawn.get(id)?.mark ?? null));
    group.addEventListener("pointerleave", () => hover(null));
    group.addEventListener("focus", () => {
      setTabStop(id);
      const now = drawnOf(id).mark;
      hover(now);
      if (group.matches(":focus-visible")) onFocus(now.box);
    });
    group.addEventListener("blur", () => hover(null));
    return { group, rect, course, mark };
  }

  /** @param {Drawn} entry @param {MarkData} mark */
  function fillMark(entry, mark) {
    const [x0, y0, x1, y1] = mark.box;
    const room = mark.kind === "box" ? 0 : 1.5; // points of air round the printed letters
    const [width, height] = [Math.max(x1 - x0, 0) + 2 * room, Math.max(y1 - y0, 0) + 2 * room];
    entry.mark = mark;
    setAttributes(entry.group, { "data-kind": mark.kind, "data-state": mark.state, "aria-label": markName(mark) });
    if (mark.state === "chosen") entry.group.setAttribute("aria-pressed", "true");
    else entry.group.removeAttribute("aria-pressed");
    setAttributes(entry.rect, { x: x0 - room, y: y0 - room, width, height, rx: mark.kind === "node" ? 3 : 1 });
    setAttributes(entry.course, { d: arrowOf(mark.path) });
    entry.group.toggleAttribute("data-course", mark.path.length > 1);
  }

  function drawChips() {
    chips.replaceChildren();
    for (const { mark } of drawn.values()) {
      const text = `${mark.state === "attested" ? "✓ " : ""}${isLabelled(mark) ? mark.label : ""}`.trim();
      if (text === "") continue;
      const chip = make("span", { class: "pz-chip", text });
      placeChip(chip, mark.box, data);
      chips.append(chip);
    }
  }

  /** Groups in the order of the marks; those that stay are not touched, since that would take their focus.
   * @param {MarkData[]} marks */
  function arrange(marks) {
    const previous = new Map(drawn);
    drawn.clear();
    for (const mark of marks) {
      const entry = previous.get(mark.id) ?? createMark(mark);
      previous.delete(mark.id);
      fillMark(entry, mark);
      drawn.set(mark.id, entry);
    }
    for (const { group } of previous.values()) group.remove();
    let next = layer.firstChild;
    for (const { group } of drawn.values()) {
      if (group === next) next = next.nextSibling;
      else layer.insertBefore(group, next);
    }
  }

  layer.addEventListener("keydown", (event) => {
    const id = /** @type {SVGGElement | null} */ (targetOf(event).closest("g[data-id]"))?.dataset.id;
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") onClick(id);
    else if (Object.hasOwn(ARROWS, event.key)) {
      const places = [...drawn].map(([key, { mark }]) => ({ key, box: mark.box }));
      const next = neighbourOf(places, centreOf(drawnOf(id).mark.box), event.key, id);
      if (next !== null) drawnOf(next).group.focus({ preventScroll: true });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    /** @param {Shown} next */
    draw(next) {
      data = next;
      if (!isOther(next.marks, next.origin, next.width, next.height)) return;
      const focused = /** @type {SVGGElement | null} */ (layer.querySelector("g:focus"))?.dataset.id;
      arrange(next.marks);
      drawChips();
      setTabStop(tabStop);
      if (focused === undefined) return;
      const had = drawn.get(focused);
      if (!had)
        home(); // the keys must keep working
      else if (!had.group.matches(":focus")) had.group.focus({ preventScroll: true });
    },
  };
}

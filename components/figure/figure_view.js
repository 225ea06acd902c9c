// The figure with marks on it. Streamlit calls the default function at every rerun with the same parentElement;
// everything that must outlive a rerun (zoom, picture, focus) is kept here.

import { make } from "../desk/dom.js";
import { keptOn } from "../desk/mounted.js";
import { createPageImage } from "./page_image.js";
import { createPanZoom } from "./panzoom.js";

const SVG = "http://www.w3.org/2000/svg";

export default keptOn(createFigure);

function createFigure(parentElement, first) {
  const content = make("div", { class: "pz-content" });
  const viewport = make("div", { class: "pz-viewport", tabindex: "0", role: "group" }, content);
  const foot = make("div", { class: "pz-foot" }, keysLine());
  const root = make("div", { class: "pz-frame" }, viewport, foot);
  parentElement.querySelector("[data-figure-view]").append(root);
  setShape(root, first);

  const overlay = document.createElementNS(SVG, "svg");
  overlay.setAttribute("class", "pz-overlay");
  overlay.setAttribute("preserveAspectRatio", "none");
  const marksLayer = document.createElementNS(SVG, "g");
  marksLayer.setAttribute("data-layer", "marks");
  const canvasLayer = document.createElementNS(SVG, "g");
  canvasLayer.setAttribute("data-layer", "canvas");
  overlay.append(marksLayer, canvasLayer);
  const chips = make("div", { class: "pz-overlay fv-chips", "aria-hidden": "true" });
  const hint = make("span", { class: "pz-chip fv-hint" });
  content.append(overlay, chips);

  const picture = createPageImage(viewport, content);
  const panZoom = createPanZoom(viewport, content, {
    width: first.width,
    height: first.height,
    origin: first.origin,
    frame: root,
  });
  foot.append(panZoom.tools());

  const drawn = new Map(); // mark id -> { mark, group, rect }
  let data = first;
  let marksText = "";
  let tabStop = null;
  let lastClick = 0;
  /** @type {(name: string, value: object) => void} */
  let send = () => {};

  function click(id) {
    // Grows even over a remount, so that the page can tell a new click from the one it has already seen.
    lastClick = Math.max(lastClick + 1, Date.now());
    send("click", { id, n: lastClick });
  }

  function setTabStop(id) {
    tabStop = drawn.has(id) ? id : (drawn.keys().next().value ?? null);
    for (const [each, { group }] of drawn) group.setAttribute("tabindex", each === tabStop ? "0" : "-1");
  }

  function placeChip(chip, box) {
    const [left, top] = data.origin;
    const share = (value, origin, length) => ((value - origin) / length) * 100;
    chip.style.cssText = "";
    const x0 = share(box[0], left, data.width);
    if (x0 > 45) chip.style.right = `${100 - share(box[2], left, data.width)}%`;
    else chip.style.left = `${Math.max(x0, 0)}%`;
    const y0 = share(box[1], top, data.height);
    if (y0 < 6) chip.style.top = `calc(${share(box[3], top, data.height)}% + 3px)`;
    else chip.style.bottom = `calc(${100 - y0}% + 3px)`;
  }

  function hover(entry) {
    if (!entry || entry.chipped || !entry.mark.label) return void hint.remove();
    hint.textContent = entry.mark.label;
    placeChip(hint, entry.mark.box);
    chips.append(hint);
  }

  function createMark(id) {
    const group = document.createElementNS(SVG, "g");
    const rect = document.createElementNS(SVG, "rect");
    rect.setAttribute("vector-effect", "non-scaling-stroke");
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", "-1");
    group.append(rect);
    group.addEventListener("click", () => {
      setTabStop(id);
      click(id);
    });
    group.addEventListener("pointerenter", () => hover(drawn.get(id)));
    group.addEventListener("pointerleave", () => hover(null));
    group.addEventListener("focus", () => {
      setTabStop(id);
      hover(drawn.get(id));
      if (group.matches(":focus-visible")) panZoom.reveal(drawn.get(id).mark.box);
    });
    group.addEventListener("blur", () => hover(null));
    return { group, rect, mark: null, chipped: false };
  }

  function fillMark(entry, mark) {
    const [x0, y0, x1, y1] = mark.box;
    const room = mark.kind === "box" ? 0 : 1.5; // points of air round the printed letters
    entry.mark = mark;
    entry.chipped = mark.kind === "box" || mark.state === "chosen";
    entry.group.setAttribute("class", "fv-mark");
    entry.group.dataset.kind = mark.kind;
    entry.group.dataset.state = mark.state;
    entry.group.dataset.id = mark.id;
    entry.group.setAttribute("aria-label", markName(mark));
    if (mark.state === "chosen") entry.group.setAttribute("aria-pressed", "true");
    else entry.group.removeAttribute("aria-pressed");
    const values = {
      x: x0 - room,
      y: y0 - room,
      width: Math.max(x1 - x0, 0) + 2 * room,
      height: Math.max(y1 - y0, 0) + 2 * room,
      rx: mark.kind === "node" ? 3 : 1,
    };
    for (const [name, value] of Object.entries(values)) entry.rect.setAttribute(name, value);
  }

  function drawChips() {
    chips.replaceChildren();
    for (const { mark, chipped } of drawn.values()) {
      const text = (mark.state === "attested" ? "✓ " : "") + (chipped ? mark.label : "");
      if (!text.trim()) continue;
      const chip = make("span", { class: "pz-chip", text: text.trim() });
      placeChip(chip, mark.box);
      chips.append(chip);
    }
  }

  function drawMarks(marks) {
    const text = JSON.stringify([marks, data.origin, data.width, data.height]);
    if (text === marksText) return;
    marksText = text;
    const wanted = new Set(marks.map((mark) => mark.id));
    /** @type {SVGGElement | null} */
    const focusedMark = marksLayer.querySelector("g:focus");
    const focused = focusedMark?.dataset.id;
    for (const [id, { group }] of drawn) {
      if (wanted.has(id)) continue;
      group.remove();
      drawn.delete(id);
    }
    let next = marksLayer.firstChild;
    const kept = new Map(drawn);
    drawn.clear(); // refilled in the order of the marks, which is the order of the arrow keys' search
    for (const mark of marks) {
      const entry = kept.get(mark.id) ?? createMark(mark.id);
      fillMark(entry, mark);
      drawn.set(mark.id, entry);
      if (next !== null && entry.group === next) next = next.nextSibling;
      else marksLayer.insertBefore(entry.group, next);
    }
    drawChips();
    setTabStop(tabStop);
    const had = drawn.get(focused);
    if (had && !had.group.matches(":focus")) had.group.focus({ preventScroll: true });
    if (focused && !had) viewport.focus({ preventScroll: true }); // the mark went away; the keys must keep working
  }

  // The nearest mark in the direction of the arrow: distance along it plus twice the distance aside.
  function neighbour(id, dx, dy) {
    const centre = ([x0, y0, x1, y1]) => [(x0 + x1) / 2, (y0 + y1) / 2];
    const [fromX, fromY] = centre(drawn.get(id).mark.box);
    let best = null;
    let bestCost = Infinity;
    for (const [other, { mark }] of drawn) {
      const [x, y] = centre(mark.box);
      const along = (x - fromX) * dx + (y - fromY) * dy;
      const aside = Math.abs((x - fromX) * dy) + Math.abs((y - fromY) * dx);
      if (other === id || along <= 0.5) continue;
      if (along + 2 * aside < bestCost) {
        bestCost = along + 2 * aside;
        best = other;
      }
    }
    return best;
  }

  /** The mark a press is on.
   * @returns {string | undefined} */
  const markUnder = ({ target }) => target.closest("g[data-id]")?.dataset.id;

  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  marksLayer.addEventListener("keydown", (event) => {
    const id = markUnder(event);
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") click(id);
    else if (Object.hasOwn(arrows, event.key)) {
      const next = neighbour(id, ...arrows[event.key]);
      if (next !== null) drawn.get(next).group.focus({ preventScroll: true });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    receive(next, setStateValue) {
      data = next;
      send = setStateValue;
      setShape(root, data);
      viewport.setAttribute("aria-label", data.alt);
      overlay.setAttribute("viewBox", [...data.origin, data.width, data.height].join(" "));
      picture.show(data.image_url, data.alt);
      panZoom.setContent(data.width, data.height, data.origin);
      drawMarks(data.marks);
    },
    close() {
      panZoom.destroy();
      root.remove();
    },
  };
}

function setShape(root, { width, height, height_px }) {
  root.style.setProperty("--pz-height", `${height_px}px`);
  root.style.setProperty("--pz-aspect", `${width} / ${height}`);
}

function markName({ kind, label, state }) {
  const kinds = { node: "Node", word: "Name in the figure", box: "Area" };
  const states = { plain: "", chosen: ", chosen", dimmed: ", dimmed", attested: ", attested" };
  return `${kinds[kind]}: ${label || "without a name"}${states[state]}`;
}

function keysLine() {
  const line = make("p", { class: "pz-keys" }, make("span", { text: "Drag to move, pinch or double-click to zoom. " }));
  const keyboard = make("span", { class: "pz-keyboard", text: "With the figure in focus: wheel, " });
  keyboard.append(
    make("kbd", { text: "+" }),
    " ",
    make("kbd", { text: "−" }),
    " zoom, ",
    make("kbd", { text: "F" }),
    " fits, arrows move.",
  );
  line.append(keyboard);
  return line;
}

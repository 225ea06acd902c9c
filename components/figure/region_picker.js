// The page with outlined figures: choose one, or draw a rectangle. Coordinates are points of the page.

import { ARROWS } from "../canvas/geometry.js";
import { changes, make, pushButton, targetOf } from "../desk/dom.js";
import { mountOnce } from "../desk/mounted.js";
import { createPageImage } from "./page_image.js";
import { PANZOOM_DRAG_PX } from "./gestures.js";
import { createPanZoom, keysLine, setShape } from "./panzoom.js";
import {
  cornersOf,
  isTooSmall,
  measure,
  middleOf,
  sameBox,
  shifted,
  SMALLEST,
  spanned,
  spoken,
  spokenSize,
  stretched,
} from "./rectangle.js";
import { clampTo } from "./zooming.js";

const SETTLE_MS = 400; // after the last key a rectangle counts as finished
const POINTER = "Click an outlined figure, or drag to draw a rectangle. ";
const KEYS =
  "[Tab] then [Enter] chooses a figure, [R] adds a rectangle. Arrow keys move it by 1 pt, with [Shift] by 10 pt; with [Alt] they resize it. Hold [Space] and drag to move the page; [+] and [−] zoom, [F] fits.";

export default mountOnce(createPicker);

/** @typedef {import("./shapes.d.ts").Box} Box */
/** @typedef {import("./types.d.ts").Picked} Picked */
/** @typedef {import("./types.d.ts").Picker} Picker */
/** @typedef {import("./types.d.ts").PickerData} PickerData */
/** @typedef {import("./types.d.ts").RegionData} RegionData */
/** @typedef {import("./types.d.ts").Tell<import("./types.d.ts").PickerState>} Tell */

/** @type {Picked} */
const NOTHING = { box: null, regionId: null };

/** @param {any} parentElement @param {PickerData} first */
function createPicker(parentElement, first) {
  const stop = new AbortController();
  const size = make("span", { class: "pz-chip rp-size", "aria-hidden": "true" });
  const handles = ["nw", "ne", "sw", "se"].map((corner) =>
    make("span", { class: "rp-handle", "data-corner": corner, "aria-hidden": "true" }),
  );
  // An application: screen readers then pass the arrow keys to it.
  const kind = { role: "application", "aria-roledescription": "adjustable rectangle" };
  const chosen = make("div", { class: "rp-chosen", tabindex: "0", ...kind, hidden: true }, size, ...handles);
  const layer = make("div", { class: "pz-overlay" });
  const content = make("div", { class: "pz-content" }, layer, chosen);
  const viewport = make("div", { class: "pz-viewport", tabindex: "0", role: "group", "data-draws": true }, content);
  const fault = make("p", { class: "rp-fault", role: "alert" });
  const status = make("p", { class: "pz-said", "aria-live": "polite" });
  const foot = make("div", { class: "pz-foot" }, keysLine(POINTER, KEYS));
  const root = make("div", { class: "pz-frame" }, viewport, foot, fault, status);
  parentElement.querySelector("[data-region-picker]").append(root);
  /** @type {Tell} */
  let send = () => {};
  let lastN = 0; // the last answer sent
  let timer = 0;
  const labelNow = () => p.data.regions.find(({ id }) => id === p.now.regionId)?.label;

  /** @type {any} */
  const base = { root, viewport, chosen, fault, data: first, now: NOTHING, done: NOTHING, moves: false };
  /** @type {Picker} */
  const p = Object.assign(base, {
    show() {
      const { box, regionId } = p.now;
      chosen.hidden = box === null;
      regions.press(box === null ? null : regionId);
      if (box === null) return;
      place(chosen, box, p.data);
      const label = labelNow();
      size.textContent = `${label ? `${label} · ` : ""}${measure(box)} pt`;
      chosen.setAttribute("aria-label", spoken(box, label));
    },
    hold: () => clearTimeout(timer),
    finish() {
      p.hold();
      if (p.now === p.done || p.now.box === null) return;
      p.done = p.now;
      // Grows even over a remount, so that the page can distinguish a new choice from one it has handled.
      lastN = Math.max(lastN + 1, Date.now());
      status.textContent = spoken(p.now.box, labelNow());
      send("picked", { box: p.now.box, region_id: p.now.regionId, n: lastN });
    },
    /** @param {Box} box */
    adjust(box) {
      fault.textContent = "";
      p.now = { box, regionId: p.now.regionId };
      p.show();
      p.panZoom.reveal(box);
      p.settleLater();
    },
    settleLater() {
      p.hold();
      if (p.now !== p.done) timer = setTimeout(p.finish, SETTLE_MS);
    },
  });
  setShape(root, pageOf(first));
  const regions = createRegions(p, layer);
  const picture = createPageImage(viewport, content);
  const drag = createDrag(p, stop.signal);
  root.addEventListener("keydown", (event) => onKey(p, drag, event)); // before panzoom's, which leaves handled keys alone
  const { width, height } = pageOf(first);
  const gestures = { frame: root, dragPans: () => p.moves, onGesture: drag.cancel };
  p.panZoom = createPanZoom(viewport, content, { width, height, ...gestures });
  const tools = p.panZoom.tools();
  tools.prepend(moveButton(p));
  foot.append(tools);
  chosen.addEventListener("focus", () => {
    if (chosen.matches(":focus-visible") && p.now.box && !drag.isOn()) p.panZoom.reveal(p.now.box);
  });
  const heed = createHeed(p, drag);

  return {
    /** @param {PickerData} next @param {Tell} setStateValue */
    receive(next, setStateValue) {
      send = setStateValue;
      const parts = /** @type {const} */ (["image_url", "page_width", "page_height"]);
      const isOther = parts.some((name) => next[name] !== p.data[name]);
      if (isOther) {
        drag.cancel();
        p.now = p.done = NOTHING;
        p.hold();
        fault.textContent = status.textContent = "";
        p.panZoom.fit();
      }
      p.data = next;
      setShape(root, pageOf(next));
      viewport.setAttribute("aria-label", next.alt);
      picture.show(next.image_url, next.alt);
      p.panZoom.setContent(next.page_width, next.page_height, [0, 0]);
      regions.draw();
      heed(isOther, lastN);
      p.show();
    },
    close() {
      p.hold();
      stop.abort();
      p.panZoom.destroy();
      root.remove();
    },
  };
}

/** @param {PickerData} data */
const pageOf = ({ page_width: width, page_height: height, height_px }) => ({ width, height, height_px });

/** Place an element at a box of the page. Near the top edge its label goes inside, in the right half it grows to the left:
 * it stays in the window.
 * @type {(element: HTMLElement, box: Box, page: import("./types.d.ts").Page) => void} */
function place(element, [x0, y0, x1, y1], { page_width: width, page_height: height }) {
  const shares = { left: x0 / width, top: y0 / height, width: (x1 - x0) / width, height: (y1 - y0) / height };
  for (const [name, share] of Object.entries(shares)) element.style.setProperty(name, `${share * 100}%`);
  element.toggleAttribute("data-low", shares.top < 0.05);
  element.toggleAttribute("data-right", shares.left > 0.45);
}

/** A plain drag pans instead of drawing while it is pressed. @param {Picker} p */
function moveButton(p) {
  const title = "Drag moves the page instead of drawing";
  const button = pushButton("Move page", toggle, { title, "aria-pressed": "false" });
  function toggle() {
    p.moves = !p.moves;
    button.setAttribute("aria-pressed", String(p.moves));
    p.viewport.toggleAttribute("data-draws", !p.moves);
  }
  return button;
}

/** The outlined figures of the page, each a button. @param {Picker} p @param {HTMLElement} layer */
function createRegions(p, layer) {
  const isOther = changes();

  const buttons = () => /** @type {HTMLElement[]} */ ([...layer.children]);

  /** @param {RegionData} region */
  function choose({ id, box }) {
    p.fault.textContent = "";
    p.now = { box, regionId: id };
    p.show();
    p.chosen.focus({ preventScroll: true }); // so that the arrow keys adjust it at once
    p.finish();
  }

  /** @param {RegionData} region @param {number} index */
  function makeButton(region, index) {
    const label = region.label || `Region ${index + 1}`;
    const spokenLabel = `${label}, ${spokenSize(region.box)}`;
    const attributes = { class: "rp-region", "data-id": region.id, "aria-pressed": "false", "aria-label": spokenLabel };
    const button = pushButton("", () => choose(region), attributes);
    button.append(make("span", { class: "pz-chip", text: label }));
    place(button, region.box, p.data);
    button.addEventListener("focus", () => button.matches(":focus-visible") && p.panZoom.reveal(region.box));
    return button;
  }

  return {
    /** Mark the chosen one.
     * @param {string | null} id */
    press(id) {
      for (const button of buttons()) button.setAttribute("aria-pressed", String(button.dataset.id === id));
    },
    draw() {
      const { regions, page_width, page_height } = p.data;
      if (!isOther(regions, page_width, page_height)) return;
      /** @type {HTMLElement | null} */
      const focusedButton = layer.querySelector("button:focus");
      const focused = focusedButton?.dataset.id;
      const area = (/** @type {RegionData} */ { box }) => (box[2] - box[0]) * (box[3] - box[1]);
      const bySize = [...regions].sort((a, b) => area(b) - area(a)); // a figure inside another stays reachable
      layer.replaceChildren(...regions.map(makeButton));
      buttons().forEach((button, at) => (button.style.zIndex = String(bySize.indexOf(regions[at]))));
      buttons()
        .find((button) => button.dataset.id === focused)
        ?.focus({ preventScroll: true });
    },
  };
}

/** Drawing a rectangle, or moving a corner of the chosen one, by pointer. @param {Picker} p @param {AbortSignal} signal */
function createDrag(p, signal) {
  /** @type {import("./types.d.ts").Drag | null} */
  let drag = null;
  const onPage = (/** @type {import("./shapes.d.ts").At} */ { x, y }) => [
    clampTo(x, 0, p.data.page_width),
    clampTo(y, 0, p.data.page_height),
  ];
  const isOwn = (/** @type {PointerEvent} */ event) => drag !== null && drag.id === event.pointerId;

  function cancel() {
    if (!drag) return;
    if (drag.active) p.now = drag.before;
    drag = null;
    p.chosen.removeAttribute("data-drawing");
    p.settleLater();
    p.show();
  }

  /** @param {PointerEvent} event */
  function start(event) {
    if (drag || event.button !== 0 || !event.isPrimary || p.panZoom.wouldPan(event)) return;
    if (targetOf(event).closest("[data-no-drag]")) return;
    const { x, y } = p.panZoom.toPage(event.clientX, event.clientY);
    const press = { id: event.pointerId, x: event.clientX, y: event.clientY, active: false, before: p.now };
    /** @type {HTMLElement | null} */
    const handle = targetOf(event).closest("[data-corner]");
    const corner = handle?.dataset.corner;
    drag = { ...press, anchor: onPage({ x, y }), offset: [0, 0], regionId: null };
    if (corner === undefined || p.now.box === null) return;
    const [held, anchor] = cornersOf(p.now.box, corner);
    const offset = [held[0] - x, held[1] - y]; // a grip next to the corner must not make it jump
    drag = { ...press, anchor, offset, regionId: p.now.regionId };
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (!drag || !isOwn(event)) return;
    if (!drag.active) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < PANZOOM_DRAG_PX) return;
      drag.active = true;
      p.hold();
      p.viewport.setPointerCapture(event.pointerId);
      p.chosen.setAttribute("data-drawing", "");
      p.fault.textContent = "";
    }
    const { x, y } = p.panZoom.toPage(event.clientX, event.clientY);
    const point = onPage({ x: x + drag.offset[0], y: y + drag.offset[1] });
    p.now = { box: spanned(drag.anchor, point), regionId: drag.regionId };
    p.show();
  }

  /** @param {PointerEvent} event */
  function end(event) {
    if (!drag || !isOwn(event)) return;
    const { active, before } = drag;
    drag = null;
    p.chosen.removeAttribute("data-drawing");
    if (!active) return;
    p.panZoom.swallowNextClick();
    if (p.now.box !== null && isTooSmall(p.now.box)) {
      p.fault.textContent = `That rectangle is ${measure(p.now.box)} points. Draw at least ${SMALLEST} × ${SMALLEST}; zoom in for small figures.`;
      p.now = before;
      p.settleLater();
      return void p.show();
    }
    p.chosen.focus({ preventScroll: true });
    p.finish();
  }

  p.viewport.addEventListener("pointerdown", start, { signal });
  p.viewport.addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", end, { signal });
  addEventListener("pointercancel", (event) => isOwn(event) && cancel(), { signal });
  return { cancel, isOn: () => drag !== null };
}

/** @param {Picker} p @param {ReturnType<typeof createDrag>} drag @param {KeyboardEvent} event */
function onKey(p, drag, event) {
  if (event.ctrlKey || event.metaKey) return;
  if ((event.key === "r" || event.key === "R") && !event.altKey) {
    p.now = NOTHING;
    p.adjust(middleOf(p.panZoom.seen(), p.data));
    p.chosen.focus({ preventScroll: true });
  } else if (event.key === "Escape" && drag.isOn()) drag.cancel();
  else if (event.target !== p.chosen || p.now.box === null || !onOwnKey(p, p.now.box, event)) return;
  event.preventDefault();
  event.stopPropagation(); // Streamlit reruns the page on a plain R
}

/** Handle a key on the chosen rectangle; return whether it was one of its keys.
 * @param {Picker} p
 * @param {Box} box
 * @param {KeyboardEvent} event */
function onOwnKey(p, box, event) {
  if (event.key === "Enter") p.finish();
  else if (event.key === "Escape") {
    if (p.now === p.done) return false;
    p.hold();
    p.now = p.done;
    p.show();
    if (p.now.box === null) p.viewport.focus({ preventScroll: true });
  } else if (Object.hasOwn(ARROWS, event.key)) {
    const [dx, dy] = ARROWS[event.key].map((way) => way * (event.shiftKey ? 10 : 1));
    p.adjust((event.altKey ? stretched : shifted)(box, dx, dy, p.data));
  } else return false;
  return true;
}

/** Show Python's rectangle, only if it is new and the user is not drawing a newer one.
 * @param {Picker} p
 * @param {ReturnType<typeof createDrag>} drag
 * @returns {(isOther: boolean, lastN: number) => void} */
function createHeed(p, drag) {
  /** @type {string | null} */
  let fed = null; // data.chosen of the last rerun, as text
  let answered = 0; // the last answer that a rerun has confirmed

  return (isOther, lastN) => {
    const { chosen, seen_n: seen, regions } = p.data;
    const text = JSON.stringify(chosen);
    const isFirst = isOther || fed === null;
    // A page that saves the answer below the picker passes the previous one in the run that receives the answer.
    const lags = seen > answered && !isFirst;
    answered = Math.max(answered, seen);
    const isBusy = () => drag.isOn() || p.now !== p.done || seen < lastN;
    if (!isFirst && (text === fed || isBusy())) return;
    fed = text;
    if (lags || sameBox(chosen, p.now.box)) return;
    const region = regions.find(({ box }) => sameBox(box, chosen));
    p.now = p.done = { box: chosen, regionId: region?.id ?? null };
  };
}

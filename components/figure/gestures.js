// Mouse, fingers, wheel and keys on a picture in a window, as changes of its view.

import { targetOf } from "../desk/dom.js";
import { clampTo } from "./zooming.js";

export const PANZOOM_DRAG_PX = 4; // below this a press is a click
export const PANZOOM_STEP = 1.4; // one press of + or one button
export const PANZOOM_PAN_PX = 60; // one arrow key

/** @typedef {import("./types.d.ts").Hands} Hands */

const isOff = (/** @type {Event} */ event) => targetOf(event).closest?.("[data-no-drag]") != null;
const isButton = (/** @type {Event} */ event) => targetOf(event).closest?.("button, [role=button]") != null;

/** Listen on `viewport` and on `frame`, whose focus means "the figure has focus", until `signal`.
 * @param {Hands} hands */
export function listenTo(hands) {
  const { viewport, frame, signal, zoomBy } = hands;
  const press = createPress(hands);
  /** @template {keyof HTMLElementEventMap} Type
   * @param {EventTarget} target
   * @param {Type} type
   * @param {(event: HTMLElementEventMap[Type]) => void} handler
   * @param {{passive?: boolean}} [extra] */
  const listen = (target, type, handler, extra) =>
    target.addEventListener(type, /** @type {EventListener} */ (handler), { signal, ...extra });
  listen(viewport, "pointerdown", press.begin);
  listen(viewport, "pointermove", press.move);
  // On the window: a press that has not moved yet is not captured and may end outside.
  listen(window, "pointerup", press.end);
  listen(window, "pointercancel", press.end);
  listen(viewport, "wheel", (event) => onWheel(hands, event), { passive: false });
  listen(viewport, "dblclick", (event) => {
    if (!isOff(event) && !isButton(event)) zoomBy(2, event.clientX, event.clientY, true);
  });
  listen(frame, "keydown", (event) => onKey(hands, event));
  const letGo = () => viewport.toggleAttribute("data-space", false);
  listen(window, "keyup", (event) => event.key === " " && letGo());
  listen(window, "blur", letGo);
  // Focusing something outside the window makes browsers scroll even a clipping element; we move the content instead.
  listen(viewport, "scroll", () => viewport.scrollTo(0, 0));
  return { wouldPan: press.wouldPan, swallowNextClick: () => swallowNextClick(viewport) };
}

/** A press that may pan, and two fingers that pinch. @param {Hands} hands */
function createPress({ viewport, dragPans, onGesture, panBy, zoomBy }) {
  /** @typedef {{distance: number, x: number, y: number}} Pinch  of two fingers, and the point between them */
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  /** @type {{id: number, x: number, y: number, moving: boolean} | null} */
  let pan = null;
  /** @type {Pinch | null} */
  let pinch = null;
  const wouldPan = (/** @type {PointerEvent} */ event) =>
    event.button === 1 || (event.button === 0 && (viewport.hasAttribute("data-space") || dragPans(event)));

  function between() {
    const [a, b] = [...fingers.values()];
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  }

  /** @param {Pinch} before */
  function movePinch(before) {
    const now = between();
    panBy(now.x - before.x, now.y - before.y);
    if (before.distance > 0 && now.distance > 0) zoomBy(now.distance / before.distance, now.x, now.y);
    pinch = now;
  }

  /** True if a press has moved far enough to pan; at the fitted size a finger scrolls the page.
   * @type {(event: PointerEvent, dx: number, dy: number) => boolean} */
  function startsPan(event, dx, dy) {
    if (Math.hypot(dx, dy) < PANZOOM_DRAG_PX) return false;
    if (event.pointerType === "touch" && !viewport.hasAttribute("data-zoomed")) return false;
    viewport.setPointerCapture(event.pointerId);
    viewport.toggleAttribute("data-panning", true);
    return true;
  }

  return {
    wouldPan,
    /** @param {PointerEvent} event */
    begin(event) {
      if (isOff(event)) return;
      if (event.pointerType === "touch") {
        fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (fingers.size === 2) {
          pan = null;
          pinch = between();
          onGesture();
        }
        if (fingers.size > 1) return;
      }
      if (!wouldPan(event)) return;
      if (event.button === 1) event.preventDefault(); // no autoscroll
      pan = { id: event.pointerId, x: event.clientX, y: event.clientY, moving: false };
    },
    /** @param {PointerEvent} event */
    move(event) {
      if (fingers.has(event.pointerId)) fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (pinch && fingers.size === 2) return void movePinch(pinch);
      if (!pan || pan.id !== event.pointerId) return;
      const [dx, dy] = [event.clientX - pan.x, event.clientY - pan.y];
      if (!pan.moving && !startsPan(event, dx, dy)) return;
      pan = { id: pan.id, x: event.clientX, y: event.clientY, moving: true };
      panBy(dx, dy);
    },
    /** @param {PointerEvent} event */
    end(event) {
      fingers.delete(event.pointerId);
      if (pinch && fingers.size < 2) {
        pinch = null;
        swallowNextClick(viewport);
      }
      if (!pan || pan.id !== event.pointerId) return;
      if (pan.moving) swallowNextClick(viewport);
      pan = null;
      viewport.toggleAttribute("data-panning", false);
    },
  };
}

/** After a drag the browser still makes a click of it.
 * @param {HTMLElement} viewport */
function swallowNextClick(viewport) {
  const swallow = (/** @type {Event} */ event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  viewport.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => viewport.removeEventListener("click", swallow, { capture: true }), 0);
}

/** @param {Pick<Hands, "frame" | "panBy" | "zoomBy">} hands @param {WheelEvent} event */
function onWheel({ frame, panBy, zoomBy }, event) {
  if (!event.ctrlKey && !frame.matches(":focus-within")) return; // the page scrolls
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
  if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return void panBy(-event.deltaX * unit, 0);
  // A trackpad pinch arrives as several small Ctrl steps, a wheel notch as one of about 100.
  const delta = clampTo(event.deltaY * unit, -240, 240);
  const rate = event.ctrlKey && Math.abs(delta) < 50 ? 0.01 : 0.0022;
  zoomBy(Math.exp(-delta * rate), event.clientX, event.clientY);
}

/** @type {Record<string, number>} */
const ZOOMS = { "+": PANZOOM_STEP, "=": PANZOOM_STEP, "-": 1 / PANZOOM_STEP, _: 1 / PANZOOM_STEP };
/** @type {Record<string, [x: number, y: number]>} */
const PANS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @param {Hands} hands @param {KeyboardEvent} event */
function onKey({ viewport, zoomBy, panBy, fit }, event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " " && !isButton(event)) {
    viewport.toggleAttribute("data-space", true);
    return void event.preventDefault();
  }
  if (Object.hasOwn(ZOOMS, event.key)) zoomBy(ZOOMS[event.key], undefined, undefined, true);
  else if (Object.hasOwn(PANS, event.key)) {
    const [x, y] = PANS[event.key];
    panBy(x * PANZOOM_PAN_PX, y * PANZOOM_PAN_PX, true);
  } else if (["0", "f", "F"].includes(event.key)) fit(true);
  else return;
  event.preventDefault();
  event.stopPropagation(); // Streamlit has single-key shortcuts of its own
}

// Mouse, pen and fingers on the figure: pick, choose, drag an edge, move a name, long press, and the pending edge.

import { hitsAt, holds, nextHit } from "./geometry.js";

const DRAG_FROM_PX = 5;
const LONG_PRESS_MS = 550;
const FINGER = { tolerance: 14, target: 32, grip: 18 }; // pixels
const MOUSE = { tolerance: 9, target: 24, grip: 8 };

/** Listens on `c.viewport`; says what was meant through `c.deeds`. Returns {stop(), dragFromTray(name, event), hits}. */
export function createPointer(c) {
  const stop = new AbortController();
  const listen = (target, type, handler, extra) =>
    target.addEventListener(type, handler, { signal: stop.signal, ...extra });
  /** @type {{place: any, x: number, y: number, id: number, mode: null | "edge" | "move" | "end", far: number, timer: number} | null} */
  let press = null;
  let last = { x: -99, y: -99, type: "mouse" };
  let putAway = { armed: null, time: 0 };

  const isOff = (event) => event.target.closest?.("[data-no-drag]") != null;

  function hits(event) {
    const { tolerance, target } = last.type === "mouse" ? MOUSE : FINGER;
    const { x, y } = c.panZoom.toPage(event.clientX, event.clientY);
    const px = 1 / c.panZoom.scale;
    return hitsAt(c.scene, x, y, { tolerance: tolerance * px, target: target * px });
  }

  const placeAt = (event) => {
    const hit = hits(event)[0];
    return hit && (hit.kind === "node" || hit.kind === "word") ? c.placeOf(hit.kind, hit.key) : null;
  };

  /** The ring under the pointer; a name that stands there comes first. */
  function gripAt(event) {
    const { x, y } = c.panZoom.toPage(event.clientX, event.clientY);
    const { grip: reach } = event.pointerType === "touch" ? FINGER : MOUSE;
    const isNear = (grip) => Math.hypot(grip.x - x, grip.y - y) * c.panZoom.scale <= reach;
    return c.scene.places.some(({ box }) => holds(box, x, y)) ? null : (c.deeds.grips().find(isNear) ?? null);
  }

  function pointOf(event) {
    const { x, y } = c.panZoom.toPage(event.clientX, event.clientY);
    return c.inside(x, y);
  }

  function release() {
    if (press === null) return;
    clearTimeout(press.timer);
    press = null;
    c.ui.drag = null;
    c.viewport.toggleAttribute("data-drawing", false);
    c.drawBand(null);
  }

  function begin(event, place, mode = null) {
    press = { place, x: event.clientX, y: event.clientY, id: event.pointerId, mode, far: 0, timer: 0 };
    if (event.pointerType !== "mouse" && place !== null && !place.grip) {
      press.timer = setTimeout(() => {
        release();
        c.panZoom.swallowNextClick();
        longPressed = true;
        c.deeds.menuOf(place, event.clientX, event.clientY);
      }, LONG_PRESS_MS);
    }
  }
  let longPressed = false;

  listen(c.viewport, "pointerdown", (event) => {
    last = { ...last, type: event.pointerType };
    longPressed = false;
    if (event.button !== 0 || isOff(event) || c.viewport.hasAttribute("data-space")) return;
    if (press !== null) return void release(); // a second finger: a pinch
    const grip = gripAt(event);
    if (grip !== null) return void begin(event, { grip, name: grip.end, box: grip.stays });
    const place = placeAt(event);
    if (place !== null) begin(event, place);
  });

  listen(window, "pointermove", (event) => {
    if (press === null || press.id !== event.pointerId) return;
    press.far = Math.max(press.far, Math.hypot(event.clientX - press.x, event.clientY - press.y));
    if (press.mode === null) {
      if (press.far < DRAG_FROM_PX || !c.isEditable()) return;
      clearTimeout(press.timer);
      press.mode = press.place.grip ? "end" : event.altKey || press.place.isUnplaced ? "move" : "edge";
      c.viewport.toggleAttribute("data-drawing", true);
      c.ui.drag = press.place.name;
      if (!press.place.isUnplaced) c.viewport.setPointerCapture?.(press.id);
    }
    c.drawBand(pointOf(event), press.mode, press.place);
  });

  listen(window, "pointerup", (event) => {
    if (press === null || press.id !== event.pointerId) return;
    const { place, mode, far } = press;
    release();
    if (mode === null) return;
    if (!place.isUnplaced) c.panZoom.swallowNextClick();
    const box = c.viewport.getBoundingClientRect();
    const isOver = holds([box.left, box.top, box.right, box.bottom], event.clientX, event.clientY);
    if (!isOver) return;
    if (mode === "move") return void c.deeds.moveTo(place.name, pointOf(event));
    const target = placeAt(event);
    if (mode === "end") return void c.deeds.leadTo(place.grip, target);
    if (target === null) c.deeds.nameAt(pointOf(event), place);
    else if (target.key !== place.key) c.deeds.connectPlaces(place, target);
    else if (far > 30) c.deeds.connectPlaces(place, place);
  });
  listen(window, "pointercancel", release);

  listen(c.viewport, "click", (event) => {
    if (isOff(event)) return;
    if (longPressed) {
      longPressed = false;
      return;
    }
    c.menu.close(false);
    const group = event.target.closest?.("g[data-key]");
    if (event.detail === 0 && group) return void c.deeds.press(group.dataset.kind, group.dataset.key, event.shiftKey);
    const isSameSpot = Math.hypot(event.clientX - last.x, event.clientY - last.y) < 8;
    last = { ...last, x: event.clientX, y: event.clientY };
    const hit = nextHit(hits(event), isSameSpot ? c.ui.chosen?.key : null);
    if (hit !== null) return void c.deeds.press(hit.kind, hit.key, event.shiftKey);
    putAway = { armed: c.ui.armed, time: event.timeStamp };
    return void c.deeds.bare(pointOf(event));
  });

  // In the capture phase: a double click here writes a name, it does not zoom.
  listen(
    c.root,
    "dblclick",
    (event) => {
      if (isOff(event) || !c.viewport.contains(event.target)) return;
      event.stopPropagation();
      if (hits(event).length > 0 || !c.isEditable()) return;
      if (event.timeStamp - putAway.time < 800 && putAway.armed !== null) c.ui.armed = putAway.armed;
      c.deeds.nameAt(pointOf(event), null);
    },
    { capture: true },
  );

  listen(c.viewport, "contextmenu", (event) => {
    if (isOff(event)) return;
    event.preventDefault();
    if (longPressed) return;
    const hit = hits(event)[0];
    release();
    if (hit === undefined) return;
    if (hit.kind === "node" || hit.kind === "word")
      c.deeds.menuOf(c.placeOf(hit.kind, hit.key), event.clientX, event.clientY);
    else c.deeds.press(hit.kind, hit.key, false);
  });

  // A finger that began on a name draws: the browser must not take the movement for scrolling.
  listen(
    c.viewport,
    "touchmove",
    (event) => press !== null && c.isEditable() && event.cancelable && event.preventDefault(),
    { passive: false },
  );

  // After a long press the browser still makes a mouse press of it: that would take the focus from the menu and close it.
  const quietly = (event) => longPressed && event.cancelable && event.preventDefault();
  listen(c.viewport, "touchend", quietly, { passive: false });
  listen(c.viewport, "mousedown", quietly);

  listen(c.viewport, "pointermove", (event) => {
    if (event.pointerType !== "mouse" || event.buttons !== 0) return;
    const place = placeAt(event);
    c.hover(place, pointOf(event));
  });
  listen(c.viewport, "pointerleave", () => c.hover(null, null));

  return {
    release,
    wouldDraw: (event) => (placeAt(event) !== null || gripAt(event) !== null) && c.isEditable(),
    dragFromTray: (name, event) =>
      event.button === 0 && begin(event, { name, key: name, kind: "node", isUnplaced: true }),
    stop: () => {
      release();
      stop.abort();
    },
  };
}

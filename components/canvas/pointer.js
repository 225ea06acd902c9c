// Mouse, pen and fingers on the figure: pick, choose, drag an edge, move a name, long press, and the pending edge.

import { hitsAt, holds, nextHit } from "./geometry.js";

const DRAG_FROM_PX = 5;
const LONG_PRESS_MS = 550;
const FINGER = { tolerance: 14, target: 32, grip: 18 }; // pixels
const MOUSE = { tolerance: 9, target: 24, grip: 8 };

/** Targets under the pointer on a canvas; `isFinger()` widens the aim. @param {import("./types.d.ts").Canvas} c */
function createAim(c, isFinger) {
  const spotOf = (event) => c.panZoom.toPage(event.clientX, event.clientY);

  function hits(event) {
    const { tolerance, target } = isFinger() ? FINGER : MOUSE;
    const { x, y } = spotOf(event);
    const px = 1 / c.panZoom.scale;
    return hitsAt(c.scene, x, y, { tolerance: tolerance * px, target: target * px });
  }

  return {
    hits,
    placeAt(event) {
      const hit = hits(event)[0];
      return hit && (hit.kind === "node" || hit.kind === "word") ? c.placeOf(hit.kind, hit.key) : null;
    },
    /** The ring under the pointer; a name there comes first. */
    gripAt(event) {
      const { x, y } = spotOf(event);
      const { grip: reach } = event.pointerType === "touch" ? FINGER : MOUSE;
      const isNear = (grip) => Math.hypot(grip.x - x, grip.y - y) * c.panZoom.scale <= reach;
      return c.scene.places.some(({ box }) => holds(box, x, y)) ? null : (c.commands.grips().find(isNear) ?? null);
    },
    pointOf(event) {
      const { x, y } = spotOf(event);
      return c.inside(x, y);
    },
  };
}

const isOff = (event) => event.target.closest?.("[data-no-drag]") != null;

/** Listen on `c.viewport` and call `c.commands`. @param {import("./types.d.ts").Canvas} c */
export function createPointer(c) {
  const stop = new AbortController();
  const listen = (target, type, handler, extra) =>
    target.addEventListener(type, handler, { signal: stop.signal, ...extra });
  const hand = { type: "mouse", longPressed: false };
  const aim = createAim(c, () => hand.type !== "mouse");
  const drag = createDrag(c, aim, hand);

  listen(c.viewport, "pointerdown", (event) => {
    hand.type = event.pointerType;
    hand.longPressed = false;
    if (event.button === 0 && !isOff(event) && !c.viewport.hasAttribute("data-space")) drag.press(event);
  });
  listen(window, "pointermove", drag.move);
  listen(window, "pointerup", drag.letGo);
  listen(window, "pointercancel", drag.release);
  listenToClicks(c, aim, hand, listen, drag.release);

  // A finger that began on a name draws: the browser must not take the movement for scrolling.
  const keep = (event) => drag.isOn() && c.isEditable() && event.cancelable && event.preventDefault();
  listen(c.viewport, "touchmove", keep, { passive: false });

  // After a long press the browser still makes a mouse press of it: that would take the focus from the menu and close it.
  const quietly = (event) => hand.longPressed && event.cancelable && event.preventDefault();
  listen(c.viewport, "touchend", quietly, { passive: false });
  listen(c.viewport, "mousedown", quietly);

  listen(c.viewport, "pointermove", (event) => {
    if (event.pointerType === "mouse" && event.buttons === 0) c.hover(aim.placeAt(event), aim.pointOf(event));
  });
  listen(c.viewport, "pointerleave", () => c.hover(null, null));

  return {
    release: drag.release,
    wouldDraw: (event) =>
      c.ui.region !== null || ((aim.placeAt(event) !== null || aim.gripAt(event) !== null) && c.isEditable()),
    dragFromTray: drag.fromTray,
    stop: () => {
      drag.release();
      stop.abort();
    },
  };
}

/** A press that may become a drag: of an edge, of a name, of an end of a line; or a long press, which opens a menu.
 * @param {import("./types.d.ts").Canvas} c */
function createDrag(c, aim, hand) {
  /** @type {{place: any, x: number, y: number, id: number, mode: null | "edge" | "move" | "end" | "lasso", far: number, timer: number} | null} */
  let press = null;

  const pointOn = (event) => {
    const { x, y } = aim.pointOf(event);
    return [x, y];
  };

  function release() {
    if (press === null) return;
    clearTimeout(press.timer);
    press = null;
    c.ui.drag = null;
    c.viewport.toggleAttribute("data-drawing", false);
    c.drawBand(null);
  }

  function begin(event, place) {
    press = { place, x: event.clientX, y: event.clientY, id: event.pointerId, mode: null, far: 0, timer: 0 };
    if (event.pointerType === "mouse" || place.grip || place.ring) return;
    press.timer = setTimeout(() => {
      release();
      c.panZoom.swallowNextClick();
      hand.longPressed = true;
      c.commands.menuOf(place, event.clientX, event.clientY);
    }, LONG_PRESS_MS);
  }

  function startDrawing(event) {
    if (press === null) return;
    clearTimeout(press.timer);
    if (press.place.ring) {
      press.mode = "lasso";
      return void c.viewport.setPointerCapture?.(press.id);
    }
    press.mode = press.place.grip ? "end" : event.altKey || press.place.isUnplaced ? "move" : "edge";
    c.viewport.toggleAttribute("data-drawing", true);
    c.ui.drag = press.place.name;
    if (!press.place.isUnplaced) c.viewport.setPointerCapture?.(press.id);
  }

  function drop(event, { place, mode, far }) {
    if (mode === "move") return c.commands.moveTo(place.name, aim.pointOf(event));
    const target = aim.placeAt(event);
    if (mode === "end") return c.commands.leadTo(place.grip, target);
    if (target === null) return c.commands.nameAt(aim.pointOf(event), place);
    return target.key !== place.key || far > 30 ? c.commands.connectPlaces(place, target) : undefined;
  }

  return {
    isOn: () => press !== null,
    release,
    press(event) {
      if (press !== null) return release(); // a second finger: a pinch
      if (c.ui.region !== null) return begin(event, { name: "", ring: [pointOn(event)] });
      const grip = aim.gripAt(event);
      const place = grip === null ? aim.placeAt(event) : { grip, name: grip.end, box: grip.stays };
      return place === null ? undefined : begin(event, place);
    },
    fromTray: (name, event) => event.button === 0 && begin(event, { name, key: name, kind: "node", isUnplaced: true }),
    move(event) {
      if (press === null || press.id !== event.pointerId) return;
      press.far = Math.max(press.far, Math.hypot(event.clientX - press.x, event.clientY - press.y));
      if (press.mode === null) {
        if (press.far < DRAG_FROM_PX || !c.isEditable()) return;
        startDrawing(event);
      }
      if (press.mode !== "lasso") return void c.drawBand(aim.pointOf(event), press.mode, press.place);
      press.place.ring.push(pointOn(event));
      c.commands.setRegion({ ring: press.place.ring, box: null });
    },
    letGo(event) {
      if (press === null || press.id !== event.pointerId) return;
      const ended = press;
      release();
      if (ended.mode === null) return;
      if (!ended.place.isUnplaced) c.panZoom.swallowNextClick();
      if (ended.mode === "lasso") return;
      const { left, top, right, bottom } = c.viewport.getBoundingClientRect();
      if (holds([left, top, right, bottom], event.clientX, event.clientY)) drop(event, ended);
    },
  };
}

/** Clicks choose and pick, double clicks write a name, the right button opens a menu.
 * @param {import("./types.d.ts").Canvas} c */
function listenToClicks(c, aim, hand, listen, release) {
  let last = { x: -99, y: -99 };
  /** @type {{armed: string | null, time: number}} */
  let putAway = { armed: null, time: 0 };

  listen(c.viewport, "click", (event) => {
    if (isOff(event)) return undefined;
    if (hand.longPressed) return void (hand.longPressed = false);
    c.menu.close(false);
    if (c.ui.region !== null) return undefined; // a press that draws no lasso
    const group = event.target.closest?.("g[data-key]");
    if (event.detail === 0 && group)
      return void c.commands.press(group.dataset.kind, group.dataset.key, event.shiftKey);
    const isSameSpot = Math.hypot(event.clientX - last.x, event.clientY - last.y) < 8;
    last = { x: event.clientX, y: event.clientY };
    const at = c.ui.chosen?.key ?? c.selection.id();
    const hit = nextHit(aim.hits(event), isSameSpot ? at : null);
    if (hit !== null) return void c.commands.press(hit.kind, hit.key, event.shiftKey);
    putAway = { armed: c.ui.armed, time: event.timeStamp };
    return void c.commands.bare(aim.pointOf(event));
  });

  // In the capture phase: a double click here writes a name, it does not zoom.
  const nameThere = (event) => {
    if (isOff(event) || !c.viewport.contains(event.target)) return;
    event.stopPropagation();
    if (aim.hits(event).length > 0 || !c.isEditable() || c.ui.region !== null) return;
    if (event.timeStamp - putAway.time < 800 && putAway.armed !== null) c.ui.armed = putAway.armed;
    c.commands.nameAt(aim.pointOf(event), null);
  };
  listen(c.root, "dblclick", nameThere, { capture: true });

  listen(c.viewport, "contextmenu", (event) => {
    if (isOff(event)) return;
    event.preventDefault();
    if (hand.longPressed) return;
    const hit = aim.hits(event)[0];
    release();
    if (hit === undefined) return;
    if (hit.kind === "node" || hit.kind === "word")
      c.commands.menuOf(c.placeOf(hit.kind, hit.key), event.clientX, event.clientY);
    else c.commands.press(hit.kind, hit.key, false);
  });
}
